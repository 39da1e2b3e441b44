// Cache-Control by declaration: for successes only, and private where credentials are asked for.
import { expect, it } from 'vitest'
import { application, endpoint, route, security, t, verifier } from '../../src/index.ts'
import { type CacheOptions, cacheControl } from '../../src/plugins/cache/index.ts'
import { ask, askFetch, mistakesOf, recorder } from '../support/ask.ts'

const Card = security.bearer<string>('Card')
const Session = security.apiKey<string>('Session', { in: 'cookie', name: 'session' })
const ok = { ok: 'text/plain', notFound: true } as const

const Books = endpoint('Books', {
  actionDefaults: { policies: [cacheControl({ maxAge: 60, mustRevalidate: true })] },
  actions: {
    show: { routing: route.get('/show/:id'), params: { id: t.integer() }, responses: ok },
    never: { routing: route.get('/never'), policies: [cacheControl('no-store')], responses: ok },
    mine: { routing: route.get('/mine'), security: [Card, Session], responses: ok },
    shared: {
      routing: route.get('/shared'),
      security: Card,
      policies: [cacheControl({ visibility: 'public', maxAge: 60, sharedMaxAge: 600, immutable: true })],
      responses: ok,
    },
    header: { routing: route.get('/header'), headers: { Authorization: t.string() }, responses: ok },
    own: { routing: route.get('/own'), responses: ok },
    change: { routing: route.put('/change'), responses: ok },
  },
})
const Plain = endpoint('Plain', {
  actions: {
    show: { routing: route.get('/'), responses: ok },
    mine: { routing: route.get('/mine'), security: Card, responses: ok },
  },
})

const app = application({
  logger: recorder(),
  verifiers: [verifier(Card, (token) => (token === 'a' ? 'Ada' : undefined)), verifier(Session, () => 'Ada')],
  controllers: [
    Books.implement({
      show: ({ id }, { reply }) => {
        if (id === 500) throw new Error('broken')
        return id === 404 ? reply.notFound() : reply.ok('book')
      },
      never: () => 'a',
      mine: () => 'a',
      shared: () => 'a',
      header: () => 'a',
      own: (_, { reply }) => reply.ok('a', { headers: { 'cache-control': 'max-age=1' } }),
      change: () => 'a',
    }),
    Plain.implement({ show: () => 'a', mine: () => 'a' }),
  ],
})

const caches = async (line: string, headers = {}) => (await ask(app, line, { headers })).headers['cache-control']

it('[CAC-01] successes of GET and HEAD have what the action or its defaults declare', async () => {
  expect(await caches('GET /books/show/1')).toBe('max-age=60, must-revalidate')
  expect(await caches('HEAD /books/show/1')).toBe('max-age=60, must-revalidate')
  expect(await caches('GET /books/never')).toBe('no-store')
  expect(await caches('GET /plain')).toBeUndefined()
})

it('[CAC-01] failures and changes have nothing of it', async () => {
  for (const line of [
    'GET /books/show/404',
    'GET /books/show/x',
    'GET /books/show/500',
    'PUT /books/change',
    'DELETE /books/show/1',
  ])
    expect(await caches(line), line).toBeUndefined()
})

it('[CAC-01] what needs credentials is private, and no-store where nothing is declared', async () => {
  const known = { authorization: 'Bearer a' }
  const { headers } = await ask(app, 'GET /books/mine', { headers: known })
  expect(headers).toMatchObject({
    'cache-control': 'private, max-age=60, must-revalidate',
    vary: 'Authorization, Cookie',
  })
  expect(await caches('GET /books/mine', { authorization: 'Bearer b' })).toBe('private, no-store')
  expect(await caches('GET /plain/mine', known)).toBe('private, no-store')
  expect(await ask(app, 'GET /books/header')).toMatchObject({
    headers: { 'cache-control': 'private, max-age=60, must-revalidate', vary: 'Authorization' },
  })
})

it('[CAC-01] what is declared public is, though it needs credentials', async () => {
  const shared = await caches('GET /books/shared', { authorization: 'Bearer a' })
  expect(shared).toBe('public, max-age=60, s-maxage=600, immutable')
})

it('[CAC-01] what an action says itself stands', async () => {
  expect(await caches('GET /books/own')).toBe('max-age=1')
})

it('[CAC-01] the contract tells of it', () => {
  const [books] = app.contract().endpoints.filter(({ name }) => name === 'Books')
  expect(books?.actions['never']?.policies).toMatchObject({ 'cache-control': { caches: { info: 'no-store' } } })
})

// In the order in which they are written.
const DIRECTIVES = {
  noStore: 'no-store',
  noCache: 'no-cache',
  maxAge: 'max-age',
  sharedMaxAge: 's-maxage',
  staleWhileRevalidate: 'stale-while-revalidate',
  staleIfError: 'stale-if-error',
  mustRevalidate: 'must-revalidate',
  immutable: 'immutable',
  noTransform: 'no-transform',
} as const
const NAMES = Object.keys(DIRECTIVES) as (keyof typeof DIRECTIVES)[]
const isTime = (name: string) => /Age|stale/.test(name)

/** An application whose one action has such a policy, and what its answer says to caches. */
function declared(options: CacheOptions, more: object = {}, routing: unknown = route.get('/')) {
  const Made = endpoint('Made', {
    actions: { show: { routing: routing as never, policies: [cacheControl(options)], responses: ok, ...more } },
  })
  return application({ logger: recorder(), controllers: [Made.implement({ show: () => 'a' })] })
}

const saidBy = async (made: ReturnType<typeof declared>, line = 'GET /made') =>
  (await askFetch(made, line, line.startsWith('QUERY') ? { body: {} } : {})).headers['cache-control']

it('[CAC-01] every directive, alone and with every other, is written as declared, a time of 0 as well', async () => {
  for (const one of NAMES)
    for (const other of NAMES) {
      const both = NAMES.filter((name) => name === one || name === other)
      const values = both.map((name, i) => [name, isTime(name) ? i * 60 : true] as const)
      const options: CacheOptions = Object.fromEntries(values)
      // Nothing is kept: what else is said to caches says nothing.
      const idle = options.noStore === true && both.some((name) => name !== 'noStore' && name !== 'noTransform')
      if (idle)
        expect(
          mistakesOf(() => declared(options)),
          `${both}`,
        ).toHaveLength(1)
      else {
        const text = values.map(([name, value]) => DIRECTIVES[name] + (value === true ? '' : `=${value}`)).join(', ')
        expect(await saidBy(declared(options)), `${both}`).toBe(text)
      }
    }
})

it('[CAC-01] a directive that is false is none', async () => {
  const flags = NAMES.filter((name) => !isTime(name)).map((name) => [name, false])
  const none = Object.fromEntries(flags) as CacheOptions
  expect(await saidBy(declared({ ...none, maxAge: 1 }))).toBe('max-age=1')
  expect(mistakesOf(() => declared(none))[0]?.problem).toMatch('has no directive')
  expect(await saidBy(declared({ ...none, visibility: 'public' }))).toBe('public')
  expect(await saidBy(declared({ visibility: 'private', noStore: true, noTransform: true }))).toBe(
    'private, no-store, no-transform',
  )
  const absent = { noStore: true, maxAge: undefined, immutable: undefined } as never
  expect(await saidBy(declared(absent))).toBe('no-store')
})

it('[CAC-01] verbs that read have it, alone and next to one that changes; those that only change do not', async () => {
  const maxAge = { maxAge: 5 }
  for (const verb of ['get', 'post', 'put', 'patch', 'delete', 'query'] as const) {
    const made = declared(maxAge, {}, route[verb]('/'))
    const told = ['get', 'query'].includes(verb) ? 'max-age=5' : undefined
    expect(await saidBy(made, `${verb.toUpperCase()} /made`), verb).toBe(told)
  }
  const both = declared(maxAge, {}, [route.post('/'), route.get('/')])
  expect(await saidBy(both)).toBe('max-age=5')
})

it('[CAC-01] what reads Authorization or Cookie, in any case, is private; what reads another header is not', async () => {
  const read = (name: string) =>
    saidBy(declared({ maxAge: 5 }, { headers: { 'X-Other': t.string(), [name]: t.string() } }))
  for (const name of ['Authorization', 'AUTHORIZATION', 'Cookie', 'cookie'])
    expect(await read(name), name).toBe('private, max-age=5')
  for (const name of ['X-Cookie', 'Cookie-Jar', 'X-Authorization', 'Authorization-Of'])
    expect(await read(name), name).toBe('max-age=5')
  const never = declared({ noStore: true }, { headers: { Cookie: t.string() } })
  expect(await saidBy(never)).toBe('no-store')
})

it.each([
  [{}, /has no directive/],
  [{ noStore: true, maxAge: 5 }, /leaves nothing/],
  [{ visibility: 'private', sharedMaxAge: 5 }, /shared caches/],
  [{ visibility: 'private', sharedMaxAge: 0 }, /shared caches/],
  [{ maxAge: -1 }, /maxAge/],
  [{ maxage: 1 }, /maxage|maxAge/],
])('[CAC-01] refuses %j at boot', (options, expected) => {
  const Odd = endpoint('Odd', {
    actions: { show: { routing: route.get('/'), policies: [cacheControl(options as CacheOptions)], responses: ok } },
  })
  const mistakes = mistakesOf(() => application({ controllers: [Odd.implement({ show: () => 'a' })] }))
  expect(mistakes.map(({ setting, problem }) => `${setting} ${problem}`)).toEqual([expect.stringMatching(expected)])
})
