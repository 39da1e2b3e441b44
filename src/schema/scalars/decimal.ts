// Exact decimal numbers: texts everywhere, because a double has no exact form of most fractions.
import {
  canonicalDecimal,
  compareDecimals,
  decimalOf,
  fractionOf,
  isDecimal,
  scaledDecimal,
  wholeOf,
} from '../../util/decimal.ts'
import { tested } from '../../util/form.ts'
import { type Attribute, attribute, type KindOutline, type KindRules, type Options } from '../attribute.ts'
import { Dumping } from '../dumping.ts'
import type { ExampleSeed } from '../example.ts'
import { INVALID, type Reporter } from '../issue.ts'
import { describe } from '../json-schema.ts'
import type { Loading } from '../loading.ts'
import type { Initial, InitialOf, OwnOptions, Said } from '../options.ts'
import type { Nullable, Present } from '../types.ts'
import { expecting, refuse, unsaidLimits } from './checks.ts'

/** Declares an exact decimal number, a text in a controller and in JSON: `'12.50'`. */
export function decimal<
  R extends Said = undefined,
  N extends Said = undefined,
  D extends InitialOf<string, R> = undefined,
>(options?: DecimalOptions<R, N, D>): Attribute<Nullable<string, N>, Present<R, D>> {
  return attribute(decimalKind, undefined, options)
}

/** Options of an exact decimal number. */
export interface DecimalOptions<R extends Said = Said, N extends Said = Said, D = Initial<string> | undefined>
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
const MAX_DIGITS = 1000
// A sign, a zero, a point and the digits.
const MAX_LENGTH = MAX_DIGITS + 3
const TEXT = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/
const limit = tested('a decimal number as a text, such as "12.50"', isDecimal)
const digits = (from: number) =>
  tested(
    `a whole number from ${from} to ${MAX_DIGITS}`,
    (value) => Number.isInteger(value) && (value as number) >= from && (value as number) <= MAX_DIGITS,
  )

const decimalKind = {
  name: 'decimal',
  scalar: 'decimal',
  expected: 'a decimal number as a text, such as "12.50"',
  read: (value, _, fail) => (typeof value === 'string' || Number.isSafeInteger(value) ? String(value) : fail('')),
  write: (value, _, fail) => (isDecimal(value) ? value : fail('')),
} satisfies KindOutline<undefined>

const EXPECTED = /* @__PURE__ */ expecting(decimalKind)

/** The rules of decimal numbers. */
export const decimalRules: KindRules<undefined> = {
  unsaid: unsaidLimits,
  options: { precision: digits(1), scale: digits(0), min: limit, max: limit } satisfies OwnOptions<DecimalOptions>,
  loader(_, options) {
    const { scale } = options as DecimalOptions
    const check = checkOf(options as DecimalOptions)
    return function loadDecimal(value, loading) {
      const text = sentText(value, loading)
      if (text === INVALID) return INVALID
      const read = canonicalDecimal(text, scale)
      return check(read, loading) ? read : INVALID
    }
  },
  dumper(_, options) {
    const { scale } = options as DecimalOptions
    const check = checkOf(options as DecimalOptions)
    return function dumpDecimal(value, dumping) {
      if (!isDecimal(value)) return dumping.fail('type', EXPECTED)
      const written = canonicalDecimal(value, scale)
      if (dumping.checks) check(written, dumping)
      return written
    }
  },
  jsonSchema: (_, options) =>
    describe(
      { type: 'string', format: 'decimal', maxLength: MAX_LENGTH, pattern: patternOf(options as DecimalOptions) },
      options,
    ),
  example: (_, options, seed) => exampleOf(options as DecimalOptions, seed),
  mistakes: (_, options) => mistakesOf(options as DecimalOptions),
}

function sentText(value: unknown, loading: Loading): string | typeof INVALID {
  if (typeof value !== 'string') return Number.isSafeInteger(value) ? String(value) : refuse(value, loading, EXPECTED)
  if (value.length > MAX_LENGTH) return loading.fail('max-length', { limit: MAX_LENGTH })
  return TEXT.test(value) ? value : refuse(value, loading, EXPECTED)
}

/** How many digits there may be before and after the point. */
function roomOf({ precision, scale }: DecimalOptions): { before: number; after: number } {
  if (scale === undefined) return { before: MAX_DIGITS, after: MAX_DIGITS }
  return { before: (precision ?? MAX_DIGITS) - scale, after: scale }
}

function checkOf(options: DecimalOptions) {
  const { min, max } = options
  const room = roomOf(options)
  return function checkDecimal(value: string, reporter: Reporter): boolean {
    if (!fits(value, room)) reporter.fail('digits', room)
    else if (min !== undefined && compareDecimals(value, min) < 0) reporter.fail('min', { limit: min })
    else if (max !== undefined && compareDecimals(value, max) > 0) reporter.fail('max', { limit: max })
    else return true
    return false
  }
}

function fits(value: string, { before, after }: { before: number; after: number }): boolean {
  const whole = wholeOf(value).replace('-', '')
  return (whole === '0' ? 0 : whole.length) <= before && fractionOf(value).length <= after
}

function patternOf(options: DecimalOptions): string {
  const { before, after } = roomOf(options)
  const whole = before === 0 ? '0' : `(?:0|[1-9][0-9]{0,${before - 1}})`
  // Zeros at the end mean nothing.
  return `^-?${whole}(?:\\.${after === 0 ? '0+' : `[0-9]{1,${after}}0*`})?$`
}

// Hundredths where no scale says otherwise, from 1 on where the limits have room for it.
function exampleOf(options: DecimalOptions, seed: ExampleSeed): string {
  const { min, max, precision = MAX_DIGITS } = options
  const scale = options.scale ?? Math.max(2, fractionOf(min ?? '').length, fractionOf(max ?? '').length)
  const greatest = 10n ** BigInt(precision) - 1n
  const least = min === undefined ? -greatest : scaledDecimal(min, scale)
  const most = max === undefined ? greatest : scaledDecimal(max, scale)
  const one = 10n ** BigInt(scale)
  const usual = usualStart(one, most)
  const start = usual < least ? least : usual
  const span = most - start < 9999n ? most - start : 9999n
  const made = decimalOf(start + BigInt(seed.pick(Number(span) + 1)), scale)
  return canonicalDecimal(made, options.scale)
}

function mistakesOf(options: DecimalOptions): string[] {
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
  if (isDecimal(given) && canonicalDecimal(given, scale) !== given)
    mistakes.push(`default is '${given}', which is written '${canonicalDecimal(given, scale)}' here`)
  return mistakes
}

// One where the limits have room for it, else zero, else a little below the greatest.
function usualStart(one: bigint, most: bigint): bigint {
  if (most >= one) return one
  return most >= 0n ? 0n : most - 9999n
}
