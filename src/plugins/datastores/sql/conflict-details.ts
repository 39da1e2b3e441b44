// Reads from an error of a database what a conflict is about. Messages contain values of clients, so the details are kept
// beside the error, where no log finds them.
import { findInCauses, readErrorDetails } from './classify-error.ts'

/** A conflict as a database describes it, with its own names of tables, keys and columns. */
export interface ConflictDetails {
  /** Whether a reference is missing or in use; otherwise a value exists already. */
  readonly isReference: boolean
  /** The columns, or expressions with them. */
  readonly columns?: readonly string[]
  /** The values of the columns, as the database writes them, separated by commas. */
  readonly values?: string
  /** The index or the constraint. */
  readonly name?: string
  /** The table with the referenced row, and its columns. */
  readonly target?: { readonly table: string; readonly columns: readonly string[] }
}

const detailsByError = new WeakMap<object, ConflictDetails>()

/** Keeps the details of a database's error for the error that takes its place. */
export function keepConflictDetails(original: unknown, replacement: object): void {
  const details = findInCauses(original, readDetails)
  if (details !== undefined) detailsByError.set(replacement, details)
}

/** Returns the details of a conflict. */
export const getConflictDetails = (error: unknown): ConflictDetails | undefined =>
  findInCauses(error, (one) => detailsByError.get(one))

function readDetails(error: object): ConflictDetails | undefined {
  const { codes, message } = readErrorDetails(error)
  const { detail, constraint, sqlMessage } = error as Readonly<Record<string, unknown>>
  // The drivers for PostgreSQL name the constraint `constraint` or `constraint_name`.
  const name = [constraint, (error as { constraint_name?: unknown }).constraint_name].find(isText)
  if (codes.includes('23505')) return { isReference: false, ...readPostgresKey(detail), ...(name && { name }) }
  if (codes.some((code) => code === '23503' || code === '23001'))
    return { isReference: true, ...readPostgresKey(detail), ...(name && { name }) }
  const text = isText(sqlMessage) ? sqlMessage : message
  if (codes.some((code) => UNIQUE_NUMBERS.has(code))) return { isReference: false, ...readMysqlIndex(text) }
  if (codes.some((code) => REFERENCE_NUMBERS.has(code))) return { isReference: true, ...readMysqlReference(text) }
  return readSqliteMessage(message)
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

const UNIQUE_NUMBERS: ReadonlySet<unknown> = new Set([1062, 1169, 1557, 1586, 1761, 1762])
const REFERENCE_NUMBERS: ReadonlySet<unknown> = new Set([1216, 1217, 1451, 1452])

// `Key (room, lower(day))=(7, monday) already exists.`, around which the words depend on the language of the server.
function readPostgresKey(detail: unknown): Pick<ConflictDetails, 'columns' | 'values'> {
  const start = isText(detail) ? detail.indexOf('(') : -1
  const middle = isText(detail) ? detail.indexOf(')=(', start) : -1
  if (!isText(detail) || start < 0 || middle < 0) return {}
  const columns = splitList(detail.slice(start + 1, middle))
  const end = detail.lastIndexOf(')')
  return { columns, ...(end > middle + 2 && { values: detail.slice(middle + 3, end) }) }
}

/** Splits a list at its commas, but not within parentheses or quoted names. */
function splitList(text: string): string[] {
  const parts = text.match(/(?:"(?:[^"]|"")*"|\((?:[^()]|\([^()]*\))*\)|[^,])+/g) ?? []
  return parts.map((part) => part.trim())
}

// `Duplicate entry 'x' for key 'books.isbn'`: the index comes last, and the value may contain anything. In another language
// it is the last text in quotes.
function readMysqlIndex(message: string): Pick<ConflictDetails, 'name'> {
  const words = " for key '"
  const found = message.lastIndexOf(words)
  if (found >= 0 && message.endsWith("'")) return { name: message.slice(found + words.length, -1) }
  const end = message.lastIndexOf("'")
  const start = message.lastIndexOf("'", end - 1)
  if (start < 0 || end <= start + 1) return {}
  return { name: message.slice(start + 1, end) }
}

const LIST_OF_NAMES = '\\(((?:`(?:[^`]|``)*`(?:, )?)+)\\)'
const MYSQL_REFERENCE = new RegExp(
  `FOREIGN KEY ${LIST_OF_NAMES} REFERENCES ((?:\`(?:[^\`]|\`\`)*\`\\.?)+) ${LIST_OF_NAMES}`,
)

function readMysqlReference(message: string): Pick<ConflictDetails, 'columns' | 'target'> {
  const [, ours, table, theirs] = MYSQL_REFERENCE.exec(message) ?? []
  if (ours === undefined || table === undefined || theirs === undefined) return {}
  return { columns: readQuotedNames(ours), target: { table, columns: readQuotedNames(theirs) } }
}

const readQuotedNames = (text: string): string[] =>
  Array.from(text.matchAll(/`((?:[^`]|``)*)`/g), ([, name = '']) => name.replaceAll('``', '`'))

const SQLITE_PREFIX = '^(?:SQLITE_\\w+: )?(?:SQLite error: )?'
const SQLITE_UNIQUE = new RegExp(`${SQLITE_PREFIX}(?:UNIQUE|PRIMARY KEY) constraint failed(?:: (.+))?`)
const SQLITE_REFERENCE = new RegExp(`${SQLITE_PREFIX}FOREIGN KEY constraint failed`)

// `UNIQUE constraint failed: rooms.room, rooms.day`, or `… failed: index 'by_day'` for an index with expressions.
function readSqliteMessage(message: string): ConflictDetails | undefined {
  if (SQLITE_REFERENCE.test(message)) return { isReference: true }
  const found = SQLITE_UNIQUE.exec(message)
  if (found === null) return undefined
  const [, index] = /^index '(.+)'$/.exec(found[1] ?? '') ?? []
  if (index !== undefined) return { isReference: false, name: index }
  const columns = found[1]?.split(', ').map((one) => one.slice(one.indexOf('.') + 1))
  return { isReference: false, ...(columns && { columns }) }
}
