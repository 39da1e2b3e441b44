// The entry point `edict/mapper/pg`: a datastore of the tables of a `pg` pool or client.
import pg from 'pg'
import { form, readProperty } from '../../../extend.ts'
import { asIs } from '../../query/as-is.ts'
import type { Datastore, RawRow } from '../../query/query.ts'
import { withoutNumberCast } from '../catalogue/postgres-types.ts'
import { openDatastore } from '../open-datastore.ts'
import { cancelPgQuery, ignoreConnectionErrors, isPgBackend } from '../sql/cancel.ts'
import { createConnectionClient } from '../sql/one-connection.ts'
import { createPgListener } from '../sql/pg-listener.ts'
import { type CancellableConnection, createPooledClient } from '../sql/pooled-client.ts'
import type { SqlClient, Statement } from '../sql/sql.ts'
import { formatStatement } from '../sql/sql-text.ts'
import { DRIVER_FIELDS, type DriverOptions, loadTableDescriber } from './drivers.ts'

/** A pool of `pg`, or one of its clients. */
export interface PgDatabase {
  /** Runs a statement. */
  query(statement: PgStatement): Promise<PgResult>
  /** Returns a connection of a pool; the method of a client with the same name connects it. */
  connect?(): Promise<unknown>
}

/** A connection of a pool, until it is released. */
interface PgConnection extends PgDatabase {
  release(error?: Error | boolean): void
}

/** A statement for `pg`. */
export interface PgStatement {
  text: string
  values: unknown[]
  rowMode: 'array'
  types: PgTypes
  name?: string
}

/** The parsers of values from the database, by the OID of their type. */
interface PgTypes {
  // `pg` has an overload for each format, and no type that includes them all.
  getTypeParser(oid: number, format?: never): (value: never) => unknown
}

/** The result of a statement of `pg`. */
export interface PgResult {
  readonly rows: readonly unknown[][]
  readonly rowCount: number | null
}

/** The options of a `pg` datastore. */
export interface PgOptions extends DriverOptions {
  /**
   * Whether connections keep the first 500 different statements prepared, by names. Not for PgBouncer in transaction mode before version 1.21, or without prepared statements enabled.
   * @default `false`
   */
  readonly prepare?: boolean
  /**
   * Pools of replicas, one for each node: reads run on them, writes on the database itself.
   * @default none
   * @see docs/guide/scaling-out.md
   */
  readonly replicas?: readonly PgDatabase[]
}

/** A datastore of the tables of a `pg` pool. */
export interface PgDatastore extends Datastore<string> {
  /** Returns a datastore of the same tables on another client: one in a transaction, or another pool. */
  withDatabase(database: PgDatabase): PgDatastore
}

const PG_FIELDS: form.Fields<PgOptions> = {
  ...DRIVER_FIELDS,
  prepare: form.flag,
  replicas: form.list(form.structure),
}

/** Creates a datastore of a `pg` pool or client: reads its tables from the catalogue first. */
export async function pgDatastore(database: PgDatabase, options: PgOptions = {}): Promise<PgDatastore> {
  const settings = form.validateSettings('pgDatastore', options, PG_FIELDS)
  const getName = createStatementNamer(settings.prepare ?? false)
  return openDatastore(database, {
    createClient: (one) => createClient(one, getName),
    isPool,
    isDatabase: (one) => typeof readProperty(one, 'query') === 'function',
    findListener: (one) => createPgListener(one),
    loadDescriber: (client) => loadTableDescriber(client, settings, withoutNumberCast),
    replicas: settings.replicas,
  })
}

type GetStatementName = (text: string) => string | undefined

/** The most statements with names: connections keep them forever, and filters produce ever new ones. */
const MAX_NAMED_STATEMENTS = 500

// Processes that share connections through a proxy must not use one name for two statements.
function createStatementNamer(prepare: boolean): GetStatementName {
  if (!prepare) return () => undefined
  const prefix = `edict_${crypto.randomUUID().slice(0, 8)}_`
  const names = new Map<string, string>()
  return (text) => {
    const known = names.get(text)
    if (known !== undefined || names.size === MAX_NAMED_STATEMENTS) return known
    const name = prefix + names.size
    names.set(text, name)
    return name
  }
}

function createClient(database: PgDatabase, getName: GetStatementName): SqlClient {
  const statements = createConnection(database, getName)
  if (!isPool(database)) return createConnectionClient(database, statements, () => isInTransaction(database))
  return createPooledClient(statements, (work) =>
    withConnection(database, (connection) => work(createConnection(connection, getName))),
  )
}

function createConnection(database: PgDatabase, getName: GetStatementName): CancellableConnection {
  const types = createTypeParsers(database)
  const run = (statement: Statement): Promise<PgResult> => {
    const text = formatStatement('postgres', statement)
    const name = getName(text)
    const values = [...statement.values]
    return database.query({ text, values, rowMode: 'array', types, ...(name !== undefined && { name }) })
  }
  return {
    dialect: 'postgres',
    query: async (statement) => (await run(statement)).rows as readonly RawRow[],
    execute: async (statement) => ({ affected: (await run(statement)).rowCount ?? 0 }),
    cancel: async () => isPgBackend(database) && cancelPgQuery(database),
  }
}

async function withConnection<V>(pool: PgPool, work: (connection: PgDatabase) => Promise<V>): Promise<V> {
  const connection = await pool.connect()
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

// A client has `connect` too, but not `totalCount`.
const isPool = (database: PgDatabase): database is PgPool =>
  typeof database.connect === 'function' && typeof (database as { totalCount?: unknown }).totalCount === 'number'

/** The code of the error for a savepoint outside of a transaction. */
const NO_TRANSACTION = '25P01'

// Every response of the server has the status, which older versions of `pg` do not pass on.
async function isInTransaction(database: PgDatabase): Promise<boolean> {
  const { getTransactionStatus } = database as { getTransactionStatus?(): string | null }
  // Statements that the client has not sent yet may begin a transaction.
  await database.query({ ...EMPTY_STATEMENT, text: 'select' })
  const status = getTransactionStatus?.call(database)
  if (typeof status === 'string') return status !== 'I'
  try {
    await database.query({ ...EMPTY_STATEMENT, text: 'savepoint edict_probe' })
    return true
  } catch (error) {
    return (error as { readonly code?: unknown } | undefined)?.code !== NO_TRANSACTION
  }
}

const EMPTY_STATEMENT: Omit<PgStatement, 'text'> = {
  values: [],
  rowMode: 'array',
  types: { getTypeParser: () => asIs },
}

/** The OIDs of char, name, text, char(n) and varchar, and of int8, int2, int4, oid and numeric. */
const UNPARSED_OIDS = new Set([18, 19, 25, 1042, 1043, 20, 21, 23, 26, 1700])

// edict reads texts and numbers as the database writes them, although users may have parsers for them. Other values are parsed
// as users have configured.
function createTypeParsers(database: PgDatabase): PgTypes {
  const { getTypeParser, options } = database as Partial<PgTypes> & { readonly options?: { readonly types?: PgTypes } }
  const parsers = getTypeParser === undefined ? (options?.types ?? pg.types) : (database as unknown as PgTypes)
  return { getTypeParser: (oid, format) => (UNPARSED_OIDS.has(oid) ? asIs : parsers.getTypeParser(oid, format)) }
}
