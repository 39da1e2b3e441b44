// Endpoint definitions: each setting takes effect.
import { application, childOf, endpoint, mediaType, route, t } from 'edict'
import { describe, expect, it } from 'vitest'
import { ask } from '../support/ask.ts'
import { naming } from '../support/naming.ts'

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

  it('[DEF-01] a definition may be shared by applications that differ', async () => {
    const Blogs = endpoint('Blogs', { actions: { show: { routing: route.get('/:id'), params: { id }, responses } } })
    const one = application({ basePath: '/one', controllers: [Blogs.implement({ show: () => 'one' })] })
    const two = application({ validation: { status: 422 }, controllers: [Blogs.implement({ show: () => 'two' })] })
    expect([(await ask(one, 'GET /one/blogs/1')).text, (await ask(two, 'GET /blogs/1')).text]).toEqual(['one', 'two'])
    expect([(await ask(one, 'GET /one/blogs/x')).status, (await ask(two, 'GET /blogs/x')).status]).toEqual([400, 422])
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

  it('[DEF-06] a string is the identifier of the media type that responses carry', async () => {
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
