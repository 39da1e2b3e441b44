// The public types of the router.
import type { PathPattern } from '../../path/index.ts'

/** One route of the table. */
export interface RouteEntry<T> {
  /** `GET`, `POST` … or `ANY`. */
  readonly verb: string
  /** The pattern of the full path. */
  readonly pattern: PathPattern
  readonly value: T
  /** Also answers the path followed by `/`. */
  readonly trailingSlash?: boolean
}

/** The route that answers a request; `captured`, `splatOf` and `paramsOf` read its values. */
export interface RouteMatch<T> {
  readonly value: T
  readonly pattern: PathPattern
  /** The decoded path that `offsets` points into. */
  readonly text: string
  /** Start and end for each of the pattern's names, then for each unnamed wildcard; -1 where absent. */
  readonly offsets: readonly number[]
  /** True when `text` holds encoded separators in their guarded form. */
  readonly guarded: boolean
}

/** A lookup structure over routes. */
export interface Router<T> {
  /**
   * The best route for a path among those declared with a verb, `ANY` being one, or null. A path with an invalid
   * percent-encoding finds nothing: `isWellFormedPath` tells that case, which a server answers with 400.
   */
  find(verb: string, path: string): RouteMatch<T> | null
  /** Declared verbs, `ANY` among them, of all routes that match the path; empty when the path is unknown. */
  findVerbs(path: string): readonly string[]
  /** Routes that no request can tell apart. */
  readonly conflicts: readonly RouteConflict<T>[]
}

/** Two routes of one verb that answer exactly the same paths. */
export interface RouteConflict<T> {
  readonly first: RouteEntry<T>
  readonly second: RouteEntry<T>
}
