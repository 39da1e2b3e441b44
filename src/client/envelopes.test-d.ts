// The types of calls whose responses have elements and lists in envelopes.
import { describe, expectTypeOf, it } from 'vitest'
import { endpoint, mediaType, route, t } from '../index.ts'
import { FieldSelector } from '../plugins/mapper/index.ts'
import { client } from './client.ts'

const Book = mediaType('Book', {
  attributes: {
    id: t.integer({ required: true }),
    title: t.string({ required: true }),
    tags: t.array(t.string(), { required: true }),
  },
  views: { short: ['id'] },
})
const Author = mediaType('Author', { attributes: { name: t.string({ required: true }), books: t.array(Book) } })
const fields = FieldSelector.for(Book)
const meta = t.object({ at: t.dateTime({ required: true }), notes: t.array(t.string()) })
const Mixed = endpoint('Mixed', {
  mediaType: Book,
  actions: {
    one: { routing: route.get('/one'), params: { fields }, responses: { ok: t.object({ book: Book, meta }) } },
    view: {
      routing: route.get('/view'),
      params: { fields },
      responses: { ok: t.object({ deep: t.object({ book: t.ref(Book.view('short'), { required: true }) }) }) },
    },
    twins: {
      routing: route.get('/twins'),
      params: { fields },
      responses: {
        ok: t.object({
          book: Book,
          like: t.object({ id: t.integer({ required: true }), title: t.string({ required: true }) }),
        }),
      },
    },
    list: {
      routing: route.get('/list'),
      params: { fields },
      responses: {
        ok: t.object({ total: t.integer(), page: t.object({ books: t.array(Book, { required: true }) }), meta }),
      },
    },
  },
})
const Authors = endpoint('Authors', {
  mediaType: Author,
  actions: {
    author: {
      routing: route.get('/author'),
      params: { fields: FieldSelector.for(Author) },
      responses: { ok: Author },
    },
  },
})
const { Mixed: api, Authors: authors } = client({ Mixed, Authors }, { baseUrl: 'http://api.test' })

describe('FOR-01 the types of calls in envelopes', () => {
  it('have the selected fields inside, and everything beside', () => {
    void (async () => {
      const one = await api.one.ok({ fields: ['title'] })
      expectTypeOf(one.book).toEqualTypeOf<{ title: string } | undefined>()
      expectTypeOf(one.meta?.at).toEqualTypeOf<Date | undefined>()
      const whole = await api.one.ok()
      expectTypeOf(whole.book?.id).toEqualTypeOf<number | undefined>()
      const view = await api.view.ok({ fields: ['title'] })
      expectTypeOf(view.deep?.book).toEqualTypeOf<{ title: string } | undefined>()
      const list = await api.list.ok({ fields: ['id'] })
      expectTypeOf(list.page?.books).toEqualTypeOf<{ id: number }[] | undefined>()
      expectTypeOf(list.total).toEqualTypeOf<number | undefined>()
      const author = await authors.author.ok({ fields: ['name', 'books.id'] })
      expectTypeOf(author.books?.[0]).toEqualTypeOf<{ id: number } | undefined>()
    })
  })

  it('narrow a structure beside the element with some of its attributes, too', () => {
    void (async () => {
      const { book, like } = await api.twins.ok({ fields: ['title'] })
      expectTypeOf(book).toEqualTypeOf<{ title: string } | undefined>()
      expectTypeOf(like).toEqualTypeOf<{ title: string } | undefined>()
    })
  })

  it('walk over the list inside', () => {
    void (async () => {
      for await (const book of api.list.all()) expectTypeOf(book.title).toEqualTypeOf<string>()
      for await (const book of api.list.all({ fields: ['id'] })) expectTypeOf(book).toEqualTypeOf<{ id: number }>()
    })
  })

  it('know which fields there are', () => {
    // @ts-expect-error: books have no name
    void (() => api.one({ fields: ['name'] }))
    // @ts-expect-error: the envelope is no part of a path
    void (() => api.one({ fields: ['book.title'] }))
  })
})
