// The years of PostgreSQL: those before year 1 count backwards from 1 and end in `BC`.

/** Formats a timestamp for PostgreSQL. */
export function formatPostgresTimestamp(value: Date): string {
  const iso = value.toISOString()
  const year = value.getUTCFullYear()
  if (year > 0) return iso.replace(/^\+0*/, '')
  return `${String(1 - year).padStart(4, '0')}${iso.slice(iso.indexOf('-', 1))} BC`
}

/** Formats a date; the ISO year 0 is 1 BC. */
export const formatPostgresDate = (day: unknown): string => String(day).replace(/^0000(.*)/, '0001$1 BC')

/** Parses a date; 1 BC is the ISO year 0. */
export const parsePostgresDate = (raw: unknown): string => String(raw).replace(/^0001(.*) BC$/, '0000$1')

/** Converts the year of a timestamp to the form that JavaScript parses: signed, with six digits, unless it is 0000 to 9999. */
export function withIsoYear(text: string): string {
  const [, digits, rest, isBefore] = /^(\d+)(-.*?)( BC)?$/.exec(text) ?? []
  if (digits === undefined || (isBefore === undefined && digits.length === 4)) return text
  const year = isBefore === undefined ? Number(digits) : 1 - Number(digits)
  if (year === 0) return `0000${rest}`
  return `${year < 0 ? '-' : '+'}${String(Math.abs(year)).padStart(6, '0')}${rest}`
}
