// Exact decimal numbers: strings everywhere, because a double cannot represent most decimal fractions exactly.
import {
  compareDecimals,
  getFractionDigits,
  getIntegerDigits,
  isDecimal,
  normalizeDecimal,
  scaleDecimal,
  unscaleDecimal,
} from '../../util/decimal.ts'
import { custom } from '../../util/setting-form.ts'
import {
  type Attribute,
  type AttributeRules,
  type KindOutline,
  type KindRules,
  makeAttribute,
  type Options,
} from '../attribute.ts'
import type { AllowedDefault, BooleanOption, DefaultValue, KindOptionForms } from '../attribute-options.ts'
import { Dumping } from '../dumping.ts'
import type { ExampleSeed } from '../example.ts'
import { INVALID, type IssueCollector } from '../issue.ts'
import { applyOptions } from '../json-schema.ts'
import type { Loading } from '../loading.ts'
import type { Nullable, PresenceOf } from '../types.ts'
import { getLimitTexts, refuseType, toExpected } from '../value-checks.ts'

/** Declares an exact decimal number, a string in a controller and in JSON: `'12.50'`. */
export function decimal<
  R extends BooleanOption = undefined,
  N extends BooleanOption = undefined,
  D extends AllowedDefault<string, R> = undefined,
>(options?: DecimalOptions<R, N, D>): Attribute<Nullable<string, N>, PresenceOf<R, D>> {
  return makeAttribute(decimalKind, undefined, options)
}

/** The options of `t.decimal`. */
export interface DecimalOptions<
  R extends BooleanOption = BooleanOption,
  N extends BooleanOption = BooleanOption,
  D = DefaultValue<string> | undefined,
> extends Options<string, R, N, D> {
  /** The maximum number of digits, including those after the decimal point; it requires `scale`. */
  readonly precision?: number
  /** The number of digits after the decimal point: fewer are padded with zeros, more are rejected. */
  readonly scale?: number
  /** The minimum, as a string. */
  readonly min?: string
  /** The maximum, as a string. */
  readonly max?: string
}

// The time of a comparison grows with the number of digits; a thousand digits take microseconds.
const MAX_DECIMAL_DIGITS = 1000
// A sign, a zero, a decimal point and the digits.
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

/** The outline of `t.decimal`. */
export const decimalOutline: KindOutline<undefined> = decimalKind

const EXPECTED_DECIMAL = /* @__PURE__ */ toExpected(decimalKind)

/** The rules of `t.decimal`. */
export const decimalRules: KindRules<undefined> = {
  extraConstraints: getLimitTexts,
  options: {
    precision: makeDigitsForm(1),
    scale: makeDigitsForm(0),
    min: decimalLimitForm,
    max: decimalLimitForm,
  } satisfies KindOptionForms<DecimalOptions>,
  loader(_, options) {
    const { scale } = options as DecimalOptions
    const check = makeDecimalCheck(options as DecimalOptions)
    return function loadDecimal(value, loading) {
      const text = readDecimalText(value, loading)
      if (text === INVALID) return INVALID
      const normalized = normalizeDecimal(text, scale)
      return check(normalized, loading) ? normalized : INVALID
    }
  },
  dumper(_, options) {
    const { scale } = options as DecimalOptions
    const check = makeDecimalCheck(options as DecimalOptions)
    return function dumpDecimal(value, dumping) {
      if (!isDecimal(value)) return dumping.fail('type', EXPECTED_DECIMAL)
      const normalized = normalizeDecimal(value, scale)
      if (dumping.checks) check(normalized, dumping)
      return normalized
    }
  },
  jsonSchema: (_, options) =>
    applyOptions(
      {
        type: 'string',
        format: 'decimal',
        maxLength: MAX_DECIMAL_LENGTH,
        pattern: buildDecimalPattern(options as DecimalOptions),
      },
      options,
    ),
  example: (_, options, seed) => makeDecimalExample(options as DecimalOptions, seed),
  mistakes: (_, options, rules) => findDecimalMistakes(options as DecimalOptions, rules),
}

function readDecimalText(value: unknown, loading: Loading): string | typeof INVALID {
  if (typeof value !== 'string')
    return Number.isSafeInteger(value) ? String(value) : refuseType(value, loading, EXPECTED_DECIMAL)
  if (value.length > MAX_DECIMAL_LENGTH) return loading.fail('max-length', { limit: MAX_DECIMAL_LENGTH })
  return DECIMAL_TEXT.test(value) ? value : refuseType(value, loading, EXPECTED_DECIMAL)
}

/** Returns the maximum number of digits before and after the decimal point. */
function getDigitLimits({ precision, scale }: DecimalOptions): { before: number; after: number } {
  if (scale === undefined) return { before: MAX_DECIMAL_DIGITS, after: MAX_DECIMAL_DIGITS }
  return { before: (precision ?? MAX_DECIMAL_DIGITS) - scale, after: scale }
}

function makeDecimalCheck(options: DecimalOptions) {
  const { min, max } = options
  const limits = getDigitLimits(options)
  return function checkDecimal(value: string, reporter: IssueCollector): boolean {
    if (!isWithinDigits(value, limits)) reporter.fail('digits', limits)
    else if (min !== undefined && compareDecimals(value, min) < 0) reporter.fail('min', { limit: min })
    else if (max !== undefined && compareDecimals(value, max) > 0) reporter.fail('max', { limit: max })
    else return true
    return false
  }
}

function isWithinDigits(value: string, { before, after }: { before: number; after: number }): boolean {
  const integerDigits = getIntegerDigits(value).replace('-', '')
  return (integerDigits === '0' ? 0 : integerDigits.length) <= before && getFractionDigits(value).length <= after
}

function buildDecimalPattern(options: DecimalOptions): string {
  const { before, after } = getDigitLimits(options)
  const integerPart = before === 0 ? '0' : `(?:0|[1-9][0-9]{0,${before - 1}})`
  // Trailing zeros do not count.
  return `^-?${integerPart}(?:\\.${after === 0 ? '0+' : `[0-9]{1,${after}}0*`})?$`
}

// Produces hundredths without a scale, from 1 on if the limits allow it.
function makeDecimalExample(options: DecimalOptions, seed: ExampleSeed): string {
  const { min, max, precision = MAX_DECIMAL_DIGITS } = options
  const scale = options.scale ?? Math.max(2, getFractionDigits(min ?? '').length, getFractionDigits(max ?? '').length)
  const greatest = 10n ** BigInt(precision) - 1n
  const lowest = min === undefined ? -greatest : scaleDecimal(min, scale)
  const highest = max === undefined ? greatest : scaleDecimal(max, scale)
  const one = 10n ** BigInt(scale)
  const preferred = chooseExampleStart(one, highest)
  const start = preferred < lowest ? lowest : preferred
  const span = highest - start < 9999n ? highest - start : 9999n
  const example = unscaleDecimal(start + BigInt(seed.numberBelow(Number(span) + 1)), scale)
  return normalizeDecimal(example, options.scale)
}

function findDecimalMistakes(options: DecimalOptions, rules: AttributeRules): string[] {
  const { precision, scale, min, max, default: initial } = options
  const mistakes: string[] = []
  if (precision !== undefined && scale === undefined)
    mistakes.push('precision needs scale: how many of the digits are after the point')
  else if (precision !== undefined && scale !== undefined && scale > precision)
    mistakes.push(`scale (${scale}) is greater than precision (${precision})`)
  if (mistakes.length > 0) return mistakes
  const { min: _, max: __, ...unlimited } = options
  const dump = decimalRules.dumper(undefined, unlimited, rules)
  for (const [name, value] of Object.entries({ min, max })) {
    const dumping = new Dumping('checked')
    if (value !== undefined) dump(value, dumping)
    for (const { message } of dumping.issues ?? []) mistakes.push(`${name} (${value}) ${message}`)
  }
  if (min !== undefined && max !== undefined && compareDecimals(min, max) > 0)
    mistakes.push(`min (${min}) is greater than max (${max})`)
  // A default reaches the controller unchanged, so it must be in the normalized form.
  if (isDecimal(initial) && normalizeDecimal(initial, scale) !== initial)
    mistakes.push(`default is '${initial}', which is written '${normalizeDecimal(initial, scale)}' here`)
  return mistakes
}

// Returns 1 if the limits allow it, else 0, else a number a little below the maximum.
function chooseExampleStart(one: bigint, highest: bigint): bigint {
  if (highest >= one) return one
  return highest >= 0n ? 0n : highest - 9999n
}
