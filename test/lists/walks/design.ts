// A list with fields of every kind, declared twice: with a key of one field and with one of two.
import { type Application, application, collectionOf, controller, endpoint, mediaType, route, t } from 'edict'
import { type Datastore, FieldSelector, FilteringParams, many, mapper, one, resource } from 'edict/mapper'
import { OrderingParams, PaginationParams, paginate, pagination } from 'edict/pagination'

const Town = mediaType('Town', {
  attributes: { id: t.integer({ required: true }), name: t.string({ nullable: true }) },
})

const Owner = mediaType('Owner', {
  attributes: {
    id: t.integer({ required: true }),
    name: t.string({ nullable: true }),
    rank: t.integer({ required: true }),
    town: Town,
  },
})

const Mark = mediaType('Mark', {
  attributes: {
    id: t.integer({ required: true }),
    score: t.integer({ nullable: true }),
    note: t.string({ nullable: true }),
  },
})

/** The elements of the lists. */
export const Item = mediaType('Item', {
  attributes: {
    section: t.string({ required: true }),
    number: t.integer({ required: true }),
    word: t.string({ required: true }),
    note: t.string({ nullable: true }),
    count: t.integer({ required: true }),
    size: t.integer({ nullable: true }),
    ratio: t.number({ nullable: true }),
    big: t.bigint({ nullable: true }),
    flag: t.boolean({ nullable: true }),
    day: t.date({ nullable: true }),
    at: t.dateTime({ nullable: true }),
    owner: Owner,
    marks: t.array(Mark),
  },
})

/** The fields that lists are ordered by. */
export const ORDERED = [
  'section',
  'number',
  'word',
  'note',
  'count',
  'size',
  'ratio',
  'big',
  'flag',
  'day',
  'at',
  'owner.id',
  'owner.name',
  'owner.rank',
  'owner.town.name',
] as const

/** The fields that lists are filtered by. */
export const FILTERED = [...ORDERED, 'owner', 'owner.town', 'marks', 'marks.id', 'marks.score', 'marks.note'] as const

const wildcards = { wildcards: true } as const

const paramsWith = (key: readonly ('section' | 'number')[]) => ({
  fields: FieldSelector.for(Item),
  filters: FilteringParams.for(Item, {
    ...Object.fromEntries(FILTERED.map((field) => [field, {}])),
    word: wildcards,
    note: wildcards,
    'owner.name': wildcards,
    'marks.note': wildcards,
  }),
  pagination: PaginationParams.for(Item, { byFields: ORDERED, key }),
  order: OrderingParams.for(Item, { byFields: ORDERED }),
  a: t.array(t.string()),
  'x y&': t.string(),
})

const Singles = endpoint('Singles', {
  mediaType: Item,
  actions: {
    index: { routing: route.get('/'), params: paramsWith(['number']), responses: { ok: collectionOf(Item) } },
  },
})

const Pairs = endpoint('Pairs', {
  mediaType: Item,
  actions: {
    index: {
      routing: route.get('/'),
      params: paramsWith(['section', 'number']),
      responses: { ok: collectionOf(Item) },
    },
  },
})

/** The names of the tables. */
export const TABLES = ['marks', 'singles', 'pairs', 'owners', 'towns'] as const

/** The tables as a datastore names them. */
export type Tables<T> = Readonly<Record<(typeof TABLES)[number], T>>

/** The resources of a datastore. */
export function resourcesIn<T>(datastore: Datastore<T>, tables: Tables<T>) {
  const towns = resource(datastore, Town, { table: tables.towns })
  const owners = resource(datastore, Owner, {
    table: tables.owners,
    attributes: { town: one(towns, { town_id: 'id' }) },
  })
  const marks = resource(datastore, Mark, { table: tables.marks })
  const owner = one(owners, { owner_id: 'id' })
  const singles = resource(datastore, Item, {
    table: tables.singles,
    key: ['number'],
    attributes: { owner, marks: many(marks, { number: 'number' }) },
  })
  const pairs = resource(datastore, Item, {
    table: tables.pairs,
    key: ['section', 'number'],
    attributes: { owner, marks: many(marks, { section: 'section', number: 'number' }) },
  })
  return { towns, owners, marks, singles, pairs }
}

/** Serves the lists from a datastore. */
export function applicationIn<T>(datastore: Datastore<T>, tables: Tables<T>): Application {
  const resources = resourcesIn(datastore, tables)
  const { singles, pairs } = resources
  return application({
    environment: 'test',
    plugins: [mapper({ resources }), pagination({ maxItems: 1000 })],
    controllers: [
      controller(Singles, { index: async (_, { request, reply }) => reply.ok(await singles.list(request)) }),
      controller(Pairs, { index: async (_, { request, reply }) => reply.ok(await pairs.list(request)) }),
    ],
  })
}

/** All elements of a list, with every field that a filter may name. */
export const elementsOf = async (list: Pick<ReturnType<typeof resourcesIn>['singles'], 'list'>): Promise<never> =>
  (await list.list({
    fields: [...ORDERED, 'owner.town.id', 'marks.id', 'marks.score', 'marks.note'],
    limit: Infinity,
  })) as never

/** Serves the lists from elements in memory. */
export function paginatedIn<T>(datastore: Datastore<T>, tables: Tables<T>): Application {
  const { singles, pairs } = resourcesIn(datastore, tables)
  return application({
    environment: 'test',
    plugins: [mapper(), pagination({ maxItems: 1000 })],
    controllers: [
      controller(Singles, {
        index: async (_, { request, reply }) => reply.ok(paginate(request, await elementsOf(singles))),
      }),
      controller(Pairs, {
        index: async (_, { request, reply }) => reply.ok(paginate(request, await elementsOf(pairs))),
      }),
    ],
  })
}
