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
  const year = yearOf(text)
  const month = twoDigits(text, 5)
  const day = twoDigits(text, 8)
  if (!(year >= 0 && month >= 1 && month <= 12 && day >= 1)) return false
  return day <= (month === 2 && isLeap(year) ? 29 : (DAYS[month - 1] as number))
}

/** The number of days from 1970-01-01 to the date that a text begins with. */
export function daysSinceEpoch(text: string): number {
  const month = twoDigits(text, 5)
  // A year that begins in March has its leap day at the end, and so a formula for the length of its months.
  const year = yearOf(text) - (month > 2 ? 0 : 1)
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + twoDigits(text, 8) - 1
  return year * 365 + Math.floor(year / 4) - Math.floor(year / 100) + Math.floor(year / 400) + dayOfYear - 719_468
}

const yearOf = (text: string): number => twoDigits(text, 0) * 100 + twoDigits(text, 2)

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)

/** Tells whether hours and minutes, written HH:MM, stand at an index. */
export function isHourMinute(text: string, at: number): boolean {
  return twoDigits(text, at) <= 23 && text.charCodeAt(at + 2) === 58 && twoDigits(text, at + 3) <= 59
}

/** The number of minutes that stand at an index, written HH:MM. */
export function minutesAt(text: string, at: number): number {
  return twoDigits(text, at) * 60 + twoDigits(text, at + 3)
}

/** The index after the digits that begin at an index. */
export function skipDigits(text: string, at: number): number {
  let end = at
  for (let code = text.charCodeAt(end); code >= 48 && code <= 57; code = text.charCodeAt(end)) end++
  return end
}

const PAIRS: readonly string[] = Array.from({ length: 100 }, (_, i) => String(i).padStart(2, '0'))
const DAY = 86_400_000

/** Writes a moment of the years 0 to 9999 as toISOString does, in less than half its time: lists of records are full of them. */
export function isoText(moment: Date): string {
  const year = moment.getUTCFullYear()
  const rest = ((moment.getTime() % DAY) + DAY) % DAY
  const seconds = Math.floor(rest / 1000)
  const minutes = Math.floor(seconds / 60)
  const day = `${PAIRS[Math.floor(year / 100)]}${PAIRS[year % 100]}-${PAIRS[moment.getUTCMonth() + 1]}-${PAIRS[moment.getUTCDate()]}`
  const time = `${PAIRS[Math.floor(minutes / 60)]}:${PAIRS[minutes % 60]}:${PAIRS[seconds % 60]}`
  return `${day}T${time}.${String(1000 + (rest % 1000)).slice(1)}Z`
}
