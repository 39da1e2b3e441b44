// TypeScript requires of a call exactly what the server requires.
import { describe, expectTypeOf, it } from 'vitest'
import { collectionOf, endpoint, header, inherit, mediaType, response, route, t } from '../index.ts'
import { client } from './client.ts'

const Book = mediaType('Book', {
  attributes: { id: t.integer({ required: true }), title: t.string({ required: true }), note: t.string() },
})
const Lent = response('lent', { status: 423 })
const Books = endpoint('Books', {
  mediaType: Book,
  actions: {
    index: { routing: route.get('/'), params: { q: t.string() }, responses: { ok: collectionOf(Book) } },
    find: {
      routing: route.get('/find'),
      params: { q: t.string({ required: true }), limit: t.integer({ default: 20 }) },
      responses: { ok: Book, notFound: true },
    },
    show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: Book, notFound: true } },
    create: { routing: route.post('/'), payload: { title: inherit, note: inherit }, responses: { created: Book } },
    patch: {
      routing: route.patch('/:id'),
      params: { id: t.integer() },
      payload: { note: inherit },
      responses: { ok: Book, accepted: true, lent: Lent },
    },
    text: { routing: route.post('/text'), payload: t.string({ required: true }), responses: { noContent: true } },
    maybe: { routing: route.post('/maybe'), payload: t.string(), responses: { noContent: true } },
    keyed: {
      routing: route.get('/keyed'),
      headers: { 'X-Key': header(), 'X-Trace': t.string() },
      responses: { ok: Book },
    },
    ping: { routing: route.get('/ping'), responses: { noContent: true } },
  },
})
const api = client({ Books }, { baseUrl: 'http://api.test' }).Books

describe('[CLT-01] the arguments of a call', () => {
  it('may have options that are undefined, as wrappers pass them on', () => {
    type Passed = { readonly signal: AbortSignal | undefined; readonly timeout: number | undefined }
    void ((passed: Passed) => api.show({ id: 1 }, { ...passed, attempts: undefined, from: undefined }))
    void ((fetch: typeof globalThis.fetch | undefined, timeout: number | undefined) =>
      client({ Books }, { baseUrl: 'http://api.test', fetch, timeout, headers: undefined, around: undefined }))
  })

  it('may be left out where the server insists on nothing', () => {
    void [() => api.index(), () => api.index({}), () => api.index(undefined, { signal: AbortSignal.abort() })]
    void [() => api.ping(), () => api.maybe(), () => api.patch({ id: 1 }), () => api.index.all(), () => api.ping.ok()]
    void [
      () => api.create(undefined, { payload: { title: 'Emma' } }),
      () => api.create({}, { payload: { title: 'E' } }),
    ]
    void (() => api.find({ q: 'Emma' }))
  })

  it('cannot lack a param of the path, or one that is required', () => {
    // @ts-expect-error: the path needs an id
    void (() => api.show())
    // @ts-expect-error: the path needs an id
    void (() => api.show({}))
    // @ts-expect-error: an id is not undefined
    void (() => api.show({ id: undefined }))
    // @ts-expect-error: the param is required
    void (() => api.find({ limit: 1 }))
    // @ts-expect-error: the path needs an id
    void (() => api.show.ok())
  })

  it('cannot lack a required payload, nor an attribute that it requires', () => {
    // @ts-expect-error: the payload has a required attribute
    void (() => api.create())
    // @ts-expect-error: the payload has a required attribute
    void (() => api.create({}))
    // @ts-expect-error: the payload has a required attribute
    void (() => api.create({}, {}))
    // @ts-expect-error: the title is required
    void (() => api.create({}, { payload: {} }))
    // @ts-expect-error: the text is required
    void (() => api.text())
    // @ts-expect-error: the text is required
    void (() => api.text({}, { payload: undefined }))
    // @ts-expect-error: the payload has a required attribute
    void (() => api.create.ok({}))
  })

  it('cannot lack a required header, unless the client sends it with every request', () => {
    // @ts-expect-error: the header is required
    void (() => api.keyed())
    // @ts-expect-error: the header is required
    void (() => api.keyed({}, { headers: { 'X-Trace': '1' } }))
    void (() => api.keyed({}, { headers: { 'X-Key': 'k', 'X-Other': 1 } }))
    const keyed = client({ Books }, { baseUrl: 'http://api.test', headers: { 'X-Key': 'k' } }).Books
    void [() => keyed.keyed(), () => keyed.keyed.ok({}, { headers: { 'X-Trace': '1' } })]
    const renewed = client({ Books }, { baseUrl: 'http://api.test', headers: async () => ({ 'X-Key': 'k' }) }).Books
    void (() => renewed.keyed())
    const signedIn = Math.random() > 0.5
    const maybe = client(
      { Books },
      { baseUrl: 'http://api.test', headers: () => (signedIn ? { 'X-Key': 'k' } : {}) },
    ).Books
    void (() => maybe.keyed())
    const unset = client(
      { Books },
      { baseUrl: 'http://api.test', headers: { 'X-Key': process.env['KEY'], 'X-More': 'm' } },
    ).Books
    void (() => unset.keyed())
    // @ts-expect-error: a header is a string
    void (() => client({ Books }, { baseUrl: 'http://api.test', headers: { 'X-Key': 1 } }))
    const other = client({ Books }, { baseUrl: 'http://api.test', headers: { 'X-Else': 'k' } }).Books
    // @ts-expect-error: the client sends another header
    void (() => other.keyed())
  })

  it('have no payload where the action takes none', () => {
    // @ts-expect-error: no payload is declared
    void (() => api.ping({}, { payload: 1 }))
  })
})

describe('[FRT-04] the members of a call', () => {
  const Author = mediaType('Author', { attributes: { name: t.string(), books: t.array(Book) } })
  const Shelves = endpoint('Shelves', {
    mediaType: Author,
    actions: {
      own: { routing: route.get('/own'), responses: { ok: true } },
      authors: { routing: route.get('/authors'), responses: { ok: collectionOf(Author) } },
      lines: { routing: route.get('/lines'), responses: { ok: collectionOf(Author, { as: 'ndjson' }) } },
      csv: { routing: route.get('/csv'), responses: { ok: collectionOf(Author, { as: 'csv' }) } },
      names: { routing: route.get('/names'), responses: { ok: t.array(t.string()) } },
      page: { routing: route.get('/page'), responses: { ok: t.object({ total: t.integer(), all: t.array(Author) }) } },
      two: { routing: route.get('/two'), responses: { ok: t.object({ a: t.array(Book), b: t.array(Author) }) } },
      around: { routing: route.get('/around'), responses: { ok: t.object({ author: Author }) } },
      file: { routing: route.get('/file'), responses: { ok: 'image/png' } },
      events: { routing: route.get('/events'), responses: { ok: 'text/event-stream' } },
      text: { routing: route.get('/text'), responses: { ok: 'text/plain' } },
      json: { routing: route.get('/json'), responses: { ok: 'application/json' } },
    },
  })
  const { Shelves: shelves } = client({ Shelves }, { baseUrl: 'http://api.test' })

  it('are `all` and `pages` on lists', () => {
    void (async () => {
      for await (const one of shelves.authors.all()) expectTypeOf(one).toEqualTypeOf<(typeof Author)['~type']>()
      for await (const one of shelves.names.all()) expectTypeOf(one).toEqualTypeOf<string>()
      for await (const one of shelves.page.all()) expectTypeOf(one.name).toEqualTypeOf<string | undefined>()
      for await (const { elements } of shelves.page.pages())
        expectTypeOf(elements[0]?.name).toEqualTypeOf<string | undefined>()
    })
  })

  it('are no `all` and no `pages` elsewhere', () => {
    // @ts-expect-error: an action without a body has no elements
    void (() => api.ping.all())
    // @ts-expect-error: the action changes one book
    void (() => api.patch.all({ id: 1 }, {}))
    // @ts-expect-error: one book is no list
    void (() => api.show.pages({ id: 1 }))
    // @ts-expect-error: one author is no list, though it has books
    void (() => shelves.own.all())
    // @ts-expect-error: the author in the envelope is no list
    void (() => shelves.around.all())
    // @ts-expect-error: of two lists, none is that of the body
    void (() => shelves.two.all())
    // @ts-expect-error: the body is an iterable itself
    void (() => shelves.lines.all())
    // @ts-expect-error: CSV is a text
    void (() => shelves.csv.pages())
    // @ts-expect-error: nothing is known of the body
    void (() => shelves.json.all())
  })

  it('take `stream` where a body can be a stream', () => {
    void [() => shelves.file({}, { stream: true }), () => shelves.events.ok({}, { stream: true })]
    // @ts-expect-error: one book is read at once
    void (() => api.show({ id: 1 }, { stream: true }))
    // @ts-expect-error: a text is read at once
    void (() => shelves.text({}, { stream: true }))
    // @ts-expect-error: a list is read at once, page by page
    void (() => shelves.authors.all({}, { stream: true }))
  })
})

describe('[CLT-05] a call that throws', () => {
  it('returns the bodies of successes', () => {
    expectTypeOf(api.show.ok).returns.resolves.toEqualTypeOf<(typeof Book)['~type']>()
    expectTypeOf(api.patch.ok).returns.resolves.toEqualTypeOf<(typeof Book)['~type'] | undefined>()
    expectTypeOf(api.index.ok).returns.resolves.toEqualTypeOf<readonly (typeof Book)['~type'][]>()
    expectTypeOf(api.ping.ok).returns.resolves.toEqualTypeOf<undefined>()
  })

  it('throws an error whose answer is one of its failures', () => {
    const name = (error: unknown) => {
      if (api.show.threw(error)) expectTypeOf(error.response.name).toEqualTypeOf<'notFound' | 'failure'>()
      if (api.patch.threw(error)) expectTypeOf(error.response.name).toEqualTypeOf<'lent' | 'failure'>()
    }
    expectTypeOf(name).toBeFunction()
  })
})
