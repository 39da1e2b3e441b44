// The entry point `edict/mapper/prisma`: a datastore of the tables of a Prisma client, which runs raw statements.
import { form, readProperty } from '../../../extend.ts'
import { asIs } from '../../query/as-is.ts'
import type { Datastore, RawRow } from '../../query/query.ts'
import type { ColumnCodec } from '../catalogue/column-codec.ts'
import { openDatastore } from '../open-datastore.ts'
import { runBetween, runSequentially, type TransactionCommands } from '../sql/batch.ts'
import { withTaggedCancellation } from '../sql/cancel.ts'
import { createTransactionClient, type OneConnection } from '../sql/one-connection.ts'
import type { DialectName, SqlClient, Statement, WriteResult } from '../sql/sql.ts'
import { formatStatement } from '../sql/sql-text.ts'
import { DRIVER_FIELDS, type DriverOptions, loadTableDescriber } from './drivers.ts'

/** A Prisma client, or the client of a transaction. */
export interface PrismaDatabase {
  /** Runs a statement and returns its rows. */
  $queryRawUnsafe(text: string, ...values: unknown[]): PromiseLike<unknown>
  /** Runs a statement and returns the number of changed rows. */
  $executeRawUnsafe(text: string, ...values: unknown[]): PromiseLike<number>
}

/** The options of a Prisma datastore. */
export interface PrismaOptions extends DriverOptions {
  /**
   * The SQL dialect of the database.
   * @default as the client's `provider` says
   */
  readonly dialect?: DialectName
  /**
   * Clients of replicas, one for each node: reads run on them, writes on the database itself.
   * @default none
   * @see docs/guide/scaling-out.md
   */
  readonly replicas?: readonly PrismaDatabase[]
}

/** A datastore of the tables of a Prisma client, by their names in the database. */
export interface PrismaDatastore extends Datastore<string> {
  /** Returns a datastore of the same tables on a transaction, or on another client of the same database. */
  withDatabase(database: PrismaDatabase): PrismaDatastore
}

const PRISMA_FIELDS: form.Fields<PrismaOptions> = {
  ...DRIVER_FIELDS,
  dialect: form.choice('sqlite', 'postgres', 'mysql'),
  replicas: form.list(form.anything),
}

/** Creates a datastore of a Prisma client: reads its tables from the catalogue first. */
export async function prismaDatastore(database: PrismaDatabase, options: PrismaOptions = {}): Promise<PrismaDatastore> {
  const settings = form.validateSettings('prismaDatastore', options, PRISMA_FIELDS)
  const { dialect = detectDialect(database), replicas } = settings
  return openDatastore(database, {
    createClient: (one) => createClient(one, dialect),
    isPool: isTransactional,
    isDatabase: (one) => typeof readProperty(one, '$executeRawUnsafe') === 'function',
    loadDescriber: (client) =>
      loadTableDescriber(client, settings, dialect === 'sqlite' ? withPrismaTimestamps : undefined),
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

// Prisma's SQLite adapters write timestamps by their own option: as texts with an offset, or as milliseconds.
function withPrismaTimestamps(codec: ColumnCodec): ColumnCodec {
  if (codec.kind !== 'dateTime') return codec
  const decode: ColumnCodec['decode'] = (raw) =>
    typeof raw === 'number' || typeof raw === 'bigint' ? new Date(Number(raw)) : codec.decode(raw)
  return { ...codec, encode: asIs, decode }
}

function createClient(database: PrismaDatabase, dialect: DialectName): SqlClient {
  const run = async <V>(work: PromiseLike<V>): Promise<V> => {
    try {
      return await work
    } catch (error) {
      throw exposeDatabaseCode(dialect, error)
    }
  }
  const executeOn = (on: PrismaDatabase, statement: Statement): Promise<number> =>
    run(on.$executeRawUnsafe(formatStatement(dialect, statement), ...statement.values))
  const queryOn =
    (on: PrismaDatabase): SqlClient['query'] =>
    async (statement) => {
      if (!isSavepointCommand(statement))
        return run(on.$queryRawUnsafe(formatStatement(dialect, statement), ...statement.values)) as Promise<RawRow[]>
      // Commands return no rows, which some adapters do not expect.
      await executeOn(on, statement)
      return []
    }
  const connection: OneConnection = {
    dialect,
    query: queryOn(database),
    async execute(statement): Promise<WriteResult> {
      if (dialect !== 'mysql' || !/^(?:\/\*.*?\*\/ )?insert/.test(statement.strings[0] ?? ''))
        return { affected: await executeOn(database, statement) }
      // With a pool, another connection might be asked for the key.
      return runOnOneConnection(database, async (on) => {
        const affected = await executeOn(on, statement)
        const [row] = (await run(on.$queryRawUnsafe('select last_insert_id() as c0'))) as { c0: unknown }[]
        return { affected, insertId: row?.c0 }
      })
    },
    withSignal: (signal) => withTaggedCancellation(connection, signal),
  }
  if (!isTransactional(database))
    return createTransactionClient(dialect === 'postgres' ? withGuardedWrites(connection) : connection, database)
  const snapshot: SqlClient['snapshot'] = (work, signal) =>
    runOnOneConnection(
      database,
      (on) => {
        const inner = createClient(on, dialect)
        return work(signal === undefined ? inner : withTaggedCancellation(inner, signal, client))
      },
      { isolationLevel: 'RepeatableRead', timeout: MAX_TIMEOUT_MS },
    )
  const client: SqlClient = {
    ...connection,
    withSignal: (signal) => withTaggedCancellation(client, signal),
    // With SQLite, Prisma has one connection, which a snapshot would block.
    ...(dialect !== 'sqlite' && { snapshot }),
    batch: (statements) => runOnOneConnection(database, (on) => runSequentially(queryOn(on), statements)),
    transaction: (work) => runOnOneConnection(database, (on) => work(createClient(on, dialect))),
  }
  return client
}

// PostgreSQL aborts a transaction at a conflict, and Prisma's error does not have its values: after a savepoint, the database
// can be asked for what it was about.
function withGuardedWrites(connection: OneConnection): OneConnection {
  const { query, execute } = connection
  const guard =
    <V>(send: (statement: Statement) => Promise<V>) =>
    (statement: Statement): Promise<V> =>
      isWrite(statement) ? runBetween(query, GUARD, () => send(statement)) : send(statement)
  return { ...connection, query: guard(query), execute: guard(execute) }
}

const isWrite = ({ strings }: Statement): boolean =>
  /^(?:\/\*.*?\*\/ )?(?:with|insert|update|delete)\b/.test(strings[0] ?? '')

const GUARD: TransactionCommands = [
  'savepoint edict_write',
  'release savepoint edict_write',
  'rollback to savepoint edict_write',
]

const isSavepointCommand = ({ strings }: Statement): boolean =>
  /^(?:savepoint|release savepoint|rollback to savepoint) edict_\w+$/.test(strings[0] ?? '')

/** The longest delay of a timer. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1

type TransactionWork<V> = (on: PrismaDatabase) => Promise<V>

/** A client that is not in a transaction. */
interface TransactionalClient extends PrismaDatabase {
  $transaction<V>(work: TransactionWork<V>, options?: object): Promise<V>
  $disconnect(): Promise<void>
}

// The client of a transaction cannot be disconnected, in all versions; in some of them it has `$transaction` too.
const isTransactional = (database: PrismaDatabase): database is TransactionalClient => {
  const { $transaction, $disconnect } = database as Partial<TransactionalClient>
  return $transaction !== undefined && $disconnect !== undefined
}

function runOnOneConnection<V>(database: PrismaDatabase, work: TransactionWork<V>, options: object = {}): Promise<V> {
  return isTransactional(database) ? database.$transaction(work, options) : work(database)
}

interface PrismaError {
  readonly meta?: { readonly driverAdapterError?: { readonly cause?: AdapterErrorCause } }
}

interface AdapterErrorCause {
  readonly kind?: unknown
  readonly originalCode?: unknown
  readonly originalMessage?: string
  /** The constraint that a conflict violates. */
  readonly constraint?: { readonly fields?: readonly string[]; readonly index?: string }
}

/** The adapters' names for an unreachable database, which come without a database code. */
const UNREACHABLE_KINDS: ReadonlySet<unknown> = new Set([
  ...['DatabaseNotReachable', 'ConnectionClosed', 'TooManyConnections', 'SocketTimeout', 'TransactionWriteConflict'],
])

/** Returns an error with the database code in the property that the database's own drivers use. */
function exposeDatabaseCode(dialect: DialectName, error: unknown): unknown {
  const { kind, originalCode, originalMessage, constraint } =
    (error as PrismaError | undefined)?.meta?.driverAdapterError?.cause ?? {}
  if (originalCode === undefined && !UNREACHABLE_KINDS.has(kind)) return error
  const wrapped = new Error('The database refused a statement of Prisma', { cause: error })
  if (originalCode === undefined) return Object.assign(wrapped, { code: 'CONNECTION_CLOSED' })
  if (dialect !== 'postgres')
    return Object.assign(wrapped, { errno: Number(originalCode), ...(originalMessage && { message: originalMessage }) })
  const { fields, index } = constraint ?? {}
  const detail = fields === undefined ? undefined : `(${fields.join(', ')})=(`
  return Object.assign(wrapped, { code: originalCode, detail, constraint: index })
}
