// A time of day without a date and a time zone; it stays a string.
import { type Attribute, type KindOutline, type KindRules, makeAttribute, type Options } from '../attribute.ts'
import type { AllowedDefault, BooleanOption, DefaultValue } from '../attribute-options.ts'
import { applyOptions } from '../json-schema.ts'
import type { Nullable, PresenceOf } from '../types.ts'
import { refuseType, toExpected } from '../value-checks.ts'

/** Declares a time of day, written HH:MM, HH:MM:SS or with a fraction of up to nine digits. */
export function time<
  R extends BooleanOption = undefined,
  N extends BooleanOption = undefined,
  D extends AllowedDefault<string, R> = undefined,
>(options?: TimeOptions<R, N, D>): Attribute<Nullable<string, N>, PresenceOf<R, D>> {
  return makeAttribute(timeKind, undefined, options)
}

/** The options of `t.time`. */
export interface TimeOptions<
  R extends BooleanOption = BooleanOption,
  N extends BooleanOption = BooleanOption,
  D = DefaultValue<string> | undefined,
> extends Options<string, R, N, D> {}

// JSON Schema's format `time` requires an offset, so the schema has this pattern instead.
const TIME_SCHEMA_PATTERN = '^(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\\.[0-9]{1,9})?)?$'
const TIME_REGEXP = new RegExp(TIME_SCHEMA_PATTERN)

/** Normalizes a time: adds the seconds and removes trailing zeros of the fraction. */
function normalizeTime(text: string): string {
  if (text.includes('.')) return text.replace(/\.?0+$/, '')
  return text.length === 5 ? `${text}:00` : text
}

const timeKind = {
  name: 'time',
  scalar: 'time',
  unchangedType: 'string',
  expected: 'a time of day, written HH:MM or HH:MM:SS',
} satisfies KindOutline<undefined>

const EXPECTED_TIME = /* @__PURE__ */ toExpected(timeKind)

/** The rules of `t.time`. */
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
  jsonSchema: (_, options) => applyOptions({ type: 'string', pattern: TIME_SCHEMA_PATTERN }, options),
  example: (_, __, seed) => new Date(900_000 * seed.numberBelow(96)).toISOString().slice(11, 19),
}
