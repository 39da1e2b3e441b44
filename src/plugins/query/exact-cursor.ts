// Exact cursors into a list: all order values, or the key of the row.
import type { CursorValue, TruncatedValue } from './query.ts'

/**
 * An exact cursor into a list. One that is too long for a link is the key of its row with a digest of the full cursor: the
 * row is read again, and the digest shows whether it still has the same position. Long keys are truncated in the middle.
 */
export type ExactCursor = FullCursor | RowCursor

/** A cursor with a value for each step of the order. */
interface FullCursor {
  readonly values: readonly CursorValue[]
  readonly digest?: undefined
}

/** A cursor by row: the values of its key, and the digest of the full cursor. */
export interface RowCursor {
  readonly values: readonly (CursorValue | TruncatedValue)[]
  readonly digest: string
}
