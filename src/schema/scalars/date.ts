// A calendar date. It stays text: a Date would add a time zone that the client did not send.
import { type Attribute, attribute, type KindOutline, type KindRules, type Options } from '../attribute.ts'
import { describe } from '../json-schema.ts'
import type { Initial, InitialOf, Said } from '../options.ts'
import type { Nullable, Present } from '../types.ts'
import { startsWithDate } from './calendar.ts'
import { expecting, refuse } from './checks.ts'

/** Declares a calendar date, written YYYY-MM-DD. */
export function date<
  R extends Said = undefined,
  N extends Said = undefined,
  D extends InitialOf<string, R> = undefined,
>(options?: DateOptions<R, N, D>): Attribute<Nullable<string, N>, Present<R, D>> {
  return attribute(dateKind, undefined, options)
}

/** Options of a day. */
export interface DateOptions<R extends Said = Said, N extends Said = Said, D = Initial<string> | undefined>
  extends Options<string, R, N, D> {}

const dateKind = {
  name: 'date',
  scalar: 'date',
  passes: 'string',
  expected: 'a date, written YYYY-MM-DD',
} satisfies KindOutline<undefined>

const EXPECTED = /* @__PURE__ */ expecting(dateKind)

/** The rules of days. */
export const dateRules: KindRules<undefined> = {
  options: {},
  loader: () =>
    function loadDate(value, loading) {
      if (typeof value !== 'string') return refuse(value, loading, EXPECTED)
      return isDate(value) ? value : loading.fail('format', EXPECTED)
    },
  dumper: () =>
    function dumpDate(value, dumping) {
      if (typeof value !== 'string') return dumping.fail('type', EXPECTED)
      if (dumping.checks && !isDate(value)) dumping.fail('format', EXPECTED)
      return value
    },
  jsonSchema: (_, options) => describe({ type: 'string', format: 'date' }, options),
  example: (_, __, seed) => `2024-03-${String(seed.pick(28) + 1).padStart(2, '0')}`,
}

const isDate = (value: string): boolean => value.length === 10 && startsWithDate(value)
