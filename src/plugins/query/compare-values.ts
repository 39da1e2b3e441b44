// The column kinds of the memory datastore: their values, how they are compared, and their places.
import { decimals } from '../../extend.ts'
import { compareValues } from './order-terms.ts'
import type { ColumnKind, CursorValue, Pattern } from './query.ts'

/** One kind of column: everything that depends on what its values are. None of it is asked about null. */
export interface MemoryKind {
  isValue(value: unknown): boolean
  /** Returns whether a value has a place among those of the kind: one of another kind is neither equal, before nor after. */
  isComparable(value: unknown): boolean
  /** Compares two values that have a place, ascending. */
  compare(a: unknown, b: unknown): number
  /** Copies a value, so that no caller can change a row from outside. */
  copy(value: unknown): unknown
  toCursorValue(value: unknown): CursorValue
  /** The value at a place; undefined when there cannot be one. */
  fromCursorValue(place: CursorValue): unknown
}

const untypedKind: MemoryKind = {
  isValue: () => true,
  isComparable: (value) => isNumber(value) || ['string', 'boolean'].includes(typeof value) || isDate(value),
  compare: compareValues,
  copy: (value) => value,
  toCursorValue: (value) => value as CursorValue,
  fromCursorValue: (place) => place,
}

function createKind(isValue: (value: unknown) => boolean, rest?: Partial<MemoryKind>): MemoryKind {
  return { ...untypedKind, isValue, isComparable: isValue, fromCursorValue: (place) => (isValue(place) ? place : undefined), ...rest }
}

/** Returns whether a value is a number: those of all kinds have one order, in which NaN has no place. */
export const isNumber = (value: unknown): boolean =>
  typeof value === 'bigint' || (typeof value === 'number' && !Number.isNaN(value))
const isText = (value: unknown): value is string => typeof value === 'string'
const isDate = (value: unknown): value is Date => value instanceof Date && !Number.isNaN(value.getTime())

const encodeHex = (value: unknown): string =>
  Array.from(value as Uint8Array, (byte) => byte.toString(16).padStart(2, '0')).join('')
const decodeHex = (text: string): Uint8Array =>
  Uint8Array.from(text.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16))

function parseDateTime(place: CursorValue): Date | undefined {
  const value = isText(place) ? new Date(place) : undefined
  return isDate(value) && value.toISOString() === place ? value : undefined
}

const toPlainDecimal = (value: unknown): string => decimals.expandExponent(String(value))

/** Every kind of column. */
export const memoryKinds: Readonly<Record<ColumnKind, MemoryKind>> = {
  text: createKind(isText),
  integer: createKind(Number.isSafeInteger, { isComparable: isNumber }),
  bigint: createKind((value) => typeof value === 'bigint' || Number.isSafeInteger(value), {
    isComparable: isNumber,
    copy: (value) => BigInt(value as bigint | number),
    toCursorValue: String,
    fromCursorValue: (place) => (isText(place) && /^-?\d+$/.test(place) ? BigInt(place) : undefined),
  }),
  number: createKind(Number.isFinite, { isComparable: isNumber }),
  decimal: createKind(decimals.isDecimal, {
    isComparable: (value) => decimals.isDecimal(toPlainDecimal(value)),
    compare: (a, b) => decimals.compareDecimals(toPlainDecimal(a), toPlainDecimal(b)),
    // Equal numbers have one place, however many zeros they are written with.
    toCursorValue: (value) => decimals.normalizeDecimal(String(value)),
  }),
  boolean: createKind((value) => typeof value === 'boolean'),
  date: createKind((value) => isText(value) && /^\d{4}-\d\d-\d\d$/.test(value)),
  dateTime: createKind(isDate, {
    copy: (value) => new Date(value as Date),
    toCursorValue: (value) => (value as Date).toISOString(),
    fromCursorValue: parseDateTime,
  }),
  time: createKind((value) => isText(value) && /^\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/.test(value)),
  json: {
    ...untypedKind,
    isComparable: () => true,
    compare: (a, b) => compareValues(JSON.stringify(a), JSON.stringify(b)),
    copy: (value) => structuredClone(value),
    toCursorValue: (value) => JSON.stringify(value),
    fromCursorValue: parseJson,
  },
  bytes: createKind((value) => value instanceof Uint8Array, {
    compare: (a, b) => compareValues(encodeHex(a), encodeHex(b)),
    copy: (value) => (value as Uint8Array).slice(),
    toCursorValue: encodeHex,
    fromCursorValue: (place) => (isText(place) && /^(?:[0-9a-f]{2})*$/.test(place) ? decodeHex(place) : undefined),
  }),
  other: untypedKind,
}

function parseJson(place: CursorValue): unknown {
  try {
    return isText(place) ? JSON.parse(place) : undefined
  } catch {
    return undefined
  }
}

/** Tells whether a text begins, ends or goes on as a pattern has it. */
export function isLike(value: unknown, { text, before, after }: Pattern): boolean {
  if (typeof value !== 'string') return false
  if (before) return after ? value.includes(text) : value.endsWith(text)
  return after ? value.startsWith(text) : value === text
}

/** Tells whether the result of comparing two values is one that an operator asks for. */
export function isInOrder(op: '<' | '<=' | '>' | '>=' | '=', compared: number): boolean {
  if (compared === 0) return op === '=' || op === '<=' || op === '>='
  return compared < 0 ? op.startsWith('<') : op.startsWith('>')
}
