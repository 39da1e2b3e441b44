// True or false, never guessed: a text that is not one of a short list is refused.
import { type Attribute, attribute, type KindOutline, type KindRules, type Options } from '../attribute.ts'
import { describe } from '../json-schema.ts'
import type { Initial, InitialOf, Said } from '../options.ts'
import type { Nullable, Present } from '../types.ts'
import { expecting, refuse } from './checks.ts'

/** Declares true or false. */
export function boolean<
  R extends Said = undefined,
  N extends Said = undefined,
  D extends InitialOf<boolean, R> = undefined,
>(options?: BooleanOptions<R, N, D>): Attribute<Nullable<boolean, N>, Present<R, D>> {
  return attribute(booleanKind, undefined, options)
}

/** Options of true or false. */
export interface BooleanOptions<R extends Said = Said, N extends Said = Said, D = Initial<boolean> | undefined>
  extends Options<boolean, R, N, D> {}

const booleanKind = {
  name: 'boolean',
  scalar: 'boolean',
  passes: 'boolean',
  expected: 'true or false',
} satisfies KindOutline<undefined>

const EXPECTED = /* @__PURE__ */ expecting(booleanKind)

/** The rules of true and false. */
export const booleanRules: KindRules<undefined> = {
  options: {},
  loader: () =>
    function loadBoolean(value, loading) {
      if (typeof value === 'boolean') return value
      return READ.get(value) ?? refuse(value, loading, EXPECTED)
    },
  dumper: () =>
    function dumpBoolean(value, dumping) {
      return typeof value === 'boolean' ? value : dumping.fail('type', EXPECTED)
    },
  jsonSchema: (_, options) => describe({ type: 'boolean' }, options),
  example: (_, __, seed) => seed.pick(2) === 0,
}

const READ: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
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
