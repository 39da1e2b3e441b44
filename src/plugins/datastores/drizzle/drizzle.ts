// The datastore of Drizzle: its tables are the sources, and its databases and transactions run the statements.
import { type Column, is, Param, SQL, StringChunk, type Table } from 'drizzle-orm'
import { MySqlDatabase } from 'drizzle-orm/mysql-core'
import { PgDatabase } from 'drizzle-orm/pg-core'
import { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core'
import { form } from '../../../extend.ts'
import type { Datastore, RawRow } from '../../query/query.ts'
import { DatabaseNodes } from '../replicas/database-nodes.ts'
import { createReplicatedDatastore, markWrites } from '../replicas/replicated-datastore.ts'
import { createSavepoint, runBetween, runSequentially, SAVEPOINT, toStatement } from '../sql/batch.ts'
import { runAsTransaction, runBetweenTransactions } from '../sql/one-connection.ts'
import type { DialectName, SqlClient, SqlTable, Statement, WriteResult } from '../sql/sql.ts'
import { StatementObservers } from '../sql/statement-observers.ts'
import { createSqlDatastore } from '../sql-datastore.ts'
import { createListCheck } from './check-lists.ts'
import {
  createSnapshot,
  type DrizzleRunner,
  describeConnection,
  isConnection,
  isPool,
  type MysqlWriteResult,
  type PgWriteResult,
  withDriverCancellation,
} from './connections.ts'
import { describeTable, type GetColumnName } from './describe-table.ts'

/** A Drizzle database of PostgreSQL, MySQL or SQLite, or a transaction of one. */
export type DrizzleDatabase = { execute(query: SQL): PromiseLike<unknown> } | { values(query: SQL): unknown }

/** The options of a Drizzle datastore. */
export interface DrizzleOptions {
  /** Databases of replicas, one for each node: reads run on them, writes on the database itself. */
  readonly replicas?: readonly DrizzleDatabase[]
}

const DRIZZLE_FIELDS: form.Fields<DrizzleOptions> = { replicas: form.list(form.structure) }

/** Creates a datastore of a Drizzle database or transaction. */
export function drizzleDatastore(database: DrizzleDatabase, options: DrizzleOptions = {}): Datastore<Table> {
  const { replicas = [] } = form.validateSettings('drizzleDatastore', options, DRIZZLE_FIELDS)
  const dialect = detectDialect(database)
  const state = getSharedState(dialect, database)
  const { describe, check, statements } = state
  const createNode = (one: DrizzleDatabase, runOn: 'pool' | 'connection') => {
    const runner = one as DrizzleRunner
    const client = createClient(dialect, runner)
    const access = { ...describeConnection(runner), bind: (other: object) => bindTransaction(dialect, other) }
    return { client, datastore: createSqlDatastore(client, describe, { check, statements, runOn, access }) }
  }
  if (replicas.length > 0) {
    // A read that fails on a replica is repeated on the primary, and not on the replica.
    state.nodes = new DatabaseNodes(
      createNode(database, 'pool'),
      replicas.map((one) => createNode(one, 'connection')),
    )
    return createReplicatedDatastore(state.nodes)
  }
  const { datastore } = createNode(database, isPool((database as DrizzleRunner).$client) ? 'pool' : 'connection')
  return state.nodes === undefined ? datastore : markWrites(datastore, state.nodes)
}

function bindTransaction(dialect: DialectName, other: object): SqlClient | undefined {
  const runner = other as DrizzleRunner
  const isBound = findDialect(runner) === dialect && describeConnection(runner).runsOn !== 'pool'
  return isBound ? createClient(dialect, runner) : undefined
}

function createClient(dialect: DialectName, runner: DrizzleRunner): SqlClient {
  const client = CREATE_CLIENT[dialect](runner)
  const snapshot = createSnapshot(dialect, runner, CREATE_CLIENT[dialect])
  const base: SqlClient = snapshot === undefined ? client : { ...client, snapshot }
  return { ...base, withSignal: (signal) => withDriverCancellation(base, runner, CREATE_CLIENT[dialect], signal) }
}

function detectDialect(database: DrizzleDatabase): DialectName {
  const dialect = findDialect(database)
  if (dialect === undefined) throw new TypeError('This is no Drizzle database of PostgreSQL, MySQL or SQLite.')
  return dialect
}

function findDialect(database: DrizzleDatabase): DialectName | undefined {
  // A database with replicas is a plain object around its primary.
  const primary = (database as { readonly $primary?: unknown }).$primary ?? database
  if (is(primary, PgDatabase)) return 'postgres'
  if (is(primary, MySqlDatabase)) return 'mysql'
  return is(primary, BaseSQLiteDatabase) ? 'sqlite' : undefined
}

interface DatabaseInternals {
  readonly dialect?: { readonly casing?: { getColumnCasing(column: Column): string } }
}

/** The state that a database shares with its transactions, so that tables are described once. */
interface SharedState {
  readonly describe: (source: Table) => SqlTable<Table>
  readonly check: ReturnType<typeof createListCheck>
  readonly statements: StatementObservers
  nodes?: DatabaseNodes<Datastore<Table>>
}

const sharedStates = new WeakMap<object, SharedState>()

function getSharedState(dialect: DialectName, database: DrizzleDatabase): SharedState {
  const inner = (database as DatabaseInternals).dialect
  const found = inner && sharedStates.get(inner)
  if (found) return found
  const getName: GetColumnName = (column) => inner?.casing?.getColumnCasing(column) ?? column.name
  const tables = new WeakMap<Table, SqlTable<Table>>()
  const describe = (source: Table): SqlTable<Table> => {
    const table = tables.get(source) ?? describeTable(dialect, source, getName)
    tables.set(source, table)
    return table
  }
  const state: SharedState = { describe, check: createListCheck(), statements: new StatementObservers(dialect) }
  if (inner) sharedStates.set(inner, state)
  return state
}

// A statement already consists of text and gaps: Drizzle only writes the placeholders.
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

/** Converts a statement to Drizzle's chunks, the only form that may contain SQL of its users. */
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
  postgres: (runner) =>
    withOneConnection(runner, {
      dialect: 'postgres',
      query: (statement) => queryAsArrays(runner, statement) ?? queryAsObjects(runner, statement),
      batch: (statements) => runBatch(runner, 'postgres', statements),
      transaction: (work) => runDrizzleTransaction(runner, CREATE_CLIENT.postgres, work),
      async execute(statement) {
        const result = (await runner.execute(toSql(statement))) as PgWriteResult
        return { affected: result.rowCount ?? result.affectedRows ?? result.count ?? 0 }
      },
    }),
  mysql: (runner) =>
    withOneConnection(runner, {
      dialect: 'mysql',
      query: async (statement) => {
        const result = await executeMysql(runner, statement)
        return Array.isArray(result) ? asRows(result) : []
      },
      batch: (statements) => runBatch(runner, 'mysql', statements),
      transaction: (work) => runDrizzleTransaction(runner, CREATE_CLIENT.mysql, work),
      async execute(statement): Promise<WriteResult> {
        const { affectedRows, insertId } = (await executeMysql(runner, statement)) as MysqlWriteResult
        return { affected: affectedRows, insertId }
      },
    }),
  sqlite: createSqliteConnectionClient,
}

const createSqliteClient = (runner: DrizzleRunner): SqlClient => ({
  dialect: 'sqlite',
  query: async (statement) => (await runner.values(toSql(statement))) as readonly RawRow[],
  batch: (statements) => runBatch(runner, 'sqlite', statements),
  transaction: (work) =>
    runDrizzleTransaction(runner, (within) => withWaiting(within, createSqliteClient(within)), work),
  // Clients report the number of changed rows in different ways, and some do not; all of them return rows.
  async execute(statement) {
    const { strings, values } = statement
    if (!/^(?:\/\*.*?\*\/ )?(?:with|insert|update|delete)\b/.test(strings[0] ?? '')) {
      await runner.run(toSql(statement))
      return { affected: 0 }
    }
    const returning = [...strings.slice(0, -1), `${strings.at(-1)} returning 1`]
    return { affected: ((await runner.values(toSql({ strings: returning, values }))) as readonly RawRow[]).length }
  },
})

// A synchronous client has one connection, and asynchronous ones fail at once where another connection is writing: their
// statements wait while a transaction is open.
function createSqliteConnectionClient(runner: DrizzleRunner): SqlClient {
  const owner = (runner.$client as object | undefined) ?? runner.session ?? runner
  return withWaiting(owner, runner.resultKind === 'sync' ? createSyncClient(runner) : createSqliteClient(runner))
}

/** Returns a client whose statements wait while one of its transactions is open. */
const withWaiting = (owner: object, within: SqlClient): SqlClient => ({
  dialect: within.dialect,
  query: (statement) => runBetweenTransactions(owner, () => within.query(statement)),
  execute: (statement) => runBetweenTransactions(owner, () => within.execute(statement)),
  batch: (statements) => runAsTransaction(owner, () => within.batch(statements)),
  transaction: (work) =>
    runAsTransaction(owner, () => (within.transaction as NonNullable<SqlClient['transaction']>)(work)),
})

/** Returns a client whose statements wait if it has one connection: in a transaction, or where its driver's client is no pool. */
function withOneConnection(runner: DrizzleRunner, client: SqlClient): SqlClient {
  if ('rollback' in runner) return withWaiting(runner, client)
  return isConnection(runner.$client) ? withWaiting(runner.$client, client) : client
}

function createSyncClient(runner: DrizzleRunner, depth = 1): SqlClient {
  const runCommand = async (statement: Statement): Promise<readonly RawRow[]> => {
    runner.run(toSql(statement))
    return []
  }
  return {
    ...createSqliteClient(runner),
    batch: async (statements) => runSyncBatch(runner, statements),
    // Commands return no rows, for which synchronous drivers have another method.
    transaction: (work) =>
      runBetween(runCommand, createSavepoint(depth), () => work(withWaiting({}, createSyncClient(runner, depth + 1)))),
  }
}

const runDrizzleTransaction = <V>(
  runner: DrizzleRunner,
  createInner: (within: DrizzleRunner) => SqlClient,
  work: (within: SqlClient) => Promise<V>,
): Promise<V> => (runner.$primary ?? runner).transaction((within) => work(createInner(within)))

function runBatch(
  runner: DrizzleRunner,
  dialect: DialectName,
  statements: readonly Statement[],
): ReturnType<SqlClient['batch']> {
  const database = runner.$primary ?? runner
  return database.transaction((within) => runSequentially(CREATE_CLIENT[dialect](within).query, statements))
}

// A synchronous client has one connection: no other statement may run in between.
function runSyncBatch(runner: DrizzleRunner, statements: readonly Statement[]): readonly (readonly RawRow[])[] {
  const [begin, release, undo] = SAVEPOINT.map((text) => () => runner.run(toSql(toStatement(text)))) as [
    RunCommand,
    RunCommand,
    RunCommand,
  ]
  begin()
  try {
    const all = statements.map((statement) => asRows(runner.values(toSql(statement))))
    release()
    return all
  } catch (error) {
    undo()
    release()
    throw error
  }
}

type RunCommand = () => unknown

const keepRows = (rows: unknown): unknown => rows

// Like `execute`, but with rows as arrays, which saves the driver an object for each row. If `execute` was replaced, the
// replacement runs the statements.
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

async function executeMysql(runner: DrizzleRunner, statement: Statement): Promise<unknown> {
  const [result] = (await runner.execute(toSql(statement))) as readonly unknown[]
  return result
}
