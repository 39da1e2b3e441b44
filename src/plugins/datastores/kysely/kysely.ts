// The datastore of a Kysely instance. It reads the columns of the tables from the catalogue once.
import { CompiledQuery, type Kysely, MysqlAdapter, PostgresAdapter, SqliteAdapter } from 'kysely'
import { readProperty } from '../../../extend.ts'
import type { Datastore } from '../../query/query.ts'
import { readCatalogue } from '../catalogue/catalogue.ts'
import { createTableDescriber } from '../catalogue/describe-tables.ts'
import { openDatastore } from '../open-datastore.ts'
import { runSequentially } from '../sql/batch.ts'
import { withTaggedCancellation } from '../sql/cancel.ts'
import { createTransactionClient, type OneConnection } from '../sql/one-connection.ts'
import type { DialectName, SqlClient, Statement } from '../sql/sql.ts'
import { formatStatement } from '../sql/sql-text.ts'
import { createNaming, findDefaultSchema } from './kysely-names.ts'

/** The options of a Kysely datastore. */
export interface KyselyOptions<DB = unknown> {
  /** The SQL dialect of the database; required for dialects that are not part of Kysely. */
  readonly dialect?: DialectName
  /** Further schemas (in MySQL, databases) whose tables are named `schema.table`. */
  readonly schemas?: readonly string[]
  /** Instances of replicas, one for each node: reads run on them, writes on the database itself. */
  readonly replicas?: readonly Kysely<DB>[]
}

/** A datastore of the tables of a Kysely instance. */
export interface KyselyDatastore<DB> extends Datastore<keyof DB & string> {
  /** Returns a datastore of the same tables on a transaction, or on another instance for the same database. */
  withDatabase(db: Kysely<DB>): KyselyDatastore<DB>
}

/** Creates a datastore of a Kysely instance: reads its tables from the catalogue first. */
export async function kyselyDatastore<DB>(
  db: Kysely<DB>,
  options: KyselyOptions<DB> = {},
): Promise<KyselyDatastore<DB>> {
  const dialect = options.dialect ?? detectDialect(db)
  return openDatastore(db, {
    createClient: (one) => createClient(one, dialect),
    // Another instance may be a connection with a transaction that was begun manually.
    isPool: (one) => one === db && !one.isTransaction,
    isDatabase: (one) => typeof readProperty(one, 'executeQuery') === 'function',
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

// Compares classes, since bundlers may shorten their names; or names, for the classes of a second copy of Kysely.
function detectDialect<DB>(db: Kysely<DB>): DialectName {
  const { adapter } = db.getExecutor()
  const { name } = adapter.constructor
  const found = ADAPTERS.find(([type]) => adapter instanceof type || name === type.name)
  if (!found) throw new Error(`No SQL is known for the adapter '${name}': name one in the option 'dialect'`)
  return found[1]
}

// Runs without plugins, which would rename or parse the results.
function createClient<DB>(db: Kysely<DB>, dialect: DialectName): SqlClient {
  const bare = db.withoutPlugins()
  const run = (statement: Statement, on = bare) =>
    on.executeQuery<Record<string, unknown>>(compileStatement(dialect, statement))
  const queryOn = (on: Kysely<DB>) => async (statement: Statement) => (await run(statement, on)).rows
  const snapshot: SqlClient['snapshot'] = (work, signal) => {
    const transaction = bare.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
    return transaction.execute((within) => {
      const inner = createClient(within, dialect)
      return work(signal === undefined ? inner : withTaggedCancellation(inner, signal, client))
    })
  }
  const connection: OneConnection = {
    dialect,
    query: queryOn(bare),
    async execute(statement) {
      const { numAffectedRows = 0n, insertId } = await run(statement)
      return { affected: Number(numAffectedRows), insertId }
    },
    withSignal: (signal) => withTaggedCancellation(connection, signal),
  }
  if (bare.isTransaction) return createTransactionClient(connection, db)
  const client: SqlClient = {
    ...connection,
    // With SQLite, Kysely has one connection, which a snapshot would block.
    ...(dialect !== 'sqlite' && { snapshot }),
    withSignal: (signal) => withTaggedCancellation(client, signal),
    batch: (statements) => bare.transaction().execute((within) => runSequentially(queryOn(within), statements)),
    transaction: (work) => bare.transaction().execute((within) => work(createClient(within, dialect))),
  }
  return client
}

function compileStatement(dialect: DialectName, statement: Statement): CompiledQuery<Record<string, unknown>> {
  return CompiledQuery.raw(formatStatement(dialect, statement), [...statement.values]) as CompiledQuery<
    Record<string, unknown>
  >
}
