// A calendar date. It stays a string: a Date would add a time zone that the client did not send.

import { startsWithDate } from '../../util/calendar.ts'
import { type Attribute, type KindOutline, type KindRules, makeAttribute, type Options } from '../attribute.ts'
import type { AllowedDefault, BooleanOption, DefaultValue } from '../attribute-options.ts'
import type { ExampleSeed } from '../example.ts'
import { applyOptions } from '../json-schema.ts'
import type { Nullable, PresenceOf } from '../types.ts'
import { refuseType, toExpected } from '../value-checks.ts'

/** Declares a calendar date, written YYYY-MM-DD. */
export function date<
  R extends BooleanOption = undefined,
  N extends BooleanOption = undefined,
  D extends AllowedDefault<string, R> = undefined,
>(options?: DateOptions<R, N, D>): Attribute<Nullable<string, N>, PresenceOf<R, D>> {
  return makeAttribute(dateKind, undefined, options)
}

/** The options of `t.date`. */
export interface DateOptions<
  R extends BooleanOption = BooleanOption,
  N extends BooleanOption = BooleanOption,
  D = DefaultValue<string> | undefined,
> extends Options<string, R, N, D> {}

const dateKind = {
  name: 'date',
  scalar: 'date',
  unchangedType: 'string',
  expected: 'a date, written YYYY-MM-DD',
} satisfies KindOutline<undefined>

const EXPECTED_DATE = /* @__PURE__ */ toExpected(dateKind)

/** The rules of `t.date`. */
export const dateRules: KindRules<undefined> = {
  options: {},
  loader: () =>
    function loadDate(value, loading) {
      if (typeof value !== 'string') return refuseType(value, loading, EXPECTED_DATE)
      return isCalendarDate(value) ? value : loading.fail('format', EXPECTED_DATE)
    },
  dumper: () =>
    function dumpDate(value, dumping) {
      if (typeof value !== 'string') return dumping.fail('type', EXPECTED_DATE)
      if (dumping.checks && !isCalendarDate(value)) dumping.fail('format', EXPECTED_DATE)
      return value
    },
  jsonSchema: (_, options) => applyOptions({ type: 'string', format: 'date' }, options),
  example: (_, __, seed) => makeDateExample(seed),
}

/** Creates a day of the years 2020 to 2024 that every month has. */
export function makeDateExample(seed: ExampleSeed): string {
  const [month, day] = [seed.at('month').numberBelow(12), seed.at('day').numberBelow(28)]
  return new Date(Date.UTC(2020 + seed.at('year').numberBelow(5), month, day + 1)).toISOString().slice(0, 10)
}

const isCalendarDate = (value: string): boolean => value.length === 10 && startsWithDate(value)
