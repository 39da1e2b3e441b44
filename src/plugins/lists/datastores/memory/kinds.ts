// The column kinds of the memory datastore: their values, how they are compared, and their places.
import { decimals } from '../../../../extend.ts'
import { compareValues } from '../../plan/order.ts'
import type { ColumnKind, Place } from '../../query.ts'

/** One kind of column: everything that depends on what its values are. None of it is asked about null. */
export interface MemoryKind {
  isValue(value: unknown): boolean
  /** Returns whether a value has a place among those of the kind: one of another kind is neither equal, before nor after. */
  isComparable(value: unknown): boolean
  /** Compares two values that have a place, ascending. */
  compare(a: unknown, b: unknown): number
  /** Copies a value, so that no caller can change a row from outside. */
  copy(value: unknown): unknown
  place(value: unknown): Place
  /** The value at a place; undefined when there cannot be one. */
  at(place: Place): unknown
}

const plain: MemoryKind = {
  isValue: () => true,
  isComparable: (value) => isNumber(value) || ['string', 'boolean'].includes(typeof value) || isDate(value),
  compare: compareValues,
  copy: (value) => value,
  place: (value) => value as Place,
  at: (place) => place,
}

function checked(isValue: (value: unknown) => boolean, rest?: Partial<MemoryKind>): MemoryKind {
  return { ...plain, isValue, isComparable: isValue, at: (place) => (isValue(place) ? place : undefined), ...rest }
}

/** Returns whether a value is a number: those of all kinds have one order, in which NaN has no place. */
export const isNumber = (value: unknown): boolean =>
  typeof value === 'bigint' || (typeof value === 'number' && !Number.isNaN(value))
const isText = (value: unknown): value is string => typeof value === 'string'
const isDate = (value: unknown): value is Date => value instanceof Date && !Number.isNaN(value.getTime())

const hex = (value: unknown): string =>
  Array.from(value as Uint8Array, (byte) => byte.toString(16).padStart(2, '0')).join('')
const unhex = (text: string): Uint8Array =>
  Uint8Array.from(text.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16))

function dateTimeAt(place: Place): Date | undefined {
  const value = isText(place) ? new Date(place) : undefined
  return isDate(value) && value.toISOString() === place ? value : undefined
}

const decimalText = (value: unknown): string => decimals.plainDecimal(String(value))

/** Every kind of column. */
export const memoryKinds: Readonly<Record<ColumnKind, MemoryKind>> = {
  text: checked(isText),
  integer: checked(Number.isSafeInteger, { isComparable: isNumber }),
  bigint: checked((value) => typeof value === 'bigint' || Number.isSafeInteger(value), {
    isComparable: isNumber,
    copy: (value) => BigInt(value as bigint | number),
    place: String,
    at: (place) => (isText(place) && /^-?\d+$/.test(place) ? BigInt(place) : undefined),
  }),
  number: checked(Number.isFinite, { isComparable: isNumber }),
  decimal: checked(decimals.isDecimal, {
    isComparable: (value) => decimals.isDecimal(decimalText(value)),
    compare: (a, b) => decimals.compareDecimals(decimalText(a), decimalText(b)),
    // Equal numbers have one place, however many zeros they are written with.
    place: (value) => decimals.canonicalDecimal(String(value)),
  }),
  boolean: checked((value) => typeof value === 'boolean'),
  date: checked((value) => isText(value) && /^\d{4}-\d\d-\d\d$/.test(value)),
  dateTime: checked(isDate, {
    copy: (value) => new Date(value as Date),
    place: (value) => (value as Date).toISOString(),
    at: dateTimeAt,
  }),
  time: checked((value) => isText(value) && /^\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/.test(value)),
  json: {
    ...plain,
    isComparable: () => true,
    compare: (a, b) => compareValues(JSON.stringify(a), JSON.stringify(b)),
    copy: (value) => structuredClone(value),
    place: (value) => JSON.stringify(value),
    at: jsonAt,
  },
  bytes: checked((value) => value instanceof Uint8Array, {
    compare: (a, b) => compareValues(hex(a), hex(b)),
    copy: (value) => (value as Uint8Array).slice(),
    place: hex,
    at: (place) => (isText(place) && /^(?:[0-9a-f]{2})*$/.test(place) ? unhex(place) : undefined),
  }),
  other: plain,
}

function jsonAt(place: Place): unknown {
  try {
    return isText(place) ? JSON.parse(place) : undefined
  } catch {
    return undefined
  }
}
