// Forms: binding, reading and comparing the values of one database type, independent of drivers and sessions.
import { asIs } from '../../query/as-is.ts'
import type { SqlColumn } from '../sql/sql.ts'
import type { CatalogueColumn } from './catalogue.ts'

/** A type of a database, as all its columns have it; null never comes to it. */
export type ColumnCodec = Pick<
  SqlColumn,
  | 'kind'
  | 'encode'
  | 'encodeForComparison'
  | 'decode'
  | 'isCursorValue'
  | 'filterByEnds'
  | 'toSelectSql'
  | 'range'
  | 'digits'
  | 'parameterSql'
  | 'type'
  | 'toCursorValue'
  | 'bindCursorValue'
  | 'writeComparison'
  | 'sortLength'
  | 'unordered'
>

/** Makes a column of what a catalogue tells of it, by the name that users have for it. */
export function createColumn(
  written: string,
  name: string,
  { nullable, optional, readOnly }: CatalogueColumn,
  form: ColumnCodec,
): SqlColumn {
  return {
    ...form,
    name,
    sqlName: written,
    nullable,
    optional,
    ...(readOnly && { readOnly }),
    // A joined row can be missing, so that every column can have null for a place.
    isCursorValue: (value) => value === null || form.isCursorValue(value),
  }
}

/** Text that may be anything which a test does not refuse. */
export function createTextCodec(isPlace: (text: string) => boolean = () => true): ColumnCodec {
  return {
    kind: 'text',
    encode: asIs,
    decode: String,
    isCursorValue: (value) => typeof value === 'string' && isPlace(value),
  }
}

/** A type that is passed through as the driver has it. Nothing is known of its order, so that no list goes by it. */
export const createOtherCodec = (type: string): ColumnCodec => ({
  kind: 'other',
  encode: asIs,
  decode: asIs,
  isCursorValue: () => false,
  unordered: `no order of the type '${type}' is known here`,
})

/** The numbers that a whole number of so many bits can be. */
export function computeIntegerRange(bits: number, unsigned = false): readonly [bigint, bigint] {
  const half = 1n << BigInt(bits - 1)
  return unsigned ? [0n, 2n * half - 1n] : [-half, half - 1n]
}

const INTEGER = /^(?:0|-?[1-9]\d{0,19})$/

/** Whole numbers that are bound and read as text, since drivers differ in what they make of them. */
export function createIntegerCodec(kind: 'integer' | 'bigint', range: readonly [bigint, bigint]): ColumnCodec {
  return {
    kind,
    range,
    encode: String,
    decode: kind === 'bigint' ? (raw) => BigInt(raw as string | number | bigint) : Number,
    isCursorValue: (value) => typeof value === 'string' && INTEGER.test(value) && isInRange(BigInt(value), range),
  }
}

const isInRange = (value: bigint, [least, greatest]: readonly [bigint, bigint]): boolean =>
  value >= least && value <= greatest

/** Floating point numbers that every driver gives as numbers. */
export const numberCodec: ColumnCodec = {
  kind: 'number',
  encode: asIs,
  decode: Number,
  isCursorValue: (value) => typeof value === 'number' && Number.isFinite(value),
}

const DECIMAL = /^-?\d{1,131072}(?:\.\d{1,16383})?$/

/** Exact decimals, always as text. */
export const decimalCodec: ColumnCodec = {
  kind: 'decimal',
  encode: String,
  decode: String,
  isCursorValue: (value) => typeof value === 'string' && DECIMAL.test(value),
}

/** Truth values that are 0 and 1, and read as text. */
export const bitCodec: ColumnCodec = {
  kind: 'boolean',
  encode: (value) => (value ? 1 : 0),
  decode: (raw) => raw !== '0',
  isCursorValue: (value) => value === '0' || value === '1',
}

/** Structures as JSON text; they have no order, and so no places. */
export const jsonCodec: ColumnCodec = {
  kind: 'json',
  unordered: 'structures have no order',
  encode: (value) => JSON.stringify(value),
  decode: (raw) => (typeof raw === 'string' ? JSON.parse(raw) : raw),
  isCursorValue: () => false,
}

const HEX = /^(?:[0-9a-f]{2})*$/

/** Bytes, which are read as pairs of hexadecimal digits. */
export const bytesCodec: ColumnCodec = {
  kind: 'bytes',
  encode: asIs,
  decode: (raw) => Uint8Array.from(String(raw).match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)),
  isCursorValue: (value) => typeof value === 'string' && HEX.test(value),
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Identifiers of a type of their own. */
export const uuidCodec: ColumnCodec = createTextCodec((text) => UUID.test(text))
