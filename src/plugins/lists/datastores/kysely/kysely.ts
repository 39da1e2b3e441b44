// A datastore of the tables that a Kysely instance reaches. The database is asked for their columns once.
import { CompiledQuery, type Kysely, MysqlAdapter, PostgresAdapter, SqliteAdapter } from 'kysely'
import type { Datastore } from '../../query.ts'
import { readCatalogue } from '../catalogue/catalogue.ts'
import { describer } from '../catalogue/tables.ts'
import { bracketed, inTurn, SAVEPOINT } from '../sql/batch.ts'
import { cancelledByMark } from '../sql/cancel.ts'
import { databaseStore } from '../sql/databases.ts'
import type { DialectName, SqlClient, Statement } from '../sql/sql.ts'
import { textOf } from '../sql/text.ts'
import { namesOf, ownSchema } from './names.ts'

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
  const dialect = options.dialect ?? dialectOf(db)
  return databaseStore(db, {
    clientOf: (one) => clientOf(one, dialect),
    // Another instance may be a connection on which a transaction was begun by hand.
    isPool: (one) => one === db && !one.isTransaction,
    async described(client) {
      const columns = await readCatalogue(client, [...(options.schemas ?? []), ...ownSchema(db)])
      return describer(dialect, columns, await namesOf(db, columns))
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
function dialectOf<DB>(db: Kysely<DB>): DialectName {
  const { adapter } = db.getExecutor()
  const { name } = adapter.constructor
  const found = ADAPTERS.find(([type]) => adapter instanceof type || name === type.name)
  if (!found) throw new Error(`No SQL is known for the adapter '${name}': name one in the option 'dialect'`)
  return found[1]
}

// Plugins see none of this: they would rename what is read, or parse it.
function clientOf<DB>(db: Kysely<DB>, dialect: DialectName): SqlClient {
  const bare = db.withoutPlugins()
  const run = (statement: Statement, on = bare) =>
    on.executeQuery<Record<string, unknown>>(compiled(dialect, statement))
  const rowsOn = (on: Kysely<DB>) => async (statement: Statement) => (await run(statement, on)).rows
  const snapshot: SqlClient['snapshot'] = (work, signal) => {
    const reading = bare.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
    return reading.execute((within) => {
      const inner = clientOf(within, dialect)
      return work(signal === undefined ? inner : cancelledByMark(inner, signal, client))
    })
  }
  const client: SqlClient = {
    dialect,
    // Its SQLite has one connection, which everybody else would wait for.
    ...(dialect !== 'sqlite' && !bare.isTransaction && { snapshot }),
    cancellable: (signal) => cancelledByMark(client, signal),
    query: rowsOn(bare),
    batch: (statements) =>
      bare.isTransaction
        ? bracketed(rowsOn(bare), statements, SAVEPOINT)
        : bare.transaction().execute((within) => inTurn(rowsOn(within), statements)),
    async execute(statement) {
      const { numAffectedRows = 0n, insertId } = await run(statement)
      return { affected: Number(numAffectedRows), insertId }
    },
  }
  return client
}

function compiled(dialect: DialectName, statement: Statement): CompiledQuery<Record<string, unknown>> {
  return CompiledQuery.raw(textOf(dialect, statement), [...statement.values]) as CompiledQuery<Record<string, unknown>>
}
