// Exact decimals in lists: written, filtered, ordered and walked by their numbers, where doubles cannot tell them apart.
import * as mysql from 'drizzle-orm/mysql-core'
import * as pg from 'drizzle-orm/pg-core'
import * as lite from 'drizzle-orm/sqlite-core'
import { type Application, application, collectionOf, controller, endpoint, mediaType, route, t } from 'edict'
import { type Datastore, FilteringParams, mapper, memoryDatastore, resource } from 'edict/mapper'
import { OrderingParams, PaginationParams, paginate, pagination } from 'edict/pagination'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DialectName } from '../../../src/plugins/datastores/sql/sql.ts'
import { compareDecimals } from '../../../src/util/decimal.ts'
import { askFetch } from '../../support/ask.ts'
import { startMariadb } from '../../support/engines/mariadb.ts'
import { startPostgres } from '../../support/engines/postgres.ts'
import { startSqlite } from '../../support/engines/sqlite.ts'
import { openStore } from '../walks/targets.ts'
import { follow } from '../walks/walk.ts'

const accountOf = (precision: number, scale: number) =>
  mediaType('Account', {
    attributes: {
      id: t.integer({ required: true }),
      amount: t.decimal({ precision, scale, required: true }),
      limit: t.decimal({ precision, scale, nullable: true }),
    },
  })
type Account = ReturnType<typeof accountOf>

const accountsOf = (Account: Account) =>
  endpoint('Accounts', {
    mediaType: Account,
    actions: {
      index: {
        routing: route.get('/'),
        params: {
          pagination: PaginationParams.for(Account),
          order: OrderingParams.for(Account),
          filters: FilteringParams.for(Account),
        },
        responses: { ok: collectionOf(Account) },
      },
    },
  })

/** Numbers of 25 digits, the last of which no double has; and those of 15, which one has. */
const LONG = ['9007199254740993', '9007199254740992', '12345678901234567.00000001', '12345678901234567.00000002']
const LONGER = [...LONG, '-12345678901234567.00000001', '-12345678901234567.00000002']
const SHORT = [
  '0',
  '-0.5',
  '9',
  '10',
  '9.5',
  '-10',
  '0.00000001',
  '0.00000002',
  '1234567.00000001',
  '-9999999.99999999',
]

interface Row {
  readonly id: number
  readonly amount: string
  readonly limit: string | null
}

const padded = (text: string): string => `${text.split('.')[0]}.${(text.split('.')[1] ?? '').padEnd(8, '0')}`
const rowsOf = (numbers: readonly string[]): Row[] =>
  numbers.map((one, i) => ({ id: i + 1, amount: padded(one), limit: i % 3 === 0 ? null : padded(one) }))

const ascending = (a: Row, b: Row): number => compareDecimals(a.amount, b.amount) || a.id - b.id

function lists(open: () => Application, rows: readonly Row[]): void {
  const sorted = rows.toSorted(ascending)

  it('are walked in the order of their numbers, there and back', async () => {
    const there = await follow(
      { app: open() },
      '/accounts?order=amount&pagination=by%3Damount%2Citems%3D2',
      'next',
      false,
    )
    expect(there.flatMap(({ elements }) => elements)).toEqual(sorted)
    const back = await follow(
      { app: open() },
      '/accounts?order=-amount&pagination=by%3Damount%2Citems%3D3',
      'next',
      false,
    )
    expect(back.flatMap(({ elements }) => elements)).toEqual(sorted.toReversed())
    const nulls = await follow(
      { app: open() },
      '/accounts?order=limit&pagination=by%3Dlimit%2Citems%3D1',
      'next',
      false,
    )
    const limits = nulls.flatMap(({ elements }) => elements.map((one) => (one as Row).limit))
    expect(limits.filter((one) => one !== null)).toEqual(sorted.flatMap(({ limit }) => limit ?? []))
    expect(limits.slice(-rows.filter(({ limit }) => limit === null).length).every((one) => one === null)).toBe(true)
  })

  it('begin after a number that is typed', async () => {
    for (const { amount } of rows) {
      const path = `/accounts?pagination=by%3Damount%2Citems%3D50%2Cfrom%3D${amount}`
      const { json } = await askFetch(open(), `GET ${path}`)
      expect(json).toEqual(sorted.filter((one) => compareDecimals(one.amount, amount) > 0))
    }
  })
}

function filters(open: () => Application, rows: readonly Row[]): void {
  const sorted = rows.toSorted(ascending)
  const holds: Readonly<Record<string, (compared: number) => boolean>> = {
    '=': (one) => one === 0,
    '!=': (one) => one !== 0,
    '<': (one) => one < 0,
    '<=': (one) => one <= 0,
    '>': (one) => one > 0,
    '>=': (one) => one >= 0,
  }

  it.each(Object.keys(holds))('are filtered by their numbers with %s, however they are written', async (operator) => {
    for (const { amount } of rows) {
      const filter = encodeURIComponent(`amount${operator}${amount.replace(/\.?0+$/, '')}`)
      const { json } = await askFetch(open(), `GET /accounts?order=amount&filters=${filter}`)
      expect(json).toEqual(sorted.filter((one) => holds[operator]?.(compareDecimals(one.amount, amount))))
    }
  })
}

function served<T>(datastore: Datastore<T>, table: T, precision: number) {
  const Account = accountOf(precision, 8)
  const accounts = resource(datastore, Account, { table })
  const app = application({
    environment: 'test',
    plugins: [mapper({ resources: { accounts } }), pagination()],
    controllers: [
      controller(accountsOf(Account), {
        index: async (_, { request, reply }) => reply.ok(await accounts.list(request)),
      }),
    ],
  })
  return { app, accounts }
}

async function filled<T>(
  datastore: Datastore<T>,
  table: T,
  precision: number,
  rows: readonly Row[],
): Promise<Application> {
  const { app, accounts } = served(datastore, table, precision)
  for (const row of rows) await accounts.create(row as never)
  return app
}

const memory = () =>
  memoryDatastore({
    accounts: {
      columns: { id: { kind: 'integer' }, amount: { kind: 'decimal' }, limit: { kind: 'decimal', nullable: true } },
      key: ['id'],
    },
  })

describe('decimals in memory', () => {
  const rows = rowsOf([...LONGER, ...SHORT])
  let app: Application
  beforeAll(async () => {
    app = await filled(memory(), 'accounts', 25, rows)
  })
  lists(() => app, rows)
  filters(() => app, rows)
})

describe('decimals in a list that a controller gives', () => {
  const Account = accountOf(25, 8)
  const params = { pagination: PaginationParams.for(Account), order: OrderingParams.for(Account) }
  const Accounts = endpoint('Accounts', {
    mediaType: Account,
    actions: { index: { routing: route.get('/'), params, responses: { ok: collectionOf(Account) } } },
  })
  const rows = rowsOf([...LONGER, ...SHORT])
  const app = application({
    environment: 'test',
    plugins: [pagination()],
    controllers: [
      controller(Accounts, { index: (_, { request, reply }) => reply.ok(paginate(request, rows) as never) }),
    ],
  })
  lists(() => app, rows)
})

const DRIZZLE: Readonly<Record<DialectName, unknown>> = {
  sqlite: lite.sqliteTable('accounts', {
    id: lite.integer().primaryKey(),
    amount: lite.numeric().notNull(),
    limit: lite.numeric(),
  }),
  postgres: pg.pgTable('accounts', {
    id: pg.integer().primaryKey(),
    amount: pg.numeric({ precision: 30, scale: 10 }).notNull(),
    limit: pg.numeric({ precision: 30, scale: 10 }),
  }),
  mysql: mysql.mysqlTable('accounts', {
    id: mysql.int().primaryKey(),
    amount: mysql.decimal({ precision: 30, scale: 10 }).notNull(),
    limit: mysql.decimal({ precision: 30, scale: 10 }),
  }),
}

for (const need of await Promise.all([startSqlite(), startPostgres(), startMariadb()])) {
  const { dialect } = need
  need.describe((engine) => {
    describe.each(['Drizzle', 'Kysely'] as const)('decimals through %s', (client) => {
      // SQLite has doubles for decimals.
      const [rows, precision] = dialect === 'sqlite' ? [rowsOf(SHORT), 15] : [rowsOf([...LONGER, ...SHORT]), 25]
      const table = (client === 'Drizzle' ? DRIZZLE[dialect] : 'accounts') as never
      let app: Application
      let store: Awaited<ReturnType<typeof openStore>>
      let close = async (): Promise<void> => {}

      beforeAll(async () => {
        const database = await engine.createDatabase()
        const name = dialect === 'mysql' ? '`limit`' : '"limit"'
        await database.run(
          `create table accounts (id integer primary key, amount decimal(30, 10) not null, ${name} decimal(30, 10))`,
        )
        store = await openStore(client, dialect, database.url)
        close = async () => {
          await store.end()
          await database.close()
        }
        app = await filled(store.datastore as never, table, precision, rows)
      }, 300_000)
      afterAll(() => close())

      lists(() => app, rows)
      filters(() => app, rows)

      if (dialect === 'sqlite')
        it('of more digits than a double has are refused at boot', () => {
          expect(() => served(store.datastore as never, table, 16)).toThrow(
            /amount: the column 'amount' keeps 15 digits of a decimal exactly.*\n?.*declare a precision of at most 15/,
          )
        })
    })
  })
}
