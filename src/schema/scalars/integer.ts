// Integers within the safe range, from their canonical decimal text or from a JSON number.
import { list, number } from '../../util/setting-form.ts'
import {
  type Attribute,
  type AttributeRules,
  type KindOutline,
  type KindRules,
  makeAttribute,
  type Options,
} from '../attribute.ts'
import type { AllowedDefault, BooleanOption, DefaultValue, KindOptionForms } from '../attribute-options.ts'
import { INVALID } from '../issue.ts'
import { applyOptions } from '../json-schema.ts'
import { withLoaderCode } from '../loader-code.ts'
import type { Loading } from '../loading.ts'
import type { Nullable, PresenceOf } from '../types.ts'
import { findLimitMistakes, findValuesMistakes, refuseType, toExpected } from '../value-checks.ts'
import {
  type AcceptedNumbers,
  acceptNumbers,
  buildNumericSchema,
  makeIntegerExample,
  makeNumberCheck,
} from './numeric.ts'

/** Declares an integer between -(2^53 - 1) and 2^53 - 1. */
export function integer<
  const V extends number = number,
  R extends BooleanOption = undefined,
  N extends BooleanOption = undefined,
  D extends AllowedDefault<V, R> = undefined,
>(options?: IntegerOptions<V, R, N, D>): Attribute<Nullable<V, N>, PresenceOf<R, D>> {
  return makeAttribute(integerKind, undefined, options)
}

/** The options of `t.integer`. */
export interface IntegerOptions<
  V extends number = number,
  R extends BooleanOption = BooleanOption,
  N extends BooleanOption = BooleanOption,
  D = DefaultValue<V> | undefined,
> extends Options<NoInfer<V>, R, N, D> {
  /** The minimum. */
  readonly min?: number
  /** The maximum. */
  readonly max?: number
  /** The allowed numbers; they become the attribute's type. */
  readonly values?: readonly V[]
}

const integerKind = {
  name: 'integer',
  scalar: 'integer',
  unchangedType: 'whole',
  expected: 'an integer',
  write: (value, _, fail) => {
    const converted = typeof value === 'bigint' ? Number(value) : value
    return Number.isSafeInteger(converted) ? converted : fail('')
  },
} satisfies KindOutline<undefined>

/** The outline of `t.integer`. */
export const integerOutline: KindOutline<undefined> = integerKind

const EXPECTED_INTEGER = /* @__PURE__ */ toExpected(integerKind)

/** The rules of `t.integer`. */
export const integerRules: KindRules<undefined> = {
  options: { min: number, max: number, values: list(number) } satisfies KindOptionForms<IntegerOptions>,
  loader(_, options) {
    const check = makeNumberCheck(options as IntegerOptions)
    return withLoaderCode(
      function loadInteger(value, loading) {
        const parsed = typeof value === 'string' ? parseIntegerText(value) : value
        if (typeof parsed !== 'number' || !Number.isSafeInteger(parsed)) return refuseInteger(value, parsed, loading)
        // Negative zero becomes zero, so that every value has one text.
        return check(parsed, loading) ? parsed + 0 : INVALID
      },
      { accept: (code, value) => acceptNumbers(code, value, options as IntegerOptions, ACCEPTED_INTEGERS) },
    )
  },
  dumper(_, options) {
    const check = makeNumberCheck(options as IntegerOptions)
    return function dumpInteger(value, dumping) {
      const converted = typeof value === 'bigint' ? Number(value) : value
      if (typeof converted !== 'number' || !Number.isSafeInteger(converted))
        return dumping.fail('type', EXPECTED_INTEGER)
      if (dumping.checks) check(converted, dumping)
      return converted + 0
    }
  },
  // Only declared limits appear in the schema; the safe range does not.
  jsonSchema: (_, options) =>
    applyOptions({ type: 'integer', ...buildNumericSchema(options as IntegerOptions) }, options),
  example: (_, options, seed) => makeIntegerExample(options as IntegerOptions, seed),
  mistakes: (_, options, rules) => findIntegerMistakes(options as IntegerOptions, rules),
}

const ACCEPTED_INTEGERS: AcceptedNumbers = {
  largest: Number.MAX_SAFE_INTEGER,
  isNumber: Number.isInteger,
  parse: parseIntegerText,
}

/**
 * Parses digits with an optional minus: returns NaN for a text that is not a canonical integer, an infinity for one
 * beyond the safe range.
 */
function parseIntegerText(text: string): number {
  const negative = text.charCodeAt(0) === 45
  let i = negative ? 1 : 0
  const first = text.charCodeAt(i)
  if (first === 48) return text.length === 1 ? 0 : Number.NaN
  let parsed = i < text.length ? 0 : Number.NaN
  for (; i < text.length; i++) {
    const digit = text.charCodeAt(i) - 48
    if (digit < 0 || digit > 9) return Number.NaN
    parsed = parsed * 10 + digit
  }
  if (parsed > Number.MAX_SAFE_INTEGER) parsed = Number.POSITIVE_INFINITY
  return negative ? -parsed : parsed
}

function refuseInteger(value: unknown, parsed: unknown, loading: Loading): typeof INVALID {
  const isOutOfRange =
    typeof parsed === 'number' && (Number.isInteger(parsed) || typeof value === 'string') && !Number.isNaN(parsed)
  return isOutOfRange ? loading.fail('range') : refuseType(value, loading, EXPECTED_INTEGER)
}

function findIntegerMistakes(options: IntegerOptions, rules: AttributeRules): string[] {
  const mistakes = findLimitMistakes(options)
  for (const name of ['min', 'max'] as const) {
    const limit = options[name]
    if (limit !== undefined && !Number.isSafeInteger(limit)) mistakes.push(`${name} (${limit}) is not a safe integer`)
  }
  return [...mistakes, ...findValuesMistakes(options.values, () => integerRules.dumper(undefined, options, rules))]
}
