// The types of resources.
import type { Table } from 'drizzle-orm'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { describe, expectTypeOf, it } from 'vitest'
import { mediaType } from '../../../design/declare/media-type.ts'
import { t } from '../../../schema/t.ts'
import { memoryDatastore } from '../../datastores/memory/memory.ts'
import type { Datastore } from '../../query/query.ts'
import { computed, exists, many, one } from '../model/mapping.ts'
import { resource } from './resource.ts'

const Author = mediaType('Author', { attributes: { id: t.integer({ required: true }), name: t.string() } })
const Book = mediaType('Book', {
  attributes: {
    id: t.integer({ required: true }),
    title: t.string({ required: true }),
    pages: t.integer({ nullable: true }),
    added_at: t.dateTime(),
    home: t.object({ city: t.string({ required: true }), street: t.string() }),
    author: Author,
    label: t.string(),
  },
})
const datastore = memoryDatastore({})
const authors = resource(datastore, Author, { table: 'authors' })
const books = resource(datastore, Book, {
  table: 'books',
  attributes: {
    author: one(authors, { author_id: 'id' }),
    label: computed(['id', 'title'], ({ id, title }) => {
      expectTypeOf(id).toEqualTypeOf<number>()
      expectTypeOf(title).toEqualTypeOf<string>()
      return `${id} ${title}`
    }),
  },
})

const Room = mediaType('Room', { attributes: { id: t.integer({ required: true }), name: t.string() } })
const Shelf = mediaType('Shelf', {
  attributes: {
    code: t.string({ required: true }),
    room: t.ref(Room, { required: true }),
    wide: t.boolean({ required: true }),
    added_at: t.dateTime({ required: true }),
    version: t.integer({ required: true }),
    size: t.integer({ required: true }),
    note: t.string({ required: true, nullable: true }),
    tags: t.array(t.string(), { required: true }),
    books: t.array(Book),
  },
  views: { default: ['code', 'room'], short: ['code', 'tags'] },
})
const tagRows = resource(datastore, mediaType('Tag', { attributes: { name: t.string({ required: true }) } }), {
  table: 'tags',
  key: ['name'],
})
const shelves = resource(datastore, Shelf, {
  table: 'shelves',
  key: ['code'],
  version: 'version',
  generated: ['added_at', 'wide'],
  attributes: {
    room: one(resource(datastore, Room, { table: 'rooms' }), { room_id: 'id' }),
    size: computed(['code'], ({ code }) => code.length),
    tags: many(tagRows, { code: 'shelf' }, { value: 'name' }),
    books: many(books, { code: 'shelf' }),
  },
})
const Tenanted = mediaType('Tenanted', {
  attributes: { tenant: t.integer({ required: true }), name: t.string({ required: true }) },
})
declare const drizzle: Datastore<Table>

describe('a mapping', () => {
  it('refuses other attributes and other tables', () => {
    // @ts-expect-error: no such attribute
    resource(datastore, Author, { table: 'authors', attributes: { nothing: 'name' } })
    // @ts-expect-error: tables of this datastore are named by texts
    resource(datastore, Author, { table: 7 })
    // @ts-expect-error: the key consists of attributes
    resource(datastore, Author, { table: 'authors', key: ['nothing'] })
    // @ts-expect-error: no such attribute
    resource(datastore, Author, { table: 'authors', generated: ['nothing'] })
    // @ts-expect-error: computed from an attribute that is not there
    resource(datastore, Author, { table: 'authors', attributes: { name: computed(['nothing'], () => 'x') } })
  })
})

describe('a resource', () => {
  it('gives elements of its media type', async () => {
    const [first] = await books.list({ limit: Infinity })
    expectTypeOf(first?.title).toEqualTypeOf<string | undefined>()
    const found = await books.find(1)
    expectTypeOf(found?.pages).toEqualTypeOf<number | null | undefined>()
    expectTypeOf(found?.added_at).toEqualTypeOf<Date | undefined>()
    expectTypeOf((await books.create({ title: 'x' })).id).toEqualTypeOf<number>()
    expectTypeOf(books.update(1, {})).resolves.toEqualTypeOf<boolean>()
  })

  it('takes keys and conditions of the fields and their types', () => {
    void books.find(1n)
    void books.find({ 'author.name': 'Ada', pages: null, added_at: { '<': new Date() } })
    void books.list({ where: { id: [1, 2], title: { '!=': null } }, limit: Infinity })
    // @ts-expect-error: no such field
    void books.find({ nothing: 1 })
    // @ts-expect-error: not a text
    void books.list({ where: { title: 1 }, limit: Infinity })
    // @ts-expect-error: nothing that compares
    void books.list({ where: { id: { like: 1 } }, limit: Infinity })
    // @ts-expect-error: not a request
    void books.list()
  })

  it('takes changes in part, and null for what is to be emptied', () => {
    void books.update(1, { home: { city: 'x' }, author: { id: 1 }, pages: null, title: undefined })
    void books.update(1, { home: null, author: null })
    // @ts-expect-error: not a number
    void books.update(1, { pages: '1' })
    // @ts-expect-error: no such attribute
    void books.create({ title: 'x', nothing: 1 })
    // @ts-expect-error: no such attribute of the structure
    void books.update(1, { home: { nothing: 1 } })
  })
})

describe('[FOR-03] an element', () => {
  it('has the attributes of the view, of the media type, or of the fields that it is shown in', async () => {
    const view = Shelf.view('short')
    expectTypeOf(await shelves.find('a', view)).toEqualTypeOf<{ code: string; tags: string[] } | undefined>()
    expectTypeOf(await shelves.find('a', { fields: ['code', 'room.id'] })).toEqualTypeOf<
      { code: string; room: { id: number } } | undefined
    >()
    expectTypeOf(await shelves.create({ code: 'a', room: { id: 1 } }, { shown: view })).toEqualTypeOf<{
      code: string
      tags: string[]
    }>()
    const [made] = await shelves.createMany([{ code: 'a', room: { id: 1 } }], { shown: { fields: ['wide'] } })
    expectTypeOf(made).toEqualTypeOf<{ wide: boolean } | undefined>()
    const updated = await shelves.update('a', {}, { shown: view })
    expectTypeOf(updated?.tags).toEqualTypeOf<string[] | undefined>()
    const [listed] = await shelves.list({ shown: view })
    expectTypeOf(listed).toEqualTypeOf<{ code: string; tags: string[] } | undefined>()
    // @ts-expect-error: no such field
    void shelves.find('a', { fields: ['nothing'] })
  })

  it('has what its default view shows, and maybe the rest', async () => {
    const found = await shelves.find('a')
    expectTypeOf(found?.room).toEqualTypeOf<{ id: number; name?: string } | undefined>()
    expectTypeOf<NonNullable<typeof found>['code']>().toEqualTypeOf<string>()
    expectTypeOf<NonNullable<typeof found>['tags']>().toEqualTypeOf<string[] | undefined>()
    expectTypeOf(await shelves.find('a', Shelf)).toEqualTypeOf(found)
  })
})

describe('[FOR-03] a new element', () => {
  it('has its required attributes', () => {
    void shelves.create({ code: 'a', room: { id: 1 } })
    void shelves.create({ code: 'a', room: { id: 1 }, wide: true, added_at: new Date(), note: null })
    // @ts-expect-error: nothing of it
    void shelves.create({})
    // @ts-expect-error: no room
    void shelves.create({ code: 'a' })
    // @ts-expect-error: a key that is a text is not made by the database
    void shelves.createMany([{ room: { id: 1 } }])
    // @ts-expect-error: null is no value of a required attribute
    void shelves.upsert({ code: null, room: { id: 1 } })
  })

  it('needs none that its scope fills', () => {
    const scoped = resource(datastore, Tenanted, { table: 'x', scope: (_: object) => ({ tenant: 7 }) })
    void scoped.within({}).create({ name: 'x' })
    // @ts-expect-error: no name
    void scoped.within({}).create({})
    const either = resource(datastore, Tenanted, { table: 'x', scope: (_: object) => [{ tenant: 7 }, { tenant: 8 }] })
    // @ts-expect-error: alternatives fill nothing
    void either.within({}).create({ name: 'x' })
  })

  it('needs none that a table of Drizzle has a default for', () => {
    const pieces = sqliteTable('pieces', {
      id: integer().primaryKey(),
      tenant: integer().notNull().default(7),
      title: text().notNull(),
    })
    const mapped = resource(drizzle, Tenanted, { table: pieces, attributes: { name: 'title' } })
    void mapped.create({ name: 'x' })
    // @ts-expect-error: no name
    void mapped.create({ tenant: 7 })
  })
})

describe('[FOR-03] the key of a resource', () => {
  it('has the type of its attribute', () => {
    void books.find(1)
    void shelves.find('a')
    // @ts-expect-error: the key is a number
    void books.find('1')
    // @ts-expect-error: the key is a text
    void shelves.find(7)
    // @ts-expect-error: the key is a text
    void shelves.delete(7)
    // @ts-expect-error: the key is a text
    void shelves.update(7, {})
  })

  it('has no single value if it has several attributes', () => {
    const pairs = resource(datastore, Tenanted, { table: 'x', key: ['tenant', 'name'] })
    void pairs.find({ tenant: 7, name: 'x' })
    void pairs.create({ tenant: 7, name: 'x' })
    // @ts-expect-error: which of them
    void pairs.find(7)
  })
})

it('[FOR-03] a condition on a list of values is one on its values', () => {
  void shelves.find({ tags: 'x' })
  void shelves.list({ where: { tags: ['x', 'y'], code: { '~=': 'a' } } })
  void shelves.list({ where: { tags: { '~=': 'x' } } })
  void shelves.list({ where: { tags: null } })
  // @ts-expect-error: the values are texts
  void shelves.find({ tags: 7 })
  // @ts-expect-error: books are compared by their fields
  void shelves.find({ books: { id: 1 } })
  void shelves.find({ books: { any: { id: 1 } } })
})

describe('[FOR-03] a resource that reaches one with a scope', () => {
  const owned = resource(datastore, Tenanted, { table: 'x', scope: ({ tenant }: { tenant: number }) => ({ tenant }) })
  const Thing = mediaType('Thing', { attributes: { id: t.integer({ required: true }), owner: Tenanted } })
  const things = resource(datastore, Thing, {
    table: 'things',
    attributes: { owner: one(owned, { owner_id: 'name' }) },
  })

  it('is used within a context that has what that scope asks for', () => {
    void things.within({ tenant: 7 }).find(1)
    // @ts-expect-error: the context has no tenant
    things.within({})
    // @ts-expect-error: no caller is named
    things.find
  })

  it('also through several relations, lists, functions and structures, with all contexts at once', () => {
    const Box = mediaType('Box', {
      attributes: { id: t.integer({ required: true }), things: t.array(Thing), inside: t.object({ owner: Tenanted }) },
    })
    const boxes = resource(datastore, Box, {
      table: 'boxes',
      attributes: { things: many(() => things, { id: 'box_id' }) },
      scope: ({ reader }: { reader: string }) => ({ reader }),
    })
    void boxes.within({ tenant: 7, reader: 'x' }).find(1)
    // @ts-expect-error: the context has no tenant
    boxes.within({ reader: 'x' })
    // @ts-expect-error: the context has no reader
    boxes.within({ tenant: 7 })
    const nested = resource(datastore, Box, {
      table: 'boxes',
      attributes: { inside: { owner: one(owned, { owner_id: 'name' }) } },
    })
    // @ts-expect-error: the context has no tenant
    nested.within({})
  })

  it('also beside computed attributes, and through aggregates, conditions and computations of the caller', () => {
    const Box = mediaType('Box', {
      attributes: { id: t.integer({ required: true }), owner: Tenanted, label: t.string(), own: t.boolean() },
    })
    const owner = one(owned, { owner_id: 'name' })
    const labelled = resource(datastore, Box, {
      table: 'boxes',
      attributes: { owner, label: computed(['id'], ({ id }) => `${id}`) },
    })
    // @ts-expect-error: the context has no tenant
    labelled.within({})
    void labelled.within({ tenant: 7 }).find(1)
    const counted = resource(datastore, Box, {
      table: 'boxes',
      attributes: {
        own: exists(many(authors, { id: 'box_id' }, { where: ({ reader }: { reader: number }) => ({ id: reader }) })),
        label: computed(['id'], ({ id }, { language }: { language: string }) => `${id.toFixed()} ${language}`),
      },
    })
    void counted.within({ reader: 7, language: 'en' }).find(1)
    // @ts-expect-error: the context has no reader
    counted.within({ language: 'en' })
    // @ts-expect-error: the context has no language
    counted.within({ reader: 7 })
    const free = resource(datastore, Box, {
      table: 'boxes',
      attributes: { own: exists(many(authors, { id: 'box_id' })) },
    })
    void free.find(1)
  })
})

it('a resource with a scope is used within a context that has what the scope asks for', () => {
  const scoped = resource(datastore, Book, { table: 'books', scope: ({ tenant }: { tenant: number }) => ({ tenant }) })
  expectTypeOf(scoped.within({ tenant: 7 }).find).toBeFunction()
  // @ts-expect-error the context has no tenant
  scoped.within({})
  // @ts-expect-error no caller is named
  scoped.list
})
