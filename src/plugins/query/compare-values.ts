// The column kinds of the memory datastore: validation, comparison, copying and cursor values.
import { decimals } from '../../extend.ts'
import { compareValues } from './order-terms.ts'
import type { ColumnKind, CursorValue, Pattern } from './query.ts'

/** The behaviour of one column kind; null is never passed to it. */
export interface MemoryKind {
  isValue(value: unknown): boolean
  /** Returns whether a value is ordered among those of the kind; a value that is not is neither equal, less nor greater. */
  isComparable(value: unknown): boolean
  /** Compares two comparable values, ascending. */
  compare(a: unknown, b: unknown): number
  /** Copies a value, so that callers cannot change a stored row. */
  copy(value: unknown): unknown
  toCursorValue(value: unknown): CursorValue
  /** Returns the value of a cursor; undefined for an invalid one. */
  fromCursorValue(cursorValue: CursorValue): unknown
}

const untypedKind: MemoryKind = {
  isValue: () => true,
  isComparable: (value) => isNumber(value) || ['string', 'boolean'].includes(typeof value) || isDate(value),
  compare: compareValues,
  copy: (value) => value,
  toCursorValue: (value) => value as CursorValue,
  fromCursorValue: (cursorValue) => cursorValue,
}

function createKind(isValue: (value: unknown) => boolean, rest?: Partial<MemoryKind>): MemoryKind {
  return {
    ...untypedKind,
    isValue,
    isComparable: isValue,
    fromCursorValue: (cursorValue) => (isValue(cursorValue) ? cursorValue : undefined),
    ...rest,
  }
}

/** Returns whether a value is a number other than NaN; numbers of all kinds share one order. */
export const isNumber = (value: unknown): boolean =>
  typeof value === 'bigint' || (typeof value === 'number' && !Number.isNaN(value))
const isText = (value: unknown): value is string => typeof value === 'string'
const isDate = (value: unknown): value is Date => value instanceof Date && !Number.isNaN(value.getTime())

const encodeHex = (value: unknown): string =>
  Array.from(value as Uint8Array, (byte) => byte.toString(16).padStart(2, '0')).join('')
const decodeHex = (text: string): Uint8Array =>
  Uint8Array.from(text.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16))

function parseDateTime(cursorValue: CursorValue): Date | undefined {
  const value = isText(cursorValue) ? new Date(cursorValue) : undefined
  return isDate(value) && value.toISOString() === cursorValue ? value : undefined
}

const toPlainDecimal = (value: unknown): string => decimals.expandExponent(String(value))

/** The behaviour of every column kind. */
export const memoryKinds: Readonly<Record<ColumnKind, MemoryKind>> = {
  text: createKind(isText),
  integer: createKind(Number.isSafeInteger, { isComparable: isNumber }),
  bigint: createKind((value) => typeof value === 'bigint' || Number.isSafeInteger(value), {
    isComparable: isNumber,
    copy: (value) => BigInt(value as bigint | number),
    toCursorValue: String,
    fromCursorValue: (cursorValue) =>
      isText(cursorValue) && /^-?\d+$/.test(cursorValue) ? BigInt(cursorValue) : undefined,
  }),
  number: createKind(Number.isFinite, { isComparable: isNumber }),
  decimal: createKind(decimals.isDecimal, {
    isComparable: (value) => decimals.isDecimal(toPlainDecimal(value)),
    compare: (a, b) => decimals.compareDecimals(toPlainDecimal(a), toPlainDecimal(b)),
    // Equal decimals have the same cursor value, regardless of trailing zeros.
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
    fromCursorValue: (cursorValue) =>
      isText(cursorValue) && /^(?:[0-9a-f]{2})*$/.test(cursorValue) ? decodeHex(cursorValue) : undefined,
  }),
  other: untypedKind,
}

/** Returns whether two values are of a column kind and equal in it; decimals may differ in trailing zeros. */
export const isEqualColumnValue = (kind: ColumnKind, value: unknown, other: unknown): boolean => {
  const { isValue, compare } = memoryKinds[kind]
  return isValue(value) && isValue(other) && compare(value, other) === 0
}

function parseJson(cursorValue: CursorValue): unknown {
  try {
    return isText(cursorValue) ? JSON.parse(cursorValue) : undefined
  } catch {
    return undefined
  }
}

/** Returns whether a value matches a pattern. */
export function isLike(value: unknown, { text, before, after }: Pattern): boolean {
  if (typeof value !== 'string') return false
  if (before) return after ? value.includes(text) : value.endsWith(text)
  return after ? value.startsWith(text) : value === text
}

/** Returns whether the result of a comparison satisfies an operator. */
export function isInOrder(op: '<' | '<=' | '>' | '>=' | '=', compared: number): boolean {
  if (compared === 0) return op === '=' || op === '<=' || op === '>='
  return compared < 0 ? op.startsWith('<') : op.startsWith('>')
}
