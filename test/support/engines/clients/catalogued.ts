// The clients whose datastores read the catalogue, on every engine of the tests. Some of SQLite need a newer Node than the
// oldest that edict supports: test/lists/datastores/newer-node.test.ts runs the tests of those in a process of their own.
import type { Datastore } from 'edict/mapper'
import { kyselyDatastore } from 'edict/mapper/kysely'
import type { DialectName } from '../../../../src/plugins/datastores/sql/sql.ts'
import type { EngineNeed } from '../engine.ts'
import { openKysely } from '../kysely.ts'
import { startMariadb } from '../mariadb.ts'
import { startPostgres } from '../postgres.ts'
import { startSqlite } from '../sqlite.ts'
import { openPlain } from './plain.ts'
import { openPrismaStore, prismaNeed } from './prisma.ts'

/** How a client differs from the usual one. */
export interface ClientSettings {
  /** The statement that every connection runs first. */
  readonly session?: string
  /** Whether the driver gives what it reads in other forms than it usually does. */
  readonly odd?: boolean
  /** Whether statements are prepared. */
  readonly prepare?: boolean
  /** Is told the text of every statement. */
  readonly log?: (sql: string) => void
}

/** A datastore that is open. */
export interface Catalogued {
  readonly datastore: Datastore<string>
  /** Does something in a transaction, which is rolled back when it throws. */
  transaction(work: (datastore: Datastore<string>) => Promise<void>): Promise<void>
  /** Closes its connections. */
  end(): Promise<void>
}

/** The clients of each dialect. */
export type CatalogueClient = 'Kysely' | 'pg' | 'mysql2' | 'better-sqlite3' | 'node:sqlite' | 'Prisma'

/** Whether this process was started, on a newer Node, for the clients that need one. */
export const isNewer: boolean = process.env['EDICT_NEWER_NODE'] !== undefined

const CLIENTS: Readonly<Record<DialectName, readonly CatalogueClient[]>> = isNewer
  ? { sqlite: ['better-sqlite3', 'node:sqlite'], postgres: [], mysql: [] }
  : { sqlite: ['Kysely'], postgres: ['Kysely', 'pg'], mysql: ['Kysely', 'mysql2'] }

/** The clients that read the catalogue of a database, but for Prisma. */
export const clientsOn = (dialect: DialectName): readonly CatalogueClient[] => CLIENTS[dialect]

/** The same, and Prisma where it is installed. */
export const clientsAndPrismaOn = (dialect: DialectName): readonly CatalogueClient[] =>
  isNewer || prismaNeed.missing !== undefined ? CLIENTS[dialect] : [...CLIENTS[dialect], 'Prisma']

/** All engines that this process has clients for. */
export async function enginesHere(): Promise<readonly EngineNeed[]> {
  return isNewer ? [await startSqlite()] : Promise.all([startSqlite(), startPostgres(), startMariadb()])
}

/** Opens a datastore on a test database. */
export async function openCatalogued(
  client: CatalogueClient,
  dialect: DialectName,
  url: string,
  settings: ClientSettings = {},
): Promise<Catalogued> {
  if (client === 'Prisma') return openPrismaStore(dialect, url)
  if (client !== 'Kysely') return openPlain(client, url, settings)
  const { log } = settings
  const db = openKysely<Record<string, object>>(dialect, url, {
    ...settings,
    log: ({ query }) => log?.(query.sql),
  })
  const datastore = await kyselyDatastore(db)
  return {
    datastore,
    transaction: (work) => db.transaction().execute((within) => work(datastore.withDatabase(within))),
    end: () => db.destroy(),
  }
}
