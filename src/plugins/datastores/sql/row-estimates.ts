// Reads the row estimates in query plans.
import type { RawRow } from '../../query/query.ts'

const listRowValues = (row: RawRow): readonly unknown[] => (Array.isArray(row) ? row : Object.values(row))

/** Returns the rows that PostgreSQL expects; clients return the plan as a text or parsed. */
export function readPostgresEstimate([row]: readonly RawRow[]): number {
  const [plan] = row === undefined ? [] : listRowValues(row)
  const plans = (typeof plan === 'string' ? JSON.parse(plan) : plan) as readonly { readonly Plan?: object }[]
  return Number((plans?.[0]?.Plan as Record<string, unknown> | undefined)?.['Plan Rows'] ?? 0)
}

/** The position of the number of rows in a line of `explain`, in MariaDB and in MySQL, and the number of columns in MySQL. */
const [MARIADB_ROWS, MYSQL_ROWS, MYSQL_LENGTH] = [8, 9, 12]

/** Returns the rows that MySQL or MariaDB expects in the first table; no join of a list adds rows. */
export function readMysqlEstimate([row]: readonly RawRow[]): number {
  if (row === undefined) return 0
  if (!Array.isArray(row) && 'rows' in row) return Number(row['rows'] ?? 0)
  const values = listRowValues(row)
  return Number((values.length >= MYSQL_LENGTH ? values[MYSQL_ROWS] : values[MARIADB_ROWS]) ?? 0)
}
