// Versions: how a request carries one, and what happens when it does not, or carries two.
import { application, endpoint, route, t, type VersionCarrier } from 'edict'
import { describe, expect, it } from 'vitest'
import { ask, handled, mistakesOf } from '../support/ask.ts'

const id = t.integer()
const responses = { ok: true } as const
/** Blogs of one version; each of its answers begins with that version. */
function blogs(version: string | undefined, extra: object = {}) {
  const definition = endpoint('Blogs', {
    ...(version !== undefined && { version }),
    actions: {
      index: { routing: route.get('/'), responses },
      show: { routing: route.get('/:id'), params: { id }, responses },
      ...extra,
    },
  } as never)
  const say = (params: object, { request }: any) => `${version} ${JSON.stringify(params)} ${request.version}`
  return definition.implement({
    index: say,
    show: say,
    ...Object.fromEntries(Object.keys(extra).map((name) => [name, say])),
  } as never)
}
const health = endpoint('Health', { actions: { show: { routing: route.get('/'), responses } } }).implement({
  show: (_, { request }) => `up ${request.version}`,
})
const versioned = (carriers?: readonly VersionCarrier[], basePath = '') =>
  application({
    basePath,
    controllers: [blogs('1.0'), blogs('2.0'), health],
    ...(carriers && { versionWith: carriers }),
  })
const app = versioned()
const by = (version: string) => ({ headers: { 'X-Api-Version': version } })

describe('carriers', () => {
  it('[VER-01] the header X-Api-Version', async () => {
    expect((await ask(app, 'GET /blogs/7', by('1.0'))).text).toBe('1.0 {"id":7} 1.0')
    expect((await ask(app, 'GET /blogs/7', { headers: { 'x-API-version': '2.0' } })).text).toBe('2.0 {"id":7} 2.0')
  })

  it('[VER-02] the query parameter api_version, which is no param of the action', async () => {
    expect((await ask(app, 'GET /blogs/7?api_version=1.0')).text).toBe('1.0 {"id":7} 1.0')
    expect((await ask(app, 'GET /blogs/7?a=1&api_version=2.0')).json.errors).toMatchObject([{ pointer: '/a' }])
    const odd = application({ controllers: [blogs('a b/ü')] })
    expect((await ask(odd, 'GET /blogs?api_version=a+b%2F%C3%BC')).text).toBe('a b/ü {} a b/ü')
  })

  it('[VER-03] the path prefix with nothing behind it, and with a slash alone', async () => {
    for (const basePath of ['', '/api']) {
      const Root = endpoint('Root', {
        version: '1.0',
        prefix: '//',
        actions: { show: { routing: route.get('/'), responses } },
      })
      const root = application({
        basePath,
        controllers: [Root.implement({ show: (_, { request }) => `${request.version}` })],
      })
      for (const path of ['/v1.0', '/v1.0/']) expect((await ask(root, `GET ${basePath}${path}`)).text).toBe('1.0')
      for (const path of ['/v1.', '/v1.00', '/v1']) expect((await ask(root, `GET ${basePath}${path}`)).status).toBe(404)
    }
  })

  it('[VER-03] the path prefix /v<version>, after the base path', async () => {
    expect((await ask(app, 'GET /v1.0/blogs/7')).text).toBe('1.0 {"id":7} 1.0')
    expect((await ask(app, 'GET /v2.0/blogs')).text).toBe('2.0 {} 2.0')
    const based = versioned(undefined, '/api')
    expect((await ask(based, 'GET /api/v1.0/blogs')).text).toBe('1.0 {} 1.0')
    for (const path of ['/v1.0/api/blogs', '/v1.0/blogs', '/api/blogs/v1.0', '/api/v1.0blogs', '/api/V1.0/blogs'])
      expect((await ask(based, `GET ${path}`)).status, path).toBe(404)
    expect((await ask(based, 'GET /api/v1%2E0/blogs')).text).toBe('1.0 {} 1.0')
  })

  it('[VER-03] a path that only looks like a version is a path', async () => {
    const videos = endpoint('Videos', { actions: { show: { routing: route.get('/'), responses } } }).implement({
      show: () => 'videos',
    })
    const own = application({ controllers: [videos, blogs('ideos')] })
    expect((await ask(own, 'GET /videos/blogs')).text).toBe('ideos {} ideos')
    expect((await ask(own, 'GET /videos')).text).toBe('videos')
  })
})

describe('the routing table', () => {
  it('[VER-04] endpoints without a version show n/a', () => {
    expect(app.routes().map(({ version, path }) => `${version} ${path}`)).toEqual([
      '1.0 /blogs',
      '1.0 /blogs/:id',
      '2.0 /blogs',
      '2.0 /blogs/:id',
      'n/a /health',
    ])
  })

  it('[VER-04] and are served whatever version a request carries, but not below its path', async () => {
    expect((await ask(app, 'GET /health')).text).toBe('up undefined')
    expect((await ask(app, 'GET /health', by('2.0'))).text).toBe('up 2.0')
    expect((await ask(app, 'GET /health?api_version=9')).text).toBe('up 9')
    expect((await ask(app, 'GET /v1.0/health')).status).toBe(404)
  })

  it('[VER-05] two versions of one path are distinguished by the version of the request', async () => {
    for (const version of ['1.0', '2.0']) {
      for (const [line, asked] of [
        ['GET /blogs', by(version)],
        [`GET /blogs?api_version=${version}`, {}],
        [`GET /v${version}/blogs`, {}],
      ] as const)
        expect((await ask(app, line, asked)).text, line).toBe(`${version} {} ${version}`)
    }
    expect(mistakesOf(() => application({ controllers: [blogs('1'), blogs('1')] }))).not.toEqual([])
    const both = application({ controllers: [blogs(undefined), blogs('1.0')] })
    expect((await ask(both, 'GET /blogs')).text).toBe('undefined {} undefined')
    expect((await ask(both, 'GET /blogs', by('1.0'))).text).toBe('1.0 {} 1.0')
  })

  it('[VER-05] each version has its own verbs and paths', async () => {
    const differing = application({
      controllers: [blogs('1'), blogs('2', { add: { routing: route.post('/'), responses } })],
    })
    expect((await ask(differing, 'POST /blogs', by('2'))).status).toBe(200)
    const refused = await ask(differing, 'POST /blogs', by('1'))
    expect([refused.status, refused.headers['allow']]).toEqual([405, 'GET, HEAD, OPTIONS'])
    expect((await ask(differing, 'OPTIONS /v2/blogs')).headers['allow']).toBe('GET, POST, HEAD, OPTIONS')
    expect((await ask(differing, 'HEAD /v1/blogs')).status).toBe(200)
  })
})

describe('configuration and refusals', () => {
  it('[VER-06] the accepted ways are configurable', async () => {
    const ways = {
      path: ['GET /v1.0/blogs', {}],
      header: ['GET /blogs', by('1.0')],
      query: ['GET /blogs?api_version=1.0', {}],
    } as const
    for (const carrier of ['path', 'header', 'query'] as const) {
      const narrowed = versioned([carrier])
      for (const [way, [line, asked]] of Object.entries(ways)) {
        expect((await ask(narrowed, line, asked)).status, `${way} of ${carrier}`).toBe(way === carrier ? 200 : 404)
      }
    }
    // Where it is no carrier, the parameter is an unknown one like any other, and the header decides nothing.
    expect((await ask(versioned(['path']), 'GET /v1.0/blogs?api_version=1.0')).status).toBe(400)
    expect((await ask(versioned(['path']), 'GET /v1.0/blogs', by('2.0'))).text).toBe('1.0 {} 1.0')
    expect(mistakesOf(() => versioned([]))).toMatchObject([{ setting: 'versionWith' }])
    expect(mistakesOf(() => versioned(['cookie' as never]))).toMatchObject([
      { setting: 'versionWith[0]', problem: "it is 'cookie'" },
    ])
  })

  it('[VER-06] carriers that disagree are a 400, those that agree are not', async () => {
    const disagreeing = [
      ['GET /v1.0/blogs', by('2.0')],
      ['GET /v1.0/blogs?api_version=2.0', {}],
      ['GET /blogs?api_version=1.0', by('2.0')],
      ['GET /blogs?api_version=1.0&api_version=2.0', {}],
      ['GET /health?api_version=1.0', by('2.0')],
    ] as const
    for (const [line, asked] of disagreeing) {
      const { status, json } = await ask(app, line, asked)
      expect([status, json.code, [...json.versions].sort()], line).toEqual([400, 'version-conflict', ['1.0', '2.0']])
    }
    expect((await ask(app, 'GET /v1.0/blogs?api_version=1.0', by('1.0'))).text).toBe('1.0 {} 1.0')
  })

  it('[VER-06] the query parameter twice is a 400, however its name is written', async () => {
    const names = [
      'api_version',
      'api%5Fversion',
      '%61pi_version',
      'api_version[]',
      'api_version%5B%5D',
      'api_version[x]',
    ]
    for (const first of names)
      for (const second of [...names, undefined])
        for (const version of ['1.0', '2.0', '']) {
          const query = `${first}=1.0${second === undefined ? '' : `&${second}=${version}`}`
          // A list of versions is none that exists.
          const single = first.includes('[') || first.includes('5B') ? 404 : 200
          const { status } = await ask(app, `GET /blogs?${query}`)
          expect([query, status]).toEqual([query, second === undefined ? single : 400])
        }
    expect((await ask(app, 'GET /blogs?api_version=1.0&api_version')).status).toBe(400)
    expect((await ask(app, 'GET /v1.0/blogs?api_version[]=1.0')).status).toBe(400)
  })

  it('[VER-06] a missing or unknown version is a 404 that names the available ones', async () => {
    const lacking = [
      ['GET /blogs', {}],
      ['GET /blogs', by('3.0')],
      ['GET /blogs?api_version=', {}],
      ['GET /blogs?api_version=%zz', {}],
      ['GET /v3.0/blogs', {}],
      ['POST /blogs', {}],
      ['GET /blogs', by('__proto__')],
      ['GET /blogs', by('')],
    ] as const
    for (const [line, asked] of lacking) {
      const { status, json } = await ask(app, line, asked)
      expect([status, json.code, json.versions, json.detail], line).toEqual([
        404,
        'version-not-found',
        ['1.0', '2.0'],
        'Available versions: 1.0, 2.0.',
      ])
    }
    expect((await ask(app, 'GET /nothing', by('1.0'))).json.code).toBe('not-found')
    const some = application({
      controllers: [blogs('1'), blogs('2', { add: { routing: route.get('/new/x'), responses } })],
    })
    expect((await ask(some, 'GET /blogs/new/x', by('1'))).json.versions).toEqual(['2'])
  })

  it('[VER-06] answers vary by the header, where it is a carrier', async () => {
    for (const line of ['GET /v1.0/blogs', 'GET /blogs', 'GET /nothing', 'GET /health'])
      expect((await ask(app, line)).headers['vary'], line).toBe('X-Api-Version')
    expect((await ask(versioned(['path']), 'GET /v1.0/blogs')).headers['vary']).toBe(undefined)
    expect((await ask(application({ controllers: [health] }), 'GET /health')).headers['vary']).toBe(undefined)
  })

  it('[VER-06] a header that arrives as a list is a 400', async () => {
    expect((await handled(app, 'GET', '/blogs', { 'x-api-version': ['1.0', '2.0'] })).status).toBe(400)
    expect((await handled(app, 'GET', '/v1.0/blogs', { 'x-api-version': ['1.0', '2.0'] })).status).toBe(400)
  })
})
