// Finite numbers, from text in JSON's number grammar or from a JSON number.
import { number as finite, list } from '../../util/setting-form.ts'
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
import type { Nullable, PresenceOf } from '../types.ts'
import { findLimitMistakes, findValuesMistakes, refuseType, toExpected } from '../value-checks.ts'
import {
  type AcceptedNumbers,
  acceptNumbers,
  buildNumericSchema,
  makeNumberCheck,
  makeNumberExample,
} from './numeric.ts'

/** Declares a finite number: a double, so decimal fractions are as exact as in JSON. */
export function number<
  const V extends number = number,
  R extends BooleanOption = undefined,
  N extends BooleanOption = undefined,
  D extends AllowedDefault<V, R> = undefined,
>(options?: NumberOptions<V, R, N, D>): Attribute<Nullable<V, N>, PresenceOf<R, D>> {
  return makeAttribute(numberKind, undefined, options)
}

/** The options of `t.number`. */
export interface NumberOptions<
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

const numberKind = {
  name: 'number',
  scalar: 'number',
  unchangedType: 'number',
  expected: 'a finite number',
} satisfies KindOutline<undefined>

const EXPECTED_NUMBER = /* @__PURE__ */ toExpected(numberKind)

/** The rules of `t.number`. */
export const numberRules: KindRules<undefined> = {
  options: { min: finite, max: finite, values: list(finite) } satisfies KindOptionForms<NumberOptions>,
  loader(_, options) {
    const check = makeNumberCheck(options as NumberOptions)
    return withLoaderCode(
      function loadNumber(value, loading) {
        const parsed = typeof value === 'string' && JSON_NUMBER.test(value) ? Number(value) : value
        if (typeof parsed !== 'number' || !Number.isFinite(parsed)) return refuseType(value, loading, EXPECTED_NUMBER)
        return check(parsed, loading) ? parsed + 0 : INVALID
      },
      { accept: (code, value) => acceptNumbers(code, value, options as NumberOptions, ACCEPTED_NUMBERS) },
    )
  },
  dumper(_, options) {
    const check = makeNumberCheck(options as NumberOptions)
    return function dumpNumber(value, dumping) {
      if (typeof value !== 'number' || !Number.isFinite(value)) return dumping.fail('type', EXPECTED_NUMBER)
      if (dumping.checks) check(value, dumping)
      return value + 0
    }
  },
  jsonSchema: (_, options) =>
    applyOptions({ type: 'number', ...buildNumericSchema(options as NumberOptions) }, options),
  example: (_, options, seed) => makeNumberExample(options as NumberOptions, seed),
  mistakes: (_, options, rules) => findNumberMistakes(options as NumberOptions, rules),
}

const JSON_NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/

const ACCEPTED_NUMBERS: AcceptedNumbers = {
  largest: Number.MAX_VALUE,
  isNumber: undefined,
  parse: (text) => (JSON_NUMBER.test(text) ? Number(text) : Number.NaN),
}

const findNumberMistakes = (options: NumberOptions, rules: AttributeRules): string[] => [
  ...findLimitMistakes(options),
  ...findValuesMistakes(options.values, () => numberRules.dumper(undefined, options, rules)),
]
