// Endpoint definitions: each setting takes effect, and every mistake of an application is reported at once.
import {
  application,
  childOf,
  controller,
  DefinitionError,
  endpoint,
  header,
  inherit,
  mediaType,
  response,
  route,
  t,
} from 'edict'
import { describe, expect, it } from 'vitest'
import { ask, mistakesOf } from './ask.ts'
import { naming } from './fixtures/naming.ts'

const responses = { ok: true } as const
const id = t.integer()

describe('settings', () => {
  it('[DEF-01] the actions of one resource type stand together under the name of their endpoint', async () => {
    const Blogs = endpoint('Blogs', {
      actions: {
        index: { routing: route.get('/'), responses },
        show: { routing: route.get('/:id'), params: { id }, responses },
      },
    })
    const app = application({ controllers: [Blogs.implement({ index: () => 'all', show: ({ id }) => `one ${id}` })] })
    expect(Blogs.name).toBe('Blogs')
    expect([...(app.endpoints[0]?.actions.keys() ?? [])]).toEqual(['index', 'show'])
    expect(app.routes().map(({ resource, action }) => `${resource}.${action}`)).toEqual(['Blogs.index', 'Blogs.show'])
    expect([(await ask(app, 'GET /blogs')).text, (await ask(app, 'GET /blogs/7')).text]).toEqual(['all', 'one 7'])
  })

  it('[DEF-02] the description is carried to the documentation as it was written', () => {
    const description = '# Blogs\n\nEverything about **blogs** & <em>authors</em>.\n\n    code < 1\n'
    const app = application({
      controllers: [
        naming('Blogs', { index: { routing: route.get('/'), description: '<b>all</b> of *them*' } }, { description }),
      ],
    })
    expect(app.endpoints[0]?.description).toBe(description)
    expect(app.endpoints[0]?.actions.get('index')?.description).toBe('<b>all</b> of *them*')
  })

  it('[DEF-03] the prefix comes before every route of every action', async () => {
    const actions = { list: { routing: [route.get('/'), route.get('/all')] }, add: { routing: route.post('/') } }
    const paths = (prefix: string) =>
      application({ controllers: [naming('Blogs', actions, { prefix })] })
        .routes()
        .map(({ path }) => path)
    expect(paths('/my/logs')).toEqual(['/my/logs', '/my/logs/all', '/my/logs'])
    expect(paths('logs/')).toEqual(['/logs', '/logs/all', '/logs'])
    expect(paths('')).toEqual(['/', '/all', '/'])
    const app = application({ controllers: [naming('Blogs', actions, { prefix: '/my/logs' })] })
    expect((await ask(app, 'GET /my/logs/all')).text).toBe('list')
    expect((await ask(app, 'GET /blogs')).status).toBe(404)
  })

  it('[DEF-03] a prefix may capture', async () => {
    const Posts = endpoint('Posts', {
      prefix: '/users/:user/posts',
      actions: { show: { routing: route.get('/:id'), params: { user: t.string(), id }, responses } },
    })
    const app = application({ controllers: [Posts.implement({ show: (params) => JSON.stringify(params) })] })
    expect((await ask(app, 'GET /users/ann/posts/7')).json).toEqual({ user: 'ann', id: 7 })
  })

  it('[DEF-04] without a prefix it is the name in snake case', () => {
    for (const [name, path] of [
      ['Blogs', '/blogs'],
      ['BlogPosts', '/blog_posts'],
      ['blog', '/blog'],
    ] as const)
      expect(
        application({ controllers: [naming(name, { index: { routing: route.get('/') } })] }).routes()[0]?.path,
      ).toBe(path)
  })

  it('[DEF-05] a media type gives attributes and views to the endpoint', async () => {
    const Blog = mediaType('Blog', {
      identifier: 'application/vnd.acme.blog+json',
      attributes: { id: t.integer({ required: true }), title: t.string() },
      views: { short: ['id'] },
    })
    const Blogs = endpoint('Blogs', {
      mediaType: Blog,
      actions: {
        show: { routing: route.get('/:id'), params: { id }, responses: { ok: true } },
        brief: { routing: route.get('/:id/brief'), params: { id }, responses: { ok: Blog.view('short') } },
      },
    })
    const blog = { id: 7, title: 'Hello', secret: 'no' }
    const app = application({
      controllers: [
        Blogs.implement({ show: (_, { reply }) => reply.ok(blog), brief: (_, { reply }) => reply.ok(blog) }),
      ],
    })
    const answer = await ask(app, 'GET /blogs/7')
    expect([answer.headers['content-type'], answer.json]).toEqual([
      'application/vnd.acme.blog+json',
      { id: 7, title: 'Hello' },
    ])
    expect((await ask(app, 'GET /blogs/7/brief')).json).toEqual({ id: 7 })
  })

  it('[DEF-06] a string is the identifier of the media type that answers carry', async () => {
    const Reports = endpoint('Reports', {
      mediaType: 'text/csv',
      actions: { index: { routing: route.get('/'), responses }, made: { routing: route.get('/made'), responses } },
    })
    const app = application({
      controllers: [Reports.implement({ index: () => 'a,b', made: (_, { reply }) => reply.ok('c,d') })],
    })
    for (const [path, text] of [
      ['/reports', 'a,b'],
      ['/reports/made', 'c,d'],
    ] as const) {
      const answer = await ask(app, `GET ${path}`)
      expect([answer.text, answer.headers['content-type']]).toEqual([text, 'text/csv; charset=utf-8'])
    }
  })

  it('[DEF-07] a version is any string, and only requests that carry it reach the endpoint', async () => {
    for (const version of ['1.0', '2026-11', 'β 2/x', '__proto__']) {
      const app = application({ controllers: [naming('Blogs', { index: { routing: route.get('/') } }, { version })] })
      expect((await ask(app, 'GET /blogs')).status).toBe(404)
      expect((await ask(app, 'GET /blogs?api_version=other')).status).toBe(404)
      expect((await ask(app, `GET /blogs?api_version=${encodeURIComponent(version)}`)).text).toBe('index')
      expect((await ask(app, `GET /v${encodeURIComponent(version)}/blogs`)).text).toBe('index')
    }
  })

  it('[DEF-08] a parent comes before the routes, with or without new names for its parameters', () => {
    const actions = { show: { routing: route.get('/:id'), params: { id }, responses } }
    const Blogs = endpoint('Blogs', { actions })
    const path = (parent: object) =>
      application({
        controllers: [endpoint('Posts', { parent, actions } as never).implement({ show: () => '' } as never)],
      }).routes()[0]?.path
    expect(path(Blogs)).toBe('/blogs/:blog_id/posts/:id')
    expect(path(childOf(Blogs, { id: 'parent_id' }))).toBe('/blogs/:parent_id/posts/:id')
  })

  it('[DEF-09] the canonical path is that of `show`, or of the action that is named', () => {
    const show = { routing: route.get('/:id'), params: { id }, responses }
    const bySlug = { routing: route.get('/by/:slug'), params: { slug: t.string() }, responses }
    expect(endpoint('Blogs', { actions: { bySlug, show } }).toHref({ id: 7 })).toBe('/blogs/7')
    const Named = endpoint('Blogs', { canonicalPath: 'bySlug', actions: { bySlug, show } })
    expect(Named.toHref({ slug: 'a b' })).toBe('/blogs/by/a%20b')
    expect(() => endpoint('Blogs', { actions: { bySlug } }).toHref({} as never)).toThrow(/no canonical path/)
  })

  it('[DEF-10] action defaults are shared by all actions', async () => {
    const Blogs = endpoint('Blogs', {
      actionDefaults: { params: { dry_run: t.boolean({ default: false }) }, responses },
      actions: { one: { routing: route.get('/one') }, two: { routing: route.get('/two') } },
    })
    const app = application({
      controllers: [Blogs.implement({ one: (p) => `one ${p.dry_run}`, two: (p) => `two ${p.dry_run}` })],
    })
    expect([(await ask(app, 'GET /blogs/one?dry_run=t')).text, (await ask(app, 'GET /blogs/two')).text]).toEqual([
      'one true',
      'two false',
    ])
  })

  it('[DEF-11] nodoc on an endpoint marks the endpoint and all of its actions, nobody else', async () => {
    const actions = { index: { routing: route.get('/') } }
    const app = application({ controllers: [naming('Hidden', actions, { nodoc: true }), naming('Shown', actions)] })
    const flags = app.endpoints.map(({ name, nodoc, actions }) => [name, nodoc, actions.get('index')?.nodoc])
    expect(flags).toEqual([
      ['Hidden', true, true],
      ['Shown', false, false],
    ])
    expect((await ask(app, 'GET /hidden')).status).toBe(200)
  })
})

describe('mistakes', () => {
  const Blog = mediaType('Blog', { attributes: { id, title: t.string() }, views: { short: ['id', 'ghost'] as never } })
  const Empty = endpoint('Empty', { actions: {} })
  const Wrong = endpoint('Wrong', {
    mediaType: Blog,
    version: '',
    canonicalPath: 'nowhere',
    parent: childOf(
      endpoint('Owners', { actions: { show: { routing: route.get('/:id'), params: { id }, responses } } }),
      { nobody: 'x' },
    ),
    actionDefaults: { routing: route.get('/') },
    actions: {
      noRoute: { routing: [], responses },
      noResponse: { routing: route.get('/no-response') },
      capture: { routing: route.get('/capture/:missing'), responses },
      wildcard: { routing: route.get('/wildcard/*'), responses },
      syntax: { routing: route.get('/syntax/(open'), responses },
      attribute: { routing: route.get('/attribute'), params: { size: t.integer({ min: 5, max: 1 }) }, responses },
      notAttribute: { routing: route.get('/not-attribute'), params: { size: 'integer' }, responses },
      inherits: { routing: route.post('/inherits'), payload: { nothing: inherit }, responses },
      heading: {
        routing: route.get('/heading'),
        headers: { 'X-Size': (header as any)(t.integer(), { required: true }) },
        responses,
      },
      status: {
        routing: route.get('/status'),
        responses: { throttled: true, ok: { status: 201 }, odd: { status: 99 } },
      },
      klass: { routing: route.get('/klass'), responses: { calm: response('quiet', { status: 420 }) } },
      twin: { routing: [route.get('/twin', { name: 'same' }), route.get('/twin2', { name: 'same' })], responses },
      clash: { routing: route.get('/twin'), responses },
    },
  } as never)

  it('[DEF-12] every mistake of an application is reported at once, with its place and a remedy', () => {
    const implementation = Object.fromEntries(Object.keys((Wrong as any).spec.actions).map((name) => [name, () => '']))
    const { noRoute: _, ...others } = implementation
    const wrong = controller(Wrong, { ...others, extra: () => '' } as never)
      .before('sometimes' as never, () => {})
      .after({ actions: ['ghost'] as never }, () => {})
    const found = mistakesOf(() =>
      application({
        basePath: '/api/:version',
        versionWith: ['cookie' as never],
        plugins: [{ name: 'late', after: ['early'] }, { name: 'late' }],
        controllers: [wrong, Empty.implement({}), Empty.implement({})],
      }),
    )
    const places = found.map(({ endpoint, action, setting }) => [endpoint, action, setting].filter(Boolean).join(' '))
    expect(new Set(places)).toEqual(
      new Set([
        'plugins',
        'basePath',
        'versionWith',
        'controllers',
        'Empty actions',
        'Wrong parent',
        'Wrong version',
        'Wrong canonicalPath',
        'Wrong actionDefaults',
        'Wrong mediaType',
        'Wrong controller',
        'Wrong before',
        'Wrong after',
        'Wrong routing',
        'Wrong noRoute routing',
        'Wrong noRoute controller',
        'Wrong noResponse responses',
        'Wrong capture params',
        'Wrong wildcard params',
        'Wrong syntax routing',
        'Wrong attribute params.size',
        'Wrong notAttribute params.size',
        'Wrong inherits payload.nothing',
        'Wrong heading headers.X-Size',
        'Wrong status responses.throttled',
        'Wrong status responses.ok',
        'Wrong status responses.odd',
        'Wrong klass responses.calm',
        'Wrong clash routing',
      ]),
    )
    for (const { problem, remedy } of found) {
      expect(problem.length).toBeGreaterThan(5)
      expect(remedy.length).toBeGreaterThan(5)
    }
  })

  it('[DEF-12] the error says all of it in words', () => {
    const { message } = new DefinitionError(
      mistakesOf(() =>
        application({ controllers: [naming('Blogs', { a: { routing: [] }, b: { routing: route.get('/:id') } })] }),
      ),
    )
    expect(message).toContain('2 mistakes')
    expect(message).toMatch(/Blogs › a › routing: the action has no route\. Remedy: give it at least one/)
    expect(message).toMatch(/Blogs › b › params: .*'id'.*\. Remedy: add id to params/)
  })

  it('[DEF-12] an application without mistakes boots', () => {
    expect(
      mistakesOf(() => application({ controllers: [naming('Blogs', { a: { routing: route.get('/') } })] })),
    ).toEqual([])
  })
})
