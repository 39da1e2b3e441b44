// Cancels statements in the database when their result is no longer needed; the connection stays usable.

import { toStatement } from './batch.ts'
import type { DialectName, SqlClient, Statement } from './sql.ts'
import { getValueAt } from './sql-rows.ts'

type Statements = Pick<SqlClient, 'dialect' | 'query' | 'execute'>

/** Runs work; once the signal is aborted, cancels it, and settles only after the cancellation. */
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
    // On a connection released too early, the statement of the next user would be cancelled.
    await cancelling
  }
}

/** Returns a client of one connection, whose statements `cancel` ends once the signal is aborted. */
export function withCancellation<C extends Statements>(
  client: C,
  signal: AbortSignal | undefined,
  cancel: () => Promise<unknown>,
): C {
  if (signal === undefined) return client
  return {
    ...client,
    query: (statement) => runCancellable(signal, () => client.query(statement), cancel),
    execute: (statement) => runCancellable(signal, () => client.execute(statement), cancel),
  }
}

// --- by connection id ----------------------------------------------------------------------

/** The members of a `pg` connection that are needed to cancel its statements. */
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

/** Keeps a connection that is lost between two statements from crashing the process: the next statement throws. */
export function ignoreConnectionErrors(connection: object): void {
  const { on } = connection as { on?(event: 'error', listener: () => void): unknown }
  if (on === undefined || silencedConnections.has(connection)) return
  silencedConnections.add(connection)
  on.call(connection, 'error', () => {})
}

/** Cancels the statement of a PostgreSQL connection, through a separate connection. */
export function cancelPgQuery({ connection, processID, secretKey, host, port, ssl }: PgBackend): Promise<void> {
  const Wire = connection.constructor as new (config: object) => PgWireConnection
  return new Promise((resolve) => {
    const wire = new Wire({ ssl })
    wire.once(ssl ? 'sslconnect' : 'connect', () => wire.cancel(processID, secretKey))
    // The server closes the connection once it has signalled the other process.
    wire.once('end', () => resolve())
    wire.once('error', () => resolve())
    if (host.startsWith('/')) wire.connect(`${host}/.s.PGSQL.${port}`)
    else wire.connect(port, host)
  })
}

/** The callback connection of `mysql2`, under its promise wrapper. */
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

/** Returns the callback connection under a promise wrapper of `mysql2`, or undefined if it is another client. */
export function findMysql2Core(connection: object): Mysql2Core | undefined {
  const { connection: core } = connection as { readonly connection?: Partial<Mysql2Core> }
  return typeof core?.threadId === 'number' && core.config !== undefined ? (core as Mysql2Core) : undefined
}

/** Cancels the statement of a MySQL or MariaDB connection, through a separate connection. */
export function killMysql2Query(core: Mysql2Core): Promise<void> {
  const { threadId, config } = core
  // A pooled connection has another class, whose instances would return to the pool.
  const ConnectionClass = core.constructor as { readonly prototype: object } & (new (config: object) => Mysql2Killer)
  const parent = Object.getPrototypeOf(ConnectionClass) as typeof ConnectionClass
  const Plain = 'release' in ConnectionClass.prototype ? parent : ConnectionClass
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

// --- by a comment in the statement ---------------------------------------------------------

/** Tags the statements of a client with a comment, by which a statement of `by` cancels them; SQLite cannot cancel. */
export function withTaggedCancellation<C extends Statements>(
  client: C,
  signal: AbortSignal,
  by: Statements = client,
): C {
  const { dialect } = client
  if (dialect === 'sqlite') return client
  const withTag = <V>(run: (statement: Statement) => Promise<V>) => {
    return (statement: Statement): Promise<V> => {
      const tag = `/* edict ${crypto.randomUUID()} */`
      const [first = '', ...rest] = statement.strings
      const tagged = { strings: [`${tag} ${first}`, ...rest], values: statement.values }
      return runCancellable(
        signal,
        () => run(tagged),
        () => CANCEL_BY_TAG[dialect](by, tag),
      )
    }
  }
  return { ...client, query: withTag(client.query), execute: withTag(client.execute) }
}

const CANCEL_BY_TAG: Readonly<
  Record<Exclude<DialectName, 'sqlite'>, (client: Statements, tag: string) => Promise<unknown>>
> = {
  postgres: ({ query }, tag) =>
    query({
      strings: [
        "select pg_cancel_backend(pid) from pg_stat_activity where state = 'active' and pid <> pg_backend_pid() and query like ",
        " || '%'",
      ],
      values: [tag],
    }),
  async mysql({ query, execute }, tag) {
    const strings = ['select id as c0 from information_schema.processlist where info like concat(', ", '%')"]
    for (const row of await query({ strings, values: [tag] }))
      await execute(toStatement(`kill query ${Number(getValueAt(row))}`))
  },
}
