// Resources with relations to themselves and to each other, over several columns, and with computed attributes.
import { describe, expect, it, vi } from 'vitest'
import { mediaType } from '../../../design/declare/media-type.ts'
import { t } from '../../../schema/t.ts'
import { type MemoryTable, memoryDatastore } from '../../datastores/memory/memory.ts'
import type { Datastore } from '../../query/query.ts'
import { computed, computedBatch, many, one } from '../model/mapping.ts'
import type { Resource } from './interface.ts'
import { resource } from './resource.ts'

const column = (kind: MemoryTable['columns'][string]['kind']) => ({ kind, nullable: true })
const rooms = Array.from({ length: 9 }, (_, i) => ({ house: Math.floor(i / 3), room: i % 3, size: i }))
const doors = rooms.flatMap(({ house, room }) => [
  { id: house * 10 + room, house, room, name: `door ${house}.${room}` },
  { id: 100 + house * 10 + room, house, room, name: null },
])
const tables: Record<string, MemoryTable> = {
  rooms: {
    key: ['house', 'room'],
    columns: { house: column('integer'), room: column('integer'), size: column('integer') },
    rows: rooms,
  },
  doors: {
    key: ['id'],
    columns: { id: column('integer'), house: column('integer'), room: column('integer'), name: column('text') },
    rows: doors,
  },
  people: {
    key: ['id'],
    columns: { id: column('integer'), name: column('text'), parent: column('integer') },
    rows: Array.from({ length: 15 }, (_, i) => ({
      id: i,
      name: `p${i}`,
      parent: i === 0 ? null : Math.floor((i - 1) / 2),
    })),
  },
}

const id = t.integer({ required: true })
const Door = mediaType('Door', { attributes: { id, name: t.string() } })
const Room = mediaType('Room', {
  attributes: {
    house: t.integer(),
    room: t.integer(),
    doors: t.array(Door),
    names: t.array(t.string()),
    count: t.integer(),
  },
})

function createResources(changes: Partial<Datastore<string>> = {}) {
  const datastore: Datastore<string> = { ...memoryDatastore(tables), ...changes }
  const select = vi.spyOn(datastore, 'select')
  const doorResource = resource(datastore, Door, { table: 'doors' })
  const roomResource = resource(datastore, Room, {
    table: 'rooms',
    attributes: {
      doors: many(doorResource, { house: 'house', room: 'room' }, { order: ['-id'] }),
      names: many(doorResource, { house: 'house', room: 'room' }, { value: 'name' }),
      count: computed(['doors'], ({ doors: all }) => all?.length),
    },
  })
  return { datastore, select, roomResource }
}

it('a structure that must be there is there, though none of its columns has a value', async () => {
  const columns = { id: column('integer'), street: column('text'), city: column('text') }
  const rows = [
    { id: 1, street: null, city: null },
    { id: 2, street: null, city: 'Rom' },
  ]
  const datastore = memoryDatastore({ houses: { key: ['id'], columns, rows } })
  const parts = { street: t.string(), city: t.string() }
  const listHouses = async (options: object): Promise<unknown[]> => {
    const House = mediaType('House', { attributes: { id, address: t.object(parts, options) } })
    const attributes = { address: { street: 'street', city: 'city' } }
    return [...(await resource(datastore, House, { table: 'houses', attributes }).list({ order: ['id'] }))]
  }
  const second = { id: 2, address: { city: 'Rom' } }
  expect(await listHouses({ required: true })).toEqual([{ id: 1, address: {} }, second])
  expect(await listHouses({ required: true, nullable: true })).toEqual([{ id: 1, address: null }, second])
  expect(await listHouses({})).toEqual([{ id: 1 }, second])
})

describe('a relation over several columns', () => {
  it('leads every element to its own, in their order', async () => {
    const { roomResource, select } = createResources()
    const all = await roomResource.list({ limit: Infinity })
    expect(all).toHaveLength(9)
    expect(all[4]).toEqual({ house: 1, room: 1, names: ['door 1.1'], count: 2 })
    expect(await roomResource.find({ house: 2, room: 0 }, Room.view('default'))).toMatchObject({
      house: 2,
      names: ['door 2.0'],
    })
    expect(await roomResource.list({ where: { 'doors.name': 'door 2.1' }, limit: Infinity })).toMatchObject([
      { house: 2, room: 1 },
    ])
    expect(select).toHaveBeenCalled()
  })

  it('takes as many queries as its values need where a query carries few', async () => {
    const { roomResource, select } = createResources({ maxValues: 4 })
    const all = await roomResource.list({ limit: Infinity })
    expect(all.map(({ count }) => count)).toEqual(Array(9).fill(2))
    // One for the rooms; for the names and for the count, two columns of nine rooms each.
    expect(select).toHaveBeenCalledTimes(1 + 5 + 5)
  })
})

describe('a resource that leads to itself', () => {
  const Person = mediaType('Person', {
    attributes: { id, name: t.string(), children: t.array(t.ref(() => Person)), parent: t.ref(() => Person) },
    views: { line: ['name'], family: ['name', 'children'] },
  }) as never
  const people = (): Resource => {
    const datastore = memoryDatastore(tables)
    const peopleResource: Resource = resource(datastore, Person, {
      table: 'people',
      attributes: {
        children: many(() => peopleResource, { id: 'parent' }),
        parent: one(() => peopleResource, { parent: 'id' }),
      },
    } as never) as never
    return peopleResource
  }

  it('is found by what its relations have', async () => {
    const where = { 'parent.parent.name': 'p1', 'parent.name': { '!=': 'p3' } } as never
    const found = await people().list({ where })
    expect(found).toMatchObject([{ id: 9 }, { id: 10 }])
    expect(await people().list({ where: { 'children.children.name': 'p14' } as never, limit: Infinity })).toMatchObject(
      [{ id: 2 }],
    )
    expect(await people().list({ where: { parent: null } as never, limit: Infinity })).toMatchObject([{ id: 0 }])
    expect(await people().list({ where: { children: null } as never, limit: Infinity })).toHaveLength(8)
  })
})

describe('a computed attribute', () => {
  const Sum = mediaType('Sum', { attributes: { id, name: t.string(), x: t.any() } })
  const createResource = (x: never) => resource(memoryDatastore(tables), Sum, { table: 'doors', attributes: { x } })

  it('may be a promise, or the same for all at once', async () => {
    const slow = computed(['id'], async ({ id: number }: { id: number }) => number * 2) as never
    expect((await createResource(slow).find(12))?.x).toBe(24)
    const batch = vi.fn(async (all: readonly { id: number }[]) => all.map(({ id: number }) => number + all.length))
    const found = await createResource(computedBatch(['id'], batch) as never).list({ limit: Infinity })
    expect(batch).toHaveBeenCalledTimes(1)
    expect(found[0]?.x).toBe(18)
  })

  it('is refused when it is not there for every element', async () => {
    const short = computedBatch([], () => [1]) as never
    await expect(createResource(short).list({ limit: Infinity })).rejects.toThrow(
      "The attribute 'x' was computed for 1 of 18 elements",
    )
  })

  it('fails the request when its function does', async () => {
    const failing = computed([], () => Promise.reject(new Error('no'))) as never
    await expect(createResource(failing).find(12)).rejects.toThrow('no')
  })
})
