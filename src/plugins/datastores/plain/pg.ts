// The entry point `edict/mapper/pg`: a datastore of the tables that a pool, or a client, of `pg` reaches.
import pg from 'pg'
import { form } from '../../../extend.ts'
import type { Datastore, RawRow } from '../../query/query.ts'
import { asIs } from '../../query/as-is.ts'
import { withoutNumberCast } from '../catalogue/postgres-types.ts'
import { runInTransaction, SAVEPOINT, TRANSACTION, createSharedConnectionError } from '../sql/batch.ts'
import { withCancellation, cancelPgQuery, isPgBackend, runCancellable, ignoreConnectionErrors } from '../sql/cancel.ts'
import { openDatastore } from '../open-datastore.ts'
import { runInSnapshot } from '../sql/snapshot.ts'
import type { SqlClient, Statement } from '../sql/sql.ts'
import { formatStatement } from '../sql/sql-text.ts'
import { loadTableDescriber, DRIVER_FIELDS, type DriverOptions } from './drivers.ts'

/** A pool of `pg`, or one of its clients. */
export interface PgDatabase {
  /** Runs a statement. */
  query(statement: PgStatement): Promise<PgResult>
  /** Gives a connection of a pool; clients have a function of the same name that connects them. */
  connect?(): Promise<unknown>
}

/** A connection of a pool, for as long as it is not given back. */
interface PgConnection extends PgDatabase {
  release(error?: Error | boolean): void
}

/** A statement as `pg` takes it. */
export interface PgStatement {
  text: string
  values: unknown[]
  rowMode: 'array'
  types: PgTypes
  name?: string
}

/** Parsers of what the database gives, by the number of its type. */
interface PgTypes {
  // `pg` has an overload for each format, and no type that includes them all.
  getTypeParser(oid: number, format?: never): (value: never) => unknown
}

/** The result that `pg` gives for a statement. */
export interface PgResult {
  readonly rows: readonly unknown[][]
  readonly rowCount: number | null
}

/** Options of a datastore of `pg`. */
export interface PgOptions extends DriverOptions {
  /**
   * Whether connections keep the first 500 different statements prepared, by names; not through PgBouncer in transaction mode before 1.21, or where it keeps none.
   * @default `false`
   */
  readonly prepare?: boolean
  /**
   * Pools of replicas, one for each node: reads go to them, writes to the database itself.
   * @default none
   * @see docs/guide/scaling-out.md
   */
  readonly replicas?: readonly PgDatabase[]
}

/** A datastore of the tables that a pool of `pg` reaches. */
export interface PgDatastore extends Datastore<string> {
  /** The same tables through another client: the one that has a transaction, or another pool on the same database. */
  withDatabase(database: PgDatabase): PgDatastore
}

const PG_FIELDS: form.Fields<PgOptions> = {
  ...DRIVER_FIELDS,
  prepare: form.flag,
  replicas: form.list(form.structure),
}

/** Makes a datastore of a pool of `pg`, or of one of its clients, after reading its tables from the catalogue. */
export async function pgDatastore(database: PgDatabase, options: PgOptions = {}): Promise<PgDatastore> {
  const settings = form.validateSettings('pgDatastore', options, PG_FIELDS)
  const nameOf = createStatementNamer(settings.prepare ?? false)
  return openDatastore(database, {
    createClient: (one) => createClient(one, nameOf),
    isPool,
    loadDescriber: (client) => loadTableDescriber(client, settings, withoutNumberCast),
    replicas: settings.replicas,
  })
}

type GetStatementName = (text: string) => string | undefined

/** How many statements have names: connections keep them for ever, and filters make new ones without end. */
const MAX_NAMED_STATEMENTS = 500

// Processes that share connections through a proxy must not have one name for two statements.
function createStatementNamer(prepare: boolean): GetStatementName {
  if (!prepare) return () => undefined
  const start = `edict_${crypto.randomUUID().slice(0, 8)}_`
  const names = new Map<string, string>()
  return (text) => {
    const known = names.get(text)
    if (known !== undefined || names.size === MAX_NAMED_STATEMENTS) return known
    const name = start + names.size
    names.set(text, name)
    return name
  }
}

function createClient(database: PgDatabase, nameOf: GetStatementName): SqlClient {
  const types = createTypeParsers(database)
  const cancellable = (signal: AbortSignal): SqlClient => {
    const on = <V>(work: (client: SqlClient) => Promise<V>): Promise<V> =>
      withConnection(database, (connection) =>
        runCancellable(
          signal,
          () => work(createClient(connection, nameOf)),
          async () => isPgBackend(connection) && cancelPgQuery(connection),
        ),
      )
    return {
      dialect: 'postgres',
      query: (statement) => on(({ query }) => query(statement)),
      execute: (statement) => on(({ execute }) => execute(statement)),
      batch: own.batch,
      ...(own.snapshot && { snapshot: own.snapshot }),
    }
  }
  const run = (statement: Statement, on: PgDatabase = database): Promise<PgResult> => {
    const text = formatStatement('postgres', statement)
    const name = nameOf(text)
    const values = [...statement.values]
    return on.query({ text, values, rowMode: 'array', types, ...(name !== undefined && { name }) })
  }
  const rowsOn = (on: PgDatabase) => async (statement: Statement) =>
    (await run(statement, on)).rows as readonly RawRow[]
  const own: SqlClient = {
    dialect: 'postgres',
    withSignal: cancellable,
    ...(isPool(database) && { snapshot: createSnapshot(database, nameOf) }),
    query: rowsOn(database),
    execute: async (statement) => ({ affected: (await run(statement)).rowCount ?? 0 }),
    batch: (statements) =>
      isPool(database)
        ? withConnection(database, (connection) => runInTransaction(rowsOn(connection), statements, TRANSACTION))
        : runInSavepoint(rowsOn(database), statements),
  }
  return own
}

const createSnapshot =
  (pool: PgPool, nameOf: GetStatementName): NonNullable<SqlClient['snapshot']> =>
  (work, signal) =>
    withConnection(pool, (connection) => {
      const client = createClient(connection, nameOf)
      const cancel = async (): Promise<unknown> => isPgBackend(connection) && cancelPgQuery(connection)
      return runInSnapshot(client, () => work(withCancellation(client, signal, cancel)))
    })

async function withConnection<V>(database: PgDatabase, work: (connection: PgDatabase) => Promise<V>): Promise<V> {
  if (!isPool(database)) return work(database)
  const connection = await database.connect()
  ignoreConnectionErrors(connection)
  try {
    return await work(connection)
  } finally {
    connection.release()
  }
}

interface PgPool extends PgDatabase {
  connect(): Promise<PgConnection>
}

// A client can be connected too, but counts no others.
const isPool = (database: PgDatabase): database is PgPool =>
  typeof database.connect === 'function' && typeof (database as { totalCount?: unknown }).totalCount === 'number'

/** The code of the error for a savepoint outside of a transaction. */
const NO_TRANSACTION = '25P01'

async function runInSavepoint(
  run: (statement: Statement) => Promise<readonly RawRow[]>,
  statements: readonly Statement[],
): ReturnType<SqlClient['batch']> {
  try {
    return await runInTransaction(run, statements, SAVEPOINT)
  } catch (error) {
    throw (error as { readonly code?: unknown }).code === NO_TRANSACTION ? createSharedConnectionError() : error
  }
}

/** The numbers of char, name, text, char(n) and varchar, and of int8, int2, int4, oid and numeric. */
const UNPARSED_OIDS = new Set([18, 19, 25, 1042, 1043, 20, 21, 23, 26, 1700])

// edict reads texts and numbers as the database writes them; users may have parsers for them. What it passes through is parsed
// as they have asked for it.
function createTypeParsers(database: PgDatabase): PgTypes {
  const { getTypeParser, options } = database as Partial<PgTypes> & { readonly options?: { readonly types?: PgTypes } }
  const own = getTypeParser === undefined ? (options?.types ?? pg.types) : (database as unknown as PgTypes)
  return { getTypeParser: (oid, format) => (UNPARSED_OIDS.has(oid) ? asIs : own.getTypeParser(oid, format)) }
}
