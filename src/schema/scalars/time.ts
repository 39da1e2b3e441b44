// A time of day on no particular day and in no particular zone; it stays text.
import { type Attribute, makeAttribute, type KindOutline, type KindRules, type Options } from '../attribute.ts'
import { describe } from '../json-schema.ts'
import type { DefaultValue, AllowedDefault, OptionalFlag } from '../attribute-options.ts'
import type { Nullable, Present } from '../types.ts'
import { expecting, refuseType } from '../value-checks.ts'

/** Declares a time of day, written HH:MM, HH:MM:SS or with a fraction of up to nine digits. */
export function time<
  R extends OptionalFlag = undefined,
  N extends OptionalFlag = undefined,
  D extends AllowedDefault<string, R> = undefined,
>(options?: TimeOptions<R, N, D>): Attribute<Nullable<string, N>, Present<R, D>> {
  return makeAttribute(timeKind, undefined, options)
}

/** Options of a time of day. */
export interface TimeOptions<R extends OptionalFlag = OptionalFlag, N extends OptionalFlag = OptionalFlag, D = DefaultValue<string> | undefined>
  extends Options<string, R, N, D> {}

// The format `time` of JSON Schema demands an offset, so that the schema carries the pattern instead.
const TIME_SCHEMA_PATTERN = '^(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\\.[0-9]{1,9})?)?$'
const TIME_REGEXP = new RegExp(TIME_SCHEMA_PATTERN)

/** One text for one time: with seconds, and without zeros at the end of a fraction. */
function normalizeTime(text: string): string {
  if (text.includes('.')) return text.replace(/\.?0+$/, '')
  return text.length === 5 ? `${text}:00` : text
}

const timeKind = {
  name: 'time',
  scalar: 'time',
  passes: 'string',
  expected: 'a time of day, written HH:MM or HH:MM:SS',
} satisfies KindOutline<undefined>

const EXPECTED_TIME = /* @__PURE__ */ expecting(timeKind)

/** The rules of times of day. */
export const timeRules: KindRules<undefined> = {
  options: {},
  loader: () =>
    function loadTime(value, loading) {
      if (typeof value !== 'string') return refuseType(value, loading, EXPECTED_TIME)
      return TIME_REGEXP.test(value) ? normalizeTime(value) : loading.fail('format', EXPECTED_TIME)
    },
  dumper: () =>
    function dumpTime(value, dumping) {
      if (typeof value !== 'string') return dumping.fail('type', EXPECTED_TIME)
      if (dumping.checks && !TIME_REGEXP.test(value)) dumping.fail('format', EXPECTED_TIME)
      return value
    },
  jsonSchema: (_, options) => describe({ type: 'string', pattern: TIME_SCHEMA_PATTERN }, options),
  example: (_, __, seed) => `${String(8 + seed.pick(12)).padStart(2, '0')}:30:00`,
}
