// Where lists are kept: in memory, and in each database engine through Drizzle and every client that reads the catalogue.
import { createClient } from '@libsql/client'
import { drizzle as libsql } from 'drizzle-orm/libsql'
import { drizzle as mysql2 } from 'drizzle-orm/mysql2'
import { drizzle as nodePostgres } from 'drizzle-orm/node-postgres'
import type { Application } from 'edict'
import { type Datastore, memoryDatastore } from 'edict/mapper'
import { drizzleDatastore } from 'edict/mapper/drizzle'
import { createPool } from 'mysql2/promise'
import pg from 'pg'
import type { DialectName } from '../../../src/plugins/datastores/sql/sql.ts'
import {
  type CatalogueClient,
  clientsAndPrismaOn,
  isNewer,
  openCatalogued,
} from '../../support/engines/clients/catalogued.ts'
import type { Engine } from '../../support/engines/engine.ts'
import { type Abilities, COLUMNS, type Content, type Row, type Value } from './contents.ts'
import { applicationIn, TABLES, type Tables } from './design.ts'
import type { Written } from './filters.ts'
import { writtenFor } from './oracle.ts'
import { createTables, memoryTables, mysqlTables, postgresTables, sqliteTables } from './tables.ts'

export type Client = 'Drizzle' | CatalogueClient

/** The clients of a database that this process has. */
export const allClientsOn = (dialect: DialectName): readonly Client[] => [
  ...(isNewer ? [] : (['Drizzle'] as const)),
  ...clientsAndPrismaOn(dialect),
]

/** An application over tables that can be filled. */
export interface Served {
  readonly app: Application
  /** Puts other rows in place of all. */
  fill(content: Content): Promise<void>
}

/** An application over a database, and a connection of its own to that. */
export interface Target extends Served {
  readonly able: Abilities
  readonly written: Written
  /** Writes one step of an order: nulls last when it ascends and first when it descends. */
  nulls(column: string, descending: boolean): string
  /** Runs a statement on the other connection; a statement that reads gives its rows. */
  query(statement: string): Promise<readonly (readonly unknown[])[]>
  close(): Promise<void>
}

/** Makes a database with the tables, and opens it. */
export async function openTarget(engine: Engine, client: Client, serve = applicationIn): Promise<Target> {
  const { dialect } = engine
  const database = await engine.createDatabase()
  await database.run(...createTables(dialect))
  const connection = await openConnection(dialect, database.url)
  const { datastore, end } = await openStore(client, dialect, database.url)
  const tables = client === 'Drizzle' ? DRIZZLE_TABLES[dialect] : named
  const written = writtenIn(dialect, client)
  return {
    app: serve(datastore, tables as unknown as Tables<never>),
    able: { micros: dialect !== 'sqlite', wide: dialect !== 'sqlite' || client !== 'Drizzle' },
    written,
    nulls: NULLS[dialect],
    query: connection.query,
    async fill(content) {
      for (const statement of fillings(content, written)) await connection.query(statement)
    },
    async close() {
      await Promise.all([end(), connection.end()])
      await database.close()
    },
  }
}

/** The statements that put rows in place of all. */
function fillings(content: Content, written: Written): string[] {
  const rowsOf = (name: (typeof TABLES)[number]) => {
    if (name === 'singles' || name === 'pairs') return name === content.table ? content.items : []
    return content[name]
  }
  return TABLES.flatMap((name) => {
    const columns = Object.entries(name === 'singles' || name === 'pairs' ? COLUMNS.items : COLUMNS[name])
    const tuples = rowsOf(name).map(
      (row) => `(${columns.map(([column, kind]) => written.literal(row[column] ?? null, kind)).join()})`,
    )
    const cleared = `delete from ${name}`
    return tuples.length === 0 ? [cleared] : [cleared, `insert into ${name} values ${tuples.join()}`]
  })
}

/** Opens tables in memory. */
export function openMemory(serve = applicationIn): Served {
  const datastore = memoryDatastore(memoryTables)
  return {
    app: serve(datastore, named),
    async fill(content) {
      for (const name of TABLES) await datastore.delete(datastore.table(name), { op: 'and', of: [] })
      const put = async (name: string, rows: readonly Row[]): Promise<void> => {
        const table = datastore.table(name)
        const value = (kind: string, given: Value | null): unknown =>
          kind === 'dateTime' && given !== null ? new Date(`${String(given).slice(0, 23)}Z`) : given
        for (const row of rows)
          await datastore.insert(
            table,
            new Map([...table.columns].map(([column, one]) => [one, value(one.kind, row[column] ?? null)])),
          )
      }
      await put('towns', content.towns)
      await put('owners', content.owners)
      await put(content.table, content.items)
      await put('marks', content.marks)
    },
  }
}

// --- how each is opened -----------------------------------------------------------------

interface Store {
  readonly datastore: Datastore<never>
  end(): Promise<unknown>
}

/** Opens a datastore on a database. */
export async function openStore(client: Client, dialect: DialectName, url: string): Promise<Store> {
  if (client === 'Drizzle') return DRIZZLE[dialect](url) as unknown as Store
  return (await openCatalogued(client, dialect, url)) as unknown as Store
}

const named = Object.fromEntries(TABLES.map((name) => [name, name])) as Tables<string>

const DRIZZLE_TABLES = { sqlite: sqliteTables, postgres: postgresTables, mysql: mysqlTables }

const DRIZZLE = {
  sqlite(url: string) {
    const client = createClient({ url })
    return { datastore: drizzleDatastore(libsql(client)), end: async () => client.close() }
  },
  postgres(url: string) {
    const pool = new pg.Pool({ connectionString: url, max: 3 })
    return { datastore: drizzleDatastore(nodePostgres(pool)), end: () => pool.end() }
  },
  mysql(url: string) {
    const pool = createPool({ uri: url, connectionLimit: 3 })
    return { datastore: drizzleDatastore(mysql2(pool)), end: () => pool.end() }
  },
}

/** Opens a connection that knows nothing of datastores. */
export const openConnection = (dialect: DialectName, url: string): Promise<Connection> => CONNECTIONS[dialect](url)

/** A connection to a database. */
export interface Connection {
  query(statement: string): Promise<readonly (readonly unknown[])[]>
  end(): Promise<unknown>
}

const CONNECTIONS: Readonly<Record<DialectName, (url: string) => Promise<Connection>>> = {
  async sqlite(url) {
    const client = createClient({ url })
    return {
      query: async (statement) => (await client.execute(statement)).rows.map((row) => Object.values(row)),
      end: async () => client.close(),
    }
  },
  async postgres(url) {
    const pool = new pg.Pool({ connectionString: url, max: 1 })
    return {
      query: async (text) => (await pool.query<unknown[]>({ text, rowMode: 'array' })).rows,
      end: () => pool.end(),
    }
  },
  async mysql(uri) {
    const pool = createPool({ uri, connectionLimit: 1 })
    return {
      query: async (sql) => {
        const [rows] = await pool.query({ sql, rowsAsArray: true })
        return Array.isArray(rows) ? (rows as unknown as unknown[][]) : []
      },
      end: () => pool.end(),
    }
  },
}

const plain = (column: string, descending: boolean): string => `${column} ${descending ? 'desc' : 'asc'}`

/** How each dialect writes a step of an order: nulls last when it ascends and first when it descends. */
export const NULLS: Readonly<Record<DialectName, Target['nulls']>> = {
  sqlite: (column, descending) => `${plain(column, descending)} nulls ${descending ? 'first' : 'last'}`,
  postgres: (column, descending) => `${plain(column, descending)} nulls ${descending ? 'first' : 'last'}`,
  mysql: (column, descending) => `${plain(`isnull(${column})`, descending)}, ${plain(column, descending)}`,
}

function writtenIn(dialect: DialectName, client: Client): Written {
  const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`
  if (dialect === 'postgres') return writtenFor(quote, (value) => `'${value}+00'`, true)
  if (dialect === 'mysql')
    return writtenFor(
      (text) => quote(text.replaceAll('\\', '\\\\')),
      (value) => `'${value.replace('T', ' ')}'`,
      false,
    )
  // Drizzle's moments are numbers there, and those of the others are texts; Prisma's have an offset.
  const iso = (value: string): string => `${value.slice(0, 23)}${client === 'Prisma' ? '+00:00' : 'Z'}`
  const moment = (value: string): string => (client === 'Drizzle' ? String(Date.parse(iso(value))) : quote(iso(value)))
  return {
    ...writtenFor(quote, moment, false),
    begins: (column, part) => `substr(${column}, 1, length(${part})) = ${part}`,
    ends: (column, part) => `substr(${column}, -length(${part})) = ${part}`,
    contains: (column, part) => `instr(${column}, ${part}) > 0`,
  }
}
