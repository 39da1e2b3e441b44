// Strings: limits in characters (code points, as in JSON Schema), patterns over the complete value, allowed values,
// formats.
import type { GeneratedCode } from '../../util/generated-code.ts'
import { choice, flag, list, number, regexp, text } from '../../util/setting-form.ts'
import {
  type Attribute,
  type AttributeRules,
  type KindOutline,
  type KindRules,
  makeAttribute,
  type Options,
} from '../attribute.ts'
import type { AllowedDefault, BooleanOption, DefaultValue, KindOptionForms } from '../attribute-options.ts'
import type { ExampleSeed } from '../example.ts'
import { INVALID, IssueCollector } from '../issue.ts'
import { applyOptions, type JsonSchema } from '../json-schema.ts'
import { withLoaderCode } from '../loader-code.ts'
import type { Nullable, PresenceOf } from '../types.ts'
import {
  findSizeMistakes,
  findValuesMistakes,
  isWellFormed,
  refuseType,
  refuseUnlisted,
  toExpected,
} from '../value-checks.ts'
import { makeTextExample } from './text-example.ts'
import { type StringFormat, textFormats } from './text-format.ts'
import {
  computePatternLengths,
  findPatternMistakes,
  getPatternMatcher,
  type Lengths,
  MAX_PATTERN_LENGTH,
  toJsonSchemaPattern,
} from './text-pattern.ts'

/** Declares a string. */
export function string<
  const V extends string = string,
  R extends BooleanOption = undefined,
  N extends BooleanOption = undefined,
  D extends AllowedDefault<V, R> = undefined,
>(options?: StringOptions<V, R, N, D>): Attribute<Nullable<V, N>, PresenceOf<R, D>> {
  return makeAttribute(stringKind, undefined, options)
}

/** The options of `t.string`. */
export interface StringOptions<
  V extends string = string,
  R extends BooleanOption = BooleanOption,
  N extends BooleanOption = BooleanOption,
  D = DefaultValue<V> | undefined,
> extends Options<NoInfer<V>, R, N, D> {
  /** The minimum number of characters. */
  readonly min?: number
  /**
   * The maximum number of characters.
   * @default no limit; with a pattern 1,000
   */
  readonly max?: number
  /** A RegExp that the complete text must match; it runs in linear time, and boot rejects back-references. */
  readonly pattern?: RegExp
  /** The allowed texts; they become the type of the attribute. */
  readonly values?: readonly V[]
  /** The format of the text: `'uuid'`, `'uri'` or `'email'`. */
  readonly format?: StringFormat
  /**
   * Accepts the character U+0000, which databases reject.
   * @default `false`
   */
  readonly allowNul?: boolean
}

const stringKind = {
  name: 'string',
  scalar: 'string',
  unchangedType: 'string',
  expected: 'a string',
} satisfies KindOutline<undefined>

const EXPECTED_STRING = /* @__PURE__ */ toExpected(stringKind)

/** The rules of `t.string`. */
export const stringRules: KindRules<undefined> = {
  extraConstraints: ({ allowNul }: StringOptions) => (allowNul === true ? { allowNul: true } : {}),
  options: {
    min: number,
    max: number,
    pattern: regexp,
    values: list(text),
    format: choice(...Object.keys(textFormats)),
    allowNul: flag,
  } satisfies KindOptionForms<StringOptions>,
  loader(_, options) {
    const check = makeStringCheck(options as StringOptions)
    return withLoaderCode(
      function loadString(value, loading) {
        if (typeof value !== 'string') return refuseType(value, loading, EXPECTED_STRING)
        return check(value, loading) ? value : INVALID
      },
      { accept: (code, value) => [{ test: writeStringTest(code, value, options as StringOptions), result: value }] },
    )
  },
  dumper(_, options) {
    const check = makeStringCheck(options as StringOptions)
    return function dumpString(value, dumping) {
      if (typeof value !== 'string') return dumping.fail('type', EXPECTED_STRING)
      if (dumping.checks) check(value, dumping)
      return value
    }
  },
  jsonSchema: (_, options) => applyOptions(buildStringSchema(options as StringOptions), options),
  example: (_, options, seed) => makeStringExample(options as StringOptions, seed),
  mistakes: (_, options, rules) => findStringMistakes(options as StringOptions, rules),
}

type StringCheck = (value: string, reporter: IssueCollector) => boolean

function makeStringCheck(options: StringOptions): StringCheck {
  const { min = 0, values, format, allowNul = false } = options
  const max = options.max ?? (options.pattern === undefined ? Number.POSITIVE_INFINITY : MAX_PATTERN_LENGTH)
  const pattern = options.pattern && getPatternMatcher(options.pattern)
  const allowed = values && new Set(values)
  const formatCheck = format && textFormats[format]
  return function checkString(value, reporter) {
    if (value.length > max && isLonger(value, max)) return toFalse(reporter.fail('max-length', { limit: max }))
    if (value.length < min * 2 && countCodePoints(value) < min)
      return toFalse(reporter.fail('min-length', { limit: min }))
    if (!allowNul && value.includes('\0')) return toFalse(reporter.fail('nul'))
    if (!isWellFormed(value))
      return toFalse(reporter.fail('format', { expected: 'well-formed Unicode text', kind: 'unicode' }))
    if (allowed !== undefined && !allowed.has(value)) {
      return toFalse(refuseUnlisted(values ?? [], reporter))
    }
    if (pattern?.test(value) === false) return toFalse(reporter.fail('pattern', { pattern: String(options.pattern) }))
    if (formatCheck?.test(value) === false)
      return toFalse(reporter.fail('format', { expected: formatCheck.expected, kind: String(format) }))
    return true
  }
}

// The order of the checks matters for issues only.
function writeStringTest(code: GeneratedCode, value: string, options: StringOptions): string {
  const { min = 0, values, pattern, format, allowNul = false } = options
  const max = options.max ?? (pattern === undefined ? Number.POSITIVE_INFINITY : MAX_PATTERN_LENGTH)
  if (values !== undefined && values.length <= MAX_COMPARED) {
    const check = makeStringCheck(options)
    const accepted = values.filter((one) => typeof one === 'string' && check(one, new IssueCollector()))
    return accepted.map((one) => `${value} === ${code.addConstant(one)}`).join(' || ') || 'false'
  }
  const isPlain = code.addConstant(allowNul ? isWellFormed : isPlainText)
  const tests = [`typeof ${value} === 'string'`, `(loading.hasPlainTexts || ${isPlain}(${value}))`]
  // A character takes one or two UTF-16 units.
  if (max !== Number.POSITIVE_INFINITY) tests.push(`${value}.length <= ${code.writeNumber(max)}`)
  if (min !== 0)
    tests.push(
      `(${value}.length >= ${code.writeNumber(min * 2)} || ${code.addConstant(countCodePoints)}(${value}) >= ${code.writeNumber(min)})`,
    )
  if (values !== undefined) tests.push(`${code.addConstant(new Set(values))}.has(${value})`)
  if (pattern !== undefined) tests.push(`${code.addConstant(getPatternMatcher(pattern))}.test(${value})`)
  if (format !== undefined) tests.push(`${code.addConstant(textFormats[format])}.test(${value})`)
  return tests.join(' && ')
}

// Comparing with so many values takes less than a lookup.
const MAX_COMPARED = 8

const isPlainText = (value: string): boolean => !value.includes('\0') && isWellFormed(value)

const toFalse = (_: unknown): false => false

// A character takes one or two UTF-16 units, so most texts need no counting.
const isLonger = (value: string, max: number): boolean => value.length > max * 2 || countCodePoints(value) > max

function countCodePoints(value: string): number {
  let count = value.length
  for (let i = 1; i < value.length; i++) {
    if ((value.charCodeAt(i) & 0xfc00) === 0xdc00 && (value.charCodeAt(i - 1) & 0xfc00) === 0xd800) count--
  }
  return count
}

function buildStringSchema({ min, max, pattern, values, format }: StringOptions): JsonSchema {
  const source = pattern && toJsonSchemaPattern(pattern)
  const limit = max ?? (pattern && MAX_PATTERN_LENGTH)
  return {
    type: 'string',
    ...(values && { enum: [...values] }),
    ...(min !== undefined && { minLength: min }),
    ...(limit !== undefined && { maxLength: limit }),
    ...(source !== undefined && { pattern: source }),
    ...(format && { format }),
  }
}

function makeStringExample(options: StringOptions, seed: ExampleSeed): string {
  const { values } = options
  return values !== undefined && values.length > 0 ? seed.pick(values) : makeTextExample(seed, options)
}

// Finds limits that no text of the format or the pattern can satisfy.
function findLengthMistakes({ min = 0, max, pattern, format }: StringOptions): string[] {
  const highest = max ?? (pattern === undefined ? Number.POSITIVE_INFINITY : MAX_PATTERN_LENGTH)
  if (min > highest && max === undefined)
    return [`min (${min}) is more than the ${highest} characters that a text with a pattern has without max`]
  const bounds: readonly (readonly [what: string, lengths: Lengths])[] = [
    ...(format === undefined ? [] : [[`the format ${format}`, textFormats[format].lengths] as const]),
    ...(pattern === undefined ? [] : [[`the pattern ${pattern}`, computePatternLengths(pattern)] as const]),
  ]
  const mistakes = bounds.flatMap(([what, { shortest, longest }]) => {
    if (shortest > highest)
      return [`max (${highest}) excludes every text of ${what}, which has at least ${shortest} characters`]
    return longest < min ? [`min (${min}) excludes every text of ${what}, which has at most ${longest} characters`] : []
  })
  const [one, other] = bounds
  if (mistakes.length > 0 || one === undefined || other === undefined) return mistakes
  const isDisjoint = one[1].shortest > other[1].longest || one[1].longest < other[1].shortest
  return isDisjoint ? [`no text has both ${one[0]} and ${other[0]}: their lengths differ`] : []
}

function findStringMistakes(options: StringOptions, rules: AttributeRules): string[] {
  const { values, pattern } = options
  const mistakes = findSizeMistakes(options)
  if (pattern !== undefined) mistakes.push(...findPatternMistakes(pattern))
  if (mistakes.length === 0) mistakes.push(...findLengthMistakes(options))
  // Values cannot be checked with an invalid pattern or invalid limits.
  if (mistakes.length > 0) return mistakes
  mistakes.push(...findValuesMistakes(values, () => stringRules.dumper(undefined, options, rules)))
  return mistakes
}
