// A timestamp (RFC 3339). The offset is required: without one the sender's time zone would have to be guessed.

import {
  countDaysSinceEpoch,
  isHourMinute,
  readMinutes,
  readTwoDigits,
  skipDigits,
  startsWithDate,
  toIsoText,
} from '../../util/calendar.ts'
import type { GeneratedCode } from '../../util/generated-code.ts'
import { type Attribute, type KindOutline, type KindRules, makeAttribute, type Options } from '../attribute.ts'
import type { AllowedDefault, BooleanOption, DefaultValue } from '../attribute-options.ts'
import type { Dumper, Dumping, JsonWriter } from '../dumping.ts'
import { makeDumpWriter } from '../json/writer.ts'
import { applyOptions, type JsonSchema, type NamedSchemas } from '../json-schema.ts'
import { type Acceptance, withLoaderCode } from '../loader-code.ts'
import type { Nullable, PresenceOf } from '../types.ts'
import { refuseType, toExpected } from '../value-checks.ts'
import { makeDateExample } from './date.ts'

/** Declares a timestamp, exact to the millisecond; it is a Date in a controller. */
export function dateTime<
  R extends BooleanOption = undefined,
  N extends BooleanOption = undefined,
  D extends AllowedDefault<Date, R> = undefined,
>(options?: DateTimeOptions<R, N, D>): Attribute<Nullable<Date, N>, PresenceOf<R, D>> {
  return makeAttribute(dateTimeKind, undefined, options)
}

/** The options of `t.dateTime`. */
export interface DateTimeOptions<
  R extends BooleanOption = BooleanOption,
  N extends BooleanOption = BooleanOption,
  D = DefaultValue<Date> | undefined,
> extends Options<Date, R, N, D> {}

const dateTimeKind = {
  name: 'dateTime',
  scalar: 'dateTime',
  expected: 'a date and time with its offset (RFC 3339), exact to the millisecond',
  read(value, _, fail) {
    const date = new Date(typeof value === 'string' ? value : Number.NaN)
    return Number.isNaN(+date) ? fail('') : date
  },
  // A year beyond four digits is not RFC 3339.
  write(value, _, fail) {
    if (typeof value === 'string') return value
    return value instanceof Date && isRepresentable(value) ? value.toISOString() : fail('')
  },
} satisfies KindOutline<undefined>

/** The outline of `t.dateTime`. */
export const dateTimeOutline: KindOutline<undefined> = dateTimeKind

const EXPECTED_DATE_TIME = /* @__PURE__ */ toExpected(dateTimeKind)

/** The rules of `t.dateTime`. */
export const dateTimeRules: KindRules<undefined> = {
  options: {},
  loader: () =>
    withLoaderCode(
      function loadDateTime(value, loading) {
        if (typeof value !== 'string') return refuseType(value, loading, EXPECTED_DATE_TIME)
        return readDateTime(value) ?? loading.fail('format', EXPECTED_DATE_TIME)
      },
      { accept: acceptDateTimes },
    ),
  // An invalid Date throws, and a year beyond four digits is not RFC 3339: the dumper refuses both, with or without
  // checks.
  dumper: () => dumpDateTime,
  jsonSchema: (_, options, schemas) => applyOptions(buildDateTimeSchema(schemas), options),
  example: (_, __, seed) => new Date(Date.parse(makeDateExample(seed)) + seed.at('second').numberBelow(86_400) * 1000),
}

const acceptDateTimes = (code: GeneratedCode, value: string): readonly Acceptance[] => [
  {
    test: `typeof ${value} === 'string' && (parsed = ${code.addConstant(readDateTime)}(${value})) !== undefined`,
    result: 'parsed',
  },
]

const dumpDateTime: Dumper = Object.assign(
  function dumpDateTime(value: unknown, dumping: Dumping): unknown {
    const date = typeof value === 'string' ? readDateTime(value) : value
    if (date !== undefined && !(date instanceof Date)) return dumping.fail('type', EXPECTED_DATE_TIME)
    return date !== undefined && isRepresentable(date) ? toIsoText(date) : dumping.fail('format', EXPECTED_DATE_TIME)
  },
  { writer: () => writeDateTime },
)

const dumpAndWrite = makeDumpWriter(dumpDateTime)

const writeDateTime: JsonWriter = (value, out, dumping) => {
  const time = value instanceof Date ? value.getTime() : Number.NaN
  if (!(time >= MIN_TIMESTAMP && time <= MAX_TIMESTAMP)) return dumpAndWrite(value, out, dumping)
  out.writeTimestamp(time)
  return true
}

const MIN_TIMESTAMP = Date.parse('0000-01-01T00:00:00.000Z')
const MAX_TIMESTAMP = Date.parse('9999-12-31T23:59:59.999Z')

const isRepresentable = (date: Date): boolean => date.getTime() >= MIN_TIMESTAMP && date.getTime() <= MAX_TIMESTAMP

function readDateTime(text: string): Date | undefined {
  if (!startsWithDate(text) || (text.charCodeAt(10) | 32) !== 116 || !isHourMinute(text, 11)) return undefined
  // A Date cannot represent a leap second.
  if (text.charCodeAt(16) !== 58 || !(readTwoDigits(text, 17) <= 59)) return undefined
  const end = text.charCodeAt(19) === 46 ? skipFraction(text) : 19
  if (end === undefined || !isOffsetAt(text, end)) return undefined
  const minutes = countDaysSinceEpoch(text) * 1440 + readMinutes(text, 11) - readOffset(text, end)
  const date = new Date(minutes * 60_000 + readTwoDigits(text, 17) * 1000 + readFraction(text, end))
  return isRepresentable(date) ? date : undefined
}

// Digits after the third must be zeros: a Date would drop them silently.
function skipFraction(text: string): number | undefined {
  const end = skipDigits(text, 20)
  if (end === 20) return undefined
  for (let i = 23; i < end; i++) if (text.charCodeAt(i) !== 48) return undefined
  return end
}

function readFraction(text: string, end: number): number {
  let milliseconds = 0
  for (let i = 20; i < 23; i++) milliseconds = milliseconds * 10 + (i < end ? text.charCodeAt(i) - 48 : 0)
  return milliseconds
}

function isOffsetAt(text: string, index: number): boolean {
  const sign = text.charCodeAt(index)
  if ((sign | 32) === 122) return text.length === index + 1
  return (sign === 43 || sign === 45) && isHourMinute(text, index + 1) && text.length === index + 6
}

function readOffset(text: string, index: number): number {
  if (text.length === index + 1) return 0
  return text.charCodeAt(index) === 45 ? -readMinutes(text, index + 1) : readMinutes(text, index + 1)
}

const INPUT_PATTERN = '^[0-9-]{10}[Tt][0-9:]{6}[0-5][0-9](?:\\.[0-9]{1,3}0*)?(?:[Zz]|[+-][0-9:]{5})$'

function buildDateTimeSchema({ direction }: NamedSchemas): JsonSchema {
  return { type: 'string', format: 'date-time', ...(direction === 'input' && { pattern: INPUT_PATTERN }) }
}
