// Dates and times as databases write them: read without losing what a Date cannot hold, and never by the machine's zone.
import {
  daysSinceEpoch,
  isHourMinute,
  minutesAt,
  skipDigits,
  startsWithDate,
  twoDigits,
} from '../../schema/calendar.ts'
import type { Form } from './kysely-form.ts'

const MOMENT =
  /^(\d{4,6})-(\d\d)-(\d\d)[ T]([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d{1,9}))?(?:(Z)|([+-])(\d\d)(?::(\d\d))?(?::(\d\d))?)?( BC)?$/

/** A moment that was read. */
export interface Moment {
  /** Milliseconds since 1970; digits beyond them are left out. */
  readonly at: number
  /** The year as it is written, and whether it is counted backwards from the first. */
  readonly year: number
  readonly isBefore: boolean
  readonly hasOffset: boolean
}

/** Reads a moment; one without an offset is in UTC. */
function momentFrom(text: string): Moment | undefined {
  const found = MOMENT.exec(text)
  if (!found) return undefined
  const [, digits, month, day, hour, minute, second, fraction = '', z, sign, ...offset] = found
  const [year, isBefore] = [Number(digits), offset[3] !== undefined]
  const date = new Date(0)
  date.setUTCFullYear(isBefore ? 1 - year : year, Number(month) - 1, Number(day))
  // A day that the month does not have would become one of the next month.
  if (date.getUTCMonth() + 1 !== Number(month) || date.getUTCDate() !== Number(day)) return undefined
  const [hours, minutes, seconds] = offset.slice(0, 3).map((part) => Number(part ?? 0)) as [number, number, number]
  if (hours > 15 || minutes > 59 || seconds > 59) return undefined
  const shift = (sign === '-' ? -1 : 1) * ((hours * 60 + minutes) * 60 + seconds)
  const time = (Number(hour) * 60 + Number(minute)) * 60 + Number(second) - shift
  const at = date.getTime() + time * 1000 + Number(fraction.slice(0, 3).padEnd(3, '0'))
  return { at, year, isBefore, hasOffset: z !== undefined || sign !== undefined }
}

const BOUNDLESS: ReadonlyMap<unknown, number> = new Map([
  ['infinity', 8.64e15],
  ['-infinity', -8.64e15],
])

/** Gives the Date of a text, without the digits that it cannot hold. */
function dateFrom(raw: unknown): Date {
  const text = String(raw)
  const at = usualMoment(text) ?? momentFrom(text)?.at ?? BOUNDLESS.get(text)
  if (at === undefined) throw new TypeError(`The database gave '${text}' for a date and time`)
  return new Date(at)
}

// Lists are full of moments, and nearly all of them have four digits for the year and an offset without seconds.
function usualMoment(text: string): number | undefined {
  const separator = text.charCodeAt(10)
  if ((separator !== 32 && separator !== 84) || !startsWithDate(text) || !isHourMinute(text, 11)) return undefined
  if (text.charCodeAt(16) !== 58 || !(twoDigits(text, 17) <= 59)) return undefined
  const seconds = (daysSinceEpoch(text) * 1440 + minutesAt(text, 11)) * 60 + twoDigits(text, 17)
  const hasFraction = text.charCodeAt(19) === 46
  const end = hasFraction ? skipDigits(text, 20) : 19
  if (end === 20) return undefined
  const at = seconds * 1000 + (hasFraction ? milliseconds(text, end) : 0)
  if (end === text.length || (text.charCodeAt(end) === 90 && end + 1 === text.length)) return at
  if (end + 6 !== text.length || !isHourMinute(text, end + 1)) return undefined
  const offset = minutesAt(text, end + 1) * 60_000
  const sign = text.charCodeAt(end)
  return sign === 43 ? at - offset : sign === 45 ? at + offset : undefined
}

function milliseconds(text: string, end: number): number {
  let read = 0
  for (let i = 20; i < 23; i++) read = read * 10 + (i < end ? text.charCodeAt(i) - 48 : 0)
  return read
}

/** How moments are written in a database, and which of them it takes. */
interface MomentRules {
  encode(value: Date): string
  isPlace(moment: Moment): boolean
  readonly boundless?: boolean
}

/** Moments as text that keeps all digits. */
export function momentForm({ encode, isPlace, boundless = false }: MomentRules): Form {
  return {
    kind: 'dateTime',
    encode: (value) => encode(value as Date),
    decode: dateFrom,
    isPlace(value) {
      if (typeof value !== 'string') return false
      const moment = momentFrom(value)
      return moment === undefined ? boundless && BOUNDLESS.has(value) : isPlace(moment)
    },
  }
}

/** Dates as YYYY-MM-DD. */
export function dateForm(isYear: (day: Moment) => boolean, boundless = false): Form {
  return {
    kind: 'date',
    encode: String,
    decode: String,
    isPlace(value) {
      if (typeof value !== 'string') return false
      const day = momentFrom(value.replace(/^([\d-]+)/, '$1 00:00:00'))
      return day === undefined ? boundless && BOUNDLESS.has(value) : !day.hasOffset && isYear(day)
    },
  }
}

const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?$/

/** Times of day as text. */
export const timeForm: Form = {
  kind: 'time',
  encode: String,
  decode: String,
  isPlace: (value) => typeof value === 'string' && TIME.test(value),
}
