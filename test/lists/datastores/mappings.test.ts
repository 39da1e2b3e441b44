// Mistakes in mappings: each is one sentence when the resource is made, or when an application boots with it.
import { application, collectionOf, endpoint, mediaType, route, t } from 'edict'
import {
  type AnyResource,
  computed,
  FieldSelector,
  FilteringParams,
  type MemoryTable,
  many,
  mapper,
  memoryDatastore,
  one,
  resource,
} from 'edict/mapper'
import { OrderingParams, PaginationParams, pagination } from 'edict/pagination'
import { describe, expect, it } from 'vitest'
import { mistakesOf } from '../../support/ask.ts'

const column = (kind: MemoryTable['columns'][string]['kind']) => ({ kind, nullable: true })
const datastore = memoryDatastore({
  pets: {
    key: ['id'],
    columns: {
      id: { kind: 'integer', generated: true },
      name: column('text'),
      owner_id: column('integer'),
      home_street: column('text'),
      bornOn: column('date'),
      data: column('json'),
    },
  },
  owners: { key: ['id'], columns: { id: { kind: 'integer', generated: true }, name: column('text') } },
  pet_friends: { key: ['pet', 'friend'], columns: { pet: column('integer'), friend: column('integer') } },
})

const id = t.integer({ required: true })
const Owner = mediaType('Owner', { attributes: { id, name: t.string() } })
const Pet = mediaType('Pet', { attributes: { id, name: t.string(), owner: Owner } })
const owners = resource(datastore, Owner, { table: 'owners' })

/** The mistakes of a resource, each as one line. */
const linesOf = (work: () => unknown): string[] =>
  mistakesOf(work).map(
    ({ endpoint: place, setting, problem, remedy }) => `${place} › ${setting}: ${problem}; ${remedy}`,
  )

/** The mistakes of a media type with these attributes and this mapping. */
const made = (attributes: object, mapping: object = {}, table = 'pets'): string[] =>
  linesOf(() =>
    resource(datastore, mediaType('Pet', { attributes: { id, ...attributes } }), { table, ...mapping } as never),
  )

/** The mistakes of an application with a resource of these attributes. */
function booted(attributes: object, mapping: object): string[] {
  const Made = mediaType('Pet', { attributes: { id, ...attributes } })
  const pets = resource(datastore, Made, { table: 'pets', attributes: mapping } as never)
  return linesOf(() => application({ plugins: [mapper({ resources: { pets } })], controllers: [idle] }))
}

const idle = endpoint('Idle', {
  actions: { rest: { routing: route.get('/'), responses: { noContent: true } } },
}).implement({ rest: (_, { reply }) => reply.noContent() })

const COLUMNS = 'id, name, owner_id, home_street, bornOn, data'

describe('a resource is refused when', () => {
  it.each<readonly [string, string[], string]>([
    [
      'an attribute has no column',
      made({ nick: t.string() }),
      `nick: pets has no such column; map it to one of ${COLUMNS}, or to false`,
    ],
    [
      'a column is not there',
      made({ nick: t.string() }, { attributes: { nick: 'nickname' } }),
      `nick: pets has no column 'nickname'; use one of ${COLUMNS}`,
    ],
    [
      'kinds do not fit',
      made({ name: t.integer() }),
      "name: its values (integer) do not fit into the column 'name' (text); use a column of the kind integer, bigint, number, decimal",
    ],
    [
      'a structure meets a text',
      made({ name: t.array(t.string()) }),
      "name: its values (array) do not fit into the column 'name' (text); use a column of the kind json",
    ],
    [
      'an unknown attribute is mapped',
      made({}, { attributes: { nothing: 'name' } }),
      'nothing: Pet has no such attribute; remove it, or declare it in the media type',
    ],
    [
      'another resource is not mapped',
      made({ owner: Owner }),
      'owner: it is another resource, and nothing says where it comes from; map it with one(…) or many(…), or to false',
    ],
    [
      'others are not mapped',
      made({ owners: t.array(Owner) }),
      'owners: it is another resource, and nothing says where it comes from; map it with one(…) or many(…), or to false',
    ],
    [
      'a relation begins nowhere',
      made({ owner: Owner }, { attributes: { owner: one(owners, { nobody: 'id' }) } }),
      `owner: pets has no column 'nobody'; use one of ${COLUMNS}`,
    ],
    [
      'no columns connect the two',
      made({ owner: Owner }, { attributes: { owner: one(owners, {}) } }),
      'owner: no columns connect the two; name them: { ours: "theirs" }',
    ],
    [
      'many are no list',
      made({ owner: Owner }, { attributes: { owner: many(owners, { owner_id: 'id' }) } }),
      'owner: it is not a list; declare it as t.array(…), or use one(…), or what is known of the elements: count(…)',
    ],
    [
      'a plain value is mapped like a structure',
      made({ name: t.string() }, { attributes: { name: { first: 'name' } } }),
      'name: it is not a structure; map it to a column, one(…), many(…) or computed(…)',
    ],
    [
      'a structure has no such attribute',
      made({ home: t.object({ street: t.string() }) }, { attributes: { home: { city: 'name' } } }),
      'home.city: there is no such attribute; remove it, or declare it',
    ],
    [
      'a part of a structure has no column',
      made({ home: t.object({ street: t.string(), city: t.string() }) }),
      `home.city: pets has no such column; map it to one of ${COLUMNS}, or to false`,
    ],
    [
      'the key has no attribute',
      made({}, {}, 'pet_friends').slice(-1),
      'key: the key of pet_friends is not among the attributes that have a column; map attributes to the primary key, or name those that identify elements with key',
    ],
    [
      'the named key has no column',
      made({ nick: t.string() }, { key: ['nick'], attributes: { nick: computed([], () => 1) } }),
      'key: the key of pets is not among the attributes that have a column; map attributes to the primary key, or name those that identify elements with key',
    ],
  ])('%s', (_, mistakes, expected) => {
    expect(mistakes).toEqual([`resource Pet › ${expected}`])
  })

  it('finds columns in either spelling, and attributes that are mapped to false nowhere', () => {
    expect(made({ born_on: t.date(), ownerId: t.integer(), home: t.object({ street: t.string() }) })).toEqual([])
    expect(made({ nick: t.string(), owner: Owner }, { attributes: { nick: false, owner: false } })).toEqual([])
  })

  it('has every mistake told at once', () => {
    expect(made({ a: t.string(), b: t.string(), owner: Owner })).toHaveLength(3)
  })
})

describe('an application is refused when', () => {
  it.each<readonly [string, string[], string]>([
    [
      'a relation ends nowhere',
      booted({ owner: Owner }, { owner: one(owners, { owner_id: 'key' }) }),
      "Pet.owner: owners has no column 'key'; use one of id, name",
    ],
    [
      'a relation leads to another media type',
      booted({ owner: Pet }, { owner: one(owners, { owner_id: 'id' }) }),
      'Pet.owner: it is a Pet, but is mapped to a resource of Owner; map it to its own',
    ],
    [
      'others are of another media type',
      booted({ all: t.array(Pet) }, { all: many(owners, { owner_id: 'id' }) }),
      'Pet.all: it is a Pet, but is mapped to a resource of Owner; map it to its own',
    ],
    [
      'a plain value stands for nothing',
      booted({ all: t.array(t.string()) }, { all: many(owners, { owner_id: 'id' }, { value: 'nick' }) }),
      "Pet.all: Owner has no attribute 'nick' with a column; name the one that stands for it",
    ],
    [
      'a table between leads nowhere',
      booted(
        { all: t.array(t.string()) },
        {
          all: many(owners, { id: 'pet' }, { value: 'name', through: { table: 'pet_friends', on: { friend: 'key' } } }),
        },
      ),
      "Pet.all: owners has no column 'key'; use one of id, name",
    ],
    [
      'a table between begins nowhere',
      booted(
        { all: t.array(t.string()) },
        {
          all: many(
            owners,
            { id: 'animal' },
            { value: 'name', through: { table: 'pet_friends', on: { friend: 'id' } } },
          ),
        },
      ),
      "Pet.all: pet_friends has no column 'animal'; use one of pet, friend",
    ],
    [
      'a list is ordered by nothing',
      booted({ all: t.array(Owner) }, { all: many(owners, { owner_id: 'id' }, { order: ['-age'] }) }),
      "Pet.all: it is ordered by 'age', which has no column; order it by a field that has one",
    ],
    [
      'something is computed from nothing',
      booted({ x: t.string() }, { x: computed(['y'] as never, () => 1) }),
      "Pet.x: it is computed from 'y', which is not read from anywhere; name attributes that are",
    ],
    [
      'something is computed from what is computed',
      booted({ x: t.string(), y: t.string() }, { y: computed([], () => 1), x: computed(['y'] as never, () => 1) }),
      "Pet.x: it is computed from 'y', which is not read from anywhere; name attributes that are",
    ],
  ])('%s', (_, mistakes, expected) => {
    expect(mistakes).toEqual([` › ${expected}`])
  })

  const Listed = mediaType('Pet', { attributes: { id, name: t.string(), label: t.string(), data: t.any() } })
  const pets = resource(datastore, Listed, { table: 'pets', attributes: { label: computed(['name'], () => 'x') } })
  const listing = (params: object): string[] => {
    const Pets = endpoint('Pets', {
      actions: { index: { routing: route.get('/'), params: params as {}, responses: { ok: collectionOf(Listed) } } },
    })
    const controllers = [Pets.implement({ index: async (_, { request, reply }) => reply.ok(await pets.list(request)) })]
    return linesOf(() => application({ plugins: [mapper({ resources: [pets] }), pagination()], controllers }))
  }

  it.each<readonly [string, object, string]>([
    [
      'a cursor may go by what has no column',
      { pagination: PaginationParams.for(Listed, { byFields: ['label'] }) },
      'pagination',
    ],
    [
      'an order may name what has no column',
      { order: OrderingParams.for(Listed, { byFields: ['name', 'label'], enforceFor: 'all' }) },
      'order',
    ],
    [
      'an order may go on with what has no column',
      { order: OrderingParams.for(Listed, { byFields: ['name'] }) },
      'order',
    ],
    ['a filter may name what has no column', { filters: FilteringParams.for(Listed, { label: {} }) }, 'filters'],
  ])('%s', (_, params, name) => {
    const without =
      name === 'filters'
        ? 'declare the fields that may be named without it'
        : "leave it out of byFields, and set enforceFor: 'all' in an order"
    expect(listing(params)).toEqual([
      `Pets › index.params.${name}: requests may name 'label', which has no column in pets; map it to a column, or ${without}`,
    ])
  })

  it('a param of lists has another name', () => {
    expect(listing({ sort: OrderingParams.for(Listed, { byFields: ['name'], enforceFor: 'all' }) })).toEqual([
      'Pets › index.params.sort: lists look for a param order; name it order',
    ])
    expect(listing({ where: FilteringParams.for(Listed, { name: {} }) })).toEqual([
      'Pets › index.params.where: lists look for a param filters; name it filters',
    ])
  })

  it('not when everything is right', () => {
    const order = OrderingParams.for(Listed, { byFields: ['name'], enforceFor: 'all' })
    const byFields = ['name', 'id'] as const
    const params = {
      order,
      pagination: PaginationParams.for(Listed, { byFields }),
      filters: FilteringParams.for(Listed, { name: {} }),
    }
    expect(listing(params)).toEqual([])
  })
})

describe('a list that shows itself without end', () => {
  const Pet = mediaType('Pet', {
    attributes: {
      id,
      name: t.string(),
      get parent() {
        return t.ref(Pet, { nullable: true })
      },
      get mother() {
        return Pet.view('card')
      },
    },
    views: { card: ['id', 'name'], family: ['id', 'parent'], line: ['id', 'mother'], default: ['id', 'parent'] },
  })
  const pets = resource(datastore, Pet, {
    table: 'pets',
    attributes: {
      parent: one((): AnyResource => pets, { owner_id: 'id' }),
      mother: one((): AnyResource => pets, { owner_id: 'id' }),
    },
  })
  const listing = (action: object): string[] => {
    const Pets = endpoint('Pets', { actions: { index: { routing: route.get('/'), ...action } as never } })
    return linesOf(() =>
      application({
        plugins: [mapper({ resources: { pets } }), pagination()],
        controllers: [Pets.implement({ index: () => '' } as never)],
      }),
    )
  }
  const order = OrderingParams.for(Pet, { byFields: ['id'] })
  const remedy = "declare 'parent' with a view that leaves it out: Pet.view(…)"

  it('is refused at boot, and so are fields that would show it', () => {
    const ok = collectionOf(Pet, { view: 'family' })
    const shown = "Pets › index.responses.ok: Pet shows 'parent.parent' without end, each with its own; "
    expect(listing({ params: { order }, responses: { ok } })).toEqual([shown + remedy])
    const body = t.object({ pets: t.array(Pet.view('family'), { required: true }) })
    expect(listing({ params: { order }, responses: { ok: body } })).toEqual([shown + remedy])
    const fields = FieldSelector.for(Pet)
    expect(listing({ params: { fields }, responses: { ok: collectionOf(Pet, { view: 'card' }) } })).toEqual([
      `Pets › index.params.fields: Pet shows 'parent.parent' without end, each with its own; ${remedy}`,
    ])
  })

  it('is none where every view ends, or where nothing says that the list is read from there', () => {
    expect(listing({ params: { order }, responses: { ok: collectionOf(Pet, { view: 'line' }) } })).toEqual([])
    expect(listing({ responses: { ok: Pet } })).toEqual([])
  })
})
