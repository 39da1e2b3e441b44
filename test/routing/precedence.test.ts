// Routing: which of several routes answers, and what is answered when none does.
import { application, type Route, route, t } from 'edict'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareAscending } from '../../src/util/compare.ts'
import { ask, handled, mistakesOf } from '../support/ask.ts'
import { naming } from '../support/naming.ts'
import { runs } from '../support/runs.ts'

const splat = t.array(t.string())
const id = t.integer()

describe('precedence', () => {
  const actions = {
    wild: { routing: route.get('/*'), params: { splat } },
    capture: { routing: route.get('/:name'), params: { name: t.string() } },
    exact: { routing: route.get('/new') },
    deep: { routing: route.get('/:name/edit'), params: { name: t.string() } },
  }

  it('[RTE-21] static beats capture beats wildcard, in any order of declaration', async () => {
    const reversed = Object.fromEntries(Object.entries(actions).reverse())
    for (const declared of [actions, reversed]) {
      const app = application({ controllers: [naming('Things', declared)] })
      for (const [path, action] of [
        ['new', 'exact'],
        ['old', 'capture'],
        ['new/edit', 'deep'],
        ['new/x', 'wild'],
        ['a/b/c', 'wild'],
      ] as const)
        expect((await ask(app, `GET /things/${path}`)).text, path).toBe(action)
    }
  })

  it('[RTE-21] among routes that overlap in part, the first declared wins', async () => {
    const chosen = async (path: string, ...routes: readonly Route[]) => {
      const actions = routes.map((one) => [one.path, { routing: one, params: { a: t.string(), b: t.string() } }])
      return (await ask(application({ controllers: [naming('Things', Object.fromEntries(actions))] }), path)).text
    }
    const pairs: readonly [Route, Route][] = [
      [route.get('/:a-x'), route.get('/x-:b')],
      [route.get('/:a', { capture: /[a-z]+-x/ }), route.get('/:b', { capture: /x-[a-z]+/ })],
      [route.get('/*a/x', { capture: /.*/ }), route.get('/*b/x', { except: '/none/x' })],
    ]
    for (const [one, two] of pairs) {
      const path = one.path.includes('*') ? 'GET /things/y/x' : 'GET /things/x-x'
      expect([await chosen(path, one, two), await chosen(path, two, one)]).toEqual([one.path, two.path])
    }
  })

  it('[RTE-21] routes that no request can tell apart are a definition error', () => {
    const boot = (one: object, two: object) =>
      mistakesOf(() => application({ controllers: [naming('One', { a: one }), naming('Two', { b: two })] }))
    const get = (path: string) => ({ routing: route.get(path as never), params: { id, name: t.string() } })
    expect(boot(get('//x/:id'), get('//x/:name'))).toMatchObject([
      { endpoint: 'Two', action: 'b', setting: 'routing', problem: expect.stringContaining('One.a') },
    ])
    expect(boot(get('//x/:id'), { ...get('//x/:name'), routing: route.put('//x/:name') })).toEqual([])
    expect(boot(get('//x/:id'), get('//x/:id/y'))).toEqual([])
  })
})

describe('verbs', () => {
  const PATHS = ['/a', '/b', '/:x', '/a/b', '/a/:x', '/:x/b', '/*']
  const VERBS = ['get', 'head', 'options', 'post', 'any'] as const
  const VERSIONS = [undefined, '1', '2']

  // Static before capture before wildcard, segment by segment; no two of these patterns rank alike at one path.
  const rank = (path: string): string => path.replace(/[^/]+/g, (one) => ({ ':': '1', '*': '2' })[one[0] ?? ''] ?? '0')

  const matches = (pattern: string, path: string): boolean =>
    new RegExp(`^${pattern.replace(/:x/g, '[^/]+').replace('*', '.*')}$`).test(path)

  it('[RTE-03] [RTE-22] [VER-05] the verb decides, then the version, then the pattern, for any set of routes', async () => {
    const declared = fc.record({
      version: fc.constantFrom(...VERSIONS),
      verb: fc.constantFrom(...VERBS),
      path: fc.constantFrom(...PATHS),
    })
    const routes = fc.uniqueArray(declared, { minLength: 1, maxLength: 10, selector: (one) => JSON.stringify(one) })
    await fc.assert(
      fc.asyncProperty(routes, async (set) => {
        const names = set.map(({ version = 'none', verb, path }) => `${version} ${verb} ${path}`)
        const controllers = VERSIONS.flatMap((version) => {
          const own = set.flatMap(({ verb, path, ...one }, i) => {
            const params = { ...(path.includes(':x') && { x: t.string() }), ...(path.includes('*') && { splat }) }
            return one.version === version ? [[names[i], { routing: route[verb](path as never), params }]] : []
          })
          const settings = { prefix: '//', ...(version !== undefined && { version }) }
          return own.length > 0 ? [naming(`In${version ?? ''}`, Object.fromEntries(own), settings)] : []
        })
        const app = application({ controllers })
        for (const path of ['/a', '/c', '/a/b', '/c/b', '/c/d'])
          for (const verb of ['GET', 'HEAD', 'OPTIONS', 'POST', 'PURGE'])
            for (const version of VERSIONS) {
              const fitting = set.flatMap((one, i) =>
                matches(one.path, path) && (one.version === undefined || one.version === version)
                  ? [{ ...one, name: names[i] as string }]
                  : [],
              )
              const level = [verb, 'ANY', verb === 'HEAD' ? 'GET' : ''].find((one) =>
                fitting.some((each) => each.verb.toUpperCase() === one),
              )
              const [best] = fitting
                .filter((one) => one.verb.toUpperCase() === level)
                .sort(
                  (a, b) =>
                    Number(a.version === undefined) - Number(b.version === undefined) ||
                    compareAscending(rank(a.path), rank(b.path)),
                )
              const headers = version === undefined ? {} : { 'x-api-version': version }
              const answer = await handled(app, verb, path, headers)
              const none = verb === 'OPTIONS' ? 204 : 405
              const expected = best?.name ?? (fitting.length > 0 ? none : 404)
              expect([verb, path, version, answer.status === 200 ? answer.body : answer.status]).toEqual([
                verb,
                path,
                version,
                expected,
              ])
            }
      }),
      { numRuns: runs(40, 150) },
    )
  })
})

describe('no route', () => {
  const app = application({
    basePath: '/api',
    controllers: [
      naming('Blogs', {
        list: { routing: route.get('/') },
        create: { routing: route.post('/') },
        remove: { routing: route.delete('/:id'), params: { id } },
      }),
      naming('Own', { opts: { routing: route.options('/') }, head: { routing: route.head('/') } }),
    ],
  })

  it('[RTE-22] an unknown path is a 404 problem', async () => {
    for (const path of ['/', '/api', '/blogs', '/api/posts', '/api/blogs/1/2', '/api/Blogs']) {
      const answer = await ask(app, `GET ${path}`)
      expect([answer.status, answer.headers['content-type'], answer.json.code]).toEqual([
        404,
        'application/problem+json',
        'not-found',
      ])
    }
  })

  it('[RTE-22] another verb of a known path is a 405 with Allow', async () => {
    const answer = await ask(app, 'DELETE /api/blogs')
    expect([answer.status, answer.headers['allow'], answer.json.code]).toEqual([
      405,
      'GET, POST, HEAD, OPTIONS',
      'method-not-allowed',
    ])
    expect((await ask(app, 'GET /api/blogs/7')).headers['allow']).toBe('DELETE, OPTIONS')
    expect((await handled(app, '"><script>', '/api/blogs')).status).toBe(405)
  })

  it('[RTE-22] HEAD is served from GET and OPTIONS responds with 204 and Allow', async () => {
    const head = await ask(app, 'HEAD /api/blogs')
    expect([head.status, head.text, head.headers['content-type']]).toEqual([200, '', 'text/plain; charset=utf-8'])
    const options = await ask(app, 'OPTIONS /api/blogs')
    expect([options.status, options.text, options.headers['allow']]).toEqual([204, '', 'GET, POST, HEAD, OPTIONS'])
    expect((await ask(app, 'OPTIONS /api/nothing')).status).toBe(404)
    expect((await ask(app, 'HEAD /api/blogs/7')).status).toBe(405)
  })

  it('[RTE-22] unless they are declared', async () => {
    expect((await ask(app, 'OPTIONS /api/own')).text).toBe('opts')
    expect((await ask(app, 'HEAD /api/own')).status).toBe(200)
    expect((await ask(app, 'GET /api/own')).status).toBe(405)
  })

  it('[RTE-22] a path that is not valid percent-encoded UTF-8 is a 400', async () => {
    for (const path of ['/api/%', '/api/blogs/%zz', '/api/blogs/%ff', '/%C3%28'])
      expect((await ask(app, `GET ${path}`)).json).toMatchObject({ status: 400, code: 'malformed-path' })
  })
})
