// The datastore of Drizzle: its tables are the sources, and its databases and transactions run the statements.
import { type Column, is, Param, SQL, StringChunk, type Table } from 'drizzle-orm'
import { MySqlDatabase } from 'drizzle-orm/mysql-core'
import { PgDatabase } from 'drizzle-orm/pg-core'
import { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core'
import { form } from '../../../extend.ts'
import type { Datastore, RawRow } from '../../query/query.ts'
import { toStatement, runSequentially, SAVEPOINT } from '../sql/batch.ts'
import { createSqlDatastore } from '../sql-datastore.ts'
import { DatabaseNodes } from '../sql/nodes/database-nodes.ts'
import { StatementObservers } from '../sql/statement-observers.ts'
import type { WriteResult, DialectName, SqlClient, SqlTable, Statement } from '../sql/sql.ts'
import { createListCheck } from './check-lists.ts'
import { withDriverCancellation, isPool, type DrizzleRunner, createSnapshot } from './connections.ts'
import { describeTable, type GetColumnName } from './describe-table.ts'

/** A database of Drizzle, or a transaction of one: PostgreSQL, MySQL or SQLite. */
export type DrizzleDatabase = { execute(query: SQL): PromiseLike<unknown> } | { values(query: SQL): unknown }

/** Options of a datastore of Drizzle. */
export interface DrizzleOptions {
  /** Databases of replicas, one for each node: reads go to them, writes to the database itself. */
  readonly replicas?: readonly DrizzleDatabase[]
}

const DRIZZLE_FIELDS: form.Fields<DrizzleOptions> = { replicas: form.list(form.structure) }

/** Makes a datastore of a Drizzle database or transaction. */
export function drizzleDatastore(database: DrizzleDatabase, options: DrizzleOptions = {}): Datastore<Table> {
  const { replicas = [] } = form.validateSettings('drizzleDatastore', options, DRIZZLE_FIELDS)
  const dialect = detectDialect(database)
  const client = createClient(dialect, database as DrizzleRunner)
  const known = getSharedState(dialect, database)
  if (replicas.length > 0)
    known.nodes = new DatabaseNodes(
      client,
      replicas.map((one) => createClient(dialect, one as DrizzleRunner)),
    )
  const { describe, ...rest } = known
  const by = isPool((database as DrizzleRunner).$client) ? 'pool' : 'connection'
  return createSqlDatastore(client, describe, { ...rest, runOn: replicas.length > 0 ? 'nodes' : by })
}

function createClient(dialect: DialectName, runner: DrizzleRunner): SqlClient {
  const client = CREATE_CLIENT[dialect](runner)
  const snapshot = createSnapshot(dialect, runner, CREATE_CLIENT[dialect])
  const own: SqlClient = snapshot === undefined ? client : { ...client, snapshot }
  return { ...own, withSignal: (signal) => withDriverCancellation(own, runner, CREATE_CLIENT[dialect], signal) }
}

function detectDialect(database: DrizzleDatabase): DialectName {
  // A database with replicas is a plain object around its primary one.
  const primary = (database as { readonly $primary?: unknown }).$primary ?? database
  if (is(primary, PgDatabase)) return 'postgres'
  if (is(primary, MySqlDatabase)) return 'mysql'
  if (is(primary, BaseSQLiteDatabase)) return 'sqlite'
  throw new TypeError('This is no Drizzle database of PostgreSQL, MySQL or SQLite.')
}

interface DatabaseInternals {
  readonly dialect?: { readonly casing?: { getColumnCasing(column: Column): string } }
}

/** Shared by a database and all of its transactions, so that a transaction describes no table again. */
interface SharedState {
  readonly describe: (source: Table) => SqlTable<Table>
  readonly check: ReturnType<typeof createListCheck>
  readonly statements: StatementObservers
  nodes?: DatabaseNodes
}

const sharedStates = new WeakMap<object, SharedState>()

function getSharedState(dialect: DialectName, database: DrizzleDatabase): SharedState {
  const inner = (database as DatabaseInternals).dialect
  const found = inner && sharedStates.get(inner)
  if (found) return found
  const nameOf: GetColumnName = (column) => inner?.casing?.getColumnCasing(column) ?? column.name
  const tables = new WeakMap<Table, SqlTable<Table>>()
  const describe = (source: Table): SqlTable<Table> => {
    const table = tables.get(source) ?? describeTable(dialect, source, nameOf)
    tables.set(source, table)
    return table
  }
  const made: SharedState = { describe, check: createListCheck(), statements: new StatementObservers(dialect) }
  if (inner) sharedStates.set(inner, made)
  return made
}

// A statement is text with gaps already: Drizzle is asked for nothing but the signs of the gaps.
class StatementSql extends SQL {
  readonly #statement: Statement

  constructor(statement: Statement) {
    super([])
    this.#statement = statement
  }

  override toQuery(config: Parameters<SQL['toQuery']>[0]): ReturnType<SQL['toQuery']> {
    const { strings, values } = this.#statement
    if (values.some((value) => is(value, SQL))) return toChunkedSql(this.#statement).toQuery(config)
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
function toChunkedSql({ strings, values }: Statement): SQL {
  const chunks: (StringChunk | Param | SQL)[] = [new StringChunk(strings[0] as string)]
  for (let i = 0; i < values.length; i++) {
    const value = values[i]
    chunks.push(is(value, SQL) ? value : new Param(value), new StringChunk(strings[i + 1] as string))
  }
  return new SQL(chunks)
}

const toSql = (statement: Statement): SQL => new StatementSql(statement)

const asRows = (rows: unknown): readonly RawRow[] => rows as readonly RawRow[]

const CREATE_CLIENT: Readonly<Record<DialectName, (runner: DrizzleRunner) => SqlClient>> = {
  postgres: (runner) => ({
    dialect: 'postgres',
    query: (statement) => queryAsArrays(runner, statement) ?? queryAsObjects(runner, statement),
    batch: (statements) => runBatch(runner, 'postgres', statements),
    async execute(statement) {
      const result = (await runner.execute(toSql(statement))) as PgWriteResult
      return { affected: result.rowCount ?? result.affectedRows ?? result.count ?? 0 }
    },
  }),
  mysql: (runner) => ({
    dialect: 'mysql',
    query: async (statement) => {
      const result = await executeMysql(runner, statement)
      return Array.isArray(result) ? asRows(result) : []
    },
    batch: (statements) => runBatch(runner, 'mysql', statements),
    async execute(statement): Promise<WriteResult> {
      const { affectedRows, insertId } = (await executeMysql(runner, statement)) as MysqlWriteResult
      return { affected: affectedRows, insertId }
    },
  }),
  sqlite: (runner) => ({
    dialect: 'sqlite',
    query: async (statement) => (await runner.values(toSql(statement))) as readonly RawRow[],
    batch: async (statements) =>
      runner.resultKind === 'sync' ? runSyncBatch(runner, statements) : runBatch(runner, 'sqlite', statements),
    // Every client tells the number of changed rows in another way, and some do not; all of them give rows.
    async execute({ strings, values }) {
      const returning = [...strings.slice(0, -1), `${strings.at(-1)} returning 1`]
      return { affected: ((await runner.values(toSql({ strings: returning, values }))) as readonly RawRow[]).length }
    },
  }),
}

function runBatch(
  runner: DrizzleRunner,
  dialect: DialectName,
  statements: readonly Statement[],
): ReturnType<SqlClient['batch']> {
  const whole = runner.$primary ?? runner
  return whole.transaction((within) => runSequentially(CREATE_CLIENT[dialect](within).query, statements))
}

// A client that answers at once has one connection: no other statement may come between.
function runSyncBatch(runner: DrizzleRunner, statements: readonly Statement[]): readonly (readonly RawRow[])[] {
  const [begin, keep, undo] = SAVEPOINT.map((text) => () => runner.run(toSql(toStatement(text)))) as [RunCommand, RunCommand, RunCommand]
  begin()
  try {
    const all = statements.map((statement) => asRows(runner.values(toSql(statement))))
    keep()
    return all
  } catch (error) {
    undo()
    keep()
    throw error
  }
}

type RunCommand = () => unknown

const keepRows = (rows: unknown): unknown => rows

// As `execute` does it, but for rows as lists: an object for each would be filled by the driver only to be emptied here.
// Where `execute` was replaced, the replacement runs the statements.
function queryAsArrays(runner: DrizzleRunner, statement: Statement): Promise<readonly RawRow[]> | undefined {
  const { dialect, session, authToken, execute } = runner.$primary ?? runner
  if (execute !== PgDatabase.prototype.execute || !dialect?.sqlToQuery || !session?.prepareQuery) return undefined
  const query = dialect.sqlToQuery(toSql(statement))
  const prepared = session.prepareQuery(query, undefined, undefined, true, keepRows)
  return prepared.execute(undefined, authToken) as Promise<readonly RawRow[]>
}

async function queryAsObjects(runner: DrizzleRunner, statement: Statement): Promise<readonly RawRow[]> {
  const result = await runner.execute(toSql(statement))
  return asRows(Array.isArray(result) ? result : (result as { readonly rows: unknown }).rows)
}

/** The names that the clients of PostgreSQL have for the number of rows. */
interface PgWriteResult {
  readonly rowCount?: number | null
  readonly affectedRows?: number
  readonly count?: number
}

interface MysqlWriteResult {
  readonly affectedRows: number
  readonly insertId: unknown
}

async function executeMysql(runner: DrizzleRunner, statement: Statement): Promise<unknown> {
  const [result] = (await runner.execute(toSql(statement))) as readonly unknown[]
  return result
}
