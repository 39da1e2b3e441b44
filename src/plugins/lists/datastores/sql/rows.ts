// The rows of a statement: as the client gave them, and decoded at first use.
import type { Place, RawRow, Reference, Selected, Undecoded } from '../../query.ts'
import type { SqlColumn } from './sql.ts'
import { placeOf } from './statements/place.ts'

/** How the rows of a query are read. */
interface Reading {
  /** Every column once. */
  readonly columns: readonly Reference[]
  /** The positions of the wanted columns among them, by number and by name. */
  readonly places: readonly number[]
  readonly names: readonly string[]
  readonly decoders: readonly SqlColumn['decode'][]
  readonly placers: readonly NonNullable<SqlColumn['place']>[]
}

// Plans keep their columns, so that the same list comes again and again.
const readings = new WeakMap<readonly Reference[], Reading>()

/** Works out how the rows of a query are read; a column that is wanted twice is read once. */
export function readingOf(wanted: readonly Reference[]): Reading {
  const known = readings.get(wanted)
  if (known !== undefined && known.places.length === wanted.length) return known
  const columns: Reference[] = []
  const places = wanted.map((reference) => {
    const at = columns.findIndex((other) => other.column === reference.column && other.source === reference.source)
    return at === -1 ? columns.push(reference) - 1 : at
  })
  const names = places.map((place) => `c${place}`)
  const own = wanted.map(({ column }) => column as SqlColumn)
  const decoders = own.map(({ decode }) => decode)
  const reading = { columns, places, names, decoders, placers: own.map(({ place }) => place ?? placeOf) }
  readings.set(wanted, reading)
  return reading
}

const RAW = Symbol('raw')
const READING = Symbol('reading')

/** The rows of a statement, as a query gives them. */
export const selectedRows = (raw: readonly RawRow[], reading: Reading): Selected => new SqlRows(raw, reading)

/**
 * The rows of a query. A copy (`{ ...selected, rows }`) has to know the same places, so that the raw rows are properties
 * under symbols, and the functions are shared: one function for each object kept its rows alive beyond the next
 * collection of young objects, and the driver's next rows were made among the old ones.
 */
class SqlRows implements Selected {
  declare readonly rows: Selected['rows']
  readonly [RAW]: readonly RawRow[]
  readonly [READING]: Reading
  readonly place: Selected['place'] = placeIn

  constructor(raw: readonly RawRow[], reading: Reading) {
    this[RAW] = raw
    this[READING] = reading
    Object.defineProperty(this, 'rows', DECODED_WHEN_READ)
  }

  // Of the class, so that a copy with other rows does not have these.
  get undecoded(): Undecoded {
    return { rows: this[RAW], keys: keysOf(this), decoders: this[READING].decoders }
  }
}

function placeIn(this: SqlRows, row: number, column: number): Place {
  const raw: unknown = this[RAW][row]?.[keysOf(this)[column] as never]
  return raw === null || raw === undefined ? null : (this[READING].placers[column] as typeof placeOf)(raw)
}

// Elements are mostly made of the raw rows: decoding waits until it is asked for, and replaces the property then.
const DECODED_WHEN_READ: PropertyDescriptor & ThisType<SqlRows> = {
  configurable: true,
  enumerable: true,
  get() {
    const value = decodeRows(this)
    Object.defineProperty(this, 'rows', { value, enumerable: true })
    return value
  },
}

function decodeRows(selected: SqlRows): Selected['rows'] {
  const { decoders } = selected[READING]
  const keys = keysOf(selected)
  return selected[RAW].map((row) => keys.map((key, i) => decoded(decoders[i] as Decode, row[key as never])))
}

function keysOf({ [RAW]: raw, [READING]: { places, names } }: SqlRows): Undecoded['keys'] {
  return raw.length === 0 || Array.isArray(raw[0]) ? places : names
}

type Decode = SqlColumn['decode']

/** Decodes a value; null is null in every column. */
export const decoded = (decode: Decode, raw: unknown): unknown =>
  raw === null || raw === undefined ? null : decode(raw)

/** The value that stands in a place of a row. */
export function valueIn(row: RawRow | undefined, at = 0): unknown {
  if (row === undefined) return undefined
  return Array.isArray(row) ? row[at] : Object.values(row)[at]
}
