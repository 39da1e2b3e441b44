// A datastore of the tables that a Kysely instance reaches. The database is asked for their columns once.
import { CompiledQuery, type Kysely, MysqlAdapter, PostgresAdapter, SqliteAdapter } from 'kysely'
import type { Datastore } from '../../query.ts'
import { readCatalogue } from '../catalogue/catalogue.ts'
import { describer } from '../catalogue/tables.ts'
import { bracketed, inTurn, SAVEPOINT } from '../sql/batch.ts'
import { cancelledByMark } from '../sql/cancel.ts'
import { type SqlSettings, sqlDatastore } from '../sql/datastore.ts'
import { type Nodes, readyNodes } from '../sql/nodes/nodes.ts'
import { Statements } from '../sql/observing.ts'
import type { DialectName, SqlClient, SqlTable, Statement } from '../sql/sql.ts'
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

/** Makes a datastore of a Kysely instance, after reading what the database tells of its tables. */
export async function kyselyDatastore<DB>(
  db: Kysely<DB>,
  options: KyselyOptions<DB> = {},
): Promise<KyselyDatastore<DB>> {
  const dialect = options.dialect ?? dialectOf(db)
  const client = clientOf(db, dialect)
  const columns = await readCatalogue(client, [...(options.schemas ?? []), ...ownSchema(db)])
  const describe = describer(dialect, columns, await namesOf(db, columns))
  const nodes = await readyNodes(
    client,
    (options.replicas ?? []).map((one) => clientOf(one, dialect)),
  )
  const by = db.isTransaction ? 'connection' : 'pool'
  return through(db, { describe, nodes, statements: new Statements(dialect) }, nodes === undefined ? by : 'nodes')
}

type Describe<DB> = (source: keyof DB & string) => SqlTable<keyof DB & string>

interface Shared<DB> {
  readonly describe: Describe<DB>
  readonly nodes: Nodes | undefined
  readonly statements: Statements
}

// Another instance may be a transaction, or a connection that has begun one by itself.
function through<DB>(
  db: Kysely<DB>,
  shared: Shared<DB>,
  by: SqlSettings['through'] = 'connection',
): KyselyDatastore<DB> {
  const { describe, nodes, statements } = shared
  const datastore = sqlDatastore(clientOf(db, statements.dialect), describe, { statements, nodes, through: by })
  return { ...datastore, withDatabase: (other) => through(other, shared) }
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
  const client: SqlClient = {
    dialect,
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
