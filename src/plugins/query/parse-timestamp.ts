// Parses the timestamps of databases digit by digit: lists contain many, and regular expressions take several times as long.
import { calendar } from '../../extend.ts'

/** Parses a timestamp with a four-digit year, as UTC unless it has an offset of hours and minutes; undefined for other forms. */
export function parseIsoTimestamp(text: string): number | undefined {
  const separator = text.charCodeAt(10)
  if ((separator !== 32 && separator !== 84) || !calendar.startsWithDate(text) || !calendar.isHourMinute(text, 11))
    return undefined
  if (text.charCodeAt(16) !== 58 || !(calendar.readTwoDigits(text, 17) <= 59)) return undefined
  const seconds =
    (calendar.countDaysSinceEpoch(text) * 1440 + calendar.readMinutes(text, 11)) * 60 + calendar.readTwoDigits(text, 17)
  const hasFraction = text.charCodeAt(19) === 46
  const end = hasFraction ? calendar.skipDigits(text, 20) : 19
  if (end === 20) return undefined
  const at = seconds * 1000 + (hasFraction ? readMilliseconds(text, end) : 0)
  if (end === text.length || (text.charCodeAt(end) === 90 && end + 1 === text.length)) return at
  if (end + 6 !== text.length || !calendar.isHourMinute(text, end + 1)) return undefined
  const offset = calendar.readMinutes(text, end + 1) * 60_000
  const sign = text.charCodeAt(end)
  if (sign === 43) return at - offset
  return sign === 45 ? at + offset : undefined
}

function readMilliseconds(text: string, end: number): number {
  let read = 0
  for (let i = 20; i < 23; i++) read = read * 10 + (i < end ? text.charCodeAt(i) - 48 : 0)
  return read
}
