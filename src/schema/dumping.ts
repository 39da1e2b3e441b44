// Dumping: projects a value onto the declared structure and reports every value that does not fit it.
import { IssueCollector } from './issue.ts'
import type { JsonBuffer } from '../util/json/json-buffer.ts'

/** Turns one present, non-null value into JSON data; returns INVALID if the value must not be sent. */
export interface Dumper {
  (value: unknown, dumping: Dumping): unknown
  /** Makes the writer that does the same and stringifies at once, where there is one. */
  writer?: () => JsonWriter
}

/**
 * Writes one present, non-null value as JSON, as its dumper and JSON.stringify would; false when the value does not fit
 * its declaration, and whatever was written is to be thrown away.
 */
export type JsonWriter = (value: unknown, out: JsonBuffer, dumping: Dumping) => boolean

/** Values that JSON carries as they are: texts, truth values, finite numbers, and those of them that are whole. */
export type JsonPrimitive = 'string' | 'boolean' | 'number' | 'whole'

/** Returns whether a value leaves as it is; most values of most lists do, and need not be handed to a dumper to know it. */
export function isJsonPrimitive(value: unknown, passing: JsonPrimitive): boolean {
  if (typeof value !== 'number') return typeof value === passing
  return passing === 'whole' ? Number.isSafeInteger(value) : passing === 'number' && Number.isFinite(value)
}

/** How deep a rendered structure may nest: a cycle in the data ends here instead of in a full stack. */
const MAX_DUMP_DEPTH = 64

/** Collects the issues of one response body while it is rendered. */
export class Dumping extends IssueCollector {
  depth = 0
  /** True when limits, patterns and missing attributes are checked as well; the kind of a value always is. */
  checks: boolean

  constructor(checks: boolean) {
    super()
    this.checks = checks
  }

  /**
   * Steps into a container; false when that is too deep. From then on every step is refused, because data with a cycle
   * that branches would otherwise be walked an exponential number of times.
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

  /** Steps out of a container that was entered. */
  leave(): void {
    this.depth--
  }
}
