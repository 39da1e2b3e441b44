// Removes statement values from database errors: logs must not contain data that clients sent.
import { hasBrand } from './brand.ts'

/** The safe properties of a database error: names and codes, never values. */
const SAFE_FIELDS = [
  ...['code', 'errno', 'extendedCode', 'rawCode', 'errcode', 'sqlState', 'severity', 'syscall', 'address', 'port'],
  ...['schema', 'table', 'column', 'constraint', 'dataType', 'routine'],
] as const

/** The number of causes of an error that are followed. */
const MAX_DEPTH = 8

/** A database error: its codes and names, and its message if that cannot contain a value. */
export class DatabaseError extends Error {
  readonly '~database' = true
  declare readonly code?: string | number

  constructor(error: unknown) {
    const chain = listCauses(error)
    const source =
      chain.find((one) => isCode(readField(one, 'code')) || isCode(readField(one, 'errno'))) ?? chain.at(-1)
    super(chain.map(findHarmlessMessage).find((text) => text !== undefined) ?? 'The database refused a statement')
    this.name = 'DatabaseError'
    for (const name of SAFE_FIELDS) {
      const value = source === undefined ? undefined : readField(source, name)
      if (isCode(value)) Object.defineProperty(this, name, { value, enumerable: true })
    }
  }
}

const isCode = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number'

function listCauses(error: unknown): object[] {
  const chain: object[] = []
  let current = error
  while (typeof current === 'object' && current !== null && chain.length < MAX_DEPTH) {
    chain.push(current)
    current = readField(current, 'cause')
  }
  return chain
}

// Errors can be anything, including objects that throw when they are read.
function readField(error: object, name: string): unknown {
  try {
    return (error as Record<string, unknown>)[name]
  } catch {
    return undefined
  }
}

/** The SQLSTATE classes whose messages contain only names of connections, roles, tables and columns. */
const HARMLESS_STATE = /^(?:08|28|3D|40|42(?!601|000)|53|55|57)[0-9A-Z]{3}$/

/** The error numbers of MySQL and MariaDB with such messages. */
const HARMLESS_NUMBERS: ReadonlySet<unknown> = new Set([
  ...[1040, 1044, 1045, 1049, 1053, 1054, 1142, 1143, 1146, 1203, 1205, 1213, 1226, 1317, 2002, 2003, 2006, 2013, 3024],
])

/** Connection error codes of Node and of database clients. */
const HARMLESS_CODE = /^(?:E[A-Z_]+|PROTOCOL_[A-Z_]+|CONNECT(?:ION)?_[A-Z_]+|SQLITE_(?:BUSY|LOCKED|FULL|CANTOPEN)\w*)$/

/**
 * The beginnings of messages that contain only names; SQLite has no codes for some of them, and clients have none for
 * their pools.
 */
const HARMLESS_TEXT =
  /^(?:SQLITE_\w+: )?(?:SQLite error: )?(?:(?:UNIQUE|FOREIGN KEY|PRIMARY KEY|NOT NULL|CHECK) constraint failed\b|no such (?:table|column): [\w. ]+$|database (?:table )?is locked)|^(?:timeout exceeded when trying to connect|Connection terminated|Query read timeout|Queue limit reached|Pool is closed|Cannot use a pool after calling end|driver has already been destroyed|(?:The )?database (?:connection )?is not open$)/

function findHarmlessMessage(error: object): string | undefined {
  const [message, code, errno] = [readField(error, 'message'), readField(error, 'code'), readField(error, 'errno')]
  if (typeof message !== 'string') return undefined
  const isMysql = typeof readField(error, 'sqlMessage') === 'string'
  const isHarmless = isMysql
    ? HARMLESS_NUMBERS.has(errno)
    : HARMLESS_TEXT.test(message) ||
      (typeof code === 'string' && (HARMLESS_CODE.test(code) || (isPostgres(error) && HARMLESS_STATE.test(code))))
  return isHarmless ? message : undefined
}

const isPostgres = (error: object): boolean => typeof readField(error, 'severity') === 'string'

// Recognized by shape, because applications bring their own clients, whose classes differ in each copy.
function isForeignDatabaseError(error: object): boolean {
  const [code, query] = [readField(error, 'code'), readField(error, 'query')]
  return (
    (typeof code === 'string' &&
      (/^(?:ERR_)?SQLITE_/.test(code) || (isPostgres(error) && /^[0-9A-Z]{5}$/.test(code)))) ||
    typeof readField(error, 'sqlMessage') === 'string' ||
    (typeof query === 'string' && Array.isArray(readField(error, 'params'))) ||
    /^(?:Libsql|Sqlite|SQLite3|Database|DrizzleQuery|PrismaClient\w*)Error$/.test(String(readField(error, 'name')))
  )
}

/** Returns an error for the log: database errors, including those among its causes, lose all values. */
export function redactDatabaseError(error: Error): Error {
  const chain = listCauses(error)
  const first = chain.findIndex((one) => !hasBrand(one, '~database') && isForeignDatabaseError(one))
  if (first < 0) return error
  if (first === 0) return new DatabaseError(error)
  const { name, message, stack } = error
  const redacted = new Error(message, { cause: redactDatabaseError(readField(error, 'cause') as Error) })
  return Object.defineProperties(redacted, { name: { value: name }, stack: { value: stack } })
}
