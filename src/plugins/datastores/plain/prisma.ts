// The entry point `edict/mapper/prisma`: a datastore of the tables that a client of Prisma reaches, by its raw statements.
import { form } from '../../../extend.ts'
import type { Datastore, RawRow } from '../../query/query.ts'
import { asIs } from '../../query/as-is.ts'
import type { ColumnCodec } from '../catalogue/column-codec.ts'
import { runInTransaction, runSequentially, SAVEPOINT } from '../sql/batch.ts'
import { withTaggedCancellation } from '../sql/cancel.ts'
import { openDatastore } from '../open-datastore.ts'
import type { WriteResult, DialectName, SqlClient, Statement } from '../sql/sql.ts'
import { formatStatement } from '../sql/sql-text.ts'
import { loadTableDescriber, DRIVER_FIELDS, type DriverOptions } from './drivers.ts'

/** A client of Prisma, or the client of a transaction. */
export interface PrismaDatabase {
  /** Runs a statement and gives its rows. */
  $queryRawUnsafe(text: string, ...values: unknown[]): PromiseLike<unknown>
  /** Runs a statement and gives the number of rows that it changed. */
  $executeRawUnsafe(text: string, ...values: unknown[]): PromiseLike<number>
}

/** Options of a datastore of Prisma. */
export interface PrismaOptions extends DriverOptions {
  /**
   * Which SQL the database speaks.
   * @default as the client's `provider` says
   */
  readonly dialect?: DialectName
  /**
   * Clients of replicas, one for each node: reads go to them, writes to the database itself.
   * @default none
   * @see docs/guide/scaling-out.md
   */
  readonly replicas?: readonly PrismaDatabase[]
}

/** A datastore of the tables that a client of Prisma reaches, by the names that the database has for them. */
export interface PrismaDatastore extends Datastore<string> {
  /** The same tables through a transaction, or through another client of the same database. */
  withDatabase(database: PrismaDatabase): PrismaDatastore
}

const PRISMA_FIELDS: form.Fields<PrismaOptions> = {
  ...DRIVER_FIELDS,
  dialect: form.choice('sqlite', 'postgres', 'mysql'),
  replicas: form.list(form.anything),
}

/** Makes a datastore of a client of Prisma, after reading its tables from the catalogue. */
export async function prismaDatastore(database: PrismaDatabase, options: PrismaOptions = {}): Promise<PrismaDatastore> {
  const settings = form.validateSettings('prismaDatastore', options, PRISMA_FIELDS)
  const { dialect = detectDialect(database), replicas } = settings
  return openDatastore(database, {
    createClient: (one) => createClient(one, dialect),
    // The client of a transaction begins no other one.
    isPool: (one) => (one as TransactionalClient).$transaction !== undefined,
    loadDescriber: (client) => loadTableDescriber(client, settings, dialect === 'sqlite' ? withPrismaTimestamps : undefined),
    replicas,
  })
}

const PROVIDERS: Readonly<Record<string, DialectName>> = {
  sqlite: 'sqlite',
  postgres: 'postgres',
  postgresql: 'postgres',
  cockroachdb: 'postgres',
  mysql: 'mysql',
}

function detectDialect(database: PrismaDatabase): DialectName {
  const provider = String((database as { readonly _activeProvider?: unknown })._activeProvider)
  const found = Object.hasOwn(PROVIDERS, provider) ? PROVIDERS[provider] : undefined
  if (found === undefined)
    throw new Error(`prismaDatastore: no SQL is known for the provider '${provider}': name one in the option 'dialect'`)
  return found
}

// Its adapters of SQLite write moments as their own option says: as texts with an offset, or as milliseconds.
function withPrismaTimestamps(given: ColumnCodec): ColumnCodec {
  if (given.kind !== 'dateTime') return given
  const decode: ColumnCodec['decode'] = (raw) =>
    typeof raw === 'number' || typeof raw === 'bigint' ? new Date(Number(raw)) : given.decode(raw)
  return { ...given, encode: asIs, decode }
}

function createClient(database: PrismaDatabase, dialect: DialectName): SqlClient {
  const run = async <V>(work: PromiseLike<V>): Promise<V> => {
    try {
      return await work
    } catch (error) {
      throw exposeDatabaseCode(dialect, error)
    }
  }
  const changed = (on: PrismaDatabase, statement: Statement): Promise<number> =>
    run(on.$executeRawUnsafe(formatStatement(dialect, statement), ...statement.values))
  const rowsOn =
    (on: PrismaDatabase): SqlClient['query'] =>
    async (statement) => {
      if (!isSavepointCommand(statement))
        return run(on.$queryRawUnsafe(formatStatement(dialect, statement), ...statement.values)) as Promise<RawRow[]>
      // Commands give no rows, which some adapters do not expect.
      await changed(on, statement)
      return []
    }
  const client: SqlClient = {
    dialect,
    withSignal: (signal) => withTaggedCancellation(client, signal),
    query: rowsOn(database),
    batch: (statements) =>
      (database as TransactionalClient).$transaction === undefined
        ? runInTransaction(rowsOn(database), statements, SAVEPOINT)
        : runOnOneConnection(database, (on) => runSequentially(rowsOn(on), statements)),
    async execute(statement): Promise<WriteResult> {
      if (dialect !== 'mysql' || !/^(?:\/\*.*?\*\/ )?insert/.test(statement.strings[0] ?? ''))
        return { affected: await changed(database, statement) }
      // A pool would ask another connection for the key.
      return runOnOneConnection(database, async (on) => {
        const affected = await changed(on, statement)
        const [row] = (await run(on.$queryRawUnsafe('select last_insert_id() as c0'))) as { c0: unknown }[]
        return { affected, insertId: row?.c0 }
      })
    },
  }
  return withSnapshots(client, database)
}

function withSnapshots(client: SqlClient, database: PrismaDatabase): SqlClient {
  const { dialect } = client
  // Its SQLite has one connection, which everybody else would wait for.
  if (dialect === 'sqlite' || (database as TransactionalClient).$transaction === undefined) return client
  const snapshot: SqlClient['snapshot'] = (work, signal) =>
    runOnOneConnection(
      database,
      (on) => {
        const inner = createClient(on, dialect)
        return work(signal === undefined ? inner : withTaggedCancellation(inner, signal, client))
      },
      { isolationLevel: 'RepeatableRead', timeout: MAX_TIMEOUT_MS },
    )
  return Object.assign(client, { snapshot })
}

const isSavepointCommand = ({ strings }: Statement): boolean => SAVEPOINT.includes(strings[0] ?? '')

/** The longest time that a clock can be set to. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1

type TransactionWork<V> = (on: PrismaDatabase) => Promise<V>

/** A client that is in no transaction yet. */
interface TransactionalClient {
  $transaction?<V>(work: TransactionWork<V>, options?: object): Promise<V>
}

function runOnOneConnection<V>(database: PrismaDatabase, work: TransactionWork<V>, options: object = {}): Promise<V> {
  const { $transaction } = database as TransactionalClient
  return $transaction === undefined
    ? work(database)
    : $transaction.call<PrismaDatabase, [TransactionWork<V>, object], Promise<V>>(database, work, options)
}

interface PrismaError {
  readonly meta?: { readonly driverAdapterError?: { readonly cause?: AdapterErrorCause } }
}

interface AdapterErrorCause {
  readonly kind?: unknown
  readonly originalCode?: unknown
}

/** The names that its adapters have for a database that cannot be reached, without a code of the database. */
const UNREACHABLE_KINDS: ReadonlySet<unknown> = new Set([
  ...['DatabaseNotReachable', 'ConnectionClosed', 'TooManyConnections', 'SocketTimeout', 'TransactionWriteConflict'],
])

/** Gives an error in which the code of the database is where those of its own clients have it. */
function exposeDatabaseCode(dialect: DialectName, error: unknown): unknown {
  const { kind, originalCode } = (error as PrismaError | undefined)?.meta?.driverAdapterError?.cause ?? {}
  if (originalCode === undefined && !UNREACHABLE_KINDS.has(kind)) return error
  const made = new Error('The database refused a statement of Prisma', { cause: error })
  if (originalCode === undefined) return Object.assign(made, { code: 'CONNECTION_CLOSED' })
  return Object.assign(made, dialect === 'postgres' ? { code: originalCode } : { errno: Number(originalCode) })
}
