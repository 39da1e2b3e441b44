// Faults that random requests have found, each in the smallest form that shows it.
import { application, collectionOf, DefinitionError, endpoint, mediaType, route, t } from 'edict'
import { client } from 'edict/client'
import { describe, expect, it } from 'vitest'

const Author = mediaType('Author', { attributes: { id: t.integer({ required: true }), name: t.string() } })
const Book = mediaType('Book', {
  attributes: {
    id: t.integer({ required: true }),
    lent: t.boolean({ default: false }),
    author: t.ref(Author, { required: true }),
  },
  views: { default: ['id'] },
})

const Things = endpoint('Things', {
  actions: {
    search: {
      routing: route.get('/search'),
      params: {
        rows: t.array(t.object({ a: t.integer(), b: t.string() })),
        lists: t.array(t.array(t.string())),
      },
      responses: { ok: t.any() },
    },
    show: { routing: route.get('/one'), responses: { ok: Book } },
    index: { routing: route.get('/all'), responses: { ok: collectionOf(Book) } },
    choice: { routing: route.get('/choice'), responses: { ok: t.union('is', { book: { book: t.ref(Book) } }) } },
    nothing: { routing: route.get('/nothing'), responses: { ok: t.string({ nullable: true }) } },
    note: {
      routing: route.put('/note'),
      payload: t.string({ nullable: true, default: 'none' }),
      responses: { ok: t.any() },
    },
    keep: { routing: route.post('/'), payload: Book, responses: { ok: t.any() } },
  },
})

const book = { id: 1, lent: true, author: { id: 2, name: 'Eliot' } }
const app = application({
  controllers: [
    Things.implement({
      search: (params, { reply }) => reply.ok(params),
      show: (_, { reply }) => reply.ok(book),
      index: (_, { reply }) => reply.ok([book]),
      choice: (_, { reply }) => reply.ok({ is: 'book', book }),
      nothing: (_, { reply }) => reply.ok(null),
      note: (_, { request, reply }) => reply.ok({ got: request.payload, type: request.env.headers['content-type'] }),
      keep: (_, { request, reply }) => reply.ok(request.payload),
    }),
  ],
})
const api = client({ Things }, { baseUrl: 'http://things.test', fetch: app.fetch })

describe('the client', () => {
  it('writes lists of structures and of lists so that their elements stay apart', async () => {
    const params = { rows: [{ a: 1, b: 'x' }, { a: 2 }, { b: 'z' }], lists: [['a', 'b'], ['c']] }
    expect((await api.Things.search(params)).body).toEqual(params)
  })

  it('does not miss what the default view of a media type leaves out, and makes nothing up', async () => {
    expect((await api.Things.show({})).body).toEqual({ id: 1 })
    expect((await api.Things.index({})).body).toEqual([{ id: 1 }])
    expect((await api.Things.choice({})).body).toEqual({ is: 'book', book: { id: 1 } })
  })

  it('reads null where a body may be null', async () => {
    expect((await api.Things.nothing({})).body).toBe(null)
  })

  it('sends null and a text of no characters as what they are, and texts as plain text', async () => {
    const json = 'application/json'
    expect((await api.Things.note({}, { payload: null })).body).toEqual({ got: null, type: json })
    expect((await api.Things.note({}, { payload: '' })).body).toEqual({ got: '', type: json })
    expect((await api.Things.note({}, { payload: 'x' })).body).toEqual({ got: 'x', type: 'text/plain' })
  })

  it('sends a media type whole, whatever its default view shows', async () => {
    expect((await api.Things.keep({}, { payload: book })).body).toEqual(book)
  })
})

describe('an application', () => {
  it('answers its root below a base path with and without a slash, as its document says', async () => {
    const Root = endpoint('Root', {
      prefix: '',
      actions: { show: { routing: route.get('/'), responses: { ok: 'text/plain' } } },
    })
    const served = application({ basePath: '/api', controllers: [Root.implement({ show: () => 'root' })] })
    expect(Object.keys(served.openapi().paths)).toEqual(['/'])
    for (const path of ['/api', '/api/']) expect((await served.fetch(new Request(`http://x${path}`))).status).toBe(200)
  })

  it('has a document when a variant has an attribute that every object inherits', () => {
    const Odd = endpoint('Odd', {
      actions: {
        show: {
          routing: route.get('/'),
          // No example is found for this pattern, so that the whole of it is looked at again.
          params: { x: t.union('is', { one: { constructor: t.string({ required: true, pattern: /(?=b)a|bcd\b/ }) } }) },
          responses: { ok: true },
        },
      },
    })
    const odd = application({ controllers: [Odd.implement({ show: () => 'x' })] })
    expect(Object.keys(odd.openapi().paths)).toEqual(['/odd'])
  })

  it('refuses views and identifiers that are wrong in media types of responses, too', () => {
    const Wrong = mediaType('Wrong', {
      identifier: 'no identifier',
      attributes: { id: t.integer() },
      views: { some: ['name' as never] },
    })
    const boot = (ok: unknown): string => {
      const Odd = endpoint('Odd', { actions: { show: { routing: route.get('/'), responses: { ok: ok as never } } } })
      try {
        application({ controllers: [Odd.implement({ show: () => 'x' } as never)] })
      } catch (error) {
        if (error instanceof DefinitionError) return error.mistakes.map(({ problem }) => problem).join('; ')
      }
      return ''
    }
    for (const ok of [Wrong, Wrong.view('default'), collectionOf(Wrong)]) {
      expect(boot(ok)).toMatch(/'no identifier' is not a media type identifier/)
      expect(boot(ok)).toMatch(/the view Wrong.some shows 'name', which is not an attribute/)
    }
  })
})
