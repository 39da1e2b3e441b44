// Integers of any size, sent as strings: most JSON parsers round numbers beyond 2^53.
import { custom, list } from '../../util/setting-form.ts'
import {
  type Attribute,
  type AttributeRules,
  type KindOutline,
  type KindRules,
  makeAttribute,
  type Options,
} from '../attribute.ts'
import type { AllowedDefault, BooleanOption, DefaultValue, KindOptionForms } from '../attribute-options.ts'
import { INVALID, type IssueCollector } from '../issue.ts'
import { applyOptions } from '../json-schema.ts'
import type { Loading } from '../loading.ts'
import type { Nullable, PresenceOf } from '../types.ts'
import {
  findLimitMistakes,
  findValuesMistakes,
  getLimitTexts,
  refuseType,
  refuseUnlisted,
  toExpected,
} from '../value-checks.ts'

/** Declares an integer of up to 1,000 digits. */
export function bigint<
  const V extends bigint = bigint,
  R extends BooleanOption = undefined,
  N extends BooleanOption = undefined,
  D extends AllowedDefault<V, R> = undefined,
>(options?: BigintOptions<V, R, N, D>): Attribute<Nullable<V, N>, PresenceOf<R, D>> {
  return makeAttribute(bigintKind, undefined, options)
}

/** The options of `t.bigint`. */
export interface BigintOptions<
  V extends bigint = bigint,
  R extends BooleanOption = BooleanOption,
  N extends BooleanOption = BooleanOption,
  D = DefaultValue<V> | undefined,
> extends Options<NoInfer<V>, R, N, D> {
  /** The minimum. */
  readonly min?: bigint
  /** The maximum. */
  readonly max?: bigint
  /** The allowed numbers; they become the attribute's type. */
  readonly values?: readonly V[]
}

// Parsing takes quadratic time in the number of digits; a thousand digits take microseconds.
const MAX_BIGINT_DIGITS = 1000
const CANONICAL_INTEGER = /^(?:0|-?[1-9][0-9]*)$/
const BIGINT_PATTERN = `^(?:0|-?[1-9][0-9]{0,${MAX_BIGINT_DIGITS - 1}})$`
const bigintKind = {
  name: 'bigint',
  scalar: 'bigint',
  expected: 'an integer',
  read: (value, _, fail) =>
    Number.isSafeInteger(value) || (typeof value === 'string' && CANONICAL_INTEGER.test(value))
      ? BigInt(value as string)
      : fail(''),
  write: (value, _, fail) => (typeof value === 'bigint' || Number.isSafeInteger(value) ? String(value) : fail('')),
} satisfies KindOutline<undefined>

/** The outline of `t.bigint`. */
export const bigintOutline: KindOutline<undefined> = bigintKind

const EXPECTED_BIGINT = /* @__PURE__ */ toExpected(bigintKind)

const bigintForm = custom('a bigint, such as 10n', (value) => typeof value === 'bigint')

/** The rules of `t.bigint`. */
export const bigintRules: KindRules<undefined> = {
  extraConstraints: getLimitTexts,
  options: { min: bigintForm, max: bigintForm, values: list(bigintForm) } satisfies KindOptionForms<BigintOptions>,
  loader(_, options) {
    const check = makeBigintCheck(options as BigintOptions)
    return function loadBigint(value, loading) {
      const parsed = typeof value === 'string' ? parseBigint(value, loading) : convertNumber(value, loading)
      return parsed !== INVALID && check(parsed, loading) ? parsed : INVALID
    }
  },
  dumper(_, options) {
    const check = makeBigintCheck(options as BigintOptions)
    return function dumpBigint(value, dumping) {
      const converted = Number.isSafeInteger(value) ? BigInt(value as number) : value
      if (typeof converted !== 'bigint') return dumping.fail('type', EXPECTED_BIGINT)
      if (dumping.checks) check(converted, dumping)
      return converted.toString()
    }
  },
  jsonSchema: (_, options) =>
    applyOptions({ type: 'string', pattern: BIGINT_PATTERN, ...buildBigintEnum(options as BigintOptions) }, options),
  example(_, options, seed) {
    const { min, max, values } = options as BigintOptions
    if (values !== undefined && values.length > 0) return values[seed.numberBelow(values.length)]
    const small = BigInt(seed.numberBelow(100) + 1)
    if (min !== undefined && small < min) return min
    return max !== undefined && small > max ? max : small
  },
  mistakes: (_, options, rules) => findBigintMistakes(options as BigintOptions, rules),
}

const findBigintMistakes = (options: BigintOptions, rules: AttributeRules): string[] => [
  ...findLimitMistakes(options),
  ...findValuesMistakes(options.values, () => bigintRules.dumper(undefined, options, rules)),
]

const buildBigintEnum = ({ values }: BigintOptions): { enum?: string[] } =>
  values === undefined ? {} : { enum: values.map(String) }

function parseBigint(text: string, loading: Loading): bigint | typeof INVALID {
  if (text.length > MAX_BIGINT_DIGITS && text.length - Number(text.startsWith('-')) > MAX_BIGINT_DIGITS) {
    return loading.fail('max-length', { limit: MAX_BIGINT_DIGITS })
  }
  return CANONICAL_INTEGER.test(text) ? BigInt(text) : refuseType(text, loading, EXPECTED_BIGINT)
}

function convertNumber(value: unknown, loading: Loading): bigint | typeof INVALID {
  if (Number.isSafeInteger(value)) return BigInt(value as number)
  return Number.isInteger(value) ? loading.fail('range') : refuseType(value, loading, EXPECTED_BIGINT)
}

function makeBigintCheck({ min, max, values }: BigintOptions) {
  const allowed = values && new Set(values)
  return function checkBigint(value: bigint, reporter: IssueCollector): boolean {
    if (min !== undefined && value < min) reporter.fail('min', { limit: String(min) })
    else if (max !== undefined && value > max) reporter.fail('max', { limit: String(max) })
    else if (allowed?.has(value) === false) refuseUnlisted(values ?? [], reporter)
    else return true
    return false
  }
}
