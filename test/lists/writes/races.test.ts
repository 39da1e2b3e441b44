// Writes that race: each ends as if it were alone, or as a 503 with Retry-After, and is never refused for a reason that does
// not hold.
import { mediaType, t } from 'edict'
import { type Datastore, mapper, one, resource } from 'edict/mapper'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DialectName } from '../../../src/plugins/datastores/sql/sql.ts'
import { guardRequest } from '../../../src/plugins/mapper/resource/guards.ts'
import { type Catalogued, clientsOn, enginesHere, openCatalogued } from '../../support/engines/clients/catalogued.ts'
import type { TestDatabase } from '../../support/engines/engine.ts'
import { runs } from '../../support/runs.ts'

const SLOW = 300_000
const WRITES = runs(400, 8000)
const AT_ONCE = 16
/** So few elements that writes meet. */
const KEYS = 3

const Owner = mediaType('Owner', { attributes: { id: t.integer({ required: true }), name: t.string() } })
const Item = mediaType('Item', {
  attributes: {
    id: t.integer({ required: true }),
    code: t.string({ required: true }),
    n: t.integer(),
    owner: t.ref(Owner, { nullable: true }),
  },
  views: { default: ['id', 'code', 'n'], joined: ['id', 'code', 'n', 'owner'] },
})

const Label = mediaType('Label', {
  attributes: { id: t.integer(), code: t.string({ required: true }), n: t.integer() },
})

const NUMBERED: Readonly<Record<DialectName, string>> = {
  sqlite: 'integer primary key',
  postgres: 'integer generated always as identity primary key',
  mysql: 'integer not null auto_increment primary key',
}

const tablesOf = (dialect: DialectName): readonly string[] => [
  `create table labels (id ${NUMBERED[dialect]}, code varchar(20) not null unique, n integer not null)`,
  'create table owners (id integer not null primary key, name varchar(20))',
  `create table items (id integer not null primary key, code varchar(20) not null unique, n integer not null, tenant integer,
    owner_id integer references owners (id))`,
  `insert into owners values (1, 'Ada')`,
  `insert into items values (99, 'taken', 0, 1, 1)`,
]

interface Caller {
  readonly tenant: number
}

function itemsIn(datastore: Datastore<string>) {
  const owners = resource(datastore, Owner, { table: 'owners' })
  const attributes = { owner: one(owners, { owner_id: 'id' }) }
  const items = resource(datastore, Item, { table: 'items', attributes })
  const scope = ({ tenant }: Caller) => ({ tenant })
  const scoped = resource(datastore, Item, { table: 'items', attributes, scope })
  const labels = resource(datastore, Label, { table: 'labels' })
  mapper({ resources: [owners, items, scoped, labels] })
  return { items, scoped, labels }
}

type Items = ReturnType<typeof itemsIn>

/** A request whose condition every element meets. */
function anyElement(): object {
  const request = {}
  guardRequest(request, {
    mediaType: Item,
    fields: [],
    condition: () => ({ op: '!', field: 'id' }),
    refuse() {
      throw new Error('refused')
    },
  })
  return request
}

const SHOWN = [Item, Item.view('joined')]
const valuesOf = (id: number) => ({ id, code: `c${id}`, n: id, owner: { id: 1 } })

/** What races: the work, and the refusals that can hold. */
interface Work {
  readonly refusals: readonly string[]
  run(items: Items, id: number): Promise<unknown>
}

const CONFLICT = ['conflict'] as const

const WORK: Readonly<Record<string, Work>> = {
  upsert: { refusals: [], run: ({ items }, id) => items.upsert(valuesOf(id)) },
  'upsert, shown': { refusals: [], run: ({ items }, id) => items.upsert(valuesOf(id), { shown: Item }) },
  'upsert by code': {
    refusals: [],
    run: ({ labels }, id) => labels.upsert({ code: `c${id}`, n: 5 }, { by: ['code'], shown: Label }),
  },
  'upsert, joined': {
    refusals: [],
    run: ({ items }, id) => items.upsert(valuesOf(id), { shown: Item.view('joined') }),
  },
  'upsert of a taken code': {
    refusals: CONFLICT,
    run: async ({ items }, id) => {
      await items.upsert({ ...valuesOf(id), code: 'taken' })
      throw new Error('written')
    },
  },
  'upsert to nobody': {
    refusals: CONFLICT,
    run: async ({ items }, id) => {
      await items.upsert({ ...valuesOf(id), owner: { id: 7 } })
      throw new Error('written')
    },
  },
  // An element of the other tenant, or of none, may be in the way.
  'upsert of a tenant': {
    refusals: CONFLICT,
    run: ({ scoped }, id) => scoped.within({ tenant: id % 2 }).upsert(valuesOf(id), { shown: Item }),
  },
  create: { refusals: CONFLICT, run: ({ items }, id) => items.create(valuesOf(id)) },
  'create, shown': {
    refusals: CONFLICT,
    run: async ({ items }, id) => {
      for (const shown of SHOWN) expect(await items.create(valuesOf(id), { shown })).toMatchObject({ id })
    },
  },
  createMany: {
    refusals: CONFLICT,
    run: async ({ items }, id) => {
      const made = await items.createMany([valuesOf(id), valuesOf((id + 1) % KEYS)], { shown: Item.view('joined') })
      expect(made).toMatchObject([{ id }, { id: (id + 1) % KEYS }])
    },
  },
  update: { refusals: [], run: ({ items }, id) => items.update(id, { n: 7 }) },
  'update, shown': { refusals: [], run: ({ items }, id) => items.update(id, { n: 8 }, { shown: SHOWN[id % 2]! }) },
  'update under a condition': {
    refusals: [],
    run: ({ items }, id) => items.update(id, { n: 9 }, { request: anyElement() }),
  },
  'update of a tenant': { refusals: [], run: ({ scoped }, id) => scoped.within({ tenant: 1 }).update(id, { n: 3 }) },
  delete: { refusals: [], run: ({ items }, id) => items.delete(id) },
  'delete by code': {
    refusals: [],
    run: async ({ labels }, id) => {
      for (const found of await labels.list({ where: { code: `c${id}` }, fields: ['id'] }))
        await labels.delete(found.id as number)
    },
  },
  'delete under a condition': { refusals: [], run: ({ items }, id) => items.delete(id, { request: anyElement() }) },
}

/** A 503 with its header. */
const UNAVAILABLE = '503'

/** Tells what is wrong with the end of a write. */
async function wrongIn({ refusals, run }: Work, items: Items, id: number): Promise<string | undefined> {
  try {
    await run(items, id)
    return undefined
  } catch (error) {
    const { code, problem, message } = error as { code?: string; message: string; problem?: { headers?: object } }
    if (code === 'unavailable' && problem?.headers !== undefined) return UNAVAILABLE
    return refusals.includes(code as string) ? undefined : `${code ?? 'error'}: ${message}`
  }
}

/** Runs writes, so many at once, and counts what went wrong; few may find no end. */
async function race(lanes: readonly Items[], names: readonly string[]): Promise<Readonly<Record<string, number>>> {
  const numRuns = lanes.length === 1 ? WRITES >> 2 : WRITES
  const picks = fc.sample(fc.tuple(fc.constantFrom(...names), fc.nat(KEYS - 1)), { numRuns, seed: 5 })
  const wrong: Record<string, number> = {}
  let next = 0
  let unavailable = 0
  const lane = async (items: Items): Promise<void> => {
    for (let pick = picks[next++]; pick !== undefined; pick = picks[next++]) {
      const [name, id] = pick
      const found = await wrongIn(WORK[name] as Work, items, id)
      if (found === UNAVAILABLE) unavailable++
      else if (found !== undefined) wrong[`${name}: ${found}`] = (wrong[`${name}: ${found}`] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => lane(lanes[i % lanes.length] as Items)))
  expect(unavailable, 'answers 503').toBeLessThan(numRuns / 10)
  return wrong
}

for (const need of await enginesHere()) {
  need.describe((engine) => {
    describe.each(clientsOn(engine.dialect))('%s', (client) => {
      let database: TestDatabase
      let opened: readonly Catalogued[] = []
      let lanes: readonly Items[] = []
      beforeAll(async () => {
        database = await engine.createDatabase()
        await database.run(...tablesOf(engine.dialect))
        // One more connection to a file of SQLite would only wait for the other.
        const count = engine.dialect === 'sqlite' ? 1 : 3
        opened = await Promise.all(
          Array.from({ length: count }, () => openCatalogued(client, engine.dialect, database.url)),
        )
        lanes = opened.map(({ datastore }) => itemsIn(datastore))
      }, SLOW)
      afterAll(async () => {
        for (const one of opened) await one.end()
        await database?.close()
      })

      test('[LST-08] upserts that race with deletes are not refused', { timeout: SLOW }, async () => {
        expect(await race(lanes, ['upsert', 'upsert, shown', 'delete', 'upsert by code', 'delete by code'])).toEqual({})
      })

      test('[LST-08] a write that races ends as if alone, or as a 503', { timeout: SLOW }, async () => {
        const often = ['delete', 'delete', 'delete under a condition', 'upsert']
        expect(await race(lanes, [...Object.keys(WORK), ...often])).toEqual({})
      })
    })
  })
}
