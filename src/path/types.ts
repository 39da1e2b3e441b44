// The public types of a pattern.

import type { PathSegments } from './segments.ts'
import type { PathNode } from './syntax/ast.ts'
import type { CaptureOption } from './syntax/constraint.ts'

/** A value that can stand in a path. */
type ExpandValue = string | number | bigint | boolean

/** Arguments by name; null and undefined are the same as leaving the name out; `splat` is an array. */
export interface ExpandArgs {
  readonly [name: string]: ExpandValue | readonly ExpandValue[] | null | undefined
}

/** Options of a pattern. */
export interface PatternOptions {
  /**
   * The constraint of captures, for all or by name: a RegExp, a text, one of `classes`, or a list of texts and RegExps.
   * @default one or more characters other than `/`, `?` and `#`
   */
  readonly capture?: CaptureOption
  /** A path to exclude from the route; written like the route's own, with the same prefix. An encoded slash does not bypass it. */
  readonly except?: string
}

/** Captured values by name, without prototype; null where the match left a capture out. */
export interface PatternParams {
  readonly [name: string]: string | readonly string[] | null
}

/** A compiled pattern, frozen. */
export interface PathPattern {
  readonly source: string
  readonly options: PatternOptions
  /** Captures and named wildcards in order, each once. */
  readonly names: readonly string[]
  /** Those of `names` that are captured in every match. */
  readonly required: readonly string[]
  /** How many unnamed wildcards the pattern has; their values are the array `splat`. */
  readonly wildcards: number
  /** The segments when there are only literal ones and captures without constraints, else null. */
  readonly segments: PathSegments | null
  /** The syntax tree, for the router; that of a plain pattern is made when first asked for. */
  readonly root: PathNode
  /** The syntax tree of the option `except`, for the router. */
  readonly except: PathNode | null
  /** Captured values when the whole path matches, else null. */
  match(path: string): PatternParams | null
  /** Like `match`, on text that is decoded already: start and end for each of `names`, then for each wildcard; -1 when absent. */
  scan(text: string): readonly number[] | null
  /** The path for the given arguments; throws ExpandError when no path leads back to them. */
  expand(args: ExpandArgs): string
}
