// A datastore of the tables that a Kysely instance reaches. The database is asked for their columns once.
import { CompiledQuery, type Kysely, MysqlAdapter, PostgresAdapter, SqliteAdapter } from 'kysely'
import type { Datastore } from '../../query/query.ts'
import { readCatalogue } from '../catalogue/catalogue.ts'
import { createTableDescriber } from '../catalogue/describe-tables.ts'
import { runInTransaction, runSequentially, SAVEPOINT } from '../sql/batch.ts'
import { withTaggedCancellation } from '../sql/cancel.ts'
import { openDatastore } from '../open-datastore.ts'
import type { DialectName, SqlClient, Statement } from '../sql/sql.ts'
import { formatStatement } from '../sql/sql-text.ts'
import { createNaming, findDefaultSchema } from './kysely-names.ts'

/** Options of a Kysely datastore. */
export interface KyselyOptions<DB = unknown> {
  /** Which SQL the database speaks; to be said for dialects that Kysely does not bring along. */
  readonly dialect?: DialectName
  /** Further schemas (in MySQL, databases) whose tables are named `schema.table`. */
  readonly schemas?: readonly string[]
  /** Instances of replicas, one for each node: reads go to them, writes to the database itself. */
  readonly replicas?: readonly Kysely<DB>[]
}

/** A datastore whose tables are those of a Kysely instance. */
export interface KyselyDatastore<DB> extends Datastore<keyof DB & string> {
  /** The same tables through a transaction, or any other instance on the same database. */
  withDatabase(db: Kysely<DB>): KyselyDatastore<DB>
}

/** Makes a datastore of a Kysely instance, after reading its tables from the catalogue. */
export async function kyselyDatastore<DB>(
  db: Kysely<DB>,
  options: KyselyOptions<DB> = {},
): Promise<KyselyDatastore<DB>> {
  const dialect = options.dialect ?? detectDialect(db)
  return openDatastore(db, {
    createClient: (one) => createClient(one, dialect),
    // Another instance may be a connection on which a transaction was begun by hand.
    isPool: (one) => one === db && !one.isTransaction,
    async loadDescriber(client) {
      const columns = await readCatalogue(client, [...(options.schemas ?? []), ...findDefaultSchema(db)])
      return createTableDescriber(dialect, columns, await createNaming(db, columns))
    },
    replicas: options.replicas,
  })
}

const ADAPTERS = [
  [PostgresAdapter, 'postgres'],
  [MysqlAdapter, 'mysql'],
  [SqliteAdapter, 'sqlite'],
] as const

// By class, since bundlers may shorten names; or by name, for the classes of a second copy of Kysely.
function detectDialect<DB>(db: Kysely<DB>): DialectName {
  const { adapter } = db.getExecutor()
  const { name } = adapter.constructor
  const found = ADAPTERS.find(([type]) => adapter instanceof type || name === type.name)
  if (!found) throw new Error(`No SQL is known for the adapter '${name}': name one in the option 'dialect'`)
  return found[1]
}

// Plugins see none of this: they would rename what is read, or parse it.
function createClient<DB>(db: Kysely<DB>, dialect: DialectName): SqlClient {
  const bare = db.withoutPlugins()
  const run = (statement: Statement, on = bare) =>
    on.executeQuery<Record<string, unknown>>(compileStatement(dialect, statement))
  const rowsOn = (on: Kysely<DB>) => async (statement: Statement) => (await run(statement, on)).rows
  const snapshot: SqlClient['snapshot'] = (work, signal) => {
    const reading = bare.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
    return reading.execute((within) => {
      const inner = createClient(within, dialect)
      return work(signal === undefined ? inner : withTaggedCancellation(inner, signal, client))
    })
  }
  const client: SqlClient = {
    dialect,
    // Its SQLite has one connection, which everybody else would wait for.
    ...(dialect !== 'sqlite' && !bare.isTransaction && { snapshot }),
    withSignal: (signal) => withTaggedCancellation(client, signal),
    query: rowsOn(bare),
    batch: (statements) =>
      bare.isTransaction
        ? runInTransaction(rowsOn(bare), statements, SAVEPOINT)
        : bare.transaction().execute((within) => runSequentially(rowsOn(within), statements)),
    async execute(statement) {
      const { numAffectedRows = 0n, insertId } = await run(statement)
      return { affected: Number(numAffectedRows), insertId }
    },
  }
  return client
}

function compileStatement(dialect: DialectName, statement: Statement): CompiledQuery<Record<string, unknown>> {
  return CompiledQuery.raw(formatStatement(dialect, statement), [...statement.values]) as CompiledQuery<Record<string, unknown>>
}
