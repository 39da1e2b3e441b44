// Dates and times as databases write them: read without losing what a Date cannot hold, and never by the machine's zone.

import { parseIsoTimestamp } from '../../query/parse-timestamp.ts'
import type { ColumnCodec } from './column-codec.ts'

const TIMESTAMP =
  /^(\d{4,7})-(\d\d)-(\d\d)[ T]([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d{1,9}))?(?:(Z)|([+-])(\d\d)(?::(\d\d))?(?::(\d\d))?)?( BC)?$/

/** A moment that was read. */
export interface ParsedTimestamp {
  /** Milliseconds since 1970; digits beyond them are left out. */
  readonly at: number
  /** The year as it is written, and whether it is counted backwards from the first. */
  readonly year: number
  readonly isBeforeChrist: boolean
  readonly hasOffset: boolean
}

/** The milliseconds of 400 years. */
const CYCLE_MS = 146_097 * 86_400_000

/** Reads a moment; one without an offset is in UTC. */
function parseTimestamp(text: string): ParsedTimestamp | undefined {
  const found = TIMESTAMP.exec(text)
  if (!found) return undefined
  const [, digits, month, day, hour, minute, second, fraction = '', z, sign, ...offset] = found
  const [year, isBefore] = [Number(digits), offset[3] !== undefined]
  const counted = isBefore ? 1 - year : year
  // The calendar is the same every 400 years. A day that the month does not have would become one of the next month.
  const date = new Date(Date.UTC(2000 + (counted % 400), Number(month) - 1, Number(day)))
  if (date.getUTCMonth() + 1 !== Number(month) || date.getUTCDate() !== Number(day)) return undefined
  const [hours, minutes, seconds] = offset.slice(0, 3).map((part) => Number(part ?? 0)) as [number, number, number]
  if (hours > 15 || minutes > 59 || seconds > 59) return undefined
  const shift = (sign === '-' ? -1 : 1) * ((hours * 60 + minutes) * 60 + seconds)
  const time = (Number(hour) * 60 + Number(minute)) * 60 + Number(second) - shift
  const cycles = Math.trunc(counted / 400) - 5
  const at = date.getTime() + cycles * CYCLE_MS + time * 1000 + Number(fraction.slice(0, 3).padEnd(3, '0'))
  return { at, year, isBeforeChrist: isBefore, hasOffset: z !== undefined || sign !== undefined }
}

const INFINITIES: ReadonlyMap<unknown, number> = new Map([
  ['infinity', 8.64e15],
  ['-infinity', -8.64e15],
])

/** Gives the Date of a text, without the digits that it cannot hold; what is no moment is an invalid one. */
function decodeTimestamp(raw: unknown): Date {
  const text = String(raw)
  return new Date(parseIsoTimestamp(text) ?? clampToDateRange(parseTimestamp(text)?.at) ?? INFINITIES.get(text) ?? Number.NaN)
}

// PostgreSQL has a few years more than a Date; they are shown as the last that it has, as what is boundless is.
const clampToDateRange = (at: number | undefined): number | undefined =>
  at === undefined ? undefined : Math.max(-8.64e15, Math.min(at, 8.64e15))

/** How moments are written in a database, and which of them it takes. */
interface TimestampRules {
  encode(value: Date): string
  isCursorValue(moment: ParsedTimestamp): boolean
  readonly hasInfinity?: boolean
}

/** Moments as text that keeps all digits. */
export function createTimestampCodec({ encode, isCursorValue: isPlace, hasInfinity: boundless = false }: TimestampRules): ColumnCodec {
  return {
    kind: 'dateTime',
    encode: (value) => encode(value as Date),
    decode: decodeTimestamp,
    isCursorValue(value) {
      if (typeof value !== 'string') return false
      const moment = parseTimestamp(value)
      return moment === undefined ? boundless && INFINITIES.has(value) : isPlace(moment)
    },
  }
}

/** Dates as YYYY-MM-DD. */
export function createDateCodec(isYear: (day: ParsedTimestamp) => boolean, boundless = false): ColumnCodec {
  return {
    kind: 'date',
    encode: String,
    decode: String,
    isCursorValue(value) {
      if (typeof value !== 'string') return false
      const day = parseTimestamp(value.replace(/^([\d-]+)/, '$1 00:00:00'))
      return day === undefined ? boundless && INFINITIES.has(value) : !day.hasOffset && isYear(day)
    },
  }
}

const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?$/

/** Times of day as text. */
export const timeCodec: ColumnCodec = {
  kind: 'time',
  encode: String,
  decode: String,
  isCursorValue: (value) => typeof value === 'string' && TIME.test(value),
}
