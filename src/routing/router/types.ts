// The public types of the router.
import type { PathPattern } from '../../path/index.ts'

/** One route of the table. */
export interface RouteEntry<T> {
  /** `GET`, `POST` … or `ANY`. */
  readonly verb: string
  /** The pattern of the full path. */
  readonly pattern: PathPattern
  readonly value: T
  /** Whether it also matches the path followed by `/`. */
  readonly trailingSlash?: boolean
}

/** The route for a request; `readRouteCapture`, `readRouteSplat` and `readRouteParams` read its values. */
export interface RouteMatch<T> {
  readonly value: T
  readonly pattern: PathPattern
  /** The decoded path that `offsets` points into. */
  readonly text: string
  /** Start and end for each of the pattern's names, then for each unnamed wildcard; -1 when absent. */
  readonly offsets: readonly number[]
  /** True when `text` has encoded separators in their guarded form. */
  readonly guarded: boolean
}

/** A lookup structure over routes. */
export interface Router<T> {
  /**
   * Returns the best route for a path among those declared with a method (or `ANY`), or null. A path with an invalid
   * percent-encoding matches nothing: `isWellFormedPath` detects that case, for which a server responds with 400.
   */
  find(verb: string, path: string): RouteMatch<T> | null
  /**
   * Returns the declared methods, including `ANY`, of all routes that match the path; empty when the path is unknown.
   */
  findVerbs(path: string): readonly string[]
  /** The routes that no request can distinguish. */
  readonly conflicts: readonly RouteConflict<T>[]
}

/** Two routes of one method that match exactly the same paths. */
export interface RouteConflict<T> {
  readonly first: RouteEntry<T>
  readonly second: RouteEntry<T>
}
