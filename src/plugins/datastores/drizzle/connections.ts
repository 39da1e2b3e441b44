// Connections of Drizzle's drivers: where a statement can be cancelled, and a snapshot held.
import type { Query, SQL } from 'drizzle-orm'
import {
  withCancellation,
  withTaggedCancellation,
  cancelPgQuery,
  isPgBackend,
  killMysql2Query,
  findMysql2Core,
  runCancellable,
  ignoreConnectionErrors,
} from '../sql/cancel.ts'
import { runInSnapshot, isWal } from '../sql/snapshot.ts'
import type { DialectName, SqlClient } from '../sql/sql.ts'

/** The members that edict needs of a database of Drizzle, or of a transaction of one. */
export interface DrizzleRunner {
  execute(query: SQL): PromiseLike<unknown>
  values(query: SQL): unknown
  run(query: SQL): unknown
  transaction<V>(work: (within: DrizzleRunner) => Promise<V>): Promise<V>
  /** Whether a client of SQLite answers at once. */
  readonly resultKind?: 'sync' | 'async'
  readonly dialect?: { sqlToQuery?(query: SQL): Query }
  readonly session?: DrizzleSession
  readonly authToken?: unknown
  /** The driver's own client. */
  readonly $client?: unknown
  /** The database that one with replicas writes to. */
  readonly $primary?: DrizzleRunner
}

/** The session that Drizzle's own builders run their statements with; its clients then give rows as lists. */
interface DrizzleSession {
  prepareQuery?(
    query: Query,
    fields: undefined,
    name: undefined,
    isResponseInArrayMode: boolean,
    customResultMapper: (rows: unknown) => unknown,
  ): { execute(values: undefined, token: unknown): Promise<unknown> }
}

/** Makes a client of a database. */
type CreateClient = (runner: DrizzleRunner) => SqlClient

/** Tells whether a client of a driver is a pool. Anything else may be within a transaction; one of Drizzle has no client. */
export const isPool = (client: unknown): boolean =>
  typeof client === 'object' && client !== null && ('totalCount' in client || 'getConnection' in client)

/** A pool of a driver, or a connection. */
interface DriverConnection {
  readonly totalCount?: number
  connect?(): Promise<DriverConnection>
  getConnection?(): Promise<DriverConnection>
  release?(): void
}

// The drivers' own pools give connections that can be cancelled; of others only the database knows what they run.
export function withDriverCancellation(client: SqlClient, runner: DrizzleRunner, clientOf: CreateClient, signal: AbortSignal): SqlClient {
  const connect = createConnector(runner)
  if (connect === undefined) return withTaggedCancellation(client, signal)
  const on = <V>(work: (client: SqlClient) => Promise<V>): Promise<V> =>
    connect((within, connection) =>
      runCancellable(
        signal,
        () => work(clientOf(within)),
        async () => cancelRunningQuery(connection),
      ),
    )
  return {
    ...client,
    query: (statement) => on(({ query }) => query(statement)),
    execute: (statement) => on(({ execute }) => execute(statement)),
  }
}

/** Makes the function that works on one connection of the driver's own pool; undefined where that is unknown. */
function createConnector(runner: DrizzleRunner): Connector | undefined {
  const whole = runner.$primary ?? runner
  const driver = (whole.session as { readonly client?: DriverConnection } | undefined)?.client
  if (driver?.totalCount === undefined && driver?.getConnection === undefined) return undefined
  return async (work) => {
    const connection = (await (driver.getConnection?.() ?? driver.connect?.())) as DriverConnection
    if (isPgBackend(connection)) ignoreConnectionErrors(connection)
    try {
      return await work(withSession(whole, { client: connection }), connection)
    } finally {
      connection.release?.()
    }
  }
}

type Connector = <V>(work: (within: DrizzleRunner, connection: DriverConnection) => Promise<V>) => Promise<V>

function withSession(whole: DrizzleRunner, members: object): DrizzleRunner {
  const session = Object.assign(Object.create(whole.session as object) as object, members)
  return Object.assign(Object.create(whole) as DrizzleRunner, { session })
}

function cancelRunningQuery(connection: DriverConnection): Promise<void> | undefined {
  if (isPgBackend(connection)) return cancelPgQuery(connection)
  const core = findMysql2Core(connection)
  return core && killMysql2Query(core)
}

// --- snapshots ---------------------------------------------------------------------------

/** Makes the snapshots of a database; undefined where its driver is unknown, or a transaction may be under way. */
export function createSnapshot(dialect: DialectName, runner: DrizzleRunner, clientOf: CreateClient): SqlClient['snapshot'] {
  if (dialect === 'sqlite') return createLibsqlSnapshot(runner, clientOf)
  const connect = isPool((runner.$primary ?? runner).$client) ? createConnector(runner) : undefined
  if (connect === undefined) return undefined
  return (work, signal) =>
    connect((within, connection) => {
      const client = clientOf(within)
      return runInSnapshot(client, () => work(withCancellation(client, signal, async () => cancelRunningQuery(connection))))
    })
}

/** A client of libsql, whose transactions have connections of their own where its database is a file. */
interface LibsqlClient {
  readonly protocol: string
  transaction(mode: 'read'): Promise<{ close(): void }>
}

function createLibsqlSnapshot(runner: DrizzleRunner, clientOf: CreateClient): SqlClient['snapshot'] {
  const libsql = runner.$client as Partial<LibsqlClient> | undefined
  if (libsql?.protocol !== 'file' || typeof libsql.transaction !== 'function') return undefined
  const { transaction } = libsql as LibsqlClient
  return async (work) => {
    if (!(await isWal(clientOf(runner)))) return work(clientOf(runner))
    const tx = await transaction.call(libsql, 'read')
    try {
      return await work(clientOf(withSession(runner, { tx })))
    } finally {
      tx.close()
    }
  }
}
