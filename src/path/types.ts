// The public types of a pattern.

import type { PathSegments } from './segments.ts'
import type { PathNode } from './syntax/ast.ts'
import type { CaptureOption } from './syntax/constraint.ts'

/** A value that can be part of a path. */
type ExpandValue = string | number | bigint | boolean

/** Arguments by name; null and undefined count as absent; `splat` is an array. */
export interface ExpandArgs {
  readonly [name: string]: ExpandValue | readonly ExpandValue[] | null | undefined
}

/** The options of a pattern. */
export interface PatternOptions {
  /**
   * The constraint of all captures, or of captures by name: a RegExp, a text, one of `charClasses`, or a list of texts
   * and RegExps.
   * @default one or more characters other than `/`, `?` and `#`
   */
  readonly capture?: CaptureOption
  /**
   * A path to exclude from the route, written like the route's own and with the same prefix. An encoded slash does not
   * bypass it.
   */
  readonly except?: string
}

/** Captured values by name, without a prototype; null for captures that are not part of the match. */
export interface PatternParams {
  readonly [name: string]: string | readonly string[] | null
}

/** A compiled pattern, frozen. */
export interface PathPattern {
  readonly source: string
  readonly options: PatternOptions
  /** The captures and named wildcards in order, without duplicates. */
  readonly names: readonly string[]
  /** The `names` that every match captures. */
  readonly required: readonly string[]
  /** The number of unnamed wildcards; their values are the array `splat`. */
  readonly wildcards: number
  /** The segments, if there are only literal ones and captures without constraints; otherwise null. */
  readonly segments: PathSegments | null
  /** The syntax tree, for the router; that of a plain pattern is built at first use. */
  readonly root: PathNode
  /** The syntax tree of the option `except`, for the router. */
  readonly except: PathNode | null
  /** Returns the captured values if the complete path matches; otherwise null. */
  match(path: string): PatternParams | null
  /** Like `match`, on decoded text: start and end for each of `names`, then for each wildcard; -1 when absent. */
  scan(text: string): readonly number[] | null
  /** Returns the path for the given arguments; throws an ExpandError if no path matches with the same values. */
  expand(args: ExpandArgs): string
}
