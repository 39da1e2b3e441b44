// The types that the compiler infers from less common declarations, and where it infers less.
import { assertType, describe, expectTypeOf, it } from 'vitest'
import {
  type ActionRequest,
  type Callback,
  type Context,
  type Controller,
  childOf,
  collectionOf,
  controller,
  type EndpointSpec,
  endpoint,
  has,
  inherit,
  mediaType,
  type ParamsOf,
  type PayloadOf,
  payloadOf,
  Responses,
  response,
  route,
  t,
} from '../../index.ts'
import type { RequestOf } from '../action-context.ts'
import type { LastCapture, PathParams, RequiredCaptures } from './captures.ts'
import type { ParamsSent, PayloadSent } from './inference.ts'

const Person = mediaType('Person', {
  attributes: { id: t.integer({ required: true }), email: t.string() },
  views: { short: ['id'] },
})
const Blog = mediaType('Blog', {
  attributes: {
    id: t.integer({ required: true }),
    title: t.string({ required: true }),
    subtitle: t.string({ required: true, nullable: true }),
    rank: t.integer({ default: 1 }),
    owner: Person,
  },
  views: { short: ['id', 'title'], long: ['id', 'title', 'rank'] },
})

describe('paths', () => {
  it('[RTE-02] [RTE-13] are read for their captures and wildcards', () => {
    expectTypeOf<PathParams<'/'>>().toEqualTypeOf<never>()
    expectTypeOf<PathParams<'/:id'>>().toEqualTypeOf<'id'>()
    expectTypeOf<PathParams<'/:file.:ext'>>().toEqualTypeOf<'file' | 'ext'>()
    expectTypeOf<PathParams<'/:from-:to/x/:a_1'>>().toEqualTypeOf<'from' | 'to' | 'a_1'>()
    expectTypeOf<PathParams<'/(:a/)?:b'>>().toEqualTypeOf<'a' | 'b'>()
    expectTypeOf<PathParams<'/:id/*path'>>().toEqualTypeOf<'id' | 'path'>()
    expectTypeOf<PathParams<'/*/x/*rest'>>().toEqualTypeOf<'splat' | 'rest'>()
    expectTypeOf<PathParams<'/\\:id'>>().toEqualTypeOf<never>()
    expectTypeOf<PathParams<string>>().toEqualTypeOf<never>()
  })

  it('tell what is captured in any case', () => {
    expectTypeOf<RequiredCaptures<'/:a/:b'>>().toEqualTypeOf<'a' | 'b'>()
    expectTypeOf<RequiredCaptures<'/(:a/)?:b'>>().toEqualTypeOf<'b'>()
    expectTypeOf<RequiredCaptures<'/:id(.:format)?'>>().toEqualTypeOf<'id'>()
    expectTypeOf<RequiredCaptures<'/:id(-:slug)/edit'>>().toEqualTypeOf<'id' | 'slug'>()
    expectTypeOf<RequiredCaptures<'/:a(/x)?b/:c'>>().toEqualTypeOf<'a' | 'c'>()
    expectTypeOf<RequiredCaptures<'/:a(/x/:b|/y/:c)/:d'>>().toEqualTypeOf<'a' | 'd'>()
    expectTypeOf<RequiredCaptures<'/:a(/:b(/:c)?)?/:d'>>().toEqualTypeOf<'a'>()
    expectTypeOf<RequiredCaptures<'/:a|/:b'>>().toEqualTypeOf<never>()
    expectTypeOf<RequiredCaptures<'/:a(/x)?|/:b'>>().toEqualTypeOf<never>()
    expectTypeOf<RequiredCaptures<'/:a/:b?'>>().toEqualTypeOf<'a'>()
    expectTypeOf<RequiredCaptures<'/:a/*path'>>().toEqualTypeOf<'a' | 'path'>()
    expectTypeOf<RequiredCaptures<'/:a/\\?'>>().toEqualTypeOf<never>()
  })

  it('tell their last capture', () => {
    expectTypeOf<LastCapture<'/'>>().toEqualTypeOf<never>()
    expectTypeOf<LastCapture<'/', 'inherited'>>().toEqualTypeOf<'inherited'>()
    expectTypeOf<LastCapture<'/:a/x/:b.json'>>().toEqualTypeOf<'b'>()
    expectTypeOf<LastCapture<'/:a/*path'>>().toEqualTypeOf<'path'>()
    expectTypeOf<LastCapture<'/*path/:a/*'>>().toEqualTypeOf<'a'>()
  })
})

describe('params', () => {
  const Files = endpoint('Files', {
    actionDefaults: { params: { lang: t.string(), page: t.integer({ default: 1 }) } },
    actions: {
      optional: {
        routing: route.get('/(:a/)?:b'),
        params: { a: t.string(), b: t.integer() },
        responses: { ok: true },
      },
      several: {
        routing: [route.get('/:a/by/:b'), route.prefix('//other'), route.get('/:b/of/:c')],
        params: { a: t.string(), b: t.integer(), c: t.string(), q: t.string({ required: true }) },
        responses: { ok: true },
      },
      single: { routing: [route.get('/one/:a')], params: { a: t.string() }, responses: { ok: true } },
      tree: { routing: route.get('/tree/*path'), params: { path: t.string() }, responses: { ok: true } },
      defaults: {
        routing: route.get('/:lang'),
        params: { page: t.string(), lang: t.string({ values: ['en', 'fr'] }) },
        responses: { ok: true },
      },
      bare: { routing: route.get('/bare'), responses: { ok: true } },
    },
  })

  it('[ACT-02] [DFT-01] [DFT-03] are present where every route captures them', () => {
    controller(Files, {
      optional(params) {
        expectTypeOf(params).toEqualTypeOf<{ lang?: string; page: number; a?: string; b: number }>()
        return ''
      },
      several(params) {
        expectTypeOf(params).toEqualTypeOf<{
          lang?: string
          page: number
          a?: string
          b: number
          c?: string
          q: string
        }>()
        return ''
      },
      single(params) {
        expectTypeOf(params).toEqualTypeOf<{ lang?: string; page: number; a: string }>()
        return ''
      },
      tree(params) {
        expectTypeOf(params).toEqualTypeOf<{ lang?: string; page: number; path: string }>()
        return ''
      },
      defaults(params) {
        expectTypeOf(params).toEqualTypeOf<{ lang: 'en' | 'fr'; page?: string }>()
        return ''
      },
      bare(params, { request }) {
        expectTypeOf(params).toEqualTypeOf<{ lang?: string; page: number }>()
        expectTypeOf(request.payload).toEqualTypeOf<{}>()
        expectTypeOf(request.headers).toEqualTypeOf<{}>()
        return ''
      },
    })
  })

  it('[FOR-03] are present where the prefix above every route captures them', () => {
    const Tasks = endpoint('Tasks', {
      prefix: '/teams/:team/(:year/)?tasks',
      actionDefaults: { params: { team: t.integer(), year: t.integer() } },
      actions: {
        show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: true } },
        own: { routing: route.get('//tasks/:id'), params: { id: t.integer() }, responses: { ok: true } },
        both: {
          routing: [route.get('/:id'), route.get('//tasks/:id')],
          params: { id: t.integer() },
          responses: { ok: true },
        },
        others: {
          routing: [route.prefix('/rooms/:room'), route.get('/:id'), route.prefix('/halls/:room'), route.get('/:id')],
          params: { id: t.integer(), room: t.string() },
          responses: { ok: true },
        },
        mixed: {
          routing: [route.get('/:id'), route.prefix('/rooms/:room'), route.get('/:id')],
          params: { id: t.integer(), room: t.string() },
          responses: { ok: true },
        },
      },
    })
    expectTypeOf<ParamsOf<(typeof Tasks)['spec'], 'show'>>().toEqualTypeOf<{
      team: number
      year?: number
      id: number
    }>()
    expectTypeOf<ParamsOf<(typeof Tasks)['spec'], 'own'>>().toEqualTypeOf<{
      team?: number
      year?: number
      id: number
    }>()
    expectTypeOf<ParamsOf<(typeof Tasks)['spec'], 'both'>>().toEqualTypeOf<{
      team?: number
      year?: number
      id: number
    }>()
    expectTypeOf<ParamsOf<(typeof Tasks)['spec'], 'others'>>().toEqualTypeOf<{
      team?: number
      year?: number
      id: number
      room: string
    }>()
    expectTypeOf<ParamsOf<(typeof Tasks)['spec'], 'mixed'>>().toEqualTypeOf<{
      team?: number
      year?: number
      id: number
      room?: string
    }>()
    expectTypeOf<ParamsSent<(typeof Tasks)['spec'], 'show'>['team']>().toEqualTypeOf<number>()
    assertType<string>(Tasks.toHref({ team: 1, id: 2 }))
    // @ts-expect-error the prefix captures the team
    Tasks.toHref({ id: 2 })
    const Notes = endpoint('Notes', {
      parent: Tasks,
      actions: { index: { routing: route.get('/'), responses: { ok: true } } },
    })
    expectTypeOf<ParamsOf<(typeof Notes)['spec'], 'index'>>().toEqualTypeOf<{
      team: number
      year?: number
      task_id: number
    }>()
  })

  it('[FOR-03] must declare the captures of a prefix', () => {
    endpoint('Tasks', {
      prefix: '/teams/:team/tasks',
      actions: {
        // @ts-expect-error the team is not declared
        index: { routing: route.get('/'), responses: { ok: true } },
        show: { routing: route.get('/:id'), params: { team: t.string(), id: t.integer() }, responses: { ok: true } },
        own: { routing: route.get('//tasks'), responses: { ok: true } },
      },
    })
    endpoint('Halls', {
      actions: {
        // @ts-expect-error the room is not declared
        index: { routing: [route.prefix('/rooms/:room'), route.get('/')], responses: { ok: true } },
      },
    })
  })

  it('[RTE-20] must declare the captures of every route', () => {
    endpoint('Two', {
      actions: {
        // @ts-expect-error b is not declared
        show: { routing: [route.get('/:a'), route.get('/:b')], params: { a: t.string() }, responses: { ok: true } },
      },
    })
    endpoint('Three', {
      actions: {
        // @ts-expect-error path is not declared
        show: { routing: route.get('/*path'), params: { splat: t.array(t.string()) }, responses: { ok: true } },
      },
    })
    endpoint('Four', {
      actionDefaults: { params: { id: t.integer() } },
      actions: { show: { routing: route.get('/:id'), responses: { ok: true } } },
    })
  })
})

describe('params of parents', () => {
  const show = { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: true } } as const
  const empty = { routing: route.get('/'), responses: { ok: true } } as const

  it('[PAR-03] [DEF-09] have the name that the parent sets as its singular, and come from its canonical path', () => {
    const Series = endpoint('TvSeries', { singular: 'series', actions: { show } })
    const Boxes = endpoint('LunchBoxes', {
      canonicalPath: 'open',
      actions: { open: { routing: route.get('/:code'), params: { code: t.string() }, responses: { ok: true } } },
    })
    controller(endpoint('Episodes', { parent: Series, actions: { show: empty } }), {
      show(params) {
        expectTypeOf(params).toEqualTypeOf<{ series_id: number }>()
        return ''
      },
    })
    controller(endpoint('Sandwiches', { parent: Boxes, actions: { show: empty } }), {
      show(params) {
        expectTypeOf(params).toEqualTypeOf<{ lunch_box_id: string }>()
        return ''
      },
    })
  })

  it('[PAR-04] [PAR-05] [PAR-06] [DFT-03] are renamed through generations, and may be declared again', () => {
    const Shops = endpoint('Shops', {
      actions: {
        show: { routing: route.get('/:city/:id'), params: { city: t.string(), id: t.integer() }, responses: {} },
      },
    })
    const Halls = endpoint('Halls', { parent: Shops, actions: { show: empty } })
    const Shelves = endpoint('Shelves', {
      parent: childOf(Halls, { city: 'town', shop_id: 'shop' }),
      actions: {
        show,
        list: { routing: route.get('/'), params: { town: t.string({ values: ['a'] }) }, responses: { ok: true } },
      },
    })
    controller(Halls, {
      show(params) {
        expectTypeOf(params).toEqualTypeOf<{ city: string; shop_id: number }>()
        return ''
      },
    })
    controller(Shelves, {
      show(params) {
        expectTypeOf(params).toEqualTypeOf<{ town: string; shop: number; id: number }>()
        return ''
      },
      list(params) {
        expectTypeOf(params).toEqualTypeOf<{ town: 'a'; shop: number }>()
        return ''
      },
    })
    assertType<string>(Shelves.toHref({ town: 'x', shop: 1, id: 2 }))
    // @ts-expect-error the parent's param has another name here
    Shelves.toHref({ city: 'x', shop: 1, id: 2 })
  })

  it('[CAN-02] are optional where the canonical path is', () => {
    const Pages = endpoint('Pages', {
      actions: {
        show: {
          routing: route.get('/(:lang/)?:id', { name: 'page' }),
          params: { lang: t.string(), id: t.integer() },
          responses: { ok: true },
        },
      },
    })
    expectTypeOf(Pages.parseHref('/pages/1')).toEqualTypeOf<{ lang?: string; id: number }>()
    expectTypeOf(Pages.routes.page.parse('/pages/1')).toEqualTypeOf<{ lang?: string; id: number }>()
    assertType<string>(Pages.toHref({ id: 1 }))
    controller(endpoint('Notes', { parent: Pages, actions: { show: empty } }), {
      show(params) {
        expectTypeOf(params).toEqualTypeOf<{ lang?: string; page_id: number }>()
        return ''
      },
    })
  })
})

describe('payloads', () => {
  const Blogs = endpoint('Blogs', {
    mediaType: Blog,
    actionDefaults: { payload: { note: t.string(), title: inherit } },
    actions: {
      list: { routing: route.post('/list'), payload: t.array(t.integer(), { required: true }), responses: {} },
      text: { routing: route.post('/text'), payload: t.string(), responses: {} },
      plain: { routing: route.post('/plain'), responses: {} },
      mixed: {
        routing: route.post('/mixed'),
        payload: { note: t.integer({ required: true }), rank: inherit, owner: inherit },
        responses: {},
      },
      nulls: {
        routing: route.post('/nulls'),
        payload: {
          title: inherit({ nullable: true }),
          subtitle: inherit({ nullable: false }),
          rank: inherit({ description: 'x' }),
        },
        responses: {},
      },
      presence: {
        routing: route.post('/presence'),
        payload: {
          title: inherit({ required: false }),
          subtitle: inherit({ default: null }),
          rank: inherit({ required: false }),
          owner: inherit({ required: true }),
        },
        responses: {},
      },
      other: {
        routing: route.post('/other'),
        payload: payloadOf(Person, { id: inherit, email: inherit }),
        responses: {},
      },
    },
  })
  const Uploads = endpoint('Uploads', {
    actionDefaults: { payload: t.file({ required: true }) },
    actions: {
      put: { routing: route.put('/'), responses: {} },
      patch: { routing: route.patch('/'), payload: { name: t.string() }, responses: {} },
    },
  })

  it('[DFT-02] [DFT-03] are one value, or attributes of their own, of the defaults and of a media type', () => {
    type P<N extends keyof (typeof Blogs)['spec']['actions']> = Context<(typeof Blogs)['spec'], N>['request']['payload']
    expectTypeOf<P<'list'>>().toEqualTypeOf<number[]>()
    expectTypeOf<P<'text'>>().toEqualTypeOf<string | undefined>()
    expectTypeOf<P<'plain'>>().toEqualTypeOf<{ note?: string; title: string }>()
    expectTypeOf<P<'mixed'>>().toEqualTypeOf<{
      note: number
      title: string
      rank: number
      owner?: { id: number; email?: string }
    }>()
    expectTypeOf<P<'nulls'>>().toEqualTypeOf<{
      note?: string
      title: string | null
      subtitle: string
      rank: number
    }>()
    expectTypeOf<P<'presence'>>().toEqualTypeOf<{
      note?: string
      title?: string
      subtitle: string | null
      rank?: number
      owner: { id: number; email?: string }
    }>()
    expectTypeOf<P<'other'>>().toEqualTypeOf<{ note?: string; title: string; id: number; email?: string }>()
    type U<N extends 'put' | 'patch'> = RequestOf<(typeof Uploads)['spec'], N>['payload']
    expectTypeOf<U<'put'>>().toHaveProperty('size')
    expectTypeOf<U<'patch'>>().toEqualTypeOf<{ name?: string }>()
  })

  it('are narrowed by presence', () => {
    Blogs.implement({} as never).before({ actions: ['nulls'] }, ({ request: { payload } }) => {
      if (has(payload, 'note')) expectTypeOf(payload.note).toEqualTypeOf<string>()
    })
  })

  it('inherit only what there is', () => {
    endpoint('One', {
      actions: {
        // @ts-expect-error the endpoint has no media type
        show: { routing: route.get('/'), payload: { title: inherit }, responses: {} },
      },
    })
    endpoint('Two', {
      mediaType: 'application/json',
      actions: {
        // @ts-expect-error an identifier has no attributes
        show: { routing: route.get('/'), payload: { title: inherit }, responses: {} },
      },
    })
    // @ts-expect-error the reference has no such attribute
    payloadOf(Person, { title: inherit })
  })
})

describe('what is inherited by structures and params', () => {
  const Place = mediaType('Place', { attributes: { zip: t.integer({ required: true }), town: t.string() } })
  const Author = mediaType('Author', {
    attributes: { name: t.string({ required: true }), rank: t.integer({ default: 1 }), home: Place },
  })
  const Book = mediaType('Book', {
    attributes: {
      id: t.integer(),
      title: t.string({ required: true }),
      author: Author,
      editors: t.array(Author),
      owner: t.ref(Author, { required: true }),
      late: t.ref(() => Author),
      tags: t.record(t.string()),
      parts: t.object({ pages: t.integer(), more: t.object({ deep: t.boolean({ required: true }) }) }),
      heir: t.ref(Author, { nullable: true }),
      loans: t.array(t.object({ to: t.string({ required: true }) }, { nullable: true }), { nullable: true }),
    },
  })
  const responses = { ok: true } as const
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
      maybe: {
        routing: route.post('/maybe'),
        payload: {
          heir: t.object({ name: inherit }, { nullable: true }),
          loans: t.array(t.object({ to: inherit })),
        },
      },
      many: { routing: route.post('/many'), payload: t.array(t.object({ title: inherit }), { required: true }) },
      whole: {
        routing: route.post('/whole'),
        payload: t.object({ title: inherit, author: t.object({ rank: inherit }) }),
      },
      enveloped: {
        routing: route.post('/enveloped'),
        payload: {
          data: t.object(
            { book: t.object({ title: inherit, author: t.object({ name: inherit }) }, { required: true }) },
            { required: true },
          ),
          books: t.array(t.object({ id: inherit({ required: true }) })),
          title: t.object({ title: inherit({ required: false }) }),
          note: t.string(),
        },
      },
      otherwise: { routing: route.post('/otherwise'), payload: payloadOf(Author, { by: t.object({ name: inherit }) }) },
    },
  })
  type S = (typeof Books)['spec']

  it('has the types of what it is inherited from', () => {
    expectTypeOf<ParamsOf<S, 'show'>>().toEqualTypeOf<{ id: number; title?: string }>()
    expectTypeOf<ParamsOf<S, 'search'>>().toEqualTypeOf<{ title?: string; author?: { name?: string } }>()
    expectTypeOf<PayloadOf<S, 'create'>>().toEqualTypeOf<{
      title: string
      author?: { name: string; rank: number; home?: { zip: number } }
      editors?: { name: string | null }[]
      owner?: { name: string; note?: string } | null
      late?: { name?: string }
      parts: { more?: { deep: boolean } }
    }>()
    expectTypeOf<PayloadOf<S, 'other'>>().toEqualTypeOf<{ home?: { town: string } }>()
    expectTypeOf<PayloadOf<S, 'maybe'>>().toEqualTypeOf<{ heir?: { name: string } | null; loans?: { to: string }[] }>()
    expectTypeOf<PayloadOf<S, 'many'>>().toEqualTypeOf<{ title: string }[]>()
    expectTypeOf<PayloadOf<S, 'whole'>>().toEqualTypeOf<{ title: string; author?: { rank: number } } | undefined>()
    expectTypeOf(Books.toHref).parameter(0).toEqualTypeOf<{ id: number }>()
  })

  it('[FOR-01] [FOR-03] has the same types within envelopes', () => {
    expectTypeOf<PayloadOf<S, 'enveloped'>>().toEqualTypeOf<{
      data: { book: { title: string; author?: { name: string } } }
      books?: { id: number }[]
      title?: { title?: string }
      note?: string
    }>()
    expectTypeOf<PayloadOf<S, 'otherwise'>>().toEqualTypeOf<{ by?: { name: string } }>()
    assertType<PayloadSent<S, 'enveloped'>>({ data: { book: { title: 'Emma' } } })
    // @ts-expect-error the title is required
    assertType<PayloadSent<S, 'enveloped'>>({ data: { book: {} } })
  })

  it('has the types that clients send', () => {
    assertType<ParamsSent<S, 'show'>>({ id: 1 })
    assertType<PayloadSent<S, 'many'>>([{ title: 'Emma' }])
    assertType<PayloadSent<S, 'create'>>({ title: 'Emma', parts: {} })
    // @ts-expect-error the name is required
    assertType<PayloadSent<S, 'create'>>({ title: 'Emma', parts: {}, author: {} })
    // @ts-expect-error the id is captured
    assertType<ParamsSent<S, 'show'>>({ title: 'Emma' })
  })

  it('is only what there is', () => {
    const one = (routing = route.post('/')) => ({ routing, responses })
    endpoint('A', {
      mediaType: Book,
      // @ts-expect-error the media type has no such attribute
      actions: { list: { ...one(), params: { titel: inherit } } },
    })
    endpoint('B', {
      mediaType: Book,
      // @ts-expect-error the author has no such attribute
      actions: { list: { ...one(), payload: { author: t.object({ nam: inherit }) } } },
    })
    endpoint('C', {
      mediaType: Book,
      // @ts-expect-error the home of the author has no such attribute
      actions: { list: { ...one(), payload: { author: t.object({ home: t.object({ street: inherit }) }) } } },
    })
    endpoint('D', {
      mediaType: Book,
      // @ts-expect-error a title has no attributes
      actions: { list: { ...one(), params: { title: t.object({ length: inherit }) } } },
    })
    endpoint('E', {
      mediaType: Book,
      // @ts-expect-error free names are not attributes
      actions: { list: { ...one(), payload: { tags: t.object({ length: inherit }) } } },
    })
    endpoint('F', {
      mediaType: Book,
      // @ts-expect-error the media type has no such attribute
      actions: { list: { ...one(), payload: t.array(t.object({ titel: inherit })) } },
    })
    endpoint('G', {
      // @ts-expect-error the endpoint has no media type
      actions: { list: { ...one(), params: { title: inherit } } },
    })
    endpoint('N', {
      mediaType: Book,
      // @ts-expect-error a nullable author has no such attribute either
      actions: { list: { ...one(), payload: { heir: t.object({ nam: inherit }) } } },
    })
    endpoint('P', {
      mediaType: Book,
      // @ts-expect-error the media type has no such attribute, within an envelope either
      actions: { list: { ...one(), payload: { book: t.object({ titel: inherit }) } } },
    })
    endpoint('Q', {
      mediaType: Book,
      // @ts-expect-error neither has the author
      actions: { list: { ...one(), payload: { book: t.object({ author: t.object({ nam: inherit }) }) } } },
    })
    // @ts-expect-error the home has no such attribute
    payloadOf(Author, { home: t.object({ street: inherit }) })
    const Own = mediaType('Own', { attributes: { of: t.object({ a: inherit }) } })
    // @ts-expect-error there is nothing in the media type to inherit from
    endpoint('O', { mediaType: Own, actions: { list: one() } })
    // @ts-expect-error headers inherit nothing
    endpoint('H', { mediaType: Book, actions: { list: { ...one(), headers: { title: inherit } } } })
    const ok = t.object({ id: inherit })
    // @ts-expect-error a response inherits nothing
    endpoint('I', { mediaType: Book, actions: { list: { routing: route.get('/'), responses: { ok } } } })
  })
})

describe('responses', () => {
  const Busy = response('busy', { status: 503 })
  const Blogs = endpoint('Blogs', {
    mediaType: Blog,
    actionDefaults: { responses: { ok: Blog, gone: true } },
    actions: {
      several: {
        routing: route.get('/several'),
        responses: { ok: { mediaType: [Person, 'text/csv'] }, created: { mediaType: [Person, collectionOf(Person)] } },
      },
      identified: {
        routing: route.get('/identified'),
        responses: { ok: 'image/png', created: 'application/vnd.acme+json', accepted: { mediaType: 'text/html' } },
      },
      view: {
        routing: route.get('/view'),
        responses: { ok: Blog.view('short'), accepted: collectionOf(Blog, { view: 'long' }), found: { status: 302 } },
      },
      value: { routing: route.get('/value'), responses: { ok: t.array(t.integer()), busy: Busy } },
    },
  })

  it('[RSP-01] [RSP-02] [DFT-03] take the body that their declaration says', () => {
    controller(Blogs, {
      several(_, { reply }) {
        expectTypeOf(reply.created)
          .parameter(0)
          .toEqualTypeOf<{ id: number; email?: string } | readonly { id: number; email?: string }[]>()
        // @ts-expect-error neither form of the body
        reply.created({ email: 'x' })
        // @ts-expect-error not declared
        reply.accepted()
        reply.ok('1,x', { mediaType: 'text/csv' })
        // @ts-expect-error neither a person nor a text
        reply.ok({ email: 'x' })
        return reply.ok({ id: 1 })
      },
      identified(_, { reply }) {
        reply.created({ any: ['value'] })
        reply.accepted('<p>')
        // @ts-expect-error a structure is not an image
        reply.ok({ id: 1 })
        return Math.random() > 0.5 ? reply.ok(new Uint8Array()) : reply.ok(new Blob([]).stream())
      },
      view(_, { reply }) {
        reply.found()
        // @ts-expect-error the view shows a title
        reply.ok({ id: 1 })
        // @ts-expect-error the view shows a rank
        reply.accepted([{ id: 1, title: 'x' }])
        // @ts-expect-error the view does not show a rank
        reply.ok({ id: 1, title: 'x', rank: 3 })
        const complete = { id: 1, title: 'x', rank: 3 }
        return reply.ok(complete)
      },
      async value(_, { reply }) {
        if (Math.random() > 0.5) return reply.busy()
        if (Math.random() > 0.5) return new Busy()
        expectTypeOf(reply.ok).parameter(0).toEqualTypeOf<number[]>()
        return reply.gone()
      },
    })
  })

  it('[RSP-05] are compared with their body when they are made of a class', () => {
    const Ones = endpoint('Ones', {
      actions: { show: { routing: route.get('/'), responses: { ok: Blog.view('short') } } },
    })
    controller(Ones, { show: () => new Responses.Ok({ body: { id: 1, title: 'x' } }) })
    controller(Ones, {
      // @ts-expect-error a body of another shape
      show: () => new Responses.Ok({ body: { id: 1 } }),
    })
    controller(Ones, {
      // @ts-expect-error a body of another shape, later
      show: async () => new Responses.Ok({ body: { id: 1 } }),
    })
    controller(Ones, {
      // @ts-expect-error not declared
      show: async (_, { reply }) => (reply ? new Busy() : reply.ok({ id: 1, title: 'x' })),
    })
  })
})

describe('controllers', () => {
  const Blogs = endpoint('Blogs', {
    mediaType: Blog,
    actions: {
      show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: Blog, notFound: true } },
      create: { routing: route.post('/'), payload: { title: inherit }, responses: { created: true } },
    },
  })
  type Spec = (typeof Blogs)['spec']

  it('[CTL-10] may be classes', () => {
    controller(
      Blogs,
      class {
        readonly context: Context<Spec>
        constructor(context: Context<Spec>) {
          this.context = context
          expectTypeOf(context.request.action.name).toEqualTypeOf<'show' | 'create'>()
        }
        show({ id }: ParamsOf<Spec, 'show'>, { reply }: Context<Spec, 'show'>) {
          expectTypeOf(id).toEqualTypeOf<number>()
          return id > 3 ? reply.ok({ id, title: 'x', subtitle: null, rank: 1 }) : reply.notFound()
        }
        async create(_: {}, { request }: Context<Spec, 'create'>) {
          const { request: one } = this.context
          if (one.action.name === 'create') assertType<string>(request.payload.title)
          return new Responses.Created()
        }
      },
    )
    controller(
      Blogs,
      class {
        show({ id }: { id: number }) {
          return new Responses.Ok({ body: { id, title: '', subtitle: null, rank: 1 } })
        }
        create() {
          return new Responses.Created()
        }
      },
    )
  })

  it('[CTL-10] [CTL-09] are refused as classes that do not fit', () => {
    controller(
      Blogs,
      // @ts-expect-error create is missing
      class {
        show = () => ''
      },
    )
    controller(
      Blogs,
      // @ts-expect-error the id is a number
      class {
        show = ({ id }: { id: string }) => id
        create = () => ''
      },
    )
    controller(
      Blogs,
      // @ts-expect-error gone is not declared
      class {
        show = () => new Responses.Gone()
        create = () => ''
      },
    )
  })

  it('[CTL-04] may stand with their declaration', () => {
    const Ones = endpoint('Ones', {
      actions: {
        show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: true, gone: true } },
      },
    }).implement({
      show({ id }, { reply, request }) {
        expectTypeOf(id).toEqualTypeOf<number>()
        expectTypeOf(request.action.name).toEqualTypeOf<'show'>()
        return reply.gone()
      },
    })
    expectTypeOf(Ones.definition.spec.actions.show.routing.path).toEqualTypeOf<'/:id'>()
    Ones.after(({ request }) => {
      expectTypeOf(request.params).toEqualTypeOf<{ id: number }>()
    })
    // @ts-expect-error show is missing
    endpoint('Two', { actions: { show: { routing: route.get('/'), responses: { ok: true } } } }).implement({})
  })

  it('[CBK-04] share callbacks that were written for any endpoint', () => {
    const log: Callback = ({ request, state }) => {
      expectTypeOf(request.action.name).toEqualTypeOf<string>()
      expectTypeOf(request.params['id']).toEqualTypeOf<unknown>()
      expectTypeOf(request.payload).toEqualTypeOf<unknown>()
      state['started'] = request.id
    }
    const respond: Callback = ({ reply }) => {
      // @ts-expect-error no response is declared by all endpoints
      reply.unauthorized()
    }
    function logged<S extends EndpointSpec>(one: Controller<S>): Controller<S> {
      return one.before(log).around(async (context, next) => {
        assertType<string>(context.request.action.name)
        await next()
      })
    }
    const one = controller(Blogs, { show: (_, { response }) => response, create: (_, { response }) => response })
    expectTypeOf(
      one
        .before(log)
        .before('load', { actions: ['show'] }, respond)
        .with(logged),
    ).toEqualTypeOf(one)
    expectTypeOf<RequestOf<Spec, 'show'>>().toExtend<ActionRequest>()
    expectTypeOf<Context<Spec>>().toExtend<Context>()
  })
})
