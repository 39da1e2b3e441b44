// Column codecs bind, read and compare the values of one database type, independently of drivers and sessions.
import { asIs } from '../../query/as-is.ts'
import type { SqlColumn } from '../sql/sql.ts'
import type { CatalogueColumn } from './catalogue.ts'

/** The codec of a database type, shared by all of its columns; it never receives null. */
export type ColumnCodec = Pick<
  SqlColumn,
  | 'kind'
  | 'encode'
  | 'encodeForComparison'
  | 'decode'
  | 'isCursorValue'
  | 'filterByTruncatedValue'
  | 'toSelectSql'
  | 'range'
  | 'digits'
  | 'parameterWrapper'
  | 'type'
  | 'toCursorValue'
  | 'bindCursorValue'
  | 'writeComparison'
  | 'maxTextLength'
  | 'unorderedReason'
>

/** Creates a column from its description in the catalogue, under the name that users have for it. */
export function createColumn(
  sqlName: string,
  name: string,
  { nullable, optional, readOnly }: CatalogueColumn,
  codec: ColumnCodec,
): SqlColumn {
  return {
    ...codec,
    name,
    sqlName,
    nullable,
    optional,
    ...(readOnly && { readOnly }),
    // A joined row can be missing, so that the cursor value of every column can be null.
    isCursorValue: (value) => value === null || codec.isCursorValue(value),
  }
}

/** Creates the codec of a text; `isCursorText` restricts the texts that are valid in a cursor. */
export function createTextCodec(isCursorText: (text: string) => boolean = () => true): ColumnCodec {
  return {
    kind: 'text',
    encode: asIs,
    decode: String,
    isCursorValue: (value) => typeof value === 'string' && isCursorText(value),
  }
}

/** Creates the codec of a type that is passed through as the driver has it. Its order is unknown, so no list uses it. */
export const createOtherCodec = (type: string): ColumnCodec => ({
  kind: 'other',
  encode: asIs,
  decode: asIs,
  isCursorValue: () => false,
  unorderedReason: `no order of the type '${type}' is known here`,
})

/** Returns the range of an integer with this number of bits. */
export function computeIntegerRange(bits: number, unsigned = false): readonly [bigint, bigint] {
  const half = 1n << BigInt(bits - 1)
  return unsigned ? [0n, 2n * half - 1n] : [-half, half - 1n]
}

const INTEGER = /^(?:0|-?[1-9]\d{0,19})$/

/** Creates the codec of integers, which are bound and read as text, since drivers convert them differently. */
export function createIntegerCodec(kind: 'integer' | 'bigint', range: readonly [bigint, bigint]): ColumnCodec {
  return {
    kind,
    range,
    encode: String,
    decode: kind === 'bigint' ? (raw) => BigInt(raw as string | number | bigint) : Number,
    isCursorValue: (value) => typeof value === 'string' && INTEGER.test(value) && isInRange(BigInt(value), range),
  }
}

const isInRange = (value: bigint, [min, max]: readonly [bigint, bigint]): boolean => value >= min && value <= max

/** The codec of floating-point numbers, which every driver returns as numbers. */
export const numberCodec: ColumnCodec = {
  kind: 'number',
  encode: asIs,
  decode: Number,
  isCursorValue: (value) => typeof value === 'number' && Number.isFinite(value),
}

const DECIMAL = /^-?\d{1,131072}(?:\.\d{1,16383})?$/

/** The codec of exact decimals, always as text. */
export const decimalCodec: ColumnCodec = {
  kind: 'decimal',
  encode: String,
  decode: String,
  isCursorValue: (value) => typeof value === 'string' && DECIMAL.test(value),
}

/** The codec of booleans that are stored as 0 and 1, and read as text. */
export const bitCodec: ColumnCodec = {
  kind: 'boolean',
  encode: (value) => (value ? 1 : 0),
  decode: (raw) => raw !== '0',
  isCursorValue: (value) => value === '0' || value === '1',
}

/** The codec of JSON, as text; it has no order, and therefore no cursor values. */
export const jsonCodec: ColumnCodec = {
  kind: 'json',
  unorderedReason: 'structures have no order',
  encode: (value) => JSON.stringify(value),
  decode: (raw) => (typeof raw === 'string' ? JSON.parse(raw) : raw),
  isCursorValue: () => false,
}

const HEX = /^(?:[0-9a-f]{2})*$/

/** The codec of bytes, which are read as hexadecimal digits. */
export const bytesCodec: ColumnCodec = {
  kind: 'bytes',
  encode: asIs,
  decode: (raw) => Uint8Array.from(String(raw).match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)),
  isCursorValue: (value) => typeof value === 'string' && HEX.test(value),
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** The codec of UUIDs that have their own database type. */
export const uuidCodec: ColumnCodec = createTextCodec((text) => UUID.test(text))
