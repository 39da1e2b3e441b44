// Places in a list exactly as their datastore knows them, whole or by the row that has them.
import type { TruncatedValue, CursorValue } from './query.ts'

/**
 * A place exactly as its datastore knows it. One that is too long for a link is the key of its row, with a digest of the
 * whole place: the row is read again, and the digest tells whether it is still there. Of a long key there are the ends.
 */
export type ExactCursor = FullCursor | RowCursor

/** A place with all its values. */
interface FullCursor {
  readonly values: readonly CursorValue[]
  readonly digest?: undefined
}

/** The place and the digest that find a row again. */
export interface RowCursor {
  readonly values: readonly (CursorValue | TruncatedValue)[]
  readonly digest: string
}
