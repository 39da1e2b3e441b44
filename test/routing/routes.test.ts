// Routing: verbs, paths, prefixes, named routes, and what the pattern engine does.
import { application, endpoint, HrefError, route, t } from 'edict'
import { describe, expect, it } from 'vitest'
import { ask, askSocket, handled, mistakesOf } from '../support/ask.ts'
import { naming } from '../support/naming.ts'

const splat = t.array(t.string())
const id = t.integer()

describe('verbs', () => {
  const verbs = ['options', 'get', 'head', 'post', 'put', 'delete', 'trace', 'connect', 'patch', 'any'] as const
  const one = application({
    controllers: [
      naming('Verbs', Object.fromEntries(verbs.map((verb) => [`on_${verb}`, { routing: route[verb]('/') }]))),
    ],
  })

  it('[RTE-01] every verb keyword routes its own verb', async () => {
    for (const verb of ['OPTIONS', 'GET', 'POST', 'PUT', 'DELETE', 'PATCH'])
      expect((await ask(one, `${verb} /verbs`)).text).toBe(`on_${verb.toLowerCase()}`)
    // Fetch forbids these two.
    expect((await askSocket(one, 'TRACE /verbs')).text).toBe('on_trace')
    expect((await askSocket(one, 'CONNECT /verbs')).text).toBe('on_connect')
    expect((await handled(one, 'CONNECT', '/verbs')).body).toBe('on_connect')
    expect((await handled(one, 'HEAD', '/verbs')).body).toBe('on_head')
    expect((await ask(one, 'HEAD /verbs')).text).toBe('')
    expect(one.routes().map(({ verb }) => verb)).toEqual(verbs.map((verb) => verb.toUpperCase()))
  })

  it('[RTE-03] a concrete verb wins over ANY, whatever the order of declaration', async () => {
    const first = {
      concrete: { routing: route.get('/:id'), params: { id } },
      rest: { routing: route.any('/:id'), params: { id } },
    }
    const last = { rest: first.rest, concrete: first.concrete }
    for (const actions of [first, last]) {
      const app = application({ controllers: [naming('Things', actions)] })
      expect((await ask(app, 'GET /things/1')).text).toBe('concrete')
      for (const verb of ['POST', 'DELETE', 'PATCH']) expect((await ask(app, `${verb} /things/1`)).text).toBe('rest')
    }
  })

  it('[RTE-03] a concrete verb wins over ANY however exact the path of ANY is, and HEAD is the one of ANY', async () => {
    const app = application({
      controllers: [
        naming('Things', {
          wide: { routing: route.get('/:id'), params: { id: t.string() } },
          exact: { routing: route.any('/new') },
        }),
      ],
    })
    expect((await ask(app, 'GET /things/new')).text).toBe('wide')
    expect((await ask(app, 'GET /things/old')).text).toBe('wide')
    for (const verb of ['HEAD', 'POST', 'OPTIONS', 'QUERY'])
      expect((await handled(app, verb, '/things/new')).body, verb).toBe('exact')
    expect((await handled(app, 'HEAD', '/things/old')).body).toBe('wide')
    expect((await ask(app, 'POST /things/old')).status).toBe(405)
  })

  it('[RTE-22] CONNECT without a route of its own is a miss like that of any verb', async () => {
    const app = application({ controllers: [naming('Things', { list: { routing: route.get('/') } })] })
    expect(await askSocket(app, 'CONNECT /things')).toMatchObject({
      status: 405,
      headers: { allow: 'GET, HEAD, OPTIONS' },
    })
    expect((await askSocket(app, 'CONNECT /nothing')).status).toBe(404)
    expect((await askSocket(app, 'CONNECT example.test:443')).status).toBe(404)
    expect((await askSocket(app, 'CONNECT /%zz')).status).toBe(400)
  })

  it('[RTE-04] ANY serves unusual verbs over the socket, and any string in process', async () => {
    const app = application({ controllers: [naming('Things', { all: { routing: route.any('/') } })] })
    for (const verb of ['CONNECT', 'PURGE', 'MKCOL', 'QUERY', 'PROPFIND', 'REPORT', 'M-SEARCH'])
      expect((await askSocket(app, `${verb} /things`)).text, verb).toBe('all')
    for (const verb of ['PURGE', 'FROBNICATE', 'get', '', '__proto__', 'constructor', 'ANY', 'ünï'])
      expect((await handled(app, verb, '/things')).body, verb).toBe('all')
    for (const verb of ['OPTIONS', 'HEAD']) expect((await ask(app, `${verb} /things`)).status).toBe(200)
  })
})

describe('paths', () => {
  it('[RTE-02] captures a variable from the path, decoded once', async () => {
    const Files = endpoint('Files', {
      actions: {
        show: {
          routing: route.get('/:folder/:name.txt'),
          params: { folder: t.string(), name: t.string() },
          responses: { ok: true },
        },
      },
    })
    const app = application({ controllers: [Files.implement({ show: (params) => JSON.stringify(params) })] })
    expect((await ask(app, 'GET /files/a%2Fb/c%20d%2525.txt')).json).toEqual({ folder: 'a/b', name: 'c d%25' })
    expect((await ask(app, 'GET /files/a/b/c.txt')).status).toBe(404)
    expect((await ask(app, 'GET /files/a/c.txt/')).status).toBe(404)
  })

  it('[RTE-05] [RTE-06] [RTE-07] [RTE-08] base path, prefix, `//` and prefix entries make the full path', async () => {
    const app = application({
      basePath: '/api',
      controllers: [
        naming(
          'Pages',
          {
            own: { routing: route.get('/own') },
            bare: { routing: route.get('//bare/path') },
            cleared: {
              routing: [
                route.get('/before'),
                route.prefix(''),
                route.get('/after'),
                route.prefix('/other'),
                route.get('/x'),
              ],
            },
            slashes: { routing: [route.get('/a'), route.prefix('//'), route.get('/b')] },
          },
          { prefix: '/pages/v' },
        ),
      ],
    })
    const served = [
      '/api/pages/v/own',
      '/api/bare/path',
      '/api/pages/v/before',
      '/api/after',
      '/api/other/x',
      '/api/pages/v/a',
      '/api/b',
    ]
    expect(app.routes().map(({ path }) => path)).toEqual(served)
    for (const path of served) expect((await ask(app, `GET ${path}`)).status, path).toBe(200)
    const unserved = [
      '/bare/path',
      '/after',
      '/api/before',
      '/pages/v/own',
      '/api/own',
      '/api/pages/v/after',
      '/b',
      '//bare/path',
    ]
    for (const path of unserved) expect((await ask(app, `GET ${path}`)).status, path).toBe(404)
  })

  it('[RTE-07] an entry that clears the prefix counts for one action only', async () => {
    const app = application({
      controllers: [
        naming('Pages', {
          one: { routing: [route.prefix('//'), route.get('/one')] },
          two: { routing: route.get('/two') },
        }),
      ],
    })
    expect(app.routes().map(({ path }) => path)).toEqual(['/one', '/pages/two'])
  })

  it('[RTE-05] a prefix with alternatives is one part of the path', async () => {
    const app = application({
      controllers: [naming('Pages', { z: { routing: route.get('/z') } }, { prefix: '/x|/y' })],
    })
    for (const [path, status] of [
      ['/x/z', 200],
      ['/y/z', 200],
      ['/x', 404],
      ['/z', 404],
    ] as const)
      expect((await ask(app, `GET ${path}`)).status, path).toBe(status)
  })

  it('[RTE-05] a path `/` answers the prefix with and without a slash at the end; other paths are exact', async () => {
    const app = application({
      controllers: [naming('Pages', { list: { routing: route.get('/') }, two: { routing: route.get('/two') } })],
    })
    for (const [path, status] of [
      ['/pages', 200],
      ['/pages/', 200],
      ['/pages/two', 200],
      ['/pages/two/', 404],
      ['/pages//', 404],
    ] as const)
      expect((await ask(app, `GET ${path}`)).status, path).toBe(status)
  })
})

describe('named routes', () => {
  const Blogs = endpoint('Blogs', {
    actions: {
      show: {
        routing: [route.get('/:id'), route.get('//by/:author/:day', { name: 'dated' })],
        params: { id, author: t.string(), day: t.date() },
        responses: { ok: true },
      },
      raw: { routing: route.get('/:id/*', { name: 'raw' }), params: { id, splat }, responses: { ok: true } },
    },
  })

  it('[RTE-09] [RTE-10] a route option names the route, which expands arguments to a path', () => {
    expect(Blogs.routes.dated.expand({ author: 'Ann / Bob?', day: '2026-01-31' })).toBe(
      '/by/Ann%20%2F%20Bob%3F/2026-01-31',
    )
    expect(Blogs.routes.raw.expand({ id: 7, splat: ['a/b c'] })).toBe('/blogs/7/a/b%20c')
    expect(() => Blogs.routes.raw.expand({ id: 'seven' as never, splat: ['x'] })).toThrow(HrefError)
    const app = application({ controllers: [Blogs.implement({ show: () => '', raw: () => '' })] })
    expect(app.routes().map(({ name }) => name)).toEqual([undefined, 'dated', 'raw'])
  })

  it('[RTE-11] a named route parses a path to coerced parameters', () => {
    expect(Blogs.routes.raw.parse('/blogs/7/a/b%20c')).toEqual({ id: 7, splat: ['a/b c'] })
    expect(Blogs.routes.dated.parse('/by/Ann%2FBob/2026-01-31')).toEqual({ author: 'Ann/Bob', day: '2026-01-31' })
    expect(() => Blogs.routes.raw.parse('/blogs/seven/x')).toThrow(/'id'.*integer/)
    expect(() => Blogs.routes.raw.parse('/posts/7/x')).toThrow(/is not a path of the shape/)
  })
})

describe('the pattern engine', () => {
  it('[RTE-12] other route options reach the engine', async () => {
    const app = application({
      controllers: [
        naming('Things', {
          number: { routing: route.get('/:id', { capture: { id: /\d+/ } }), params: { id } },
          lang: { routing: route.get('/:lang', { capture: ['en', 'de'] }), params: { lang: t.string() } },
          other: { routing: route.get('/*'), params: { splat } },
        }),
      ],
    })
    for (const [path, action] of [
      ['/things/12', 'number'],
      ['/things/de', 'lang'],
      ['/things/fr', 'other'],
    ] as const)
      expect((await ask(app, `GET ${path}`)).text, path).toBe(action)
  })

  const Assets = endpoint('Assets', {
    actions: {
      one: { routing: route.get('/one/*'), params: { splat }, responses: { ok: true } },
      two: { routing: route.get('/two/*/raw/*'), params: { splat }, responses: { ok: true } },
      named: { routing: route.get('/named/*rest'), params: { rest: t.string() }, responses: { ok: true } },
      most: {
        routing: route.get('/most/*', { except: '/most/private/*' }),
        params: { splat },
        responses: { ok: true },
      },
    },
  })
  const show = (params: object) => JSON.stringify(params)
  const assets = application({
    basePath: '/api',
    controllers: [Assets.implement({ one: show, two: show, named: show, most: show })],
  })

  it('[RTE-13] [RTE-16] wildcards fill `splat` in order, as an array even for one', async () => {
    expect((await ask(assets, 'GET /api/assets/one/a')).json).toEqual({ splat: ['a'] })
    expect((await ask(assets, 'GET /api/assets/one/a/b%20c/%25')).json).toEqual({ splat: ['a/b c/%'] })
    expect((await ask(assets, 'GET /api/assets/two/x/y/raw/z')).json).toEqual({ splat: ['x/y', 'z'] })
    expect((await ask(assets, 'GET /api/assets/named/x/y')).json).toEqual({ rest: 'x/y' })
    expect((await ask(assets, 'GET /api/assets/one/a?splat=b')).json).toEqual({ splat: ['a'] })
  })

  it('[RTE-14] a path that matches `except` does not match the route', async () => {
    expect((await ask(assets, 'GET /api/assets/most/public/x')).json).toEqual({ splat: ['public/x'] })
    expect((await ask(assets, 'GET /api/assets/most/private/x')).status).toBe(404)
    expect((await ask(assets, 'GET /api/assets/most/%70rivate/x')).status).toBe(404)
  })

  it('[RTE-15] wildcards without a `splat` that is a collection of String are refused at boot', () => {
    const named = (params: object) =>
      mistakesOf(() => application({ controllers: [naming('Files', { raw: { routing: route.get('/*/*'), params } })] }))
    for (const params of [{}, { splat: t.string() }, { splat: t.array(t.integer()) }])
      expect(named(params)).toMatchObject([
        { endpoint: 'Files', action: 'raw', setting: 'params', remedy: expect.stringContaining('splat') },
      ])
    expect(named({ splat })).toEqual([])
  })

  it('[RTE-20] a capture that params do not declare is a definition error', () => {
    const boot = () =>
      application({ controllers: [naming('Files', { show: { routing: route.get('/:id/:part'), params: { id } } })] })
    expect(mistakesOf(boot)).toMatchObject([
      { endpoint: 'Files', action: 'show', setting: 'params', problem: expect.stringContaining("'part'") },
    ])
  })

  it('[RTE-17] action defaults refuse routing', () => {
    const boot = () =>
      application({
        controllers: [
          naming('Files', { list: { routing: route.get('/') } }, { actionDefaults: { routing: route.get('/x') } }),
        ],
      })
    expect(mistakesOf(boot)).toMatchObject([
      { endpoint: 'Files', setting: 'actionDefaults', problem: expect.stringContaining('routing') },
    ])
  })
})
