// The datastore of Drizzle: its tables are the sources, and its databases and transactions run the statements.
import { type Column, is, Param, SQL, StringChunk, type Table } from 'drizzle-orm'
import { MySqlDatabase } from 'drizzle-orm/mysql-core'
import { PgDatabase } from 'drizzle-orm/pg-core'
import { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core'
import { form } from '../../../../extend.ts'
import type { Datastore, RawRow } from '../../query.ts'
import { command, inTurn, SAVEPOINT } from '../sql/batch.ts'
import { sqlDatastore } from '../sql/datastore.ts'
import { Nodes } from '../sql/nodes/nodes.ts'
import { Statements } from '../sql/observing.ts'
import type { Changed, DialectName, SqlClient, SqlTable, Statement } from '../sql/sql.ts'
import { listCheck } from './check.ts'
import { cancellableOf, isPool, type Runner, snapshotOf } from './connections.ts'
import { describeTable, type NameOf } from './table.ts'

/** A database of Drizzle, or a transaction of one: PostgreSQL, MySQL or SQLite. */
export type DrizzleDatabase = { execute(query: SQL): PromiseLike<unknown> } | { values(query: SQL): unknown }

/** Options of a datastore of Drizzle. */
export interface DrizzleOptions {
  /** Databases of replicas, one for each node: reads go to them, writes to the database itself. */
  readonly replicas?: readonly DrizzleDatabase[]
}

const FIELDS: form.Fields<DrizzleOptions> = { replicas: form.list(form.structure) }

/** Makes a datastore of a Drizzle database or transaction. */
export function drizzleDatastore(database: DrizzleDatabase, options: DrizzleOptions = {}): Datastore<Table> {
  const { replicas = [] } = form.settled('drizzleDatastore', options, FIELDS)
  const dialect = dialectOf(database)
  const client = clientOf(dialect, database as Runner)
  const known = shared(dialect, database)
  if (replicas.length > 0)
    known.nodes = new Nodes(
      client,
      replicas.map((one) => clientOf(dialect, one as Runner)),
    )
  const { describe, ...rest } = known
  const by = isPool((database as Runner).$client) ? 'pool' : 'connection'
  return sqlDatastore(client, describe, { ...rest, through: replicas.length > 0 ? 'nodes' : by })
}

function clientOf(dialect: DialectName, runner: Runner): SqlClient {
  const client = CLIENTS[dialect](runner)
  const snapshot = snapshotOf(dialect, runner, CLIENTS[dialect])
  const own: SqlClient = snapshot === undefined ? client : { ...client, snapshot }
  return { ...own, cancellable: (signal) => cancellableOf(own, runner, CLIENTS[dialect], signal) }
}

function dialectOf(database: DrizzleDatabase): DialectName {
  // A database with replicas is a plain object around its primary one.
  const primary = (database as { readonly $primary?: unknown }).$primary ?? database
  if (is(primary, PgDatabase)) return 'postgres'
  if (is(primary, MySqlDatabase)) return 'mysql'
  if (is(primary, BaseSQLiteDatabase)) return 'sqlite'
  throw new TypeError('This is no Drizzle database of PostgreSQL, MySQL or SQLite.')
}

interface Inner {
  readonly dialect?: { readonly casing?: { getColumnCasing(column: Column): string } }
}

/** Shared by a database and all of its transactions, so that a transaction describes no table again. */
interface Shared {
  readonly describe: (source: Table) => SqlTable<Table>
  readonly check: ReturnType<typeof listCheck>
  readonly statements: Statements
  nodes?: Nodes
}

const known = new WeakMap<object, Shared>()

function shared(dialect: DialectName, database: DrizzleDatabase): Shared {
  const inner = (database as Inner).dialect
  const found = inner && known.get(inner)
  if (found) return found
  const nameOf: NameOf = (column) => inner?.casing?.getColumnCasing(column) ?? column.name
  const tables = new WeakMap<Table, SqlTable<Table>>()
  const describe = (source: Table): SqlTable<Table> => {
    const table = tables.get(source) ?? describeTable(dialect, source, nameOf)
    tables.set(source, table)
    return table
  }
  const made: Shared = { describe, check: listCheck(), statements: new Statements(dialect) }
  if (inner) known.set(inner, made)
  return made
}

// A statement is text with gaps already: Drizzle is asked for nothing but the signs of the gaps.
class Written extends SQL {
  readonly #statement: Statement

  constructor(statement: Statement) {
    super([])
    this.#statement = statement
  }

  override toQuery(config: Parameters<SQL['toQuery']>[0]): ReturnType<SQL['toQuery']> {
    const { strings, values } = this.#statement
    if (values.some((value) => is(value, SQL))) return chunked(this.#statement).toQuery(config)
    const params: unknown[] = []
    let text = strings[0] as string
    for (let i = 0; i < values.length; i++) {
      text += config.escapeParam(i, values[i]) + (strings[i + 1] as string)
      params.push(values[i])
    }
    return { sql: text, params, typings: params.map(() => 'none' as const) }
  }
}

/** Gives a statement in the pieces that Drizzle knows; only these may contain SQL that its users wrote. */
function chunked({ strings, values }: Statement): SQL {
  const chunks: (StringChunk | Param | SQL)[] = [new StringChunk(strings[0] as string)]
  for (let i = 0; i < values.length; i++) {
    const value = values[i]
    chunks.push(is(value, SQL) ? value : new Param(value), new StringChunk(strings[i + 1] as string))
  }
  return new SQL(chunks)
}

const sqlOf = (statement: Statement): SQL => new Written(statement)

const rowsOf = (rows: unknown): readonly RawRow[] => rows as readonly RawRow[]

const CLIENTS: Readonly<Record<DialectName, (runner: Runner) => SqlClient>> = {
  postgres: (runner) => ({
    dialect: 'postgres',
    query: (statement) => listed(runner, statement) ?? named(runner, statement),
    batch: (statements) => transacted(runner, 'postgres', statements),
    async execute(statement) {
      const result = (await runner.execute(sqlOf(statement))) as PgResult
      return { affected: result.rowCount ?? result.affectedRows ?? result.count ?? 0 }
    },
  }),
  mysql: (runner) => ({
    dialect: 'mysql',
    query: async (statement) => {
      const result = await mysqlResult(runner, statement)
      return Array.isArray(result) ? rowsOf(result) : []
    },
    batch: (statements) => transacted(runner, 'mysql', statements),
    async execute(statement): Promise<Changed> {
      const { affectedRows, insertId } = (await mysqlResult(runner, statement)) as MySqlResult
      return { affected: affectedRows, insertId }
    },
  }),
  sqlite: (runner) => ({
    dialect: 'sqlite',
    query: async (statement) => (await runner.values(sqlOf(statement))) as readonly RawRow[],
    batch: async (statements) =>
      runner.resultKind === 'sync' ? atOnce(runner, statements) : transacted(runner, 'sqlite', statements),
    // Every client tells the number of changed rows in another way, and some do not; all of them give rows.
    async execute({ strings, values }) {
      const returning = [...strings.slice(0, -1), `${strings.at(-1)} returning 1`]
      return { affected: ((await runner.values(sqlOf({ strings: returning, values }))) as readonly RawRow[]).length }
    },
  }),
}

function transacted(
  runner: Runner,
  dialect: DialectName,
  statements: readonly Statement[],
): ReturnType<SqlClient['batch']> {
  const whole = runner.$primary ?? runner
  return whole.transaction((within) => inTurn(CLIENTS[dialect](within).query, statements))
}

// A client that answers at once has one connection: no other statement may come between.
function atOnce(runner: Runner, statements: readonly Statement[]): readonly (readonly RawRow[])[] {
  const [begin, keep, undo] = SAVEPOINT.map((text) => () => runner.run(sqlOf(command(text)))) as [Run, Run, Run]
  begin()
  try {
    const all = statements.map((statement) => rowsOf(runner.values(sqlOf(statement))))
    keep()
    return all
  } catch (error) {
    undo()
    keep()
    throw error
  }
}

type Run = () => unknown

const asTheyAre = (rows: unknown): unknown => rows

// As `execute` does it, but for rows as lists: an object for each would be filled by the driver only to be emptied here.
// Where `execute` was replaced, the replacement runs the statements.
function listed(runner: Runner, statement: Statement): Promise<readonly RawRow[]> | undefined {
  const { dialect, session, authToken, execute } = runner.$primary ?? runner
  if (execute !== PgDatabase.prototype.execute || !dialect?.sqlToQuery || !session?.prepareQuery) return undefined
  const query = dialect.sqlToQuery(sqlOf(statement))
  const prepared = session.prepareQuery(query, undefined, undefined, true, asTheyAre)
  return prepared.execute(undefined, authToken) as Promise<readonly RawRow[]>
}

async function named(runner: Runner, statement: Statement): Promise<readonly RawRow[]> {
  const result = await runner.execute(sqlOf(statement))
  return rowsOf(Array.isArray(result) ? result : (result as { readonly rows: unknown }).rows)
}

/** The names that the clients of PostgreSQL have for the number of rows. */
interface PgResult {
  readonly rowCount?: number | null
  readonly affectedRows?: number
  readonly count?: number
}

interface MySqlResult {
  readonly affectedRows: number
  readonly insertId: unknown
}

async function mysqlResult(runner: Runner, statement: Statement): Promise<unknown> {
  const [result] = (await runner.execute(sqlOf(statement))) as readonly unknown[]
  return result
}
