// Conflicts: each names its attributes, on every engine and through every client, and in the payload as it was sent.

import { int, mysqlTable, varchar } from 'drizzle-orm/mysql-core'
import * as pg from 'drizzle-orm/pg-core'
import { type AnySQLiteTable, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { application, endpoint, mediaType, route, t } from 'edict'
import { type Datastore, isConflict, mapper, memoryDatastore, one, resource } from 'edict/mapper'
import { drizzleDatastore } from 'edict/mapper/drizzle'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { DialectName } from '../../../src/plugins/datastores/sql/sql.ts'
import { clientsAndPrismaOn, enginesHere, isNewer, openCatalogued } from '../../support/engines/clients/catalogued.ts'
import { connectDrizzle } from '../../support/engines/drizzle.ts'
import { runs } from '../../support/runs.ts'

const SLOW = 300_000
const whole = t.integer({ required: true })
const Owner = mediaType('Owner', { attributes: { id: whole } })
const Room = mediaType('Room', {
  attributes: {
    id: whole,
    label: t.string({ required: true }),
    floor: t.integer({ nullable: true }),
    number: t.integer({ nullable: true }),
    owner: t.ref(Owner, { nullable: true }),
  },
})

/** Room codes are unique, and so are numbers on a floor. */
const ddl = (dialect: DialectName): readonly string[] => [
  'create table owners (id integer not null primary key)',
  `create table rooms (id integer not null primary key, "code" varchar(60) not null, floor integer, number integer,
    owner_id integer, constraint "by ' code" unique ("code"), constraint by_floor unique (floor, number),
    constraint rooms_owner foreign key (owner_id) references owners (id))`.replaceAll(
    '"',
    dialect === 'mysql' ? '`' : '"',
  ),
  'insert into owners values (1)',
  "insert into rooms values (100, 'attic', 3, 7, 1)",
]

type Rooms = ReturnType<typeof roomsIn>

function roomsIn<T>(datastore: Datastore<T>, table: (name: 'rooms' | 'owners') => T) {
  const owners = resource(datastore, Owner, { table: table('owners') })
  const attributes = { label: 'code', owner: one(owners, { owner_id: 'id' }) } as const
  const rooms = resource(datastore, Room, { table: table('rooms'), attributes })
  mapper({ resources: [owners, rooms] })
  return rooms
}

const DRIZZLE_TABLES = {
  sqlite: {
    owners: sqliteTable('owners', { id: integer().primaryKey() }),
    rooms: sqliteTable('rooms', {
      id: integer().primaryKey(),
      code: text().notNull(),
      ...{ floor: integer(), number: integer(), owner_id: integer() },
    }) as AnySQLiteTable,
  },
  postgres: {
    owners: pg.pgTable('owners', { id: pg.integer().primaryKey() }),
    rooms: pg.pgTable('rooms', {
      id: pg.integer().primaryKey(),
      code: pg.varchar().notNull(),
      ...{ floor: pg.integer(), number: pg.integer(), owner_id: pg.integer() },
    }),
  },
  mysql: {
    owners: mysqlTable('owners', { id: int().primaryKey() }),
    rooms: mysqlTable('rooms', {
      id: int().primaryKey(),
      code: varchar({ length: 60 }).notNull(),
      ...{ floor: int(), number: int(), owner_id: int() },
    }),
  },
}

const memory = (): Rooms => {
  const columns = { id: { kind: 'integer' } } as const
  const number = { kind: 'integer', nullable: true } as const
  const datastore = memoryDatastore({
    owners: { columns, key: ['id'], rows: [{ id: 1 }] },
    rooms: {
      columns: { ...columns, code: { kind: 'text' }, floor: number, number, owner_id: number },
      key: ['id'],
      unique: [['code'], ['floor', 'number']],
      rows: [{ id: 100, code: 'attic', floor: 3, number: 7, owner_id: 1 }],
    },
  })
  return roomsIn(datastore, (name) => name)
}

interface Said {
  readonly code: string
  readonly errors?: readonly { readonly pointer: string; readonly code: string }[]
}

/** The reasons for which a write is refused. */
async function refusal(work: Promise<unknown>): Promise<unknown> {
  try {
    await work
  } catch (error) {
    const { code, errors = [] } = (error as { problem?: Said }).problem ?? { code: String(error) }
    expect(isConflict(error)).toBe(true)
    return [code, ...errors.map((one) => `${one.pointer} ${one.code}`)]
  }
  return 'written'
}

const room = (id: number, rest: object = {}) => ({ id, label: `room ${id}`, ...rest })

/** The cases that every engine has. */
async function expectNames(rooms: Rooms, { hasReferences }: { readonly hasReferences: boolean }): Promise<void> {
  expect(await refusal(rooms.create(room(100)))).toEqual(['conflict', '/id taken'])
  expect(await refusal(rooms.create(room(1, { label: 'attic' })))).toEqual(['conflict', '/label taken'])
  const pair = ['conflict', '/floor taken-together', '/number taken-together']
  expect(await refusal(rooms.create(room(1, { floor: 3, number: 7 })))).toEqual(pair)
  expect(await refusal(rooms.create(room(1, { number: 7, floor: 3 }), { shown: Room }))).toEqual(pair)
  const many = [room(1), room(2, { label: 'attic' }), room(3)]
  expect(await refusal(rooms.createMany(many))).toEqual(['conflict', '/1/label taken'])
  const twins = [room(1), room(2), room(3, { label: 'room 1' })]
  expect(await refusal(rooms.createMany(twins, { shown: Room }))).toEqual(['conflict', '/2/label taken'])
  expect(await refusal(rooms.upsert({ ...room(1), label: 'attic' }))).toEqual(['conflict', '/label taken'])
  await rooms.create(room(1, { floor: 3, number: 8 }))
  expect(await refusal(rooms.update(1, { label: 'attic' }))).toEqual(['conflict', '/label taken'])
  // Attributes that were not sent are not named.
  expect(await refusal(rooms.update(1, { number: 7 }))).toEqual(['conflict', '/number taken'])
  expect(await refusal(rooms.update(1, { number: 7 }, { shown: Room }))).toEqual(['conflict', '/number taken'])
  if (hasReferences) {
    const missing = ['conflict', '/owner/id missing-reference']
    expect(await refusal(rooms.create(room(2, { owner: { id: 9 } })))).toEqual(missing)
    expect(await refusal(rooms.update(1, { owner: { id: 9 } }))).toEqual(missing)
    const list = [room(2, { owner: { id: 1 } }), room(3), room(4, { owner: { id: 9 } })]
    expect(await refusal(rooms.createMany(list))).toEqual(['conflict', '/2/owner/id missing-reference'])
  }
  expect((await rooms.list({ order: ['id'] })).map(({ id }) => id)).toEqual([1, 100])
}

const odd = fc.string({ minLength: 1, maxLength: 30, unit: 'grapheme-ascii' }).map((one) => `${one.trimEnd()}.`)

/** The place of the only conflict in a list is found for all values. */
const expectPlaces = async (rooms: Rooms): Promise<void> =>
  fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(odd, { minLength: 2, maxLength: 6, selector: (one) => one.toLowerCase() }),
      fc.nat(5),
      async (labels, at) => {
        const place = at % labels.length
        await rooms.create({ id: 50, label: labels[place] as string })
        const list = labels.map((label, i) => ({ id: 200 + i, label }))
        expect(await refusal(rooms.createMany(list))).toEqual(['conflict', `/${place}/label taken`])
        await rooms.delete(50)
      },
    ),
    { numRuns: runs(15, 300) },
  )

test('[FOR-06] memory: a conflict names its attributes', async () => {
  await expectNames(memory(), { hasReferences: false })
  await expectPlaces(memory())
})

for (const need of await enginesHere()) {
  const { dialect } = need
  need.describe((engine) => {
    test.each(clientsAndPrismaOn(dialect))(
      '[FOR-06] %s: a conflict names its attributes',
      async (client) => {
        const base = await engine.createDatabase()
        await base.run(...ddl(dialect))
        const { datastore, transaction, end } = await openCatalogued(client, dialect, base.url)
        try {
          const rooms = roomsIn(datastore, (name) => name)
          await expectNames(rooms, { hasReferences: true })
          await expectPlaces(rooms)
          // A transaction that a conflict has aborted answers no questions.
          const inside = transaction(async (within) => {
            const list = [room(2), room(3, { label: 'attic' })]
            expect(await refusal(rooms.withDatastore(within).createMany(list))).toEqual(['conflict', '/1/label taken'])
            throw new Error('undone')
          })
          await expect(inside).rejects.toThrow('undone')
        } finally {
          await end()
          await base.close()
        }
      },
      SLOW,
    )

    // There is no Drizzle for the clients of a newer Node here.
    test.runIf(!isNewer)(
      '[FOR-06] Drizzle: a conflict names its attributes',
      async () => {
        const base = await engine.createDatabase()
        await base.run(...ddl(dialect))
        const { database, close } = connectDrizzle(dialect, base.url)
        try {
          const rooms = roomsIn(drizzleDatastore(database), (name) => DRIZZLE_TABLES[dialect][name])
          await expectNames(rooms, { hasReferences: true })
          await expectPlaces(rooms)
        } finally {
          await close()
          await base.close()
        }
      },
      SLOW,
    )
  })
}

describe('in a response', () => {
  const label = t.string({ required: true })
  const form = t.object({ label, floor: t.integer(), number: t.integer() }, { required: true })
  const Envelopes = endpoint('Envelopes', {
    actions: {
      bare: { routing: route.post('/bare'), payload: { label }, responses: { created: true } },
      one: {
        routing: route.post('/one'),
        payload: { data: t.object({ room: form }, { required: true }) },
        responses: { created: true },
      },
      many: {
        routing: route.post('/many'),
        payload: { rooms: t.array(form, { required: true }), label: t.string() },
        responses: { created: true },
      },
      made: { routing: route.post('/made'), payload: { title: t.string() }, responses: { created: true } },
    },
  })
  let fetch: (path: string, body: object) => Promise<unknown>

  beforeAll(async () => {
    let id = 1
    const rooms = memory()
    const app = application({
      plugins: [mapper({ resources: [rooms] })],
      controllers: [
        Envelopes.implement({
          bare: async (_, { request, reply }) => {
            await rooms.create({ ...request.payload, id: id++ })
            return reply.created()
          },
          one: async (_, { request, reply }) => {
            await rooms.create({ ...request.payload.data.room, id: id++ })
            return reply.created()
          },
          many: async (_, { request, reply }) => {
            await rooms.createMany(request.payload.rooms.map((one) => ({ ...one, id: id++ })))
            return reply.created()
          },
          made: async (_, { reply }) => {
            await rooms.create({ id: id++, label: 'attic' })
            return reply.created()
          },
        }),
      ],
    })
    fetch = async (path, body) => {
      const headers = { 'content-type': 'application/json' }
      const response = await app.fetch(
        new Request(`http://x/envelopes${path}`, { method: 'POST', headers, body: JSON.stringify(body) }),
      )
      return [response.status, ((await response.json()) as Said).errors]
    }
  })

  const error = (pointer: string, code: string, message: string) => ({ in: 'payload', pointer, code, message })

  test('[FOR-06] the pointers are those of the payload as it was sent', async () => {
    expect(await fetch('/bare', { label: 'attic' })).toEqual([
      409,
      [error('/label', 'taken', "The attribute 'label' is already taken")],
    ])
    expect(await fetch('/one', { data: { room: { label: 'x', floor: 3, number: 7 } } })).toEqual([
      409,
      [
        error(
          '/data/room/floor',
          'taken-together',
          "The attribute 'data[room][floor]' is already taken together with 'number'",
        ),
        error(
          '/data/room/number',
          'taken-together',
          "The attribute 'data[room][number]' is already taken together with 'floor'",
        ),
      ],
    ])
    // The label beside the list is another one.
    expect(await fetch('/many', { label: 'attic', rooms: [{ label: 'x' }, { label: 'attic' }] })).toEqual([
      409,
      [error('/rooms/1/label', 'taken', "The attribute 'rooms[1][label]' is already taken")],
    ])
  })

  test('[FOR-06] what the server has chosen is not named', async () => {
    expect(await fetch('/made', { title: 'attic' })).toEqual([409, undefined])
  })
})
