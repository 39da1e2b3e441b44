// Operands of conditions: a value is compared with a column only if the column could hold it. Databases convert other
// values, each by its own rules, and would return rows that were not requested.
import { calendar, decimals } from '../../../extend.ts'
import type { Column, ColumnKind } from '../../query/query.ts'
import { unwrapJson } from '../model/codec.ts'
import type { ColumnNode } from '../model/model-nodes.ts'

/** Thrown for a condition with a value that its column cannot hold. */
export class UnfitValueError extends TypeError {
  override readonly name = 'UnfitValueError'
  readonly field: string

  constructor(field: string, value: unknown, kind: string) {
    super(
      `The condition on '${field}' has ${describeValueKind(value)}, and its column holds values of the kind ${kind}. ` +
        'Remedy: compare it with such a value',
    )
    this.field = field
  }
}

// Messages are logged, so they must not contain values of clients.
function describeValueKind(value: unknown): string {
  if (value === null || value === undefined || Number.isNaN(value)) return String(value)
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'an invalid Date' : 'a Date'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a value of the type ${typeof value}`
}

/** A compared column, and the attribute that it stores. */
type ComparedColumn = Pick<ColumnNode, 'column' | 'codec'> & Partial<Pick<ColumnNode, 'attribute'>>

/** Converts a value of an attribute to one of its column for a condition; throws for one that the column cannot hold. */
export function toOperand(field: string, { attribute, column, codec }: ComparedColumn, value: unknown): unknown {
  // A column that no attribute maps takes values of its own kind.
  const scalar = attribute === undefined ? undefined : unwrapJson(attribute).core.scalar
  if (scalar !== undefined && SCALAR_TESTS[scalar]?.(value) === false) throw new UnfitValueError(field, value, scalar)
  const operand = OPERAND_CONVERTERS[column.kind](codec.toColumn(value))
  if (operand === undefined) throw new UnfitValueError(field, value, column.kind)
  return operand
}

/** Throws for a text search in a column that does not hold text. */
export function refuseNonTextColumn(field: string, { kind }: Column): void {
  if (kind !== 'text' && kind !== 'other') throw new UnfitValueError(field, '', kind)
}

type ValueTest = (value: unknown) => boolean

const isText: ValueTest = (value) => typeof value === 'string'
const isBoolean: ValueTest = (value) => typeof value === 'boolean'
// Infinity is ordered among numbers; NaN is not.
const isNumber: ValueTest = (value) => (typeof value === 'number' && !Number.isNaN(value)) || typeof value === 'bigint'
// Outside these years, databases have no timestamps, or write them in formats that do not sort.
const isDateTime: ValueTest = (value) =>
  value instanceof Date && value.getTime() >= MIN_DATE_TIME && value.getTime() <= MAX_DATE_TIME
const MIN_DATE_TIME = Date.parse('0000-01-01T00:00:00Z')
const MAX_DATE_TIME = Date.parse('9999-12-31T23:59:59.999Z')
const isBytes: ValueTest = (value) => value instanceof Uint8Array
const isDecimal: ValueTest = (value) => toDecimal(value) !== undefined

function toDecimal(value: unknown): string | undefined {
  const text = isNumber(value) ? decimals.expandExponent(String(value)) : value
  return decimals.isDecimal(text) ? text : undefined
}

const DATE_PATTERN = /^\d{4,7}-(\d\d)-(\d\d)(?: BC)?$/
const TIME_PATTERN = /^-?\d{2,3}:[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-]\d\d(?::?\d\d){0,2})?$/

// Some databases allow a zero month or day and years of five digits; none allows 30 February.
function isDate(value: unknown): boolean {
  const found = typeof value === 'string' ? DATE_PATTERN.exec(value) : null
  if (found === null) return false
  const [, month = '00', day = '00'] = found
  return month === '00' || day === '00' || calendar.startsWithDate(`2000-${month}-${day}`)
}

const isTime: ValueTest = (value) => typeof value === 'string' && TIME_PATTERN.test(value)

/** The tests for values of comparable attributes. */
const SCALAR_TESTS: Readonly<Record<string, ValueTest>> = Object.assign(Object.create(null), {
  string: isText,
  integer: isNumber,
  number: isNumber,
  bigint: isNumber,
  decimal: isDecimal,
  boolean: isBoolean,
  date: isDate,
  dateTime: isDateTime,
  time: isTime,
})

const keepIf =
  (test: ValueTest) =>
  (value: unknown): unknown =>
    test(value) ? value : undefined

/** Converts values to operands of each column kind; undefined for values that cannot be compared. */
const OPERAND_CONVERTERS: Readonly<Record<ColumnKind, (value: unknown) => unknown>> = {
  text: keepIf(isText),
  integer: keepIf(isNumber),
  bigint: keepIf(isNumber),
  // Some databases have no infinite doubles, and cannot compare with one.
  number: (value) => (typeof value === 'bigint' ? toExactDouble(value) : keepIf(Number.isFinite)(value)),
  decimal: toDecimal,
  boolean: keepIf(isBoolean),
  date: keepIf(isDate),
  dateTime: keepIf(isDateTime),
  time: keepIf(isTime),
  // Databases differ in their equality of JSON values.
  json: () => undefined,
  bytes: keepIf(isBytes),
  other: keepIf((value) => [isText, isNumber, isBoolean, isDateTime, isBytes].some((test) => test(value))),
}

const toExactDouble = (value: bigint): number | undefined =>
  BigInt(Number(value)) === value ? Number(value) : undefined
