// The row estimates in the plans of databases.
import type { RawRow } from '../../query/query.ts'

const listRowValues = (row: RawRow): readonly unknown[] => (Array.isArray(row) ? row : Object.values(row))

/** The rows that PostgreSQL expects; clients give the plan as a text or as what it says. */
export function readPostgresEstimate([row]: readonly RawRow[]): number {
  const [given] = row === undefined ? [] : listRowValues(row)
  const plans = (typeof given === 'string' ? JSON.parse(given) : given) as readonly { readonly Plan?: object }[]
  return Number((plans?.[0]?.Plan as Record<string, unknown> | undefined)?.['Plan Rows'] ?? 0)
}

/** Where the number of rows stands in a line of `explain`: behind nine others in MariaDB, and behind two more in MySQL. */
const [MARIADB_ROWS, MYSQL_ROWS, MYSQL_LENGTH] = [8, 9, 12]

/** The rows that MySQL or MariaDB expects: of the first table, since no join of a list adds any. */
export function readMysqlEstimate([row]: readonly RawRow[]): number {
  if (row === undefined) return 0
  if (!Array.isArray(row) && 'rows' in row) return Number(row['rows'] ?? 0)
  const values = listRowValues(row)
  return Number((values.length >= MYSQL_LENGTH ? values[MYSQL_ROWS] : values[MARIADB_ROWS]) ?? 0)
}
