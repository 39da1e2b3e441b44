// The entry point `edict/mapper/pg`: a datastore of the tables that a pool, or a client, of `pg` reaches.
import pg from 'pg'
import { form } from '../../../../extend.ts'
import type { Datastore, RawRow } from '../../query.ts'
import { asIs } from '../../resource/codec.ts'
import { unparsed } from '../catalogue/postgres.ts'
import { bracketed, SAVEPOINT, TRANSACTION, unshared } from '../sql/batch.ts'
import { cancelledBy, cancelPg, isPgBackend, whileWanted, withoutEvents } from '../sql/cancel.ts'
import { databaseStore } from '../sql/databases.ts'
import { inSnapshot } from '../sql/snapshot.ts'
import type { SqlClient, Statement } from '../sql/sql.ts'
import { textOf } from '../sql/text.ts'
import { describedBy, PLAIN_FIELDS, type PlainOptions } from './plain.ts'

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
export interface PgOptions extends PlainOptions {
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

const FIELDS: form.Fields<PgOptions> = {
  ...PLAIN_FIELDS,
  prepare: form.flag,
  replicas: form.list(form.structure),
}

/** Makes a datastore of a pool of `pg`, or of one of its clients, after reading its tables from the catalogue. */
export async function pgDatastore(database: PgDatabase, options: PgOptions = {}): Promise<PgDatastore> {
  const settings = form.settled('pgDatastore', options, FIELDS)
  const nameOf = namesOf(settings.prepare ?? false)
  return databaseStore(database, {
    clientOf: (one) => clientOf(one, nameOf),
    isPool,
    described: (client) => describedBy(client, settings, unparsed),
    replicas: settings.replicas,
  })
}

type NameOf = (text: string) => string | undefined

/** How many statements have names: connections keep them for ever, and filters make new ones without end. */
const MOST_NAMED = 500

// Processes that share connections through a proxy must not have one name for two statements.
function namesOf(prepare: boolean): NameOf {
  if (!prepare) return () => undefined
  const start = `edict_${crypto.randomUUID().slice(0, 8)}_`
  const names = new Map<string, string>()
  return (text) => {
    const known = names.get(text)
    if (known !== undefined || names.size === MOST_NAMED) return known
    const name = start + names.size
    names.set(text, name)
    return name
  }
}

function clientOf(database: PgDatabase, nameOf: NameOf): SqlClient {
  const types = typesOf(database)
  const cancellable = (signal: AbortSignal): SqlClient => {
    const on = <V>(work: (client: SqlClient) => Promise<V>): Promise<V> =>
      connected(database, (connection) =>
        whileWanted(
          signal,
          () => work(clientOf(connection, nameOf)),
          async () => isPgBackend(connection) && cancelPg(connection),
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
    const text = textOf('postgres', statement)
    const name = nameOf(text)
    const values = [...statement.values]
    return on.query({ text, values, rowMode: 'array', types, ...(name !== undefined && { name }) })
  }
  const rowsOn = (on: PgDatabase) => async (statement: Statement) =>
    (await run(statement, on)).rows as readonly RawRow[]
  const own: SqlClient = {
    dialect: 'postgres',
    cancellable,
    ...(isPool(database) && { snapshot: snapshotOf(database, nameOf) }),
    query: rowsOn(database),
    execute: async (statement) => ({ affected: (await run(statement)).rowCount ?? 0 }),
    batch: (statements) =>
      isPool(database)
        ? connected(database, (connection) => bracketed(rowsOn(connection), statements, TRANSACTION))
        : savepointed(rowsOn(database), statements),
  }
  return own
}

const snapshotOf =
  (pool: PgPool, nameOf: NameOf): NonNullable<SqlClient['snapshot']> =>
  (work, signal) =>
    connected(pool, (connection) => {
      const client = clientOf(connection, nameOf)
      const cancel = async (): Promise<unknown> => isPgBackend(connection) && cancelPg(connection)
      return inSnapshot(client, () => work(cancelledBy(client, signal, cancel)))
    })

async function connected<V>(database: PgDatabase, work: (connection: PgDatabase) => Promise<V>): Promise<V> {
  if (!isPool(database)) return work(database)
  const connection = await database.connect()
  withoutEvents(connection)
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

async function savepointed(
  run: (statement: Statement) => Promise<readonly RawRow[]>,
  statements: readonly Statement[],
): ReturnType<SqlClient['batch']> {
  try {
    return await bracketed(run, statements, SAVEPOINT)
  } catch (error) {
    throw (error as { readonly code?: unknown }).code === NO_TRANSACTION ? unshared() : error
  }
}

/** The numbers of char, name, text, char(n) and varchar, and of int8, int2, int4, oid and numeric. */
const UNPARSED = new Set([18, 19, 25, 1042, 1043, 20, 21, 23, 26, 1700])

// edict reads texts and numbers as the database writes them; users may have parsers for them. What it passes through is parsed
// as they have asked for it.
function typesOf(database: PgDatabase): PgTypes {
  const { getTypeParser, options } = database as Partial<PgTypes> & { readonly options?: { readonly types?: PgTypes } }
  const own = getTypeParser === undefined ? (options?.types ?? pg.types) : (database as unknown as PgTypes)
  return { getTypeParser: (oid, format) => (UNPARSED.has(oid) ? asIs : own.getTypeParser(oid, format)) }
}
