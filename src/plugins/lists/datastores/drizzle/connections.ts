// Connections of Drizzle's drivers: where a statement can be cancelled, and a snapshot held.
import type { Query, SQL } from 'drizzle-orm'
import {
  cancelledBy,
  cancelledByMark,
  cancelPg,
  isPgBackend,
  killMysql2,
  mysql2Core,
  whileWanted,
  withoutEvents,
} from '../sql/cancel.ts'
import { inSnapshot, isWal } from '../sql/snapshot.ts'
import type { DialectName, SqlClient } from '../sql/sql.ts'

/** The members that edict needs of a database of Drizzle, or of a transaction of one. */
export interface Runner {
  execute(query: SQL): PromiseLike<unknown>
  values(query: SQL): unknown
  run(query: SQL): unknown
  transaction<V>(work: (within: Runner) => Promise<V>): Promise<V>
  /** Whether a client of SQLite answers at once. */
  readonly resultKind?: 'sync' | 'async'
  readonly dialect?: { sqlToQuery?(query: SQL): Query }
  readonly session?: Session
  readonly authToken?: unknown
  /** The driver's own client. */
  readonly $client?: unknown
  /** The database that one with replicas writes to. */
  readonly $primary?: Runner
}

/** The session that Drizzle's own builders run their statements with; its clients then give rows as lists. */
interface Session {
  prepareQuery?(
    query: Query,
    fields: undefined,
    name: undefined,
    isResponseInArrayMode: boolean,
    customResultMapper: (rows: unknown) => unknown,
  ): { execute(values: undefined, token: unknown): Promise<unknown> }
}

/** Makes a client of a database. */
type ClientOf = (runner: Runner) => SqlClient

/** Tells whether a client of a driver is a pool. Anything else may be within a transaction; one of Drizzle has no client. */
export const isPool = (client: unknown): boolean =>
  typeof client === 'object' && client !== null && ('totalCount' in client || 'getConnection' in client)

/** A pool of a driver, or a connection. */
interface Driver {
  readonly totalCount?: number
  connect?(): Promise<Driver>
  getConnection?(): Promise<Driver>
  release?(): void
}

// The drivers' own pools give connections that can be cancelled; of others only the database knows what they run.
export function cancellableOf(client: SqlClient, runner: Runner, clientOf: ClientOf, signal: AbortSignal): SqlClient {
  const connect = connecting(runner)
  if (connect === undefined) return cancelledByMark(client, signal)
  const on = <V>(work: (client: SqlClient) => Promise<V>): Promise<V> =>
    connect((within, connection) =>
      whileWanted(
        signal,
        () => work(clientOf(within)),
        async () => cancelRunning(connection),
      ),
    )
  return {
    ...client,
    query: (statement) => on(({ query }) => query(statement)),
    execute: (statement) => on(({ execute }) => execute(statement)),
  }
}

/** Makes the function that works on one connection of the driver's own pool; undefined where that is unknown. */
function connecting(runner: Runner): Connecting | undefined {
  const whole = runner.$primary ?? runner
  const driver = (whole.session as { readonly client?: Driver } | undefined)?.client
  if (driver?.totalCount === undefined && driver?.getConnection === undefined) return undefined
  return async (work) => {
    const connection = (await (driver.getConnection?.() ?? driver.connect?.())) as Driver
    if (isPgBackend(connection)) withoutEvents(connection)
    try {
      return await work(withSession(whole, { client: connection }), connection)
    } finally {
      connection.release?.()
    }
  }
}

type Connecting = <V>(work: (within: Runner, connection: Driver) => Promise<V>) => Promise<V>

function withSession(whole: Runner, members: object): Runner {
  const session = Object.assign(Object.create(whole.session as object) as object, members)
  return Object.assign(Object.create(whole) as Runner, { session })
}

function cancelRunning(connection: Driver): Promise<void> | undefined {
  if (isPgBackend(connection)) return cancelPg(connection)
  const core = mysql2Core(connection)
  return core && killMysql2(core)
}

// --- snapshots ---------------------------------------------------------------------------

/** Makes the snapshots of a database; undefined where its driver is unknown, or a transaction may be under way. */
export function snapshotOf(dialect: DialectName, runner: Runner, clientOf: ClientOf): SqlClient['snapshot'] {
  if (dialect === 'sqlite') return libsqlSnapshot(runner, clientOf)
  const connect = isPool((runner.$primary ?? runner).$client) ? connecting(runner) : undefined
  if (connect === undefined) return undefined
  return (work, signal) =>
    connect((within, connection) => {
      const client = clientOf(within)
      return inSnapshot(client, () => work(cancelledBy(client, signal, async () => cancelRunning(connection))))
    })
}

/** A client of libsql, whose transactions have connections of their own where its database is a file. */
interface Libsql {
  readonly protocol: string
  transaction(mode: 'read'): Promise<{ close(): void }>
}

function libsqlSnapshot(runner: Runner, clientOf: ClientOf): SqlClient['snapshot'] {
  const libsql = runner.$client as Partial<Libsql> | undefined
  if (libsql?.protocol !== 'file' || typeof libsql.transaction !== 'function') return undefined
  const { transaction } = libsql as Libsql
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
