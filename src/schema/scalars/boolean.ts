// Booleans. Texts outside a short list are refused, not guessed.
import { type Attribute, type KindOutline, type KindRules, makeAttribute, type Options } from '../attribute.ts'
import type { AllowedDefault, BooleanOption, DefaultValue } from '../attribute-options.ts'
import { applyOptions } from '../json-schema.ts'
import { type Acceptance, withLoaderCode } from '../loader-code.ts'
import type { Nullable, PresenceOf } from '../types.ts'
import { refuseType, toExpected } from '../value-checks.ts'

/** Declares a boolean. */
export function boolean<
  R extends BooleanOption = undefined,
  N extends BooleanOption = undefined,
  D extends AllowedDefault<boolean, R> = undefined,
>(options?: BooleanOptions<R, N, D>): Attribute<Nullable<boolean, N>, PresenceOf<R, D>> {
  return makeAttribute(booleanKind, undefined, options)
}

/** The options of `t.boolean`. */
export interface BooleanOptions<
  R extends BooleanOption = BooleanOption,
  N extends BooleanOption = BooleanOption,
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
    withLoaderCode(
      function loadBoolean(value, loading) {
        if (typeof value === 'boolean') return value
        return BOOLEAN_TEXTS.get(value) ?? refuseType(value, loading, EXPECTED_BOOLEAN)
      },
      { accept: acceptBooleans },
    ),
  dumper: () =>
    function dumpBoolean(value, dumping) {
      return typeof value === 'boolean' ? value : dumping.fail('type', EXPECTED_BOOLEAN)
    },
  jsonSchema: (_, options) => applyOptions({ type: 'boolean' }, options),
  example: (_, __, seed) => seed.numberBelow(2) === 0,
}

const acceptBooleans = (_: unknown, value: string): readonly Acceptance[] => [
  { test: `typeof ${value} === 'boolean'`, result: value },
  { test: `${value} === 'true'`, result: 'true' },
  { test: `${value} === 'false'`, result: 'false' },
]

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
