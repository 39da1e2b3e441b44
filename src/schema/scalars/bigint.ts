// Whole numbers of any size: sent and rendered as text, because JSON numbers beyond 2^53 are rounded by most readers.
import { list, custom } from '../../util/setting-form.ts'
import { type Attribute, makeAttribute, type KindOutline, type KindRules, type Options } from '../attribute.ts'
import { INVALID, type IssueCollector } from '../issue.ts'
import { describe } from '../json-schema.ts'
import type { Loading } from '../loading.ts'
import type { DefaultValue, AllowedDefault, KindOptionForms, OptionalFlag } from '../attribute-options.ts'
import type { Nullable, Present } from '../types.ts'
import { expecting, findLimitMistakes, refuseType, refuseUnlisted, getLimitTexts, findValuesMistakes } from '../value-checks.ts'

/** Declares a whole number of up to 1,000 digits. */
export function bigint<
  const V extends bigint = bigint,
  R extends OptionalFlag = undefined,
  N extends OptionalFlag = undefined,
  D extends AllowedDefault<V, R> = undefined,
>(options?: BigintOptions<V, R, N, D>): Attribute<Nullable<V, N>, Present<R, D>> {
  return makeAttribute(bigintKind, undefined, options)
}

/** Options of a whole number of any size. */
export interface BigintOptions<
  V extends bigint = bigint,
  R extends OptionalFlag = OptionalFlag,
  N extends OptionalFlag = OptionalFlag,
  D = DefaultValue<V> | undefined,
> extends Options<NoInfer<V>, R, N, D> {
  /** The least value. */
  readonly min?: bigint
  /** The greatest value. */
  readonly max?: bigint
  /** The numbers allowed; they become the attribute's type. */
  readonly values?: readonly V[]
}

// Reading digits takes time that grows as their square; a thousand of them take microseconds.
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

const EXPECTED_BIGINT = /* @__PURE__ */ expecting(bigintKind)

const bigintForm = custom('a bigint, such as 10n', (value) => typeof value === 'bigint')

/** The rules of whole numbers of any size. */
export const bigintRules: KindRules<undefined> = {
  extraConstraints: getLimitTexts,
  options: { min: bigintForm, max: bigintForm, values: list(bigintForm) } satisfies KindOptionForms<BigintOptions>,
  loader(_, options) {
    const check = makeBigintCheck(options as BigintOptions)
    return function loadBigint(value, loading) {
      const read = typeof value === 'string' ? parseBigint(value, loading) : convertNumber(value, loading)
      return read !== INVALID && check(read, loading) ? read : INVALID
    }
  },
  dumper(_, options) {
    const check = makeBigintCheck(options as BigintOptions)
    return function dumpBigint(value, dumping) {
      const read = Number.isSafeInteger(value) ? BigInt(value as number) : value
      if (typeof read !== 'bigint') return dumping.fail('type', EXPECTED_BIGINT)
      if (dumping.checks) check(read, dumping)
      return read.toString()
    }
  },
  jsonSchema: (_, options) =>
    describe({ type: 'string', pattern: BIGINT_PATTERN, ...buildBigintEnum(options as BigintOptions) }, options),
  example(_, options, seed) {
    const { min, max, values } = options as BigintOptions
    if (values !== undefined && values.length > 0) return values[seed.pick(values.length)]
    const small = BigInt(seed.pick(100) + 1)
    if (min !== undefined && small < min) return min
    return max !== undefined && small > max ? max : small
  },
  mistakes: (_, options) => findBigintMistakes(options as BigintOptions),
}

const findBigintMistakes = (options: BigintOptions): string[] => [
  ...findLimitMistakes(options),
  ...findValuesMistakes(options.values, bigintRules.dumper(undefined, options)),
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
