// Classifies the errors of databases and their clients by their meaning to the sender of a request.
import type { Fault } from '../../query/query.ts'

/** Returns the fault of an error or of one of its causes. */
export const classifySqlError = (error: unknown): Fault | undefined => findInCauses(error, classifyDriverError)

/** MariaDB's error number for an index that does not exist. */
export const NO_SUCH_INDEX = 1176

/** Returns whether a statement names an index that does not exist. */
export const isIndexMissing = (error: unknown): boolean =>
  findInCauses(error, (one) => {
    const { codes, message } = readErrorDetails(one)
    return codes.includes(NO_SUCH_INDEX) || /\bno (?:such index|query solution)\b/.test(message) || undefined
  }) ?? false

/** Calls `judge` with an error and each of its causes, and returns the first result that is not undefined. */
export function findInCauses<V>(error: unknown, judge: (error: object) => V | undefined): V | undefined {
  let current = error
  // Deep enough for every wrapper; ends for errors that cause each other.
  for (let depth = 0; depth < 8 && typeof current === 'object' && current !== null; depth++) {
    const found = judge(current)
    if (found !== undefined) return found
    current = readProperty(current, 'cause')
  }
  return undefined
}

/** Returns the codes of an error, the most specific first, and its message. */
export function readErrorDetails(error: object): { readonly codes: readonly unknown[]; readonly message: string } {
  const message = readProperty(error, 'message')
  return {
    codes: CODE_PROPERTIES.map((name) => readProperty(error, name)),
    message: typeof message === 'string' ? message : '',
  }
}

function classifyCode(code: unknown): Fault | undefined {
  if (typeof code === 'string') return classifyStringCode(code)
  return typeof code === 'number' ? NUMBERED_FAULTS[code] : undefined
}

function classifyDriverError(error: object): Fault | undefined {
  if (readProperty(error, 'code') === '42601' && isTypeRoutine(readProperty(error, 'routine'))) return 'value'
  const { codes, message } = readErrorDetails(error)
  for (const code of codes) {
    const fault = classifyCode(code)
    if (fault) return fault
  }
  return MESSAGE_FAULTS.find(([pattern]) => pattern.test(message))?.[1]
}

// Some PostgreSQL types report an invalid text of a value as a syntax error, with the same code as the SQL parser.
const isTypeRoutine = (routine: unknown): boolean => typeof routine === 'string' && !/yyerror$|^transform/.test(routine)

// An error can be any object, even one that throws when it is read.
function readProperty(error: object, name: string): unknown {
  try {
    return (error as Record<string, unknown>)[name]
  } catch {
    return undefined
  }
}

// The most specific come first: MySQL has the same SQLSTATE for a missing value and for a duplicate.
const CODE_PROPERTIES = ['errno', 'extendedCode', 'rawCode', 'errcode', 'code', 'sqlState'] as const

function classifyStringCode(code: string): Fault | undefined {
  const named = Object.hasOwn(NAMED_FAULTS, code) ? NAMED_FAULTS[code] : undefined
  if (named) return named
  return /^[0-9A-Z]{5}$/.test(code) ? SQLSTATE_FAULTS.find(([pattern]) => pattern.test(code))?.[1] : undefined
}

/** The faults of SQLSTATE classes. */
const SQLSTATE_FAULTS: readonly (readonly [RegExp, Fault])[] = [
  [/^(?:22|23502|23514|428C9|44000|54000)/, 'value'],
  [/^23/, 'conflict'],
  // Lost connections, read-only servers, missing resources, deadlocks, locks, timeouts, and servers that shut down.
  [/^(?:08|25006|40|53|55P03|57P0|57014|70100)/, 'unavailable'],
]

/** The faults of named codes, of clients and of Node. */
const NAMED_FAULTS: Readonly<Record<string, Fault>> = {
  ...mapCodeNames('conflict', 'SQLITE_CONSTRAINT_UNIQUE SQLITE_CONSTRAINT_PRIMARYKEY SQLITE_CONSTRAINT_FOREIGNKEY'),
  ...mapCodeNames('conflict', 'SQLITE_CONSTRAINT_ROWID'),
  ...mapCodeNames('value', 'SQLITE_CONSTRAINT_NOTNULL SQLITE_CONSTRAINT_CHECK SQLITE_CONSTRAINT_DATATYPE'),
  ...mapCodeNames('value', 'SQLITE_MISMATCH SQLITE_TOOBIG'),
  ...mapCodeNames('unavailable', 'SQLITE_BUSY SQLITE_BUSY_SNAPSHOT SQLITE_BUSY_TIMEOUT SQLITE_LOCKED SQLITE_FULL'),
  ...mapCodeNames('unavailable', 'ECONNREFUSED ECONNRESET ECONNABORTED EPIPE ETIMEDOUT EHOSTUNREACH ENETUNREACH'),
  ...mapCodeNames('unavailable', 'ENOTFOUND EAI_AGAIN PROTOCOL_CONNECTION_LOST PROTOCOL_SEQUENCE_TIMEOUT'),
  ...mapCodeNames('unavailable', 'CONNECT_TIMEOUT CONNECTION_CLOSED CONNECTION_ENDED CONNECTION_DESTROYED'),
  // Prisma: connection failures and timeouts, and transactions in conflict.
  ...mapCodeNames('unavailable', 'P1001 P1002 P1008 P1017 P2024 P2028 P2034 P2037'),
}

/** The faults of numeric codes: of MySQL and MariaDB, and the extended codes of SQLite. */
const NUMBERED_FAULTS: Readonly<Record<number, Fault>> = {
  ...mapCodeNumbers('conflict', 1062, 1169, 1216, 1217, 1451, 1452, 1557, 1586, 1761, 1762),
  ...mapCodeNumbers(
    'value',
    1048,
    1153,
    1264,
    1265,
    1267,
    1270,
    1271,
    1292,
    1300,
    1364,
    1366,
    1406,
    1411,
    1525,
    1690,
    3140,
    3819,
    4025,
  ),
  ...mapCodeNumbers('unavailable', 1040, 1053, 1203, 1205, 1213, 1226, 1317, 1969, 2002, 2003, 2006, 2013, 3024),
  // Read-only servers, nodes outside of their cluster, broken connections, and failed commits.
  ...mapCodeNumbers('unavailable', 1047, 1158, 1159, 1160, 1161, 1180, 1290, 1792, 1836, 1927, 4150),
  // The MariaDB client: sockets and pools.
  ...mapCodeNumbers('unavailable', 45001, 45004, 45009, 45012, 45013, 45019, 45026, 45027, 45028),
  ...mapCodeNumbers('conflict', 787, 1555, 2067, 2579),
  ...mapCodeNumbers('value', 18, 20, 275, 1299, 3091),
  ...mapCodeNumbers('unavailable', 5, 6, 13, 261, 517, 773),
}

function mapCodeNames(fault: Fault, codes: string): Record<string, Fault> {
  return Object.fromEntries(codes.split(' ').map((code) => [code, fault]))
}

function mapCodeNumbers(fault: Fault, ...codes: readonly number[]): Record<number, Fault> {
  return Object.fromEntries(codes.map((code) => [code, fault]))
}

/** The beginnings of messages without a code; further on, a message may contain input of a client. */
const MESSAGE_FAULTS: readonly (readonly [RegExp, Fault])[] = [
  [/^(?:SQLITE_\w+: )?(?:SQLite error: )?(?:UNIQUE|FOREIGN KEY|PRIMARY KEY) constraint failed\b/, 'conflict'],
  [/^(?:SQLITE_\w+: )?(?:SQLite error: )?(?:NOT NULL|CHECK) constraint failed\b/, 'value'],
  [/^(?:database is locked|database table is locked|(?:The )?database (?:connection )?is not open$)/, 'unavailable'],
  [/^timeout exceeded when trying to connect|^Connection terminated|^Query read timeout/, 'unavailable'],
  [
    /^Queue limit reached|^Pool is closed|^Cannot use a pool after calling end|^driver has already been destroyed/,
    'unavailable',
  ],
]
