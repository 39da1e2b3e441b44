// The datastore that all SQL databases share: it writes statements, runs them through a client, and reads what comes back.
import { DatabaseError } from '../../../../extend.ts'
import type { Count, Datastore, Listed, Select, Table } from '../../query.ts'
import { DIALECTS } from './dialect.ts'
import { sqlFault } from './fault.ts'
import { indexingOf } from './indexing/indexing.ts'
import { Statements } from './observing.ts'
import { readingOf, selectedRows, valueIn } from './rows.ts'
import type { SqlClient, SqlTable } from './sql.ts'
import { readPart } from './statements/part.ts'
import { writeCount } from './statements/select.ts'
import { writeDelete, writeUpdate } from './statements/statements.ts'
import { learnTraits } from './values/traits.ts'
import { completed, type Informing, insertion, returning } from './writing.ts'

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
  const informing: Informing = (query, write) => informed(client, query, write)
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
      return Number(valueIn(row))
    },
    ...insertion(about, statements),
    async update(table, given, filter) {
      const values = given.size === 0 ? given : completed(table as SqlTable<T>, given, 'renewed')
      if (values.size === 0) return store.count({ from: table, joins: [], filter })
      const write = () => about(table).execute(writeUpdate(dialect, { table: table as SqlTable<T>, values, filter }))
      return (await informed(client, { from: table, filter }, write)).affected
    },
    async delete(table, filter) {
      const write = () => about(table).execute(writeDelete(dialect, table as SqlTable<T>, filter))
      return (await informed(client, { from: table, filter }, write)).affected
    },
    ...(dialect.returning && returning(about, dialect, informing)),
    ...(check && { check: (list: Listed<T>) => check(client, list) }),
    indexing: (lists) => indexingOf(client, lists),
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
function discreet({ dialect, query, execute, batch }: SqlClient): SqlClient {
  const run =
    <G, V>(work: (given: G) => Promise<V>) =>
    async (given: G): Promise<V> => {
      try {
        return await work(given)
      } catch (error) {
        throw new DatabaseError(error)
      }
    }
  return { dialect, query: run(query), execute: run(execute), batch: run(batch) }
}
