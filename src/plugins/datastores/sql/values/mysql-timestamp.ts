// TIMESTAMP of MySQL and MariaDB: shown in the zone of the session, where an hour of autumn comes twice. Its seconds are exact.
import type { Comparison } from '../../../query/query.ts'
import type { SqlColumn, Statement } from '../sql.ts'

/** How values and places of a TIMESTAMP are bound, read and compared. */
export const timestampCodec: Required<
  Pick<SqlColumn, 'encode' | 'encodeForComparison' | 'decode' | 'toSelectSql' | 'parameterSql' | 'isCursorValue' | 'writeComparison'>
> = {
  encode: (value) => (value as Date).toISOString().slice(0, -1).replace('T', ' '),
  parameterSql: ['convert_tz(', `, '+00:00', @@session.time_zone)`],
  encodeForComparison: (value) => ((value as Date).getTime() / 1000).toFixed(3),
  // A date without a day has 0 seconds, which no other moment of the type has.
  toSelectSql: (expression) => `cast(unix_timestamp(${expression}) as char)`,
  decode: (raw) => new Date(Math.floor(Number((Number(raw) * 1000).toFixed(3)))),
  isCursorValue: (value) => value === null || (typeof value === 'string' && /^\d{1,12}(?:\.\d{1,6})?$/.test(value)),
  writeComparison: writeTimestampComparison,
}

/** Seconds up to which every version has moments of the type. */
const MAX_PORTABLE_SECONDS = 2 ** 31

/** More than clocks are ever put back, in seconds. */
const CLOCK_CHANGE_SECONDS = 90_000

const EARLIEST_SHOWN = ['least(', ` + ${CLOCK_CHANGE_SECONDS}) - interval ${CLOCK_CHANGE_SECONDS} second`] as const
const LATEST_SHOWN = ['greatest(', ` - ${CLOCK_CHANGE_SECONDS}) + interval ${CLOCK_CHANGE_SECONDS} second`] as const

/**
 * Compares by seconds, and says besides where in an index the rows lie: at the moment itself or, where clocks are put back
 * near it, at the first or the last time of day that it can be shown as.
 */
function writeTimestampComparison(expression: string, op: Comparison, value: unknown): Statement {
  const exact: SqlPiece = [`unix_timestamp(${expression}) ${op} cast(`, ' as decimal(20, 6))']
  // Outside of the moments that the type has there is none that an index could be entered at.
  if (!(Number(value) > 0 && Number(value) < MAX_PORTABLE_SECONDS)) return joinPieces([exact], value)
  const from = writeTimestampBound(`${expression} >= `, EARLIEST_SHOWN)
  const to = writeTimestampBound(`${expression} <= `, LATEST_SHOWN)
  if (op === '=') return joinPieces([from, to, exact], value)
  return joinPieces([op[0] === '>' ? from : to, exact], value)
}

/** SQL with a gap before each of its pieces but the first; the same value stands in all of them. */
type SqlPiece = readonly string[]

const FROM_UNIXTIME = ['from_unixtime(cast(', ' as decimal(20, 6))'] as const

function writeTimestampBound(start: string, [outer, window]: readonly [string, string]): SqlPiece {
  const [open, close] = FROM_UNIXTIME
  return [`${start}coalesce(${outer}${open}`, `${close}), ${open}`, `${close}${window}), ${open}`, `${close}))`]
}

function joinPieces(pieces: readonly SqlPiece[], value: unknown): Statement {
  const strings: string[] = ['(']
  for (const [i, [first = '', ...rest]] of pieces.entries()) {
    strings.push(`${strings.pop()}${i === 0 ? '' : ' and '}${first}`, ...rest)
  }
  strings.push(`${strings.pop()})`)
  return { strings, values: strings.slice(1).map(() => value) }
}
