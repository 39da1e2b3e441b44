// The rows of a statement: kept as the client returned them, and decoded at first use.
import type { CursorValue, RawRow, SelectedRows, UndecodedRows } from '../../query/query.ts'
import type { SqlColumn, SqlReference } from './sql.ts'
import { toCursorValue } from './values/cursor-values.ts'

/** The columns that a query reads, and the functions that decode them. */
interface RowFormat {
  /** Every column once. */
  readonly columns: readonly SqlReference[]
  /** The positions of the requested columns among them, by number and by name. */
  readonly positions: readonly number[]
  readonly names: readonly string[]
  readonly decoders: readonly SqlColumn['decode'][]
  readonly cursorEncoders: readonly NonNullable<SqlColumn['toCursorValue']>[]
}

// Query plans reuse their arrays of columns, so most lookups hit.
const rowFormats = new WeakMap<readonly SqlReference[], RowFormat>()

/** Returns the format of the rows of a query; a column that is requested twice is read once. */
export function getRowFormat(requested: readonly SqlReference[]): RowFormat {
  const known = rowFormats.get(requested)
  if (known !== undefined && known.positions.length === requested.length) return known
  const columns: SqlReference[] = []
  const positions = requested.map((reference) => {
    const at = columns.findIndex((other) => other.column === reference.column && other.source === reference.source)
    return at === -1 ? columns.push(reference) - 1 : at
  })
  const names = positions.map((position) => `c${position}`)
  const requestedColumns = requested.map(({ column }) => column)
  const decoders = requestedColumns.map(({ decode }) => decode)
  const cursorEncoders = requestedColumns.map((column) => column.toCursorValue ?? toCursorValue)
  const format = { columns, positions, names, decoders, cursorEncoders }
  rowFormats.set(requested, format)
  return format
}

const RAW = Symbol('raw')
const FORMAT = Symbol('reading')

/** Wraps the raw rows of a statement. */
export const toSelected = (raw: readonly RawRow[], format: RowFormat): SelectedRows => new SqlRows(raw, format)

/**
 * The rows of a query. A copy (`{ ...selected, rows }`) must return the same cursor values: the raw rows are therefore
 * properties under symbols. The functions are shared: with a closure in each object, the rows survived the next
 * collection of the young generation, and V8 then allocated the driver's next rows in the old generation.
 */
class SqlRows implements SelectedRows {
  declare readonly rows: SelectedRows['rows']
  readonly [RAW]: readonly RawRow[]
  readonly [FORMAT]: RowFormat
  readonly cursorValue: SelectedRows['cursorValue'] = readCursorValue

  constructor(raw: readonly RawRow[], format: RowFormat) {
    this[RAW] = raw
    this[FORMAT] = format
    Object.defineProperty(this, 'rows', LAZY_ROWS)
  }

  // On the prototype, so that a copy with other rows does not inherit the raw ones.
  get undecoded(): UndecodedRows {
    return { rows: this[RAW], keys: getRowKeys(this), decoders: this[FORMAT].decoders }
  }
}

function readCursorValue(this: SqlRows, row: number, column: number): CursorValue {
  const raw: unknown = this[RAW][row]?.[getRowKeys(this)[column] as never]
  return raw === null || raw === undefined ? null : (this[FORMAT].cursorEncoders[column] as typeof toCursorValue)(raw)
}

// Most responses are written from the raw rows: rows are decoded at first access, and then replace the property.
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

function getRowKeys({ [RAW]: raw, [FORMAT]: { positions, names } }: SqlRows): UndecodedRows['keys'] {
  return raw.length === 0 || Array.isArray(raw[0]) ? positions : names
}

type DecodeValue = SqlColumn['decode']

/** Decodes a value; null stays null in every column. */
export const decodeNullable = (decode: DecodeValue, raw: unknown): unknown =>
  raw === null || raw === undefined ? null : decode(raw)

/** Returns the value at a position of a row. */
export function getValueAt(row: RawRow | undefined, position = 0): unknown {
  if (row === undefined) return undefined
  return Array.isArray(row) ? row[position] : Object.values(row)[position]
}
