// The rows of a statement: as the client gave them, and decoded at first use.
import type { CursorValue, RawRow, Reference, SelectedRows, UndecodedRows } from '../../query/query.ts'
import type { SqlColumn } from './sql.ts'
import { toCursorValue } from './values/cursor-values.ts'

/** How the rows of a query are read. */
interface RowFormat {
  /** Every column once. */
  readonly columns: readonly Reference[]
  /** The positions of the wanted columns among them, by number and by name. */
  readonly positions: readonly number[]
  readonly names: readonly string[]
  readonly decoders: readonly SqlColumn['decode'][]
  readonly cursorEncoders: readonly NonNullable<SqlColumn['toCursorValue']>[]
}

// Plans keep their columns, so that the same list comes again and again.
const rowFormats = new WeakMap<readonly Reference[], RowFormat>()

/** Works out how the rows of a query are read; a column that is wanted twice is read once. */
export function getRowFormat(wanted: readonly Reference[]): RowFormat {
  const known = rowFormats.get(wanted)
  if (known !== undefined && known.positions.length === wanted.length) return known
  const columns: Reference[] = []
  const positions = wanted.map((reference) => {
    const at = columns.findIndex((other) => other.column === reference.column && other.source === reference.source)
    return at === -1 ? columns.push(reference) - 1 : at
  })
  const names = positions.map((position) => `c${position}`)
  const own = wanted.map(({ column }) => column as SqlColumn)
  const decoders = own.map(({ decode }) => decode)
  const cursorEncoders = own.map((column) => column.toCursorValue ?? toCursorValue)
  const format = { columns, positions, names, decoders, cursorEncoders }
  rowFormats.set(wanted, format)
  return format
}

const RAW = Symbol('raw')
const FORMAT = Symbol('reading')

/** The rows of a statement, as a query gives them. */
export const toSelected = (raw: readonly RawRow[], reading: RowFormat): SelectedRows => new SqlRows(raw, reading)

/**
 * The rows of a query. A copy (`{ ...selected, rows }`) has to know the same places, so that the raw rows are properties
 * under symbols, and the functions are shared: one function for each object kept its rows alive beyond the next
 * collection of young objects, and the driver's next rows were made among the old ones.
 */
class SqlRows implements SelectedRows {
  declare readonly rows: SelectedRows['rows']
  readonly [RAW]: readonly RawRow[]
  readonly [FORMAT]: RowFormat
  readonly cursorValue: SelectedRows['cursorValue'] = readCursorValue

  constructor(raw: readonly RawRow[], reading: RowFormat) {
    this[RAW] = raw
    this[FORMAT] = reading
    Object.defineProperty(this, 'rows', LAZY_ROWS)
  }

  // Of the class, so that a copy with other rows does not have these.
  get undecoded(): UndecodedRows {
    return { rows: this[RAW], keys: getRowKeys(this), decoders: this[FORMAT].decoders }
  }
}

function readCursorValue(this: SqlRows, row: number, column: number): CursorValue {
  const raw: unknown = this[RAW][row]?.[getRowKeys(this)[column] as never]
  return raw === null || raw === undefined ? null : (this[FORMAT].cursorEncoders[column] as typeof toCursorValue)(raw)
}

// Elements are mostly made of the raw rows: decoding waits until it is asked for, and replaces the property then.
const LAZY_ROWS: PropertyDescriptor & ThisType<SqlRows> = {
  configurable: true,
  enumerable: true,
  get() {
    const value = decodeRows(this)
    Object.defineProperty(this, 'rows', { value, enumerable: true })
    return value
  },
}

function decodeRows(selected: SqlRows): SelectedRows['rows'] {
  const { decoders } = selected[FORMAT]
  const keys = getRowKeys(selected)
  return selected[RAW].map((row) => keys.map((key, i) => decodeNullable(decoders[i] as DecodeValue, row[key as never])))
}

function getRowKeys({ [RAW]: raw, [FORMAT]: { positions: places, names } }: SqlRows): UndecodedRows['keys'] {
  return raw.length === 0 || Array.isArray(raw[0]) ? places : names
}

type DecodeValue = SqlColumn['decode']

/** Decodes a value; null is null in every column. */
export const decodeNullable = (decode: DecodeValue, raw: unknown): unknown =>
  raw === null || raw === undefined ? null : decode(raw)

/** The value that stands in a place of a row. */
export function getValueAt(row: RawRow | undefined, at = 0): unknown {
  if (row === undefined) return undefined
  return Array.isArray(row) ? row[at] : Object.values(row)[at]
}
