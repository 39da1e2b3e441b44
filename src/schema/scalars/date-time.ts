// A moment (RFC 3339). The offset is required: without one the sender's clock would be guessed.
import { type Attribute, attribute, type KindOutline, type KindRules, type Options } from '../attribute.ts'
import type { Dumper, Dumping, Writer } from '../dumping.ts'
import { dumpingWriter } from '../json/writer.ts'
import { describe, type JsonSchema, type Schemas } from '../json-schema.ts'
import type { Initial, InitialOf, Said } from '../options.ts'
import type { Nullable, Present } from '../types.ts'
import { daysSinceEpoch, isHourMinute, isoText, minutesAt, skipDigits, startsWithDate, twoDigits } from './calendar.ts'
import { expecting, refuse } from './checks.ts'

/** Declares a timestamp, exact to the millisecond; it is a Date in a controller. */
export function dateTime<
  R extends Said = undefined,
  N extends Said = undefined,
  D extends InitialOf<Date, R> = undefined,
>(options?: DateTimeOptions<R, N, D>): Attribute<Nullable<Date, N>, Present<R, D>> {
  return attribute(dateTimeKind, undefined, options)
}

/** Options of a moment. */
export interface DateTimeOptions<R extends Said = Said, N extends Said = Said, D = Initial<Date> | undefined>
  extends Options<Date, R, N, D> {}

const dateTimeKind = {
  name: 'dateTime',
  scalar: 'dateTime',
  expected: 'a date and time with its offset (RFC 3339), exact to the millisecond',
  read(value, _, fail) {
    const moment = new Date(typeof value === 'string' ? value : Number.NaN)
    return Number.isNaN(+moment) ? fail('') : moment
  },
  // A year beyond four digits is not RFC 3339.
  write(value, _, fail) {
    if (typeof value === 'string') return value
    return value instanceof Date && isRepresentable(value) ? value.toISOString() : fail('')
  },
} satisfies KindOutline<undefined>

const EXPECTED = /* @__PURE__ */ expecting(dateTimeKind)

/** The rules of moments. */
export const dateTimeRules: KindRules<undefined> = {
  options: {},
  loader: () =>
    function loadDateTime(value, loading) {
      if (typeof value !== 'string') return refuse(value, loading, EXPECTED)
      return dateTimeFrom(value) ?? loading.fail('format', EXPECTED)
    },
  // An invalid Date throws and a year beyond four digits is not RFC 3339: neither leaves, whether checks are on or not.
  dumper: () => dumpDateTime,
  jsonSchema: (_, options, schemas) => describe(schemaOf(schemas), options),
  example: (_, __, seed) => new Date(FIRST_EXAMPLE + seed.pick(86_400) * 1000),
}

const dumpDateTime: Dumper = Object.assign(
  function dumpDateTime(value: unknown, dumping: Dumping): unknown {
    const moment = typeof value === 'string' ? dateTimeFrom(value) : value
    if (moment !== undefined && !(moment instanceof Date)) return dumping.fail('type', EXPECTED)
    return moment !== undefined && isRepresentable(moment) ? isoText(moment) : dumping.fail('format', EXPECTED)
  },
  { writer: () => writeDateTime },
)

const dumpAndWrite = dumpingWriter(dumpDateTime)

const writeDateTime: Writer = (value, out, dumping) => {
  const time = value instanceof Date ? value.getTime() : Number.NaN
  if (!(time >= FIRST && time <= LAST)) return dumpAndWrite(value, out, dumping)
  out.moment(time)
  return true
}

const FIRST_EXAMPLE = Date.UTC(2024, 2, 14)
const FIRST = Date.parse('0000-01-01T00:00:00.000Z')
const LAST = Date.parse('9999-12-31T23:59:59.999Z')

const isRepresentable = (moment: Date): boolean => moment.getTime() >= FIRST && moment.getTime() <= LAST

function dateTimeFrom(text: string): Date | undefined {
  if (!startsWithDate(text) || (text.charCodeAt(10) | 32) !== 116 || !isHourMinute(text, 11)) return undefined
  // A leap second has no place in a Date.
  if (text.charCodeAt(16) !== 58 || !(twoDigits(text, 17) <= 59)) return undefined
  const end = text.charCodeAt(19) === 46 ? fractionEnd(text) : 19
  if (end === undefined || !isOffset(text, end)) return undefined
  const minutes = daysSinceEpoch(text) * 1440 + minutesAt(text, 11) - offsetAt(text, end)
  const moment = new Date(minutes * 60_000 + twoDigits(text, 17) * 1000 + milliseconds(text, end))
  return isRepresentable(moment) ? moment : undefined
}

// Digits after the third must be zeros: a Date would drop them without a word.
function fractionEnd(text: string): number | undefined {
  const end = skipDigits(text, 20)
  if (end === 20) return undefined
  for (let i = 23; i < end; i++) if (text.charCodeAt(i) !== 48) return undefined
  return end
}

function milliseconds(text: string, end: number): number {
  let read = 0
  for (let i = 20; i < 23; i++) read = read * 10 + (i < end ? text.charCodeAt(i) - 48 : 0)
  return read
}

function isOffset(text: string, at: number): boolean {
  const sign = text.charCodeAt(at)
  if ((sign | 32) === 122) return text.length === at + 1
  return (sign === 43 || sign === 45) && isHourMinute(text, at + 1) && text.length === at + 6
}

function offsetAt(text: string, at: number): number {
  if (text.length === at + 1) return 0
  return text.charCodeAt(at) === 45 ? -minutesAt(text, at + 1) : minutesAt(text, at + 1)
}

const INPUT_PATTERN = '^[0-9-]{10}[Tt][0-9:]{6}[0-5][0-9](?:\\.[0-9]{1,3}0*)?(?:[Zz]|[+-][0-9:]{5})$'

function schemaOf({ direction }: Schemas): JsonSchema {
  return { type: 'string', format: 'date-time', ...(direction === 'input' && { pattern: INPUT_PATTERN }) }
}
