// Years as PostgreSQL has them: those before the first are counted from 1 backwards, and have a mark of their own.

/** Writes a moment for PostgreSQL. */
export function formatPostgresTimestamp(value: Date): string {
  const iso = value.toISOString()
  const year = value.getUTCFullYear()
  if (year > 0) return iso.replace(/^\+0*/, '')
  return `${String(1 - year).padStart(4, '0')}${iso.slice(iso.indexOf('-', 1))} BC`
}

/** Writes a day of the calendar, whose year 0 is the first before the first there. */
export const formatPostgresDate = (day: unknown): string => String(day).replace(/^0000(.*)/, '0001$1 BC')

/** Reads a day as the calendar has it. */
export const parsePostgresDate = (raw: unknown): string => String(raw).replace(/^0001(.*) BC$/, '0000$1')

/** Gives a moment's text the years that JavaScript reads: with a sign where they are not four digits after the first. */
export function withIsoYear(text: string): string {
  const [, digits, rest, isBefore] = /^(\d+)(-.*?)( BC)?$/.exec(text) ?? []
  if (digits === undefined || (isBefore === undefined && digits.length === 4)) return text
  const year = isBefore === undefined ? Number(digits) : 1 - Number(digits)
  if (year === 0) return `0000${rest}`
  return `${year < 0 ? '-' : '+'}${String(Math.abs(year)).padStart(6, '0')}${rest}`
}
