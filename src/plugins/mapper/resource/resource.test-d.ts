// The types of resources.
import { describe, expectTypeOf, it } from 'vitest'
import { mediaType } from '../../../design/declare/media-type.ts'
import { t } from '../../../schema/t.ts'
import { memoryDatastore } from '../../datastores/memory/memory.ts'
import { computed, one } from '../model/mapping.ts'
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

describe('a mapping', () => {
  it('refuses other attributes and other tables', () => {
    // @ts-expect-error: no such attribute
    resource(datastore, Author, { table: 'authors', attributes: { nothing: 'name' } })
    // @ts-expect-error: tables of this datastore are named by texts
    resource(datastore, Author, { table: 7 })
    // @ts-expect-error: the key consists of attributes
    resource(datastore, Author, { table: 'authors', key: ['nothing'] })
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

it('a resource with a scope is used within a context that has what the scope asks for', () => {
  const scoped = resource(datastore, Book, { table: 'books', scope: ({ tenant }: { tenant: number }) => ({ tenant }) })
  expectTypeOf(scoped.within({ tenant: 7 }).find).toBeFunction()
  // @ts-expect-error the context has no tenant
  scoped.within({})
  // @ts-expect-error no caller is named
  scoped.list
})
