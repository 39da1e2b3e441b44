// Tests Prisma: faults by database codes, transactions, generated keys, and timestamps in the format of its own statements.
import { expect, test } from 'vitest'
import { enginesHere } from '../../../../test/support/engines/clients/catalogued.ts'
import { openPrisma, type Prisma, prismaNeed } from '../../../../test/support/engines/clients/prisma.ts'
import type { Engine } from '../../../../test/support/engines/engine.ts'
import { describeWith } from '../../../../test/support/needs.ts'
import type { Column, ColumnValues, Datastore } from '../../query/query.ts'
import type { DialectName } from '../sql/sql.ts'
import { type PrismaDatabase, prismaDatastore } from './prisma.ts'

const ID: Readonly<Record<DialectName, string>> = {
  sqlite: 'integer primary key autoincrement',
  postgres: 'serial primary key',
  mysql: 'integer auto_increment primary key',
}
const MOMENT: Readonly<Record<DialectName, string>> = {
  sqlite: 'datetime',
  postgres: 'timestamp(3)',
  mysql: 'datetime(3)',
}

function insert(store: Datastore<string>, row: Readonly<Record<string, unknown>>): Promise<ColumnValues> {
  const table = store.table('Thing')
  return store.insert(table, new Map(Object.entries(row).map(([name, value]) => [table.columns.get(name)!, value])))
}

const count = (store: Datastore<string>): Promise<number> =>
  store.count({ from: store.table('Thing'), joins: [], filter: undefined })

async function readAt(store: Datastore<string>, at: Date, column: string): Promise<unknown> {
  const from = store.table('Thing')
  const refer = (name: string) => ({ source: 0, column: from.columns.get(name) as Column })
  const filter = { op: '=', reference: refer('at'), value: at } as const
  const order = [{ reference: refer('id'), descending: false }]
  const query = { from, joins: [], filter, columns: [refer(column)], order, limit: undefined, offset: 0 }
  return (await store.select(query)).rows.map(([value]) => value)
}

async function withThings(engine: Engine, work: (prisma: Prisma) => Promise<void>, format?: string): Promise<void> {
  const { dialect } = engine
  const database = await engine.createDatabase()
  const [open, close] = dialect === 'mysql' ? ['`', '`'] : ['"', '"']
  const name = `${open}Thing${close}`
  await database.run(
    `create table ${name} (id ${ID[dialect]}, name varchar(20) not null, at ${MOMENT[dialect]} not null)`,
    `create unique index things_by_name on ${name} (name)`,
  )
  const prisma = openPrisma(dialect, database.url, format)
  try {
    await work(prisma)
  } finally {
    await prisma.$disconnect()
    await database.close()
  }
}

const at = new Date('2024-05-06T07:08:09.120Z')

for (const need of await enginesHere())
  need.describe((engine) => {
    describeWith(prismaNeed, 'Prisma', () => {
      test('[LST-14] keys, faults and transactions', () =>
        withThings(engine, async (prisma) => {
          const store = await prismaDatastore(prisma)
          const first = await insert(store, { name: 'first', at })
          const keys = await Promise.all(['a', 'b', 'c', 'd'].map((name) => insert(store, { name, at })))
          const ids = [first, ...keys].map((key) => [...key.values()][0])
          expect(new Set(ids).size).toBe(5)
          const getFault = (work: Promise<unknown>) => work.catch((error: unknown) => store.classifyError(error))
          expect(await getFault(insert(store, { name: 'first', at }))).toBe('conflict')
          expect(await getFault(insert(store, { name: null, at }))).toBe('value')
          const failing = prisma.$transaction(async (transaction) => {
            const inside = store.withDatabase(transaction)
            const key = await insert(inside, { name: 'gone', at })
            expect([...key.values()]).toEqual([expect.any(Number)])
            expect(await count(inside)).toBe(6)
            throw new Error('enough')
          })
          await expect(failing).rejects.toThrow('enough')
          expect(await count(store)).toBe(5)
        }))

      const formats = engine.dialect === 'sqlite' ? ['iso8601', 'unixepoch-ms'] : [undefined]
      test.each(formats)('moments are those of its own statements, %s', (format) =>
        withThings(
          engine,
          async (prisma) => {
            const store = await prismaDatastore(prisma)
            const { id } = await prisma.thing.create({ data: { name: 'its own', at } })
            const [key] = [...(await insert(store, { name: 'ours', at })).values()]
            expect(await readAt(store, at, 'id')).toEqual([id, key])
            expect(await readAt(store, at, 'at')).toEqual([at, at])
            const found = (prisma.thing as never as { findMany(query: object): Promise<readonly object[]> }).findMany({
              where: { at },
            })
            expect(await found).toEqual([
              { id, name: 'its own', at },
              { id: key, name: 'ours', at },
            ])
          },
          format,
        ),
      )
    })
  })

test('a provider whose SQL is not known has to be named', async () => {
  const unknownProvider = { _activeProvider: 'mongodb' } as unknown as PrismaDatabase
  await expect(prismaDatastore(unknownProvider)).rejects.toThrow("provider 'mongodb': name one in the option 'dialect'")
  await expect(prismaDatastore(unknownProvider, { dialect: 'oracle' } as never)).rejects.toThrow('dialect')
})
