// Parts of an application replaced for a test: needs, verifiers, clocks and stores; the application itself stays as it is.
import { type Application, application, endpoint, need, route, security, verifier } from 'edict'
import { idempotency, idempotent } from 'edict/idempotency'
import { rateLimit, rateLimits } from 'edict/rate-limit'
import { memoryStore } from 'edict/stores'
import { testClient, withReplacements } from 'edict/testing'
import { describe, expect, it } from 'vitest'

const clock = need(() => new Date())
const Token = security.bearer<{ readonly name: string }>('Token')
let count = 0
const Times = endpoint('Times', {
  actions: {
    show: {
      routing: route.get('/'),
      needs: { clock },
      security: Token,
      policies: [rateLimit({ limit: 1, per: '1m', by: 'principal' })],
      responses: { ok: 'text/plain' },
    },
    add: { routing: route.post('/'), policies: [idempotent({ keep: '1h' })], responses: { ok: 'text/plain' } },
  },
})
const app = application({
  controllers: [
    Times.implement({
      show: (_, { clock, principal }) => `${principal.name} ${clock.toISOString()}`,
      add: () => String(++count),
    }),
  ],
  plugins: [rateLimits(memoryStore(), { identify: () => 'one' }), idempotency(memoryStore())],
  verifiers: [verifier(Token, () => undefined)],
  logger: { info() {}, warn() {}, error() {} },
}) as unknown as Application

const headers = { Authorization: 'Bearer x' }
const ada = verifier(Token, () => ({ name: 'ada' }))
const noon = need(() => new Date('2030-01-01T12:00:00Z'))
const show = async (one: Application) => testClient(one, { Times }, { headers }).Times.show()

describe('replaced', () => {
  it('puts another need and another verifier in their place', async () => {
    const changed = withReplacements(app, { needs: [[clock, noon]], verifiers: [ada] })
    expect((await show(changed)).body).toBe('ada 2030-01-01T12:00:00.000Z')
    expect((await show(app)).status).toBe(401)
  })

  it('puts a store with another clock into a plugin, so that time passes as the test says', async () => {
    let now = 0
    const store = memoryStore({ now: () => now })
    const plugins = [rateLimits(store, { identify: () => 'one' })]
    const changed = withReplacements(app, { needs: [[clock, noon]], verifiers: [ada], plugins })
    const statuses: number[] = []
    for (const later of [0, 30_000, 31_000]) {
      now += later
      statuses.push((await show(changed)).status)
    }
    expect(statuses).toEqual([200, 429, 200])
  })

  it('keeps what values of a store mean to its clock', async () => {
    let now = 0
    const store = memoryStore({ now: () => now })
    const changed = withReplacements(app, { plugins: [idempotency(store)] })
    const ask = async (): Promise<string> => {
      const sent = { method: 'POST', headers: { 'Idempotency-Key': 'k' } }
      return (await changed.fetch(new Request('http://a/times', sent))).text()
    }
    const first = await ask()
    expect(await ask()).toBe(first)
    now += 3_600_001
    expect(await ask()).not.toBe(first)
  })

  it('takes other options, and refuses those that are none', () => {
    expect(withReplacements(app, { options: { basePath: '/api' } }).basePath).toBe('/api')
    expect(() => withReplacements(app, { needs: [clock] as never })).toThrow('a pair of needs')
  })
})
