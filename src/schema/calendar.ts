// Reading dates and times digit by digit: a day that the calendar does not have is not a date.

/** Reads the two digits at an index; NaN when they are not digits. */
export function twoDigits(text: string, at: number): number {
  const high = text.charCodeAt(at) - 48
  const low = text.charCodeAt(at + 1) - 48
  return high >= 0 && high <= 9 && low >= 0 && low <= 9 ? high * 10 + low : Number.NaN
}

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Tells whether a text begins with a day of the calendar, written YYYY-MM-DD. */
export function startsWithDate(text: string): boolean {
  if (text.charCodeAt(4) !== 45 || text.charCodeAt(7) !== 45) return false
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2)
  const month = twoDigits(text, 5)
  const day = twoDigits(text, 8)
  if (!(year >= 0 && month >= 1 && month <= 12 && day >= 1)) return false
  return day <= (month === 2 && isLeap(year) ? 29 : (DAYS[month - 1] as number))
}

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)

/** Tells whether hours and minutes, written HH:MM, stand at an index. */
export function isHourMinute(text: string, at: number): boolean {
  return twoDigits(text, at) <= 23 && text.charCodeAt(at + 2) === 58 && twoDigits(text, at + 3) <= 59
}

/** The index after the digits that begin at an index. */
export function skipDigits(text: string, at: number): number {
  let end = at
  for (let code = text.charCodeAt(end); code >= 48 && code <= 57; code = text.charCodeAt(end)) end++
  return end
}
