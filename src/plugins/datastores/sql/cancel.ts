// Cancelling: a statement whose result is no longer wanted ends in the database, and its connection stays usable.

import { toStatement } from './batch.ts'
import { getValueAt } from './sql-rows.ts'
import type { DialectName, SqlClient, Statement } from './sql.ts'

/** Runs work; once the signal is aborted, the work is cancelled, and nothing else begins before that is done. */
export async function runCancellable<V>(
  signal: AbortSignal,
  work: () => Promise<V>,
  cancel: () => Promise<unknown>,
): Promise<V> {
  let cancelling: Promise<unknown> | undefined
  const stop = (): void => {
    cancelling = cancel().catch(() => undefined)
  }
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await work()
  } finally {
    signal.removeEventListener('abort', stop)
    // A connection released too early would have the next user's statement cancelled.
    await cancelling
  }
}

/** A client of one connection, whose statements `cancel` ends once the signal is aborted. */
export function withCancellation(
  client: SqlClient,
  signal: AbortSignal | undefined,
  cancel: () => Promise<unknown>,
): SqlClient {
  if (signal === undefined) return client
  return {
    ...client,
    query: (statement) => runCancellable(signal, () => client.query(statement), cancel),
    execute: (statement) => runCancellable(signal, () => client.execute(statement), cancel),
  }
}

// --- by connection -----------------------------------------------------------------------

/** A connection of `pg`, as far as it is known how to cancel what it runs. */
export interface PgBackend {
  readonly processID: number
  readonly secretKey: unknown
  readonly host: string
  readonly port: number
  readonly ssl?: unknown
  readonly connection: { readonly constructor: unknown }
}

interface PgWireConnection {
  connect(port: number | string, host?: string): void
  cancel(processID: number, secretKey: unknown): void
  once(event: string, listener: (error?: unknown) => void): void
}

/** Returns whether a connection is one of `pg` that can be cancelled. */
export const isPgBackend = (connection: object): connection is PgBackend =>
  typeof (connection as Partial<PgBackend>).processID === 'number' && 'connection' in connection

const silencedConnections = new WeakSet<object>()

/** Keeps a connection that is lost between two statements from ending the process: the next statement throws. */
export function ignoreConnectionErrors(connection: object): void {
  const { on } = connection as { on?(event: 'error', listener: () => void): unknown }
  if (on === undefined || silencedConnections.has(connection)) return
  silencedConnections.add(connection)
  on.call(connection, 'error', () => {})
}

/** Asks a server of PostgreSQL, by a connection for that alone, to cancel what another connection runs. */
export function cancelPgQuery({ connection, processID, secretKey, host, port, ssl }: PgBackend): Promise<void> {
  const Wire = connection.constructor as new (config: object) => PgWireConnection
  return new Promise((resolve) => {
    const wire = new Wire({ ssl })
    wire.once(ssl ? 'sslconnect' : 'connect', () => wire.cancel(processID, secretKey))
    // The server closes the connection when it has told the other process.
    wire.once('end', () => resolve())
    wire.once('error', () => resolve())
    if (host.startsWith('/')) wire.connect(`${host}/.s.PGSQL.${port}`)
    else wire.connect(port, host)
  })
}

/** A connection of `mysql2`, below its promises. */
export interface Mysql2Core {
  readonly threadId: number
  readonly config: object
  readonly constructor: unknown
}

interface Mysql2Killer {
  query(sql: string, done: (error: unknown) => void): void
  destroy(): void
  on(event: 'error', listener: (error: unknown) => void): void
}

/** The connection below promises, where it is one of `mysql2`. */
export function findMysql2Core(connection: object): Mysql2Core | undefined {
  const { connection: core } = connection as { readonly connection?: Partial<Mysql2Core> }
  return typeof core?.threadId === 'number' && core.config !== undefined ? (core as Mysql2Core) : undefined
}

/** Has a server of MySQL or MariaDB, by a connection for that alone, end what another connection runs. */
export function killMysql2Query(core: Mysql2Core): Promise<void> {
  const { threadId, config } = core
  // Connections of pools are a class of their own, which would go back to the pool.
  const own = core.constructor as { readonly prototype: object } & (new (given: object) => Mysql2Killer)
  const parent = Object.getPrototypeOf(own) as typeof own
  const Plain = 'release' in own.prototype ? parent : own
  return new Promise((resolve) => {
    const killer = new Plain({ config })
    const end = (): void => {
      killer.destroy()
      resolve()
    }
    killer.on('error', end)
    killer.query(`kill query ${threadId}`, end)
  })
}

// --- by what a statement says --------------------------------------------------------------

/** A client whose statements carry a mark, by which a statement of it, or of another, cancels them; SQLite cancels none. */
export function withTaggedCancellation(client: SqlClient, signal: AbortSignal, by: SqlClient = client): SqlClient {
  const { dialect } = client
  if (dialect === 'sqlite') return client
  const marked = <V>(run: (statement: Statement) => Promise<V>) => {
    return (statement: Statement): Promise<V> => {
      const mark = `/* edict ${crypto.randomUUID()} */`
      const [first = '', ...rest] = statement.strings
      const given = { strings: [`${mark} ${first}`, ...rest], values: statement.values }
      return runCancellable(
        signal,
        () => run(given),
        () => CANCEL_BY_TAG[dialect](by, mark),
      )
    }
  }
  return { ...client, query: marked(client.query), execute: marked(client.execute) }
}

const CANCEL_BY_TAG: Readonly<Record<Exclude<DialectName, 'sqlite'>, (client: SqlClient, mark: string) => Promise<unknown>>> =
  {
    postgres: ({ query }, mark) =>
      query({
        strings: [
          "select pg_cancel_backend(pid) from pg_stat_activity where state = 'active' and pid <> pg_backend_pid() and query like ",
          " || '%'",
        ],
        values: [mark],
      }),
    async mysql({ query, execute }, mark) {
      const strings = ['select id as c0 from information_schema.processlist where info like concat(', ", '%')"]
      for (const row of await query({ strings, values: [mark] }))
        await execute(toStatement(`kill query ${Number(getValueAt(row))}`))
    },
  }
