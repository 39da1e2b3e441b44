// What plugins do to an application when it boots: options that they add, their order, actions that they take away.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type ApplicationOptions,
  application,
  endpoint,
  mediaType,
  type Plugin,
  route,
  security,
  t,
  verifier,
} from '../../src/index.ts'
import { mock } from '../../src/mock/index.ts'
import { withReplacements } from '../../src/testing/index.ts'
import { ask, askFetch, mistakesOf, recorder } from '../support/ask.ts'
import { runs } from '../support/runs.ts'

const Key = security.apiKey<string>('Key', { in: 'header', name: 'X-Key' })
const Other = security.bearer<string>('Other')

const Books = endpoint('Books', {
  actions: {
    index: { routing: route.get('/'), responses: { ok: 'text/plain' } },
    secret: { routing: route.get('/secret'), security: Key, responses: { ok: 'text/plain' } },
  },
})
const books = Books.implement({ index: () => 'all', secret: (_, { principal }) => `for ${principal}` })

/** Verifies keys that begin with its name. */
const keys = (name = 'keys'): Plugin => ({
  name,
  apply: (options) => ({
    ...options,
    verifiers: [
      ...(options.verifiers ?? []),
      verifier(Key, (key) => (key.startsWith('k') ? `${name}:${key}` : undefined)),
    ],
  }),
})

const made = (plugins: readonly Plugin[], more: Partial<ApplicationOptions> = {}) =>
  application({ controllers: [books], plugins, logger: recorder(), ...more })

const told = (boot: () => unknown): string[] =>
  mistakesOf(boot).map(({ endpoint: at, action, setting, problem }) =>
    [at, action, setting, problem].filter(Boolean).join(' | '),
  )

describe('verifiers that a plugin adds in apply', () => {
  it('verify, and boot counts them', async () => {
    const app = made([keys()])
    expect((await ask(app, 'GET /books/secret', { headers: { 'X-Key': 'k1' } })).text).toBe('for keys:k1')
    expect((await ask(app, 'GET /books/secret', { headers: { 'X-Key': 'x1' } })).status).toBe(401)
    expect((await ask(app, 'GET /books/secret')).status).toBe(401)
    expect(told(() => made([]))).toEqual(["Books | secret | security | nothing verifies the scheme 'Key'"])
  })

  it('stand behind those of the application, and tests and mocks replace them', async () => {
    const own = verifier(Key, (key) => `own:${key}`)
    const send = { headers: { 'X-Key': 'k1' } }
    expect((await askFetch(made([keys()], { verifiers: [own] }), 'GET /books/secret', send)).text).toBe('for own:k1')
    const tested = withReplacements(made([keys()]), { verifiers: [own] })
    expect((await askFetch(tested, 'GET /books/secret', send)).text).toBe('for own:k1')
    expect((await askFetch(mock(made([keys()])), 'GET /books/secret', send)).status).toBe(200)
  })

  it('are checked as those of the application are', () => {
    const wrong = (verifiers: unknown): Plugin => ({
      name: 'wrong',
      apply: (options) => ({ ...options, verifiers }) as never,
    })
    expect(told(() => made([wrong([{ scheme: Key }])]))).toEqual([expect.stringMatching(/^verifiers\[0\]\.check/)])
    expect(told(() => made([wrong('none')]))).toEqual(['verifiers | it is not a list'])
    const other: Plugin = { name: 'o', apply: (one) => ({ ...one, verifiers: [verifier(Other, () => 'x')] }) }
    expect(told(() => made([other]))).toEqual(["Books | secret | security | nothing verifies the scheme 'Key'"])
  })
})

describe('options that a plugin returns', () => {
  it('are held to the forms of an application, and the plugin is named', () => {
    const giving = (changes: object): Plugin => ({ name: 'giver', apply: (one) => ({ ...one, ...changes }) })
    const by = "by apply of the plugin 'giver'"
    for (const [changes, setting] of [
      [{ timeout: 'long' }, 'timeout'],
      [{ limits: { body: -1 } }, 'limits.body'],
      [{ tiemout: 1 }, 'tiemout'],
      [{ controllers: [Books] }, 'controllers[0]'],
      [{ plugins: [() => ({ name: 'x' })] }, 'plugins[0]'],
    ] as const) {
      const found = told(() => made([giving(changes), keys()]))
      expect(found.filter((one) => one.startsWith(`${setting} | `) && one.endsWith(by))).toHaveLength(1)
    }
  })

  it('may have further plugins, which are applied, ordered and required like others', async () => {
    const marking = (name: string, more: Partial<Plugin> = {}): Plugin => ({
      name,
      response: (response) => response.append('X-Order', name),
      ...more,
    })
    const bundle = marking('bundle', {
      requires: ['inner'],
      apply: (options) => ({ ...options, plugins: [...(options.plugins ?? []), marking('inner', keys('inner'))] }),
    })
    const app = made([bundle, marking('last')])
    const answer = await ask(app, 'GET /books/secret', { headers: { 'X-Key': 'k' } })
    expect(answer.text).toBe('for inner:k')
    expect(answer.headers['x-order']).toBe('inner, bundle, last')
  })
})

describe('the order of plugins', () => {
  it('follows after and before of those that are there, whoever else is named, over any set of them', () => {
    const names = ['a', 'b', 'c', 'd', 'e']
    const plan = fc.record({
      there: fc.shuffledSubarray(names, { minLength: 1 }),
      // Only towards later names, so that there is always an order.
      edges: fc.array(fc.tuple(fc.nat(4), fc.nat(4), fc.boolean(), fc.boolean())),
    })
    fc.assert(
      fc.property(plan, ({ there, edges }) => {
        const wishes = edges.filter(([from, to]) => from < to)
        const plugins = there.map((name): Plugin => {
          const [after, before] = [[] as string[], [] as string[]]
          for (const [from, to, backward, byProvided] of wishes) {
            const called = (i: number): string => (byProvided ? `${names[i]}-too` : (names[i] as string))
            if (backward && names[to] === name) after.push(called(from))
            if (!backward && names[from] === name) before.push(called(to))
          }
          return { name, provides: [`${name}-too`], after, before, response: () => {} }
        })
        const [explained] = made([...plugins, keys()]).explain('Books.index')
        const order = explained?.points
          .find(({ point }) => point === 'response')
          ?.steps.filter((one) => names.includes(one))
        expect([...(order ?? [])].sort()).toEqual([...there].sort())
        for (const [from, to] of wishes)
          if (there.includes(names[from] as string) && there.includes(names[to] as string))
            expect(order?.indexOf(names[from] as string)).toBeLessThan(order?.indexOf(names[to] as string) as number)
      }),
      { numRuns: runs(60, 2000) },
    )
  })

  it('is refused where a required plugin is missing, by its name or what it provides', () => {
    const asking: Plugin = { name: 'asking', requires: ['store'] }
    expect(told(() => made([keys(), asking]))).toEqual(["plugins | 'asking' needs 'store', which is not registered"])
    expect(made([keys(), asking, { name: 'redis', provides: ['store'] }])).toBeDefined()
  })
})

// --- actions taken away -----------------------------------------------------------------

const Loan = mediaType('Loan', { attributes: { id: t.integer(), note: t.string() }, views: { default: ['id'] } })
const paths = { index: '/', show: '/:id', create: '/', update: '/:id', past: '/past/:token' } as const
const Loans = endpoint('Loans', {
  mediaType: Loan,
  tags: ['loans'],
  actions: {
    index: { routing: route.get('/'), responses: { ok: 'text/plain' } },
    show: {
      routing: route.get('/:id'),
      params: { id: t.integer() },
      deprecated: { instead: 'update' },
      responses: { ok: 'text/plain' },
    },
    create: { routing: route.post('/'), security: Other, responses: { ok: 'text/plain' } },
    update: { routing: route.patch('/:id'), params: { id: t.integer() }, responses: { ok: 'text/plain' } },
    past: {
      routing: route.get('/past/:token'),
      params: { token: t.string({ secret: true }) },
      responses: { ok: 'text/plain' },
    },
  },
})
const loans = Loans.implement({
  index: () => 'index',
  show: () => 'show',
  create: () => 'create',
  update: () => 'update',
  past: () => 'past',
})
const verbs = { index: 'GET', show: 'GET', create: 'POST', update: 'PATCH', past: 'GET' } as const
type Name = keyof typeof verbs

const flags = (off: readonly string[], name = 'flags'): Plugin => ({
  name,
  removeAction: (action) => action.endpoint.name === 'Loans' && off.includes(action.name),
})

describe('an action that a plugin removes', () => {
  const all = Object.keys(verbs) as Name[]

  it('has no route, no operation, no contract and no row, over all sets of actions', async () => {
    await fc.assert(
      fc.asyncProperty(fc.subarray(all), async (off) => {
        const kept = all.filter((name) => !off.includes(name))
        const app = application({
          controllers: [loans, books],
          plugins: [keys(), flags(off.slice(0, 2)), flags(off.slice(2), 'more')],
          // Without the action, nothing has to verify its scheme.
          verifiers: off.includes('create') ? [] : [verifier(Other, () => 'x')],
          tags: [{ name: 'loans' }],
          logger: recorder(),
        })
        const rows = app.routes().filter(({ resource }) => resource === 'Loans')
        expect(rows.map(({ action }) => action).sort()).toEqual([...kept].sort())
        const operations = Object.entries(app.openapi().paths).flatMap(([path, item]) =>
          Object.keys(item).map((verb) => `${verb} ${path}`),
        )
        const wanted = kept.map((name) => `${verbs[name].toLowerCase()} ${docPath(paths[name])}`)
        expect(operations.filter((one) => one.includes('/loans')).sort()).toEqual([...new Set(wanted)].sort())
        const contract = app.contract().endpoints.find(({ name }) => name === 'Loans')
        expect(Object.keys(contract?.actions ?? {}).sort()).toEqual([...kept].sort())
        for (const name of off) {
          const { status } = await askFetch(
            app,
            `${verbs[name]} /loans${paths[name].replace(/:\w+/, '7').replace(/\/$/, '')}`,
          )
          const sharers = kept.filter((one) => paths[one] === paths[name])
          expect(status).toBe(sharers.length === 0 ? 404 : 405)
        }
        expect(() => app.explain(`Loans.${off[0] ?? 'none'}`)).toThrow(/There is no action/)
      }),
      { numRuns: runs(12, 300) },
    )
  })

  const docPath = (path: string): string => `/loans${path}`.replace(/\/$/, '').replace(/:(\w+)/, '{$1}')

  it('is no successor of a deprecated one any more', async () => {
    const linked = async (off: readonly string[]): Promise<unknown[]> => {
      const app = application({ controllers: [loans, books], plugins: [keys(), flags(['create', ...off])] })
      const shown = app.openapi().paths['/loans/{id}']?.['get']
      const { headers } = await ask(app, 'GET /loans/1')
      return [headers['link'], JSON.stringify(shown).includes('update')]
    }
    expect(await linked([])).toEqual(['</loans/1>; rel="successor-version"', true])
    expect(await linked(['update'])).toEqual([undefined, false])
  })

  it('still has secrets that no log shows', async () => {
    const lines: string[] = []
    const app = application({
      controllers: [loans, books],
      plugins: [
        keys(),
        flags(['create', 'past']),
        { name: 'log', end: (request) => void lines.push(request.redactedUrl) },
      ],
    })
    expect((await ask(app, 'GET /loans/past/s3cret')).status).toBe(404)
    expect(lines).toHaveLength(2)
    expect(lines.join()).not.toContain('s3cret')
  })

  it('is absent from mocks too, and frees its route for another', async () => {
    const Twin = endpoint('Twin', {
      actions: {
        old: { routing: route.get('/'), responses: { ok: 'text/plain' } },
        fresh: { routing: route.get('/'), responses: { ok: 'text/plain' } },
      },
    })
    const twin = Twin.implement({ old: () => 'old', fresh: () => 'fresh' })
    const off = (name: string): Plugin => ({ name: 'flags', removeAction: (action) => action.name === name })
    const asked = async (name: string): Promise<string> =>
      (await ask(application({ controllers: [twin], plugins: [off(name)] }), 'GET /twin')).text
    expect([await asked('old'), await asked('fresh')]).toEqual(['fresh', 'old'])
    const app = application({ controllers: [loans, books], plugins: [keys(), flags(all)] })
    expect((await askFetch(mock(app), 'GET /loans')).status).toBe(404)
  })
})
