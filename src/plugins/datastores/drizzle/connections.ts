// The connections of Drizzle's drivers, on which a statement can be cancelled, and a snapshot held.
import type { Query, SQL } from 'drizzle-orm'
import {
  cancelPgQuery,
  findMysql2Core,
  ignoreConnectionErrors,
  isPgBackend,
  killMysql2Query,
  runCancellable,
  withCancellation,
  withTaggedCancellation,
} from '../sql/cancel.ts'
import { createPgListener } from '../sql/pg-listener.ts'
import { isWal, runInSnapshot } from '../sql/snapshot.ts'
import type { DialectName, SqlClient } from '../sql/sql.ts'
import { isInTransaction } from '../sql/sqlite-transaction.ts'
import type { ConnectionAccess } from '../sql-datastore.ts'

/** The members that edict needs of a Drizzle database or transaction. */
export interface DrizzleRunner {
  execute(query: SQL): PromiseLike<unknown>
  values(query: SQL): unknown
  run(query: SQL): unknown
  transaction<V>(work: (within: DrizzleRunner) => Promise<V>): Promise<V>
  /** Whether a SQLite client is synchronous. */
  readonly resultKind?: 'sync' | 'async'
  readonly dialect?: { sqlToQuery?(query: SQL): Query }
  readonly session?: DrizzleSession
  readonly authToken?: unknown
  /** The driver's own client. */
  readonly $client?: unknown
  /** The primary of a database with replicas. */
  readonly $primary?: DrizzleRunner
}

/** The session that runs the statements of Drizzle's builders; its clients return rows as arrays. */
interface DrizzleSession {
  prepareQuery?(
    query: Query,
    fields: undefined,
    name: undefined,
    isResponseInArrayMode: boolean,
    customResultMapper: (rows: unknown) => unknown,
  ): { execute(values: undefined, token: unknown): Promise<unknown> }
}

/** The row counts of the PostgreSQL clients, each under its own name. */
export interface PgWriteResult {
  readonly rowCount?: number | null
  readonly affectedRows?: number
  readonly count?: number
}

/** The result of a statement of MySQL that changes rows. */
export interface MysqlWriteResult {
  readonly affectedRows: number
  readonly insertId: unknown
}

/** Creates a client of a database. */
type CreateClient = (runner: DrizzleRunner) => SqlClient

/** Returns whether a driver's client is a pool. Anything else may be in a transaction; Drizzle transactions have no client. */
export const isPool = (client: unknown): boolean =>
  typeof client === 'object' && client !== null && ('totalCount' in client || 'getConnection' in client)

/** Returns whether a driver's client is one connection. */
export const isConnection = (client: unknown): client is object =>
  typeof client === 'object' && client !== null && !isPool(client) && (isPgBackend(client) || hasThread(client))

/** Describes what the statements of plugins run on. */
export function describeConnection(
  runner: DrizzleRunner,
): Pick<ConnectionAccess, 'runsOn' | 'isInTransaction' | 'listen'> {
  if ('rollback' in runner) return { runsOn: 'transaction' }
  // The clients of other drivers have connections of their own for transactions.
  if (runner.resultKind !== 'sync' && !isConnection(runner.$client))
    return { runsOn: 'pool', listen: createPgListener(runner.$client) }
  return { runsOn: 'connection', isInTransaction: () => isInTransaction(runner.$client) === true }
}

const hasThread = (client: object): boolean => 'threadId' in client || findMysql2Core(client) !== undefined

/** A pool of a driver, or a connection. */
interface DriverConnection {
  readonly totalCount?: number
  connect?(): Promise<DriverConnection>
  getConnection?(): Promise<DriverConnection>
  release?(): void
}

// Connections of the drivers' own pools can be cancelled directly; with others, only the database knows which statements run.
export function withDriverCancellation(
  client: SqlClient,
  runner: DrizzleRunner,
  createClient: CreateClient,
  signal: AbortSignal,
): SqlClient {
  const connect = createConnector(runner)
  if (connect === undefined) return withTaggedCancellation(client, signal)
  const runOn = <V>(work: (client: SqlClient) => Promise<V>): Promise<V> =>
    connect((within, connection) =>
      runCancellable(
        signal,
        () => work(createClient(within)),
        async () => cancelRunningQuery(connection),
      ),
    )
  return {
    ...client,
    query: (statement) => runOn(({ query }) => query(statement)),
    execute: (statement) => runOn(({ execute }) => execute(statement)),
  }
}

/** Creates the function that runs work on one connection of the driver's own pool; undefined if the driver is unknown. */
function createConnector(runner: DrizzleRunner): Connector | undefined {
  const database = runner.$primary ?? runner
  const driver = (database.session as { readonly client?: DriverConnection } | undefined)?.client
  if (driver?.totalCount === undefined && driver?.getConnection === undefined) return undefined
  return async (work) => {
    const connection = (await (driver.getConnection?.() ?? driver.connect?.())) as DriverConnection
    if (isPgBackend(connection)) ignoreConnectionErrors(connection)
    try {
      return await work(withSession(database, { client: connection }), connection)
    } finally {
      connection.release?.()
    }
  }
}

type Connector = <V>(work: (within: DrizzleRunner, connection: DriverConnection) => Promise<V>) => Promise<V>

function withSession(database: DrizzleRunner, members: object): DrizzleRunner {
  const session = Object.assign(Object.create(database.session as object) as object, members)
  return Object.assign(Object.create(database) as DrizzleRunner, { session })
}

function cancelRunningQuery(connection: DriverConnection): Promise<void> | undefined {
  if (isPgBackend(connection)) return cancelPgQuery(connection)
  const core = findMysql2Core(connection)
  return core && killMysql2Query(core)
}

// --- snapshots ---------------------------------------------------------------------------

/** Creates the snapshot function of a database; undefined if its driver is unknown, or a transaction may be open. */
export function createSnapshot(
  dialect: DialectName,
  runner: DrizzleRunner,
  createClient: CreateClient,
): SqlClient['snapshot'] {
  if (dialect === 'sqlite') return createLibsqlSnapshot(runner, createClient)
  const connect = isPool((runner.$primary ?? runner).$client) ? createConnector(runner) : undefined
  if (connect === undefined) return undefined
  return (work, signal) =>
    connect((within, connection) => {
      const client = createClient(within)
      return runInSnapshot(client, () =>
        work(withCancellation(client, signal, async () => cancelRunningQuery(connection))),
      )
    })
}

/** A client of libsql; its transactions have separate connections if its database is a file. */
interface LibsqlClient {
  readonly protocol: string
  transaction(mode: 'read'): Promise<{ close(): void }>
}

function createLibsqlSnapshot(runner: DrizzleRunner, createClient: CreateClient): SqlClient['snapshot'] {
  const libsql = runner.$client as Partial<LibsqlClient> | undefined
  if (libsql?.protocol !== 'file' || typeof libsql.transaction !== 'function') return undefined
  const { transaction } = libsql as LibsqlClient
  return async (work) => {
    if (!(await isWal(createClient(runner)))) return work(createClient(runner))
    const tx = await transaction.call(libsql, 'read')
    try {
      return await work(createClient(withSession(runner, { tx })))
    } finally {
      tx.close()
    }
  }
}
