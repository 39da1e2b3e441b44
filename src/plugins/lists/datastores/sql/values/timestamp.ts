// TIMESTAMP of MySQL and MariaDB: shown in the zone of the session, where an hour of autumn comes twice. Its seconds are exact.
import type { Comparison } from '../../../query.ts'
import type { SqlColumn, Statement } from '../sql.ts'

/** How values and places of a TIMESTAMP are bound, read and compared. */
export const timestampForm: Required<
  Pick<SqlColumn, 'encode' | 'compare' | 'decode' | 'read' | 'around' | 'isPlace' | 'comparison'>
> = {
  encode: (value) => (value as Date).toISOString().slice(0, -1).replace('T', ' '),
  around: ['convert_tz(', `, '+00:00', @@session.time_zone)`],
  compare: (value) => ((value as Date).getTime() / 1000).toFixed(3),
  // A date without a day has 0 seconds, which no other moment of the type has.
  read: (expression) => `cast(unix_timestamp(${expression}) as char)`,
  decode: (raw) => new Date(Math.floor(Number((Number(raw) * 1000).toFixed(3)))),
  isPlace: (value) => value === null || (typeof value === 'string' && /^\d{1,12}(?:\.\d{1,6})?$/.test(value)),
  comparison: compared,
}

/** Seconds up to which every version has moments of the type. */
const SURELY_HELD = 2 ** 31

/** More than clocks are ever put back, in seconds. */
const WINDOW = 90_000

const LOWEST = ['least(', ` + ${WINDOW}) - interval ${WINDOW} second`] as const
const HIGHEST = ['greatest(', ` - ${WINDOW}) + interval ${WINDOW} second`] as const

/**
 * Compares by seconds, and says besides where in an index the rows lie: at the moment itself or, where clocks are put back
 * near it, at the first or the last time of day that it can be shown as.
 */
function compared(expression: string, op: Comparison, value: unknown): Statement {
  const exact: Piece = [`unix_timestamp(${expression}) ${op} cast(`, ' as decimal(20, 6))']
  // Outside of the moments that the type has there is none that an index could be entered at.
  if (!(Number(value) > 0 && Number(value) < SURELY_HELD)) return joined([exact], value)
  const from = bound(`${expression} >= `, LOWEST)
  const to = bound(`${expression} <= `, HIGHEST)
  if (op === '=') return joined([from, to, exact], value)
  return joined([op[0] === '>' ? from : to, exact], value)
}

/** SQL with a gap before each of its pieces but the first; the same value stands in all of them. */
type Piece = readonly string[]

const MOMENT = ['from_unixtime(cast(', ' as decimal(20, 6))'] as const

function bound(start: string, [outer, window]: readonly [string, string]): Piece {
  const [open, close] = MOMENT
  return [`${start}coalesce(${outer}${open}`, `${close}), ${open}`, `${close}${window}), ${open}`, `${close}))`]
}

function joined(pieces: readonly Piece[], value: unknown): Statement {
  const strings: string[] = ['(']
  for (const [i, [first = '', ...rest]] of pieces.entries()) {
    strings.push(`${strings.pop()}${i === 0 ? '' : ' and '}${first}`, ...rest)
  }
  strings.push(`${strings.pop()})`)
  return { strings, values: strings.slice(1).map(() => value) }
}
