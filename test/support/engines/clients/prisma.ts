// Prisma on every engine of the tests, where it is installed: `npm ci --prefix test/lists/prisma`.
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { type PrismaDatabase, prismaDatastore } from 'edict/mapper/prisma'
import type { Need } from '../../../../scripts/machine.ts'
import type { DialectName } from '../../../../src/plugins/datastores/sql/sql.ts'
import type { Catalogued, ClientSettings } from './catalogued.ts'

const home = fileURLToPath(new URL('../../../lists/prisma/', import.meta.url))

/** The generated clients that tests of Prisma need, and how to make them. */
export const prismaNeed: Need = {
  name: 'Prisma',
  missing: existsSync(`${home}node_modules/.clients/mysql/index.js`)
    ? undefined
    : 'not installed, npm ci --prefix test/lists/prisma',
}

/** A client, as far as tests use it. */
export interface Prisma extends PrismaDatabase {
  $transaction<V>(work: (transaction: PrismaDatabase) => Promise<V>): Promise<V>
  $disconnect(): Promise<void>
  readonly thing: {
    create(query: { readonly data: object }): Promise<{ readonly id: number; readonly at: Date }>
  }
}

/** Opens a client. */
export function openPrisma(dialect: DialectName, url: string, format?: string): Prisma {
  const require = createRequire(home)
  const { PrismaClient } = require(`./node_modules/.clients/${PROVIDERS[dialect]}/index.js`)
  const adapter = (name: string): any => require(`@prisma/adapter-${name}`)
  // Prisma ends transactions after 5 seconds, which a busy machine may need.
  const transactionOptions = { maxWait: 60_000, timeout: 60_000 }
  return new PrismaClient({ adapter: ADAPTERS[dialect](adapter, url, format), transactionOptions }) as Prisma
}

const PROVIDERS: Readonly<Record<DialectName, string>> = { sqlite: 'sqlite', postgres: 'postgresql', mysql: 'mysql' }

const ADAPTERS: Readonly<
  Record<DialectName, (adapter: (name: string) => any, url: string, format?: string) => unknown>
> = {
  sqlite(adapter, url, timestampFormat) {
    const { PrismaLibSql } = adapter('libsql')
    return new PrismaLibSql({ url }, { ...(timestampFormat && { timestampFormat }) })
  },
  postgres(adapter, connectionString) {
    const { PrismaPg } = adapter('pg')
    return new PrismaPg({ connectionString, max: 3 })
  },
  mysql(adapter, url) {
    const { PrismaMariaDb } = adapter('mariadb')
    const { hostname: host, port, username: user, password, pathname } = new URL(url)
    return new PrismaMariaDb({
      ...{ host, port: Number(port), user, password: decodeURIComponent(password), connectionLimit: 3 },
      database: pathname.slice(1),
    })
  },
}

/** Opens a datastore. */
export async function openPrismaStore(
  dialect: DialectName,
  url: string,
  { format }: ClientSettings & { readonly format?: string } = {},
): Promise<Catalogued> {
  const prisma = openPrisma(dialect, url, format)
  const datastore = await prismaDatastore(prisma)
  return {
    datastore,
    transaction: (work) => prisma.$transaction((within) => work(datastore.withDatabase(within))),
    end: () => prisma.$disconnect(),
  }
}
