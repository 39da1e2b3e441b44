// The codecs of dates and times: parsed without losing digits that a Date cannot hold, and never in the machine's time zone.

import { parseIsoTimestamp } from '../../query/parse-timestamp.ts'
import type { ColumnCodec } from './column-codec.ts'

const TIMESTAMP =
  /^(\d{4,7})-(\d\d)-(\d\d)[ T]([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d{1,9}))?(?:(Z)|([+-])(\d\d)(?::(\d\d))?(?::(\d\d))?)?( BC)?$/

/** A timestamp that was parsed. */
export interface ParsedTimestamp {
  /** The milliseconds since 1970; further digits are dropped. */
  readonly time: number
  /** The year as written; before year 1 it counts backwards. */
  readonly year: number
  readonly isBeforeChrist: boolean
  readonly hasOffset: boolean
}

/** The milliseconds of 400 years. */
const CYCLE_MS = 146_097 * 86_400_000

/** Parses a timestamp; one without an offset is in UTC. */
function parseTimestamp(text: string): ParsedTimestamp | undefined {
  const found = TIMESTAMP.exec(text)
  if (!found) return undefined
  const [, digits, month, day, hour, minute, second, fraction = '', z, sign, ...offset] = found
  const [year, isBefore] = [Number(digits), offset[3] !== undefined]
  const isoYear = isBefore ? 1 - year : year
  // The calendar repeats every 400 years. A day that the month does not have would become one of the next month.
  const date = new Date(Date.UTC(2000 + (isoYear % 400), Number(month) - 1, Number(day)))
  if (date.getUTCMonth() + 1 !== Number(month) || date.getUTCDate() !== Number(day)) return undefined
  const [hours, minutes, seconds] = offset.slice(0, 3).map((part) => Number(part ?? 0)) as [number, number, number]
  if (hours > 15 || minutes > 59 || seconds > 59) return undefined
  const shift = (sign === '-' ? -1 : 1) * ((hours * 60 + minutes) * 60 + seconds)
  const time = (Number(hour) * 60 + Number(minute)) * 60 + Number(second) - shift
  const cycles = Math.trunc(isoYear / 400) - 5
  const at = date.getTime() + cycles * CYCLE_MS + time * 1000 + Number(fraction.slice(0, 3).padEnd(3, '0'))
  return { time: at, year, isBeforeChrist: isBefore, hasOffset: z !== undefined || sign !== undefined }
}

const INFINITIES: ReadonlyMap<unknown, number> = new Map([
  ['infinity', 8.64e15],
  ['-infinity', -8.64e15],
])

/** Converts a text to a Date, without the digits that it cannot hold; an invalid text becomes an invalid Date. */
function decodeTimestamp(raw: unknown): Date {
  const text = String(raw)
  return new Date(
    parseIsoTimestamp(text) ?? clampToDateRange(parseTimestamp(text)?.time) ?? INFINITIES.get(text) ?? Number.NaN,
  )
}

// PostgreSQL has a few more years than a Date; they become the last one of a Date, as infinity does.
const clampToDateRange = (at: number | undefined): number | undefined =>
  at === undefined ? undefined : Math.max(-8.64e15, Math.min(at, 8.64e15))

/** The format of timestamps in a database, and the ones that it accepts. */
interface TimestampRules {
  encode(value: Date): string
  isCursorValue(moment: ParsedTimestamp): boolean
  readonly hasInfinity?: boolean
}

/** Creates the codec of timestamps, as text with all digits. */
export function createTimestampCodec({ encode, isCursorValue, hasInfinity = false }: TimestampRules): ColumnCodec {
  return {
    kind: 'dateTime',
    encode: (value) => encode(value as Date),
    decode: decodeTimestamp,
    isCursorValue(value) {
      if (typeof value !== 'string') return false
      const moment = parseTimestamp(value)
      return moment === undefined ? hasInfinity && INFINITIES.has(value) : isCursorValue(moment)
    },
  }
}

/** Creates the codec of dates, as YYYY-MM-DD. */
export function createDateCodec(isYear: (day: ParsedTimestamp) => boolean, hasInfinity = false): ColumnCodec {
  return {
    kind: 'date',
    encode: String,
    decode: String,
    isCursorValue(value) {
      if (typeof value !== 'string') return false
      const day = parseTimestamp(value.replace(/^([\d-]+)/, '$1 00:00:00'))
      return day === undefined ? hasInfinity && INFINITIES.has(value) : !day.hasOffset && isYear(day)
    },
  }
}

const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?$/

/** The codec of times of day, as text. */
export const timeCodec: ColumnCodec = {
  kind: 'time',
  encode: String,
  decode: String,
  isCursorValue: (value) => typeof value === 'string' && TIME.test(value),
}
