// Scopes by themselves: who asks must be known, conditions must be conditions, and writes stay within.
import { mediaType, t } from 'edict'
import { type Datastore, many, mapper, memoryDatastore, one, resource } from 'edict/mapper'
import { describe, expect, test } from 'vitest'

const Shelf = mediaType('Shelf', { attributes: { id: t.integer({ required: true }), room: t.string() } })
const Book = mediaType('Book', {
  attributes: {
    id: t.integer({ required: true }),
    title: t.string(),
    year: t.integer({ nullable: true }),
    shelf: t.ref(Shelf, { nullable: true }),
  },
})

const text = { kind: 'text', nullable: true } as const
const whole = { kind: 'integer', nullable: true } as const
const store = (): Datastore<string> =>
  memoryDatastore({
    shelves: {
      columns: { id: { kind: 'integer' }, room: text, tenant_id: whole },
      key: ['id'],
      rows: [
        { id: 1, room: 'north', tenant_id: 1 },
        { id: 2, room: 'south', tenant_id: 2 },
      ],
    },
    books: {
      columns: {
        id: { kind: 'integer', generated: true },
        title: text,
        year: whole,
        shelf_id: whole,
        tenant_id: whole,
      },
      key: ['id'],
      rows: [
        { id: 1, title: 'Emma', year: 1815, shelf_id: 1, tenant_id: 1 },
        { id: 2, title: 'Kim', year: 1901, shelf_id: 2, tenant_id: 2 },
      ],
    },
  })

const tenantScope = ({ tenant }: { readonly tenant: number }) => ({ tenant_id: tenant })

function libraryIn(datastore: Datastore<string>, scope: (context: { readonly tenant: number }) => any = tenantScope) {
  const shelves = resource(datastore, Shelf, { table: 'shelves', scope: tenantScope })
  const books = resource(datastore, Book, {
    table: 'books',
    scope,
    attributes: { shelf: one(shelves, { shelf_id: 'id' }) },
  })
  return { shelves, books }
}

describe('[LST-04] a resource with a scope', () => {
  test('is used within a context only, and so is one that leads to it', async () => {
    const datastore = store()
    const { books, shelves } = libraryIn(datastore)
    const loose = resource(datastore, Book, { table: 'books', attributes: { shelf: one(shelves, { shelf_id: 'id' }) } })
    const calls = [
      (of: any) => of.list({ limit: Infinity }),
      (of: any) => of.find(1),
      (of: any) => of.create({ title: 'x' }),
      (of: any) => of.update(1, { title: 'x' }),
      (of: any) => of.delete(1),
      (of: any) => of.withDatastore(datastore).find(1),
    ]
    for (const call of calls)
      for (const of of [books, loose])
        await expect(call(of)).rejects.toThrow(/has a scope, and the call has no context\. Remedy: .*within\(context\)/)
    expect(await loose.within({ tenant: 2 }).find(1, Book)).toMatchObject({ title: 'Emma' })
  })

  test('gives new elements what it demands of them, and refuses anything else by its location', async () => {
    const datastore = store()
    const mine = libraryIn(datastore, ({ tenant }) => ({ tenant_id: tenant, year: [1815, 1901] })).books.within({
      tenant: 1,
    })
    const { id } = await mine.create({ title: 'Persuasion', year: 1815 })
    expect(await mine.find(id)).toMatchObject({ title: 'Persuasion' })
    await expect(mine.create({ title: 'Persuasion', year: 1817 })).rejects.toMatchObject({ code: 'out-of-scope' })
    await expect(mine.create({ title: 'Persuasion' })).rejects.toMatchObject({ code: 'out-of-scope' })
    await expect(mine.update(id, { year: 1817 })).rejects.toMatchObject({ code: 'out-of-scope' })
    expect(await mine.update(2, { year: 1817 })).toBe(false)
    expect(await mine.update(id, { year: 1901 })).toBe(true)
    const fixed = libraryIn(datastore, () => ({ year: 1815 })).books.within({ tenant: 1 })
    await expect(fixed.update(1, { year: 1816 })).rejects.toMatchObject({
      problem: { errors: [{ pointer: '/year', code: 'scope-value' }] },
    })
    expect(await fixed.update(1, { year: 1815 })).toBe(true)
    const several = [{ year: 1815 }, { year: 1816 }, { title: 'x' }, { year: 1817 }]
    await expect(fixed.createMany(several)).rejects.toMatchObject({
      problem: { errors: [{ pointer: '/1/year' }, { pointer: '/3/year' }] },
    })
  })

  test('links to nothing beyond it, also by a column whose relation only the other side has declared', async () => {
    const datastore = store()
    const { shelves, books } = libraryIn(datastore)
    const mine = books.within({ tenant: 1 })
    await expect(mine.create({ title: 'x', shelf: { id: 2 } })).rejects.toMatchObject({ code: 'conflict' })
    await expect(mine.update(1, { shelf: { id: 2 } })).rejects.toMatchObject({ code: 'conflict' })
    expect(await mine.update(2, { shelf: { id: 2 } })).toBe(false)
    const Stock = mediaType('Stock', { attributes: { id: t.integer({ required: true }), books: t.array(Tome) } })
    const tomes = resource(datastore, Tome, { table: 'books', scope: tenantScope })
    const stocks = resource(datastore, Stock, {
      table: 'shelves',
      scope: tenantScope,
      attributes: { books: many(tomes, { id: 'shelf_id' }) },
    })
    mapper({ resources: [shelves, tomes, stocks] }).checkOptions?.(() => {}, undefined as never)
    const own = tomes.within({ tenant: 1 })
    await expect(own.update(1, { shelf_id: 2 })).rejects.toMatchObject({ code: 'conflict' })
    expect(await own.update(1, { shelf_id: null })).toBe(true)
  })

  test.each([
    ['a promise', async () => ({})],
    ['nothing', () => undefined],
    ['a text', () => 'tenant'],
    ['an undefined value', () => ({ tenant_id: undefined })],
    ['an unknown field', () => ({ tennant_id: 1 })],
    ['one unknown field of a list', () => [{ tenant_id: 1 }, { 'shelf.rome': 'x' }]],
  ])('shows nothing where its function gives %s', async (_, scope) => {
    const mine = libraryIn(store(), scope as never).books.within({ tenant: 1 })
    await expect(mine.find(1)).rejects.toThrow(TypeError)
    await expect(mine.list({ limit: Infinity })).rejects.toThrow(TypeError)
    await expect(mine.create({ title: 'x' })).rejects.toThrow(TypeError)
  })

  test('may lead to the scope of another resource, but not back to itself', async () => {
    const datastore = store()
    const Stock = mediaType('Stock', { attributes: { id: t.integer({ required: true }), books: t.array(Tome) } })
    const books = resource(datastore, Book, {
      table: 'books',
      scope: () => ({ 'shelf.room': 'north' }),
      attributes: { shelf: one((): any => shelves, { shelf_id: 'id' }) },
    })
    const shelves = resource(datastore, Shelf, { table: 'shelves', scope: () => ({ tenant_id: 1 }) })
    const stocks = resource(datastore, Stock, {
      table: 'shelves',
      scope: () => ({ 'books.id': [1, 2] }),
      attributes: { books: many((): any => books, { id: 'shelf_id' }) },
    })
    expect(await stocks.within({}).list({ fields: ['id'] })).toEqual([{ id: 1 }])
    const rooms = resource(datastore, Room, {
      table: 'shelves',
      scope: () => ({ 'books.title': 'Emma' }),
      attributes: { books: many((): any => circling, { id: 'shelf_id' }) },
    })
    const circling = resource(datastore, Book, {
      table: 'books',
      scope: () => ({ 'shelf.room': 'north' }),
      attributes: { shelf: one((): any => rooms, { shelf_id: 'id' }) },
    })
    for (const work of [
      () => circling.within({}).list({}),
      () => circling.within({}).create({ id: 9, title: 'x' }),
      () => rooms.within({}).find(1),
    ])
      await expect(work()).rejects.toThrow(/The scope of (Book|Room) leads back to itself\. Remedy: /)
  })

  test('without any conditions shows everything, and as an empty list nothing', async () => {
    const everything = libraryIn(store(), () => ({})).books.within({ tenant: 1 })
    expect(await everything.list({ limit: Infinity })).toHaveLength(2)
    const nothing = libraryIn(store(), () => []).books.within({ tenant: 1 })
    expect(await nothing.list({ limit: Infinity })).toHaveLength(0)
    expect(await nothing.delete(1)).toBe(false)
  })
})

const Room = mediaType('Room', {
  attributes: { id: t.integer({ required: true }), room: t.string(), books: t.array(Book) },
})
const Tome = mediaType('Tome', {
  attributes: { id: t.integer({ required: true }), shelf_id: t.integer({ nullable: true }) },
})

test('[LST-04] one of several alternatives is enough, whatever is known of the others', async () => {
  const datastore = memoryDatastore({
    books: {
      columns: {
        id: { kind: 'integer' },
        title: text,
        year: { kind: 'integer', default: 2000 },
        shelf_id: whole,
        tenant_id: whole,
      },
      key: ['id'],
      rows: [],
    },
  })
  const books = resource(datastore, Tome, {
    table: 'books',
    scope: () => [{ shelf_id: 1 }, { year: 2000 }, { title: 'Emma' }],
    attributes: {},
  }).within({})
  // The year is the database's to fill in.
  expect(await books.create({ id: 1, shelf_id: 1 })).toEqual({ id: 1 })
  await expect(books.create({ id: 2, shelf_id: 2 })).rejects.toMatchObject({ code: 'out-of-scope' })
  expect(await books.update(1, { shelf_id: 2 })).toBe(true)
})
