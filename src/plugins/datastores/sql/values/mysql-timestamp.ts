// TIMESTAMP of MySQL and MariaDB: displayed in the session's time zone, where one hour of autumn repeats. Unix seconds are
// exact.
import type { Comparison } from '../../../query/query.ts'
import type { SqlColumn, Statement } from '../sql.ts'

/** The functions that bind, read and compare the values of a TIMESTAMP. */
export const timestampCodec: Required<
  Pick<
    SqlColumn,
    | 'encode'
    | 'encodeForComparison'
    | 'decode'
    | 'toSelectSql'
    | 'parameterWrapper'
    | 'isCursorValue'
    | 'writeComparison'
  >
> = {
  encode: (value) => (value as Date).toISOString().slice(0, -1).replace('T', ' '),
  parameterWrapper: ['convert_tz(', `, '+00:00', @@session.time_zone)`],
  encodeForComparison: (value) => ((value as Date).getTime() / 1000).toFixed(3),
  // The zero date has 0 seconds, like no other value of the type.
  toSelectSql: (expression) => `cast(unix_timestamp(${expression}) as char)`,
  decode: (raw) => new Date(Math.floor(Number((Number(raw) * 1000).toFixed(3)))),
  isCursorValue: (value) => value === null || (typeof value === 'string' && /^\d{1,12}(?:\.\d{1,6})?$/.test(value)),
  writeComparison: writeTimestampComparison,
}

/** The first Unix seconds that not every version of the type can hold. */
const MAX_PORTABLE_SECONDS = 2 ** 31

/** The seconds by which clocks are set back, generously. */
const CLOCK_CHANGE_SECONDS = 90_000

const EARLIEST_SHOWN = ['least(', ` + ${CLOCK_CHANGE_SECONDS}) - interval ${CLOCK_CHANGE_SECONDS} second`] as const
const LATEST_SHOWN = ['greatest(', ` - ${CLOCK_CHANGE_SECONDS}) + interval ${CLOCK_CHANGE_SECONDS} second`] as const

/**
 * Compares by Unix seconds, and adds bounds that an index can be entered by: the timestamp itself or, if clocks are set back
 * near it, the earliest or latest time of day at which it can be displayed.
 */
function writeTimestampComparison(expression: string, op: Comparison, value: unknown): Statement {
  const exact: SqlPiece = [`unix_timestamp(${expression}) ${op} cast(`, ' as decimal(20, 6))']
  // An index has no entries outside of the range of the type.
  if (!(Number(value) > 0 && Number(value) < MAX_PORTABLE_SECONDS)) return joinPieces([exact], value)
  const from = writeTimestampBound(`${expression} >= `, EARLIEST_SHOWN)
  const to = writeTimestampBound(`${expression} <= `, LATEST_SHOWN)
  if (op === '=') return joinPieces([from, to, exact], value)
  return joinPieces([op[0] === '>' ? from : to, exact], value)
}

/** SQL with a gap before each string but the first; the same value is bound in every gap. */
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
