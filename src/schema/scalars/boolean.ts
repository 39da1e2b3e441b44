// Booleans. Texts outside a short list are refused, not guessed.
import { type Attribute, type KindOutline, type KindRules, makeAttribute, type Options } from '../attribute.ts'
import type { AllowedDefault, DefaultValue, OptionalFlag } from '../attribute-options.ts'
import { describeSchema } from '../json-schema.ts'
import type { Nullable, Present } from '../types.ts'
import { refuseType, toExpected } from '../value-checks.ts'

/** Declares a boolean. */
export function boolean<
  R extends OptionalFlag = undefined,
  N extends OptionalFlag = undefined,
  D extends AllowedDefault<boolean, R> = undefined,
>(options?: BooleanOptions<R, N, D>): Attribute<Nullable<boolean, N>, Present<R, D>> {
  return makeAttribute(booleanKind, undefined, options)
}

/** The options of `t.boolean`. */
export interface BooleanOptions<
  R extends OptionalFlag = OptionalFlag,
  N extends OptionalFlag = OptionalFlag,
  D = DefaultValue<boolean> | undefined,
> extends Options<boolean, R, N, D> {}

const booleanKind = {
  name: 'boolean',
  scalar: 'boolean',
  unchangedType: 'boolean',
  expected: 'true or false',
} satisfies KindOutline<undefined>

const EXPECTED_BOOLEAN = /* @__PURE__ */ toExpected(booleanKind)

/** The rules of `t.boolean`. */
export const booleanRules: KindRules<undefined> = {
  options: {},
  loader: () =>
    function loadBoolean(value, loading) {
      if (typeof value === 'boolean') return value
      return BOOLEAN_TEXTS.get(value) ?? refuseType(value, loading, EXPECTED_BOOLEAN)
    },
  dumper: () =>
    function dumpBoolean(value, dumping) {
      return typeof value === 'boolean' ? value : dumping.fail('type', EXPECTED_BOOLEAN)
    },
  jsonSchema: (_, options) => describeSchema({ type: 'boolean' }, options),
  example: (_, __, seed) => seed.pick(2) === 0,
}

const BOOLEAN_TEXTS: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  ['true', true],
  ['TRUE', true],
  ['t', true],
  ['T', true],
  ['1', true],
  [1, true],
  ['false', false],
  ['FALSE', false],
  ['f', false],
  ['F', false],
  ['0', false],
  [0, false],
])
