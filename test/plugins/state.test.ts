// What plugins, policies and actions know of one request: one state for all, no secrets for those that need none.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Policy, type PolicyRequest, policy } from '../../src/extend.ts'
import { type Attribute, application, endpoint, type Plugin, route, t } from '../../src/index.ts'
import { askFetch, recorder } from '../support/ask.ts'
import { runs } from '../support/runs.ts'

const STEPS = ['admission', 'before', 'after', 'settle', 'response'] as const

/** A policy that shows requests to a function at every point, and its plugin. */
function watching(see: (request: PolicyRequest, step: string) => void, more: Partial<Policy> = {}): [Policy, Plugin] {
  const steps = Object.fromEntries(
    STEPS.map((step) => [step, (first: unknown, second?: unknown) => see((second ?? first) as PolicyRequest, step)]),
  )
  return [policy({ name: 'watch', plugin: 'watch', ...more }), { name: 'watch', enforce: () => steps }]
}

describe('the state of a request', () => {
  it.each([true, false])(
    'is one object for plugins, policies, callbacks, needs and the action; used on arrival: %s',
    async (early) => {
      const seen: object[] = []
      const note = (one: { readonly state: object }): void => void seen.push(one.state)
      const [watch, plugin] = watching(note)
      const Books = endpoint('Books', {
        actions: { index: { routing: route.get('/'), policies: [watch], responses: { ok: 'text/plain' } } },
      })
      const books = Books.implement({
        index(_, context) {
          note(context)
          return 'all'
        },
      })
        .before('validate', note)
        .after('response', note)
      const app = application({
        controllers: [books],
        plugins: [
          plugin,
          {
            name: 'points',
            ...(early && { arrival: (request) => void seen.push(request.state) }),
            response: (_, request) => note(request),
            end: (request) => note(request),
          },
        ],
      })
      expect((await askFetch(app, 'GET /books')).status).toBe(200)
      expect(seen).toHaveLength(STEPS.length + 5 + (early ? 1 : 0))
      expect(new Set(seen).size).toBe(1)
      await askFetch(app, 'GET /books')
      expect(new Set(seen).size).toBe(2)
    },
  )
})

// --- secrets ----------------------------------------------------------------------------

const SECRET = 'S3CRET'
const secret = t.string({ secret: true })

/** Attributes with a secret somewhere in them, with a value that has it there. */
const holding: fc.Arbitrary<[Attribute, unknown]> = fc.letrec<{ one: [Attribute, unknown] }>((tie) => ({
  one: fc.oneof(
    { maxDepth: 3 },
    fc.constant<[Attribute, unknown]>([secret, SECRET]),
    fc.constant<[Attribute, unknown]>([t.object({ a: t.integer() }, { secret: true }), { a: 1 }]),
    tie('one').map(([of, value]): [Attribute, unknown] => [t.array(of), [value, value]]),
    tie('one').map(([of, value]): [Attribute, unknown] => [
      t.object({ open: t.string(), of }),
      { open: 'open', of: value },
    ]),
    tie('one').map(([of, value]): [Attribute, unknown] => [t.record(of), { key: value }]),
    tie('one').map(([of, value]): [Attribute, unknown] => [
      t.union('kind', { a: { of }, b: { x: t.string() } }),
      { kind: 'a', of: value },
    ]),
  ),
})).one

/** All that a policy can read of a request. */
const textOf = (request: PolicyRequest): string =>
  JSON.stringify([request.input, request.url, request.headers, request.query('token'), request.query('open')])

async function texts(
  attribute: Attribute,
  value: unknown,
  more: Partial<Policy> = {},
  secrets = true,
): Promise<string[]> {
  const seen: string[] = []
  const [watch, plugin] = watching((request) => void seen.push(textOf(request)), more)
  const one = secrets ? secret : t.string()
  const Books = endpoint('Books', {
    actions: {
      create: {
        routing: route.post('/:path'),
        params: { path: one, token: one, open: t.string() },
        headers: { 'X-Token': one },
        payload: { of: attribute, open: t.string() },
        policies: [watch],
        deprecated: true,
        responses: { ok: 'text/plain' },
      },
    },
  })
  const books = Books.implement({ create: (_, { request }) => JSON.stringify(request.payload) })
  const tell: Plugin = { name: 'tell', deprecated: (_, request) => void seen.push(textOf(request)) }
  const app = application({ controllers: [books], plugins: [plugin, tell] })
  const answer = await askFetch(app, `POST /books/${SECRET}?token=${SECRET}&open=open`, {
    headers: { 'X-Token': SECRET },
    body: { of: value, open: 'open' },
  })
  // The action itself has all of it.
  expect([answer.status, answer.json]).toEqual([200, { of: value, open: 'open' }])
  return seen
}

describe('values that are declared secret', () => {
  it('reach no policy and no report, wherever they stand, and all others do', async () => {
    await fc.assert(
      fc.asyncProperty(holding, async ([attribute, value]) => {
        const seen = await texts(attribute, value)
        expect(seen).toHaveLength(STEPS.length + 1)
        for (const text of seen) {
          expect(text).not.toContain(SECRET)
          expect(text).toContain('open')
        }
      }),
      { numRuns: runs(25, 1000) },
    )
  })

  it('reach a policy that reads secrets', async () => {
    const seen = await texts(secret, SECRET, { readsSecrets: true })
    const before = seen.find((one) => one.includes('"payload":{"of"')) ?? ''
    expect(before.split(SECRET)).toHaveLength(9)
  })

  it('reach a policy that names them itself', async () => {
    const own = (await texts(t.string(), 'x', { reads: ['token'], readsHeaders: ['X-Token'] })).at(-1) ?? ''
    // In the params, the headers as they are loaded and as they came, and the query; not in the path.
    expect(own.split(SECRET)).toHaveLength(5)
    expect(own).toContain('[redacted]')
  })

  it('are the only ones that policies do not see', async () => {
    for (const text of await texts(t.string(), SECRET, {}, false)) expect(text).not.toContain('[redacted]')
  })
})

describe('a warning of a policy', () => {
  it('has its fields, the request and the action, and nothing of the server', async () => {
    const logger = recorder()
    const password = Object.assign(new Error('insert failed'), {
      code: '23505',
      severity: 'ERROR',
      detail: SECRET,
      routine: '_bt_check_unique',
    })
    const [watch, plugin] = watching((request, step) => request.warn({ step, err: password }, 'Careful'))
    const Books = endpoint('Books', {
      actions: { index: { routing: route.get('/'), policies: [watch], responses: { ok: 'text/plain' } } },
    })
    const app = application({ controllers: [Books.implement({ index: () => 'all' })], plugins: [plugin], logger })
    await askFetch(app, 'GET /books')
    const lines = logger.entries.filter(({ message }) => message === 'Careful')
    expect(lines).toHaveLength(STEPS.length)
    for (const { fields } of lines) expect(Object.keys(fields).sort()).toEqual(['action', 'err', 'requestId', 'step'])
    expect(JSON.stringify(lines)).not.toContain(SECRET)
  })

  it('is as clean where a plugin fails while it is informed of a deprecated use', async () => {
    const logger = recorder()
    const failing: Plugin = {
      name: 'failing',
      deprecated() {
        throw new Error('no')
      },
    }
    const Books = endpoint('Books', {
      actions: { index: { routing: route.get('/'), deprecated: true, responses: { ok: 'text/plain' } } },
    })
    const app = application({ controllers: [Books.implement({ index: () => 'all' })], plugins: [failing], logger })
    await askFetch(app, 'GET /books')
    expect(logger.entries.map(({ fields }) => Object.keys(fields).sort())).toEqual([
      ['action', 'err', 'hook', 'plugin', 'requestId'],
    ])
  })
})
