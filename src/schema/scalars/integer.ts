// Whole numbers within the safe range, from their one canonical decimal form or from a JSON number.
import { list, number } from '../../util/setting-form.ts'
import { type Attribute, makeAttribute, type KindOutline, type KindRules, type Options } from '../attribute.ts'
import { INVALID } from '../issue.ts'
import { describe } from '../json-schema.ts'
import type { Loading } from '../loading.ts'
import type { DefaultValue, AllowedDefault, KindOptionForms, OptionalFlag } from '../attribute-options.ts'
import type { Nullable, Present } from '../types.ts'
import { expecting, findLimitMistakes, refuseType, findValuesMistakes } from '../value-checks.ts'
import { makeNumberCheck, makeNumberExample, buildNumericSchema } from './numeric.ts'

/** Declares a whole number between -(2^53 - 1) and 2^53 - 1. */
export function integer<
  const V extends number = number,
  R extends OptionalFlag = undefined,
  N extends OptionalFlag = undefined,
  D extends AllowedDefault<V, R> = undefined,
>(options?: IntegerOptions<V, R, N, D>): Attribute<Nullable<V, N>, Present<R, D>> {
  return makeAttribute(integerKind, undefined, options)
}

/** Options of a whole number. */
export interface IntegerOptions<
  V extends number = number,
  R extends OptionalFlag = OptionalFlag,
  N extends OptionalFlag = OptionalFlag,
  D = DefaultValue<V> | undefined,
> extends Options<NoInfer<V>, R, N, D> {
  /** The least value. */
  readonly min?: number
  /** The greatest value. */
  readonly max?: number
  /** The numbers allowed; they become the attribute's type. */
  readonly values?: readonly V[]
}

const integerKind = {
  name: 'integer',
  scalar: 'integer',
  passes: 'whole',
  expected: 'an integer',
  write: (value, _, fail) => {
    const read = typeof value === 'bigint' ? Number(value) : value
    return Number.isSafeInteger(read) ? read : fail('')
  },
} satisfies KindOutline<undefined>

const EXPECTED_INTEGER = /* @__PURE__ */ expecting(integerKind)

/** The rules of whole numbers. */
export const integerRules: KindRules<undefined> = {
  options: { min: number, max: number, values: list(number) } satisfies KindOptionForms<IntegerOptions>,
  loader(_, options) {
    const check = makeNumberCheck(options as IntegerOptions)
    return function loadInteger(value, loading) {
      const read = typeof value === 'string' ? parseIntegerText(value) : value
      if (typeof read !== 'number' || !Number.isSafeInteger(read)) return refuseInteger(value, read, loading)
      // Negative zero is zero: no other value of this kind could be written in two ways.
      return check(read, loading) ? read + 0 : INVALID
    }
  },
  dumper(_, options) {
    const check = makeNumberCheck(options as IntegerOptions)
    return function dumpInteger(value, dumping) {
      const read = typeof value === 'bigint' ? Number(value) : value
      if (typeof read !== 'number' || !Number.isSafeInteger(read)) return dumping.fail('type', EXPECTED_INTEGER)
      if (dumping.checks) check(read, dumping)
      return read + 0
    }
  },
  // Limits are those of the declaration: that integers are safe ones goes without saying.
  jsonSchema: (_, options) => describe({ type: 'integer', ...buildNumericSchema(options as IntegerOptions) }, options),
  example: (_, options, seed) => makeNumberExample(options as IntegerOptions, seed),
  mistakes: (_, options) => findIntegerMistakes(options as IntegerOptions),
}

/**
 * Reads digits with an optional minus: NaN when the text is not the canonical form of an integer, an infinity when it
 * lies beyond the safe range.
 */
function parseIntegerText(text: string): number {
  const negative = text.charCodeAt(0) === 45
  let i = negative ? 1 : 0
  const first = text.charCodeAt(i)
  if (first === 48) return text.length === 1 ? 0 : Number.NaN
  let read = i < text.length ? 0 : Number.NaN
  for (; i < text.length; i++) {
    const digit = text.charCodeAt(i) - 48
    if (digit < 0 || digit > 9) return Number.NaN
    read = read * 10 + digit
  }
  if (read > Number.MAX_SAFE_INTEGER) read = Number.POSITIVE_INFINITY
  return negative ? -read : read
}

function refuseInteger(value: unknown, read: unknown, loading: Loading): typeof INVALID {
  const beyond =
    typeof read === 'number' && (Number.isInteger(read) || typeof value === 'string') && !Number.isNaN(read)
  return beyond ? loading.fail('range') : refuseType(value, loading, EXPECTED_INTEGER)
}

function findIntegerMistakes(options: IntegerOptions): string[] {
  const mistakes = findLimitMistakes(options)
  for (const name of ['min', 'max'] as const) {
    const limit = options[name]
    if (limit !== undefined && !Number.isSafeInteger(limit)) mistakes.push(`${name} (${limit}) is not a safe integer`)
  }
  return [...mistakes, ...findValuesMistakes(options.values, integerRules.dumper(undefined, options))]
}
