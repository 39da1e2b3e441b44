// The entry point `edict/mapper/prisma`: a datastore of the tables that a client of Prisma reaches, by its raw statements.
import { form } from '../../../../extend.ts'
import type { Datastore, RawRow } from '../../query.ts'
import { asIs } from '../../resource/codec.ts'
import type { Form } from '../catalogue/form.ts'
import { bracketed, inTurn, SAVEPOINT } from '../sql/batch.ts'
import { cancelledByMark } from '../sql/cancel.ts'
import { databaseStore } from '../sql/databases.ts'
import type { Changed, DialectName, SqlClient, Statement } from '../sql/sql.ts'
import { textOf } from '../sql/text.ts'
import { describedBy, PLAIN_FIELDS, type PlainOptions } from './plain.ts'

/** A client of Prisma, or the client of a transaction. */
export interface PrismaDatabase {
  /** Runs a statement and gives its rows. */
  $queryRawUnsafe(text: string, ...values: unknown[]): PromiseLike<unknown>
  /** Runs a statement and gives the number of rows that it changed. */
  $executeRawUnsafe(text: string, ...values: unknown[]): PromiseLike<number>
}

/** Options of a datastore of Prisma. */
export interface PrismaOptions extends PlainOptions {
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

const FIELDS: form.Fields<PrismaOptions> = {
  ...PLAIN_FIELDS,
  dialect: form.choice('sqlite', 'postgres', 'mysql'),
  replicas: form.list(form.anything),
}

/** Makes a datastore of a client of Prisma, after reading its tables from the catalogue. */
export async function prismaDatastore(database: PrismaDatabase, options: PrismaOptions = {}): Promise<PrismaDatastore> {
  const settings = form.settled('prismaDatastore', options, FIELDS)
  const { dialect = dialectOf(database), replicas } = settings
  return databaseStore(database, {
    clientOf: (one) => clientOf(one, dialect),
    // The client of a transaction begins no other one.
    isPool: (one) => (one as Transacting).$transaction !== undefined,
    described: (client) => describedBy(client, settings, dialect === 'sqlite' ? asPrismaHas : undefined),
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

function dialectOf(database: PrismaDatabase): DialectName {
  const provider = String((database as { readonly _activeProvider?: unknown })._activeProvider)
  const found = Object.hasOwn(PROVIDERS, provider) ? PROVIDERS[provider] : undefined
  if (found === undefined)
    throw new Error(`prismaDatastore: no SQL is known for the provider '${provider}': name one in the option 'dialect'`)
  return found
}

// Its adapters of SQLite write moments as their own option says: as texts with an offset, or as milliseconds.
function asPrismaHas(given: Form): Form {
  if (given.kind !== 'dateTime') return given
  const decode: Form['decode'] = (raw) =>
    typeof raw === 'number' || typeof raw === 'bigint' ? new Date(Number(raw)) : given.decode(raw)
  return { ...given, encode: asIs, decode }
}

function clientOf(database: PrismaDatabase, dialect: DialectName): SqlClient {
  const run = async <V>(work: PromiseLike<V>): Promise<V> => {
    try {
      return await work
    } catch (error) {
      throw told(dialect, error)
    }
  }
  const changed = (on: PrismaDatabase, statement: Statement): Promise<number> =>
    run(on.$executeRawUnsafe(textOf(dialect, statement), ...statement.values))
  const rowsOn =
    (on: PrismaDatabase): SqlClient['query'] =>
    async (statement) => {
      if (!isCommand(statement))
        return run(on.$queryRawUnsafe(textOf(dialect, statement), ...statement.values)) as Promise<RawRow[]>
      // Commands give no rows, which some adapters do not expect.
      await changed(on, statement)
      return []
    }
  const client: SqlClient = {
    dialect,
    cancellable: (signal) => cancelledByMark(client, signal),
    query: rowsOn(database),
    batch: (statements) =>
      (database as Transacting).$transaction === undefined
        ? bracketed(rowsOn(database), statements, SAVEPOINT)
        : onOneConnection(database, (on) => inTurn(rowsOn(on), statements)),
    async execute(statement): Promise<Changed> {
      if (dialect !== 'mysql' || !/^(?:\/\*.*?\*\/ )?insert/.test(statement.strings[0] ?? ''))
        return { affected: await changed(database, statement) }
      // A pool would ask another connection for the key.
      return onOneConnection(database, async (on) => {
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
  if (dialect === 'sqlite' || (database as Transacting).$transaction === undefined) return client
  const snapshot: SqlClient['snapshot'] = (work, signal) =>
    onOneConnection(
      database,
      (on) => {
        const inner = clientOf(on, dialect)
        return work(signal === undefined ? inner : cancelledByMark(inner, signal, client))
      },
      { isolationLevel: 'RepeatableRead', timeout: LONGEST },
    )
  return Object.assign(client, { snapshot })
}

const isCommand = ({ strings }: Statement): boolean => SAVEPOINT.includes(strings[0] ?? '')

/** The longest time that a clock can be set to. */
const LONGEST = 2 ** 31 - 1

type Work<V> = (on: PrismaDatabase) => Promise<V>

/** A client that is in no transaction yet. */
interface Transacting {
  $transaction?<V>(work: Work<V>, options?: object): Promise<V>
}

function onOneConnection<V>(database: PrismaDatabase, work: Work<V>, options: object = {}): Promise<V> {
  const { $transaction } = database as Transacting
  return $transaction === undefined
    ? work(database)
    : $transaction.call<PrismaDatabase, [Work<V>, object], Promise<V>>(database, work, options)
}

interface Told {
  readonly meta?: { readonly driverAdapterError?: { readonly cause?: Cause } }
}

interface Cause {
  readonly kind?: unknown
  readonly originalCode?: unknown
}

/** The names that its adapters have for a database that cannot be reached, without a code of the database. */
const UNREACHED: ReadonlySet<unknown> = new Set([
  ...['DatabaseNotReachable', 'ConnectionClosed', 'TooManyConnections', 'SocketTimeout', 'TransactionWriteConflict'],
])

/** Gives an error in which the code of the database is where those of its own clients have it. */
function told(dialect: DialectName, error: unknown): unknown {
  const { kind, originalCode } = (error as Told | undefined)?.meta?.driverAdapterError?.cause ?? {}
  if (originalCode === undefined && !UNREACHED.has(kind)) return error
  const made = new Error('The database refused a statement of Prisma', { cause: error })
  if (originalCode === undefined) return Object.assign(made, { code: 'CONNECTION_CLOSED' })
  return Object.assign(made, dialect === 'postgres' ? { code: originalCode } : { errno: Number(originalCode) })
}
