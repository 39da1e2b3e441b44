// Attributes that payloads and params take over from media types by name, at any depth.
import { type Application, application, endpoint, inherit, mediaType, payloadOf, route, t } from 'edict'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { ask, mistakesOf } from '../support/ask.ts'

vi.setConfig({ testTimeout: 60_000 })

const responses = { ok: 'text/plain' } as const
const Place = mediaType('Place', { attributes: { zip: t.integer({ required: true }), town: t.string({ max: 4 }) } })
const Author = mediaType('Author', {
  attributes: { name: t.string({ required: true, max: 3 }), rank: t.integer({ default: 1 }), home: Place },
})
const Book = mediaType('Book', {
  attributes: {
    id: t.integer({ min: 1 }),
    title: t.string({ required: true, max: 5 }),
    author: Author,
    editors: t.array(Author, { max: 2 }),
    owner: t.ref(Author, { required: true }),
    late: t.ref(() => Author),
    parts: t.object({ pages: t.integer({ max: 9 }), more: t.object({ deep: t.boolean({ required: true }) }) }),
  },
})
const Books = endpoint('Books', {
  mediaType: Book,
  actionDefaults: { responses, params: { title: inherit({ required: false }) } },
  actions: {
    show: { routing: route.get('/:id'), params: { id: inherit } },
    search: { routing: route.get('/'), params: { author: t.object({ name: inherit({ required: false }) }) } },
    create: {
      routing: route.post('/'),
      payload: {
        title: inherit,
        author: t.object({ name: inherit, rank: inherit, home: t.object({ zip: inherit }) }),
        editors: t.array(t.object({ name: inherit({ nullable: true }) }), { max: 1 }),
        owner: t.object({ name: inherit, note: t.string() }, { nullable: true }),
        late: t.object({ name: inherit({ required: false }) }),
        parts: t.object({ more: t.object({ deep: inherit }) }, { required: true }),
      },
    },
    other: {
      routing: route.post('/other'),
      payload: payloadOf(Author, { home: t.object({ town: inherit({ required: true }) }) }),
    },
    many: { routing: route.post('/many'), payload: t.array(t.object({ title: inherit }), { required: true }) },
    singular: {
      routing: route.post('/singular'),
      payload: { editors: t.object({ name: inherit }, { required: true }) },
    },
    enveloped: {
      routing: route.post('/enveloped'),
      payload: {
        data: t.object({ book: t.object({ title: inherit, author: t.object({ name: inherit }) }, { required: true }) }),
        note: t.string(),
      },
    },
    // An envelope that has the name of an attribute without members.
    alike: { routing: route.post('/alike'), payload: { title: t.object({ title: inherit }, { required: true }) } },
  },
})
const echo = (params: unknown, { request }: any) => JSON.stringify([params, request.payload])
const app = application({
  controllers: [
    Books.implement({
      show: echo,
      search: echo,
      create: echo,
      other: echo,
      many: echo,
      singular: echo,
      enveloped: echo,
      alike: echo,
    } as never),
  ],
})
const codes = ({ errors }: any) => errors.map(({ pointer, code }: any) => `${pointer} ${code}`)
const post = async (path: string, body: unknown) => (await ask(app, `POST /books${path}`, { body })).json

describe('inherit', () => {
  it('in params takes the same-named attribute of the media type', async () => {
    expect((await ask(app, 'GET /books/7?title=Emma')).json[0]).toEqual({ id: 7, title: 'Emma' })
    expect((await ask(app, 'GET /books/0?title=Persuasion')).json.errors.map(({ code }: any) => code)).toEqual([
      'max-length',
      'min',
    ])
    expect((await ask(app, 'GET /books?author[name]=Ann')).json[0]).toEqual({ author: { name: 'Ann' } })
    expect(codes((await ask(app, 'GET /books?author[name]=Anna')).json)).toEqual(['/author/name max-length'])
  })

  it('in a structure takes what the structure of the same name has, at any depth', async () => {
    const good = { title: 'Emma', author: { name: 'Ann', home: { zip: 1 } }, parts: { more: { deep: true } } }
    expect((await post('', good))[1]).toEqual({ ...good, author: { ...good.author, rank: 1 } })
    expect(codes(await post('', { title: 'Emma', author: { name: 'Anna', home: {} }, parts: { more: {} } }))).toEqual([
      '/author/name max-length',
      '/author/home/zip missing',
      '/parts/more/deep missing',
    ])
    expect((await post('', { ...good, editors: [{ name: null }], owner: null, late: {} }))[1]).toMatchObject({
      editors: [{ name: null }],
      owner: null,
      late: {},
    })
    expect(codes(await post('', { ...good, editors: [{ name: 'Anna' }], owner: { note: 'x' } }))).toEqual([
      '/editors/0/name max-length',
      '/owner/name missing',
    ])
  })

  it('in payloadOf, in a whole body, and in one structure where the media type has a list', async () => {
    expect(codes(await post('/other', { home: { town: 'Boston' } }))).toEqual(['/home/town max-length'])
    expect(codes(await post('/other', { home: {} }))).toEqual(['/home/town missing'])
    expect((await post('/many', [{ title: 'Emma' }]))[1]).toEqual([{ title: 'Emma' }])
    expect(codes(await post('/many', [{}, { title: 'Persuasion' }]))).toEqual([
      '/0/title missing',
      '/1/title max-length',
    ])
    expect((await post('/singular', { editors: { name: 'Ann' } }))[1]).toEqual({ editors: { name: 'Ann' } })
  })

  it('[FOR-01] in an envelope takes what it takes without it', async () => {
    const good = { data: { book: { title: 'Emma', author: { name: 'Ann' } } }, note: 'x' }
    expect((await post('/enveloped', good))[1]).toEqual(good)
    expect(codes(await post('/enveloped', { data: { book: { title: 'Persuasion', author: {} } } }))).toEqual([
      '/data/book/title max-length',
      '/data/book/author/name missing',
    ])
    expect((await post('/alike', { title: { title: 'Emma' } }))[1]).toEqual({ title: { title: 'Emma' } })
    expect(codes(await post('/alike', { title: {} }))).toEqual(['/title/title missing'])
  })
})

type Written = { readonly written: any; readonly inheriting: any; readonly source: any }

const inherited = (over: object | undefined) => (over === undefined ? inherit : inherit(over))

// A field three times: written out, as a payload inherits it, and as the media type has it.
const leaf: fc.Arbitrary<Written> = fc
  .record({
    made: fc.constantFrom<(options: object) => any>(
      (options) => t.string({ ...options, max: 3 }),
      (options) => t.integer(options),
      (options) => t.array(t.boolean(), options),
    ),
    required: fc.boolean(),
    inherits: fc.boolean(),
    over: fc.constantFrom(undefined, { required: false }, { nullable: true }),
  })
  .map(({ made, required, inherits, over }) => ({
    source: made({ required }),
    written: made({ required, ...(inherits && over) }),
    inheriting: inherits ? inherited(over) : made({ required }),
  }))
const together = (fields: Readonly<Record<string, Written>>, of: keyof Written) =>
  Object.fromEntries(Object.entries(fields).map(([name, one]) => [name, one[of]]))
const names = fc.constantFrom('a', 'b', 'c', 'd')
const { fields } = fc.letrec<{ fields: Record<string, Written>; field: Written; nested: Written }>((tie) => ({
  fields: fc.dictionary(names, tie('field'), { minKeys: 1, maxKeys: 3, depthIdentifier: 'f' }),
  field: fc.oneof({ depthIdentifier: 'f', maxDepth: 3 }, leaf, tie('nested')),
  nested: fc
    .tuple(tie('fields'), fc.constantFrom('struct', 'media', 'ref', 'list', 'flat'), fc.boolean())
    .map(([below, form, required]) => {
      const of = { written: together(below, 'written'), inheriting: together(below, 'inheriting') }
      const source = t.object(together(below, 'source'))
      const sources = {
        struct: () => source,
        media: () => mediaType('Below', { attributes: together(below, 'source') }),
        ref: () => t.ref(() => source),
        list: () => t.array(source),
        flat: () => t.array(source),
      }
      const own = (attributes: any): any =>
        form === 'list' ? t.array(t.object(attributes), { required }) : t.object(attributes, { required })
      return { source: sources[form as 'struct'](), written: own(of.written), inheriting: own(of.inheriting) }
    }),
}))

describe('law', () => {
  const documentOf = (attributes: any, payload: any, params: any): object => {
    const Source = mediaType('Source', { attributes })
    const Things = endpoint('Things', {
      mediaType: Source,
      actionDefaults: { responses: { ok: true } },
      actions: {
        make: { routing: route.post('/'), payload },
        of: { routing: route.post('/of'), payload: payloadOf(Source, payload) },
        list: { routing: route.get('/'), params },
      },
    })
    const made: Application = application({
      controllers: [Things.implement({ make: echo, of: echo, list: echo } as never)],
    })
    return made.openapi()
  }

  it('[FOR-01] what inherits is documented as what is written out, in envelopes of any depth', () => {
    fc.assert(
      fc.property(fields, fc.array(fc.constantFrom('data', 'article', 'x'), { maxLength: 3 }), (all, path) => {
        const wrap = (one: any): any =>
          path.reduceRight((inner, name) => ({ [name]: t.object(inner, { required: true }), beside: t.string() }), one)
        const attributes = together(all, 'source')
        const written = wrap(together(all, 'written'))
        const inheriting = wrap(together(all, 'inheriting'))
        expect(documentOf(attributes, inheriting, inheriting)).toEqual(documentOf(attributes, written, written))
      }),
      { numRuns: 60 },
    )
  })
})

describe('a mistake', () => {
  const made = (action: object, more: object = { mediaType: Book }) =>
    mistakesOf(() =>
      application({
        controllers: [
          endpoint('Books', {
            ...more,
            actions: { list: { routing: route.get('/'), responses: { ok: true }, ...action } },
          } as never).implement({ list: () => '' } as never),
        ],
      }),
    ).map(({ setting, problem }) => `${setting}: ${problem}`)

  it.each<readonly [string, object, string]>([
    ['a param', { params: { titel: inherit } }, "params.titel: Book has no attribute 'titel' to inherit from"],
    [
      'a name below',
      { payload: { author: t.object({ nam: inherit }) } },
      "payload.author.nam: Book.author has no attribute 'nam' to inherit from",
    ],
    [
      'a name further below',
      { payload: { author: t.object({ home: t.object({ street: inherit }) }) } },
      "payload.author.home.street: Book.author.home has no attribute 'street' to inherit from",
    ],
    [
      'a structure that the media type does not have',
      { params: { writer: t.object({ name: inherit }) } },
      "params.writer.name: Book has no attribute 'name' to inherit from",
    ],
    [
      'a structure where the media type has none',
      { payload: { title: t.array(t.object({ name: inherit })) } },
      "payload.title.name: Book has no attribute 'name' to inherit from",
    ],
    [
      'a name within an envelope',
      { payload: { book: t.object({ author: t.object({ more: t.object({ nam: inherit }) }) }) } },
      "payload.book.author.more.nam: Book.author has no attribute 'nam' to inherit from",
    ],
    [
      'a name of the reference',
      { payload: payloadOf(Author, { home: t.object({ pages: inherit } as never) } as never) },
      "payload.home.pages: Author.home has no attribute 'pages' to inherit from",
    ],
    ['a header', { headers: { title: inherit } }, 'headers.title: there is nothing here that it could inherit from'],
    [
      'a variant of a union',
      { payload: { author: t.union('kind', { a: { name: inherit } } as never) } },
      'payload.author.a.name: there is nothing here that it could inherit from',
    ],
  ])('%s', (_, action, expected) => {
    expect(made(action)).toEqual([expected])
  })

  it('of the defaults, and of an endpoint without a media type', () => {
    expect(made({}, { mediaType: Book, actionDefaults: { params: { nope: inherit } } })).toEqual([
      "params.nope: Book has no attribute 'nope' to inherit from",
    ])
    expect(made({ params: { a: t.object({ b: inherit }) } }, {})).toEqual([
      'params.a.b: the endpoint has no media type to inherit from',
    ])
  })
})
