// Dumping: projects a value onto the declared structure and reports every value that does not fit it.

import type { JsonBuffer } from '../util/json/json-buffer.ts'
import { IssueCollector } from './issue.ts'

/** Turns one present, non-null value into JSON data; returns INVALID if the value must not be sent. */
export interface Dumper {
  (value: unknown, dumping: Dumping): unknown
  /** Creates a writer that dumps and stringifies in one pass, if the kind has one. */
  writer?: () => JsonWriter
}

/**
 * Writes one present, non-null value as JSON, with the same result as its dumper and JSON.stringify. Returns false when
 * the value does not match its declaration; the caller then discards the output.
 */
export type JsonWriter = (value: unknown, out: JsonBuffer, dumping: Dumping) => boolean

/** Values that are the same in JSON: strings, booleans, finite numbers, and integers. */
export type JsonPrimitive = 'string' | 'boolean' | 'number' | 'whole'

/** Returns whether a value is written unchanged; this spares most values of most lists a call of their dumper. */
export function isJsonPrimitive(value: unknown, primitive: JsonPrimitive): boolean {
  if (typeof value !== 'number') return typeof value === primitive
  return primitive === 'whole' ? Number.isSafeInteger(value) : primitive === 'number' && Number.isFinite(value)
}

/** The maximum depth of a rendered structure: a cycle in the data ends here, not in a stack overflow. */
const MAX_DUMP_DEPTH = 64

/** Collects the issues of one response body while it is rendered. */
export class Dumping extends IssueCollector {
  depth = 0
  /** True when limits, patterns and missing attributes are checked, too; the type of a value always is. */
  checks: boolean

  constructor(mode: 'checked' | 'unchecked') {
    super()
    this.checks = mode === 'checked'
  }

  /**
   * Enters a container; returns false when that is too deep. After that, every call is refused: branching data with a
   * cycle would otherwise be walked an exponential number of times.
   */
  enter(): boolean {
    if (this.depth < MAX_DUMP_DEPTH) {
      this.depth++
      return true
    }
    if (this.depth === MAX_DUMP_DEPTH) this.fail('depth', { limit: MAX_DUMP_DEPTH })
    this.depth = Number.POSITIVE_INFINITY
    return false
  }

  /** Leaves a container that was entered. */
  leave(): void {
    this.depth--
  }
}
