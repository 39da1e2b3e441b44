// The datastore that all SQL databases share: it writes statements, runs them through a client, and reads what comes back.
import { DatabaseError } from '../../../../extend.ts'
import type { Column, Count, Datastore, Listed, RawRow, Select, Table, Values } from '../../query.ts'
import { DIALECTS } from './dialect.ts'
import { sqlFault } from './fault.ts'
import { Statements } from './observing.ts'
import { decoded, readingOf, selectedRows } from './rows.ts'
import type { SqlClient, SqlTable, Statement } from './sql.ts'
import { readPart } from './statements/part.ts'
import { writeCount } from './statements/select.ts'
import { keyColumns, writeDelete, writeInsert, writeUpdate } from './statements/statements.ts'
import { learnTraits } from './values/traits.ts'

/** What datastores of one database have in common. */
export interface SqlSettings {
  readonly check?: (client: SqlClient, list: Listed) => Promise<void> | undefined
  readonly statements?: Statements
}

/** Makes a datastore of a client and of what is known of its tables. */
export function sqlDatastore<T>(
  given: SqlClient,
  describe: (source: T) => SqlTable<T>,
  { check, statements = new Statements(given.dialect) }: SqlSettings = {},
): Datastore<T> {
  const dialect = DIALECTS[given.dialect]
  const client = discreet(given)
  const about = (table: Table): SqlClient => statements.observed(client, table)
  const tables = new Map<T, SqlTable<T>>()
  const store: Datastore<T> = {
    table(source) {
      const known = tables.get(source)
      if (known) return known
      const table = describe(source)
      tables.set(source, table)
      return table
    },
    async select(query) {
      const reading = readingOf(query.columns)
      const read = () => readPart(about(query.from), query as Select, reading.columns)
      return selectedRows(await informed(client, query as Select, read), reading)
    },
    async count(query) {
      const [row] = await informed(client, query as Count, () => about(query.from).query(writeCount(dialect, query)))
      return Number(firstOf(row))
    },
    async insert(table, given) {
      const described = table as SqlTable<T>
      const values = completed(described, given, 'initial')
      const statement = writeInsert(dialect, described, values)
      const writer = about(table)
      if (!dialect.returning) return generatedKey(described, values, (await writer.execute(statement)).insertId)
      if (table.key.length > 0) return returnedKey(described, (await writer.query(statement))[0])
      await writer.execute(statement)
      return new Map()
    },
    async update(table, given, filter) {
      const values = given.size === 0 ? given : completed(table as SqlTable<T>, given, 'renewed')
      if (values.size === 0) return store.count({ from: table, joins: [], filter })
      const write = () => about(table).execute(writeUpdate(dialect, table as SqlTable<T>, values, filter))
      return (await informed(client, { from: table, filter }, write)).affected
    },
    async delete(table, filter) {
      const write = () => about(table).execute(writeDelete(dialect, table as SqlTable<T>, filter))
      return (await informed(client, { from: table, filter }, write)).affected
    },
    ...(check && { check: (list: Listed<T>) => check(client, list) }),
    observe: (observer) => statements.observe(observer),
    maxValues: dialect.maxValues,
    fault: sqlFault,
  }
  return store
}

// A statement that a database refuses because of a column's character set or collation is written anew once those are known.
async function informed<V>(client: SqlClient, query: Partial<Count>, write: () => Promise<V>): Promise<V> {
  try {
    return await write()
  } catch (error) {
    if (!(await learnTraits(client, error, query))) throw error
    return write()
  }
}

// Errors of clients hold the values of their statements, and errors end in logs.
function discreet({ dialect, query, execute }: SqlClient): SqlClient {
  const run =
    <V>(work: (statement: Statement) => Promise<V>) =>
    async (statement: Statement): Promise<V> => {
      try {
        return await work(statement)
      } catch (error) {
        throw new DatabaseError(error)
      }
    }
  return { dialect, query: run(query), execute: run(execute) }
}

function firstOf(row: RawRow | undefined, at = 0): unknown {
  if (row === undefined) return undefined
  return Array.isArray(row) ? row[at] : Object.values(row)[at]
}

/** Adds the values that are made here for columns that have none; what is undefined is not there. */
function completed(table: SqlTable, given: Values, by: 'initial' | 'renewed'): Values {
  const values = new Map<Column, unknown>()
  for (const [column, value] of given) if (value !== undefined) values.set(column, value)
  for (const column of table.columns.values()) {
    if (column[by] && !values.has(column)) values.set(column, column[by]())
  }
  return values
}

function returnedKey(table: SqlTable, row: RawRow | undefined): Values {
  if (!row) throw new Error(`The database gave no key for a new row of ${table.name}.`)
  return new Map(keyColumns(table).map((column, i) => [column, decoded(column.decode, firstOf(row, i))]))
}

function generatedKey(table: SqlTable, values: Values, insertId: unknown): Values {
  const columns = keyColumns(table)
  const missing = columns.filter((column) => values.get(column) === null || values.get(column) === undefined)
  const isKnown = missing.length === 0 || (missing.length === 1 && insertId !== undefined && Number(insertId) !== 0)
  if (!isKnown) throw new Error(`The database gave no key for a new row of ${table.name}.`)
  return new Map(
    columns.map((column) => [
      column,
      missing.includes(column) ? column.decode(unsigned(insertId)) : values.get(column),
    ]),
  )
}

// The upper half of the keys that a database generates is taken for negative numbers by some clients.
const unsigned = (id: unknown): unknown =>
  Number(id) < 0 ? String(BigInt.asUintN(64, BigInt(id as number | string | bigint))) : id
