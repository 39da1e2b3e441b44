// The table of an outbox in each SQL dialect, and its creation.
import type { SqlStatement, StatementRunner } from '../mapper/extend.ts'

type Dialect = StatementRunner['dialect']

const TABLE_NAME = /^[a-z_][a-z0-9_]{0,47}(?:\.[a-z_][a-z0-9_]{0,47})?$/

/** Makes a statement of a text without values. */
export const toStatement = (text: string): SqlStatement => ({ strings: [text], values: [] })

/** Returns whether a value is a name of a table, which may have a schema. */
export const isTableName = (value: unknown): boolean => typeof value === 'string' && TABLE_NAME.test(value)

/** The row of SQLite, MySQL and MariaDB that a relay locks; PostgreSQL has locks without rows. */
export const LOCK_ID = -1

const splitName = (table: string): readonly [prefix: string, name: string] => {
  const dot = table.indexOf('.') + 1
  return [table.slice(0, dot), table.slice(dot)]
}

const CREATE: Readonly<Record<Dialect, (table: string) => readonly string[]>> = {
  postgres: (table) => [
    `create table if not exists ${table} (id bigint generated always as identity primary key, topic text not null, message_key text not null, message text not null)`,
    `create index if not exists ${splitName(table)[1]}_topic on ${table} (topic, id)`,
  ],
  mysql: (table) => [
    `create table if not exists ${table} (id bigint not null auto_increment primary key, topic varchar(200) character set ascii collate ascii_bin not null, message_key varchar(40) character set ascii collate ascii_bin not null, message longtext character set utf8mb4 not null, index ${splitName(table)[1]}_topic (topic, id)) engine = innodb`,
    writeLockRow('mysql', table),
  ],
  sqlite: (table) => [
    `create table if not exists ${table} (id integer primary key autoincrement, topic text not null, message_key text not null, message text not null)`,
    `create index if not exists ${splitName(table).join('')}_topic on ${splitName(table)[1]} (topic, id)`,
    writeLockRow('sqlite', table),
  ],
}

const writeLockRow = (dialect: 'sqlite' | 'mysql', table: string): string =>
  `insert ${dialect === 'sqlite' ? 'or ' : ''}ignore into ${table} (id, topic, message_key, message) values (${LOCK_ID}, '', '', '0')`

/** Returns the SQL that creates the table of an outbox, for a migration. */
export const outboxTable = (dialect: Dialect, table = 'edict_outbox'): string => CREATE[dialect](table).join(';\n')

/** Creates the table where it is missing. */
export async function createOutboxTable(runner: StatementRunner, table: string): Promise<void> {
  const { dialect } = runner
  if (dialect === 'postgres') {
    await runner.execute(toStatement(writePostgresScript(table)))
    return
  }
  // Even with "if not exists", creating a table that is there waits for open transactions.
  if ((await runner.query(toStatement(FIND_TABLE[dialect](table)))).length > 0) return restoreLockRow(runner, table)
  for (const text of CREATE[dialect](table)) await runner.execute(toStatement(text))
}

const FIND_TABLE = {
  mysql(table: string) {
    const [schema, name] = splitName(table)
    const database = schema === '' ? 'database()' : `'${schema.slice(0, -1)}'`
    return `select 1 as c0 from information_schema.tables where table_schema = ${database} and table_name = '${name}'`
  },
  sqlite(table: string) {
    const [schema, name] = splitName(table)
    return `select 1 as c0 from ${schema}sqlite_master where type = 'table' and name = '${name}'`
  },
}

/** Adds the row to lock where it is missing; adding it to a table that has it would wait for the relay that locks it. */
export async function restoreLockRow(runner: StatementRunner, table: string): Promise<void> {
  const { dialect } = runner
  if (dialect === 'postgres') return
  const found = await runner.query(toStatement(`select 1 as c0 from ${table} where id = ${LOCK_ID}`))
  if (found.length === 0) await runner.execute(toStatement(writeLockRow(dialect, table)))
}

// Processes that start at the same time would create the table concurrently, which fails in PostgreSQL even with "if not
// exists".
const writePostgresScript = (table: string): string => `do $make$ begin
if to_regclass('${table}') is not null then return; end if;
perform pg_advisory_xact_lock(hashtext('edict ${table}'));
${outboxTable('postgres', table)};
end $make$`
