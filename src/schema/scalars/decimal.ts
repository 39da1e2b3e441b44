// Exact decimal numbers: texts everywhere, because a double has no exact form of most fractions.
import {
  normalizeDecimal,
  compareDecimals,
  unscaleDecimal,
  getFractionDigits,
  isDecimal,
  scaleDecimal,
  getIntegerDigits,
} from '../../util/decimal.ts'
import { custom } from '../../util/setting-form.ts'
import { type Attribute, makeAttribute, type KindOutline, type KindRules, type Options } from '../attribute.ts'
import { Dumping } from '../dumping.ts'
import type { ExampleSeed } from '../example.ts'
import { INVALID, type IssueCollector } from '../issue.ts'
import { describe } from '../json-schema.ts'
import type { Loading } from '../loading.ts'
import type { DefaultValue, AllowedDefault, KindOptionForms, OptionalFlag } from '../attribute-options.ts'
import type { Nullable, Present } from '../types.ts'
import { expecting, refuseType, getLimitTexts } from '../value-checks.ts'

/** Declares an exact decimal number, a text in a controller and in JSON: `'12.50'`. */
export function decimal<
  R extends OptionalFlag = undefined,
  N extends OptionalFlag = undefined,
  D extends AllowedDefault<string, R> = undefined,
>(options?: DecimalOptions<R, N, D>): Attribute<Nullable<string, N>, Present<R, D>> {
  return makeAttribute(decimalKind, undefined, options)
}

/** Options of an exact decimal number. */
export interface DecimalOptions<R extends OptionalFlag = OptionalFlag, N extends OptionalFlag = OptionalFlag, D = DefaultValue<string> | undefined>
  extends Options<string, R, N, D> {
  /** The greatest number of digits, those after the point included; it needs `scale`. */
  readonly precision?: number
  /** The number of digits after the point: fewer are padded with zeros, more are rejected. */
  readonly scale?: number
  /** The least value, as a text. */
  readonly min?: string
  /** The greatest value, as a text. */
  readonly max?: string
}

// Comparing digits takes time that grows with their number; a thousand of them take microseconds.
const MAX_DECIMAL_DIGITS = 1000
// A sign, a zero, a point and the digits.
const MAX_DECIMAL_LENGTH = MAX_DECIMAL_DIGITS + 3
const DECIMAL_TEXT = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/
const decimalLimitForm = custom('a decimal number as a text, such as "12.50"', isDecimal)
const makeDigitsForm = (from: number) =>
  custom(
    `a whole number from ${from} to ${MAX_DECIMAL_DIGITS}`,
    (value) => Number.isInteger(value) && (value as number) >= from && (value as number) <= MAX_DECIMAL_DIGITS,
  )

const decimalKind = {
  name: 'decimal',
  scalar: 'decimal',
  expected: 'a decimal number as a text, such as "12.50"',
  read: (value, _, fail) => (typeof value === 'string' || Number.isSafeInteger(value) ? String(value) : fail('')),
  write: (value, _, fail) => (isDecimal(value) ? value : fail('')),
} satisfies KindOutline<undefined>

const EXPECTED_DECIMAL = /* @__PURE__ */ expecting(decimalKind)

/** The rules of decimal numbers. */
export const decimalRules: KindRules<undefined> = {
  extraConstraints: getLimitTexts,
  options: { precision: makeDigitsForm(1), scale: makeDigitsForm(0), min: decimalLimitForm, max: decimalLimitForm } satisfies KindOptionForms<DecimalOptions>,
  loader(_, options) {
    const { scale } = options as DecimalOptions
    const check = makeDecimalCheck(options as DecimalOptions)
    return function loadDecimal(value, loading) {
      const text = readDecimalText(value, loading)
      if (text === INVALID) return INVALID
      const read = normalizeDecimal(text, scale)
      return check(read, loading) ? read : INVALID
    }
  },
  dumper(_, options) {
    const { scale } = options as DecimalOptions
    const check = makeDecimalCheck(options as DecimalOptions)
    return function dumpDecimal(value, dumping) {
      if (!isDecimal(value)) return dumping.fail('type', EXPECTED_DECIMAL)
      const written = normalizeDecimal(value, scale)
      if (dumping.checks) check(written, dumping)
      return written
    }
  },
  jsonSchema: (_, options) =>
    describe(
      { type: 'string', format: 'decimal', maxLength: MAX_DECIMAL_LENGTH, pattern: buildDecimalPattern(options as DecimalOptions) },
      options,
    ),
  example: (_, options, seed) => makeDecimalExample(options as DecimalOptions, seed),
  mistakes: (_, options) => findDecimalMistakes(options as DecimalOptions),
}

function readDecimalText(value: unknown, loading: Loading): string | typeof INVALID {
  if (typeof value !== 'string') return Number.isSafeInteger(value) ? String(value) : refuseType(value, loading, EXPECTED_DECIMAL)
  if (value.length > MAX_DECIMAL_LENGTH) return loading.fail('max-length', { limit: MAX_DECIMAL_LENGTH })
  return DECIMAL_TEXT.test(value) ? value : refuseType(value, loading, EXPECTED_DECIMAL)
}

/** How many digits there may be before and after the point. */
function getDigitLimits({ precision, scale }: DecimalOptions): { before: number; after: number } {
  if (scale === undefined) return { before: MAX_DECIMAL_DIGITS, after: MAX_DECIMAL_DIGITS }
  return { before: (precision ?? MAX_DECIMAL_DIGITS) - scale, after: scale }
}

function makeDecimalCheck(options: DecimalOptions) {
  const { min, max } = options
  const room = getDigitLimits(options)
  return function checkDecimal(value: string, reporter: IssueCollector): boolean {
    if (!isWithinDigits(value, room)) reporter.fail('digits', room)
    else if (min !== undefined && compareDecimals(value, min) < 0) reporter.fail('min', { limit: min })
    else if (max !== undefined && compareDecimals(value, max) > 0) reporter.fail('max', { limit: max })
    else return true
    return false
  }
}

function isWithinDigits(value: string, { before, after }: { before: number; after: number }): boolean {
  const whole = getIntegerDigits(value).replace('-', '')
  return (whole === '0' ? 0 : whole.length) <= before && getFractionDigits(value).length <= after
}

function buildDecimalPattern(options: DecimalOptions): string {
  const { before, after } = getDigitLimits(options)
  const whole = before === 0 ? '0' : `(?:0|[1-9][0-9]{0,${before - 1}})`
  // Zeros at the end mean nothing.
  return `^-?${whole}(?:\\.${after === 0 ? '0+' : `[0-9]{1,${after}}0*`})?$`
}

// Hundredths where no scale says otherwise, from 1 on where the limits have room for it.
function makeDecimalExample(options: DecimalOptions, seed: ExampleSeed): string {
  const { min, max, precision = MAX_DECIMAL_DIGITS } = options
  const scale = options.scale ?? Math.max(2, getFractionDigits(min ?? '').length, getFractionDigits(max ?? '').length)
  const greatest = 10n ** BigInt(precision) - 1n
  const least = min === undefined ? -greatest : scaleDecimal(min, scale)
  const most = max === undefined ? greatest : scaleDecimal(max, scale)
  const one = 10n ** BigInt(scale)
  const usual = chooseExampleStart(one, most)
  const start = usual < least ? least : usual
  const span = most - start < 9999n ? most - start : 9999n
  const made = unscaleDecimal(start + BigInt(seed.pick(Number(span) + 1)), scale)
  return normalizeDecimal(made, options.scale)
}

function findDecimalMistakes(options: DecimalOptions): string[] {
  const { precision, scale, min, max, default: given } = options
  const mistakes: string[] = []
  if (precision !== undefined && scale === undefined)
    mistakes.push('precision needs scale: how many of the digits are after the point')
  else if (precision !== undefined && scale !== undefined && scale > precision)
    mistakes.push(`scale (${scale}) is greater than precision (${precision})`)
  if (mistakes.length > 0) return mistakes
  const { min: _, max: __, ...unlimited } = options
  const dump = decimalRules.dumper(undefined, unlimited)
  for (const [name, value] of Object.entries({ min, max })) {
    const dumping = new Dumping(true)
    if (value !== undefined) dump(value, dumping)
    for (const { message } of dumping.issues ?? []) mistakes.push(`${name} (${value}) ${message}`)
  }
  if (min !== undefined && max !== undefined && compareDecimals(min, max) > 0)
    mistakes.push(`min (${min}) is greater than max (${max})`)
  // A default reaches the controller as it is, where one number has one text.
  if (isDecimal(given) && normalizeDecimal(given, scale) !== given)
    mistakes.push(`default is '${given}', which is written '${normalizeDecimal(given, scale)}' here`)
  return mistakes
}

// One where the limits have room for it, else zero, else a little below the greatest.
function chooseExampleStart(one: bigint, most: bigint): bigint {
  if (most >= one) return one
  return most >= 0n ? 0n : most - 9999n
}
