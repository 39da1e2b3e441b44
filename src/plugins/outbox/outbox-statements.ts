// The statements of an outbox: how messages are added, read in their order, and removed.
import type { SqlStatement, StatementRow, StatementRunner } from '../mapper/extend.ts'
import { LOCK_ID, toStatement } from './outbox-table.ts'
import { toWakeName } from './wakes.ts'

/** A message in the table. */
export interface OutboxRow {
  readonly id: number
  readonly topic: string
  readonly key: string
  readonly text: string
}

/** The most rows of one statement. */
const MAX_ROWS = 100

/** Writes the statements that add messages, each with a key of its own. */
export function writeInsert(
  dialect: StatementRunner['dialect'],
  table: string,
  messages: readonly { readonly topic: string; readonly text: string }[],
): readonly SqlStatement[] {
  const statements: SqlStatement[] = []
  for (let start = 0; start < messages.length; start += MAX_ROWS) {
    const rows = messages.slice(start, start + MAX_ROWS)
    const values = rows.flatMap(({ topic, text }) => [topic, crypto.randomUUID(), text])
    const insert = `insert into ${table} (topic, message_key, message) values (`
    const [begin, end] = dialect === 'postgres' ? [`with added as (${insert}`, writeWake(table)] : [insert, ')']
    const before = rows.flatMap((_, i) => [i === 0 ? begin : '), (', ', ', ', '])
    statements.push({ strings: [...before, end], values })
  }
  return statements
}

const writeWake = (table: string): string => `)) select pg_notify('${toWakeName(table)}', '')`

/** The statements of relays. */
export interface OutboxStatements {
  readonly table: string
  /** Asks whether there is a message of some topics. */
  findAny(topics: readonly string[]): SqlStatement
  /** Reads the oldest messages of some topics. */
  readOldest(topics: readonly string[], limit: number): SqlStatement
  /** Removes messages. */
  remove(ids: readonly number[]): SqlStatement
}

/** Creates the statements of a table. */
export function createStatements(dialect: StatementRunner['dialect'], table: string): OutboxStatements {
  return {
    table,
    findAny: (topics) => writeList(`select 1 as c0 from ${table} where topic in (`, topics, ') limit 1'),
    readOldest: (topics, limit) =>
      writeList(
        `select id as c0, topic as c1, message_key as c2, message as c3 from ${table} where topic in (`,
        topics,
        `) and id > ${LOCK_ID} order by id limit ${limit}`,
      ),
    remove: (ids) =>
      dialect === 'mysql' ? writeMysqlDelete(table, ids) : writeList(`delete from ${table} where id in (`, ids, ')'),
  }
}

// A list of ids may make MySQL and MariaDB read the whole table, even with an index hint, and wait for rows of open
// transactions. They look up each row that they join.
function writeMysqlDelete(table: string, ids: readonly number[]): SqlStatement {
  const list = ids.map((id) => `select ${id} as id`).join(' union all ')
  return toStatement(`delete m from (${list}) as d straight_join ${table} as m force index (primary) on m.id = d.id`)
}

function writeList(before: string, values: readonly unknown[], after: string): SqlStatement {
  const strings = values.map((_, i) => (i === 0 ? before : ', '))
  return { strings: [...strings, after], values }
}

/** Reads a message of a row. */
export const toOutboxRow = (row: StatementRow): OutboxRow => ({
  id: Number(readColumn(row, 0)),
  topic: String(readColumn(row, 1)),
  key: String(readColumn(row, 2)),
  text: String(readColumn(row, 3)),
})

/** Reads a column of a row by its number. */
export const readColumn = (row: StatementRow | undefined, column: number): unknown =>
  Array.isArray(row) ? row[column] : (row as Readonly<Record<string, unknown>> | undefined)?.[`c${column}`]
