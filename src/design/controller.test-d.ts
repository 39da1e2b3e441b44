// The types that the compiler infers in a controller from declarations alone, and the code that it rejects.
import { assertType, describe, expectTypeOf, it } from 'vitest'
import {
  type Attribute,
  type Controller,
  childOf,
  collectionOf,
  controller,
  type Endpoint,
  type EndpointSpec,
  endpoint,
  has,
  header,
  type Implementation,
  inherit,
  mediaType,
  payloadOf,
  Responses,
  response,
  route,
  t,
} from '../index.ts'

const Person = mediaType('Person', { attributes: { id: t.integer({ required: true }), email: t.string() } })
const Blog = mediaType('Blog', {
  identifier: 'application/vnd.acme.blog+json',
  attributes: {
    id: t.integer({ required: true }),
    title: t.string({ required: true, max: 200 }),
    kind: t.string({ values: ['personal', 'company'] }),
    tags: t.array(t.string()),
    author: t.object({ id: t.integer({ required: true }), name: t.string() }),
    created_at: t.dateTime({ nullable: true }),
    owner: Person,
  },
  views: { summary: ['id', 'title'] },
})
const Throttled = response('throttled', { status: 429, headers: { 'Retry-After': /^\d+$/ } })

const Blogs = endpoint('Blogs', {
  mediaType: Blog,
  version: '1.0',
  actionDefaults: {
    params: { dry_run: t.boolean({ default: false }) },
    headers: { Authorization: header() },
    responses: { unauthorized: true },
  },
  actions: {
    index: {
      routing: route.get('/'),
      params: { q: t.string() },
      headers: {
        'X-Page': header(t.integer()),
        'X-Mode': header('fast'),
        'X-Must': header('slow', { required: true }),
        'X-Re': header(/x/),
      },
      responses: { ok: collectionOf(Blog, { view: 'summary' }) },
    },
    show: {
      routing: [route.get('/:id', { name: 'blog' }), route.get('//legacy/blog/:id')],
      params: { id: t.integer() },
      responses: { ok: Blog, notFound: true },
    },
    create: {
      routing: route.post('/'),
      payload: { title: inherit, kind: inherit({ required: true }), author: inherit, notify: t.boolean() },
      responses: { created: { location: /^\/blogs\/\d+$/ }, throttled: Throttled },
    },
    update: {
      routing: route.patch('/:id'),
      params: { id: t.integer({ required: true }) },
      payload: { title: inherit({ required: false }), created_at: inherit },
      responses: { noContent: true, notFound: true },
    },
    adopt: {
      routing: route.post('/:id/owner'),
      params: { id: t.integer() },
      payload: payloadOf(Person, { email: inherit({ required: true }) }),
      responses: { noContent: true },
    },
    asset: {
      routing: route.any('/:id/assets/*/raw/*', { except: '/:id/assets/private/*' }),
      params: { id: t.integer({ required: true }), splat: t.array(t.string()) },
      responses: { ok: 'application/octet-stream' },
    },
  },
})
const Posts = endpoint('Posts', {
  parent: Blogs,
  actions: { show: { routing: route.get('/:id'), params: { id: t.string() }, responses: { ok: true } } },
})
const Notes = endpoint('Notes', {
  parent: childOf(Blogs, { id: 'parent_id' }),
  actions: { show: { routing: route.get('/:id'), params: { id: t.string() }, responses: { ok: true } } },
})
const Comments = endpoint('Comments', {
  parent: Posts,
  actions: { show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: true } } },
})

const Things = mediaType('Thing', { attributes: { id: t.integer({ required: true }) } })
const Answering = endpoint('Answering', {
  mediaType: Things,
  actions: {
    all: {
      routing: route.get('/'),
      responses: {
        ok: true,
        created: { location: /x/ },
        accepted: true,
        seeOther: { headers: { 'X-A': true } },
        partialContent: Things,
        late: { status: 299 },
        odd: { status: 499 },
        notFound: true,
      },
    },
  },
})
const Plain = endpoint('Plain', { actions: { say: { routing: route.get('/'), responses: { ok: true } } } })

describe('bodies of responses', () => {
  it('[RSP-05] [RSP-06] only ok takes the media type of the endpoint by itself', () => {
    Answering.implement({
      all(_, { reply }) {
        reply.ok({ id: 1 })
        // @ts-expect-error a declared body cannot be left out
        reply.ok()
        // @ts-expect-error a text is not a structure
        reply.ok('text')
        reply.created(undefined, { location: '/x' })
        reply.created(undefined, { headers: { Location: '/x' } })
        // @ts-expect-error EDT-03 the declared Location is missing
        reply.created()
        // @ts-expect-error no body is declared
        reply.created({ id: 1 }, { location: '/x' })
        // @ts-expect-error no body is declared
        reply.accepted('later')
        // @ts-expect-error no body is declared
        reply.seeOther('there')
        // @ts-expect-error no body is declared
        reply.late({ id: 1 })
        reply.late()
        reply.odd('A problem')
        reply.notFound('A problem')
        reply.notFound()
        return reply.partialContent({ id: 2 })
      },
    })
  })

  it('[RET-01] [RSP-06] of responses made with new as well', () => {
    // @ts-expect-error a declared body cannot be left out
    Answering.implement({ all: () => new Responses.Ok() })
    // @ts-expect-error no body is declared
    Answering.implement({ all: () => new Responses.Accepted({ body: 'later' }) })
    Answering.implement({ all: () => new Responses.Accepted({ headers: { 'X-A': 'b' } }) })
    Answering.implement({ all: () => new Responses.Ok({ body: { id: 1 } }) })
  })

  it('[RET-08] without a media type, ok is a text that may be left out', () => {
    Plain.implement({
      say(_, { reply }) {
        reply.ok()
        reply.ok('text')
        // @ts-expect-error no media type describes a structure
        reply.ok({ id: 1 })
        return 'text'
      },
    })
  })
})

describe('inference', () => {
  it('[CTL-09] [CTL-08] infers params, payload, headers and bodies without an annotation', () => {
    controller(Blogs, {
      index({ q, dry_run }, { reply, request }) {
        expectTypeOf(q).toEqualTypeOf<string | undefined>()
        expectTypeOf(dry_run).toEqualTypeOf<boolean>()
        expectTypeOf(request.headers.Authorization).toEqualTypeOf<string>()
        expectTypeOf(request.headers['X-Page']).toEqualTypeOf<number | undefined>()
        expectTypeOf(request.headers['X-Mode']).toEqualTypeOf<'fast' | undefined>()
        expectTypeOf(request.headers['X-Must']).toEqualTypeOf<'slow'>()
        expectTypeOf(request.headers['X-Re']).toEqualTypeOf<string | undefined>()
        return reply.ok([{ id: 1, title: 'x' }])
      },
      async show({ id, ...rest }, { reply, request, definition }) {
        expectTypeOf(id).toEqualTypeOf<number>()
        expectTypeOf(rest).toEqualTypeOf<{ dry_run: boolean }>()
        expectTypeOf(request.action.name).toEqualTypeOf<'show'>()
        assertType<string>(definition.toHref({ id }))
        if (id > 3) return reply.notFound()
        return reply.ok({ id, title: 'x', created_at: null, owner: { id: 3 } })
      },
      create(_, { request }) {
        const { kind, title, author, notify } = request.payload
        expectTypeOf(kind).toEqualTypeOf<'personal' | 'company'>()
        expectTypeOf(title).toEqualTypeOf<string>()
        expectTypeOf(author).toEqualTypeOf<{ id: number; name?: string } | undefined>()
        expectTypeOf(notify).toEqualTypeOf<boolean | undefined>()
        if (notify) return new Throttled({ headers: { 'Retry-After': '3' } })
        return new Responses.Created({ location: Blogs.toHref({ id: 1 }) })
      },
      update({ id }, { request, reply }) {
        expectTypeOf(id).toEqualTypeOf<number>()
        expectTypeOf(request.payload.title).toEqualTypeOf<string | undefined>()
        if (has(request.payload, 'created_at')) expectTypeOf(request.payload.created_at).toEqualTypeOf<Date | null>()
        // @ts-expect-error only declared names are accepted
        has(request.payload, 'createdAt')
        return reply.noContent()
      },
      adopt(_, { request, reply }) {
        expectTypeOf(request.payload.email).toEqualTypeOf<string>()
        return reply.noContent()
      },
      asset({ splat }) {
        expectTypeOf(splat).toEqualTypeOf<string[]>()
        return splat.join('/')
      },
    })
  })

  it('[PAR-02] [PAR-03] [PAR-05] [PAR-06] infers the params of parents under their new names', () => {
    controller(Posts, {
      show(params) {
        expectTypeOf(params).toEqualTypeOf<{ blog_id: number; id: string }>()
        return 'x'
      },
    })
    controller(Notes, {
      show(params) {
        expectTypeOf(params).toEqualTypeOf<{ parent_id: number; id: string }>()
        return 'x'
      },
    })
    controller(Comments, {
      show(params) {
        expectTypeOf(params).toEqualTypeOf<{ blog_id: number; post_id: string; id: number }>()
        return 'x'
      },
    })
  })

  it('[CAN-01] [RTE-10] types the arguments of hrefs and named routes', () => {
    assertType<string>(Posts.toHref({ blog_id: 1, id: 'a' }))
    assertType<{ id: number }>(Blogs.parseHref('/blogs/7'))
    assertType<string>(Blogs.routes.blog.expand({ id: 7 }))
    assertType<{ id: number }>(Blogs.routes.blog.parse('/blogs/7'))
    // @ts-expect-error the id is missing
    Blogs.toHref({})
    // @ts-expect-error the id is a number
    Blogs.toHref({ id: 'x' })
    // @ts-expect-error there is no route of this name
    Blogs.routes.blogs
    // @ts-expect-error the argument has another name
    Posts.toHref({ parent_id: 1, id: 'a' })
  })
})

describe('what the compiler refuses', () => {
  const One = endpoint('One', {
    mediaType: Blog,
    actions: {
      show: { routing: route.get('/'), payload: { title: inherit }, responses: { ok: Blog, noContent: true } },
    },
  })

  it('[RSP-05] an undeclared response', () => {
    controller(One, {
      // @ts-expect-error the declared body is missing
      show: (_, { reply }) => reply.ok(),
    })
    controller(One, {
      // @ts-expect-error gone is not declared
      show: (_, { reply }) => reply.gone(),
    })
    controller(One, {
      // @ts-expect-error Gone is not declared
      show: () => new Responses.Gone(),
    })
    controller(One, {
      // @ts-expect-error a body of another shape
      show: (_, { reply }) => reply.ok({ id: 'x', title: 'y' }),
    })
    controller(One, {
      // @ts-expect-error an undeclared attribute
      show: (_, { reply }) => reply.ok({ id: 1, title: 'y', password: 'z' }),
    })
  })

  it('[RET-09] [ERR-01] a result that is neither a response nor a string', () => {
    controller(One, {
      // @ts-expect-error a number is not a response
      show: () => 42,
    })
    // @ts-expect-error EDT-03 a text is not a structure
    controller(One, { show: () => 'text' })
    controller(Plain, { say: () => 'text' })
    controller(One, { show: (_, { response }) => response })
  })

  it('[CTL-09] a missing or misspelt action', () => {
    // @ts-expect-error show is missing
    controller(One, {})
    controller(One, {
      show: (_, { response }) => response,
      // @ts-expect-error there is no such action
      shwo: () => 'x',
    })
  })

  it('an unknown payload attribute', () => {
    controller(One, {
      show(_, { request }) {
        // @ts-expect-error not declared
        return request.payload.subtitle
      },
    })
    endpoint('Two', {
      mediaType: Blog,
      actions: {
        // @ts-expect-error the media type has no such attribute
        show: { routing: route.get('/'), payload: { subtitle: inherit }, responses: { ok: true } },
      },
    })
  })

  it('[RTE-20] a capture that params do not declare', () => {
    endpoint('Three', {
      actions: {
        // @ts-expect-error id is not declared
        show: { routing: route.get('/:id'), responses: { ok: true } },
      },
    })
    endpoint('Three', {
      actions: {
        // @ts-expect-error ext is not declared
        show: { routing: route.get('/:file.:ext'), params: { file: t.string() }, responses: { ok: true } },
      },
    })
  })

  it('[RTE-15] a wildcard without splat', () => {
    endpoint('Four', {
      actions: {
        // @ts-expect-error splat is not declared
        show: { routing: route.get('/*'), responses: { ok: true } },
      },
    })
  })

  it('a wrong view name', () => {
    // @ts-expect-error there is no such view
    Blog.view('sumary')
    // @ts-expect-error there is no such view
    collectionOf(Blog, { view: 'sumary' })
    // @ts-expect-error there is no such attribute
    mediaType('X', { attributes: { id: t.integer() }, views: { tiny: ['ident'] } })
  })

  it('[HDR-07] a header with a type and a value', () => {
    // @ts-expect-error either a type or a value
    header(t.integer(), 'x')
    // @ts-expect-error a pattern in both places
    header(/x/, { pattern: /y/ })
  })

  it('[HDR-01] a header with options alone is a text, present unless it may be left out', () => {
    expectTypeOf(header({ description: 'Who asks' })).toEqualTypeOf<Attribute<string, true>>()
    expectTypeOf(header(undefined, { max: 3 })).toEqualTypeOf<Attribute<string, true>>()
    expectTypeOf(header({ required: false, values: ['a', 'b'] })).toEqualTypeOf<Attribute<'a' | 'b', false>>()
    expectTypeOf(header({ default: 'x' })).toEqualTypeOf<Attribute<string, 'default'>>()
    // @ts-expect-error there is no such option
    header({ least: 3 })
  })

  it('[RTE-17] routing among the defaults', () => {
    endpoint('Five', {
      // @ts-expect-error routes belong to actions
      actionDefaults: { routing: route.get('/') },
      actions: { show: { routing: route.get('/'), responses: { ok: true } } },
    })
  })
})

it('[CBK-03] [CBK-04] callbacks see the context of their actions', () => {
  controller(Posts, { show: () => 'x' }).before((ctx) => {
    expectTypeOf(ctx.request.params).toEqualTypeOf<{ blog_id: number; id: string }>()
  })
  const One = controller(Blogs, {} as never)
  One.before('validate', { actions: ['create'] }, (ctx) => {
    expectTypeOf(ctx.request.action.name).toEqualTypeOf<'create'>()
  })
  One.around(async (ctx, next) => {
    expectTypeOf(ctx.request.action.name).toEqualTypeOf<'index' | 'show' | 'create' | 'update' | 'adopt' | 'asset'>()
    await next()
  })
  // @ts-expect-error there is no such action
  One.after({ actions: ['craete'] }, () => {})
  // @ts-expect-error there is no such stage
  One.before('valdiate', () => {})
})

describe('functions for any endpoint', () => {
  it('name the endpoint, because what is given cannot be compared with one that is not known', () => {
    const logged = <S extends EndpointSpec>(one: Endpoint<string, S>, functions: Implementation<S>): Controller<S> =>
      one.implement<never>(functions)
    const checked = <S extends EndpointSpec>(one: Endpoint<string, S>, functions: Implementation<S>): Controller<S> =>
      controller<S>(one, functions)
    expectTypeOf(logged).toEqualTypeOf(checked)
  })
})
