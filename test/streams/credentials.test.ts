// Streams of events end when their credentials do, and go on with renewed ones.
import { application, controller, endpoint, events, route, security, t, verifier } from 'edict'
import { client, StatusError } from 'edict/client'
import { jwt } from 'edict/jwt'
import { SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { recorder } from '../support/ask.ts'

interface Member {
  readonly id: number
  readonly role: string
}

const Token = security.bearer<Member>('Token')
const Ticks = events({ tick: t.object({ n: t.integer({ required: true }) }) }, { retry: '10ms', recheck: '40ms' })
const Clock = endpoint('Clock', {
  actions: {
    watch: {
      routing: route.get('/'),
      security: Token,
      headers: { 'Last-Event-ID': t.integer() },
      responses: { ok: Ticks },
    },
  },
})

async function* tick(after: number, role: string, closed: string[]) {
  try {
    for (let n = after + 1; ; n++) {
      yield { event: 'tick' as const, data: { n }, id: String(n) }
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  } finally {
    closed.push(role)
  }
}

/** Serves a clock; `closed` has the role of each stream that has ended. */
function serveClock(check: ReturnType<typeof verifier>, closed: string[] = []) {
  return application({
    logger: recorder(),
    verifiers: [check],
    controllers: [
      controller(Clock, {
        watch: (_, { principal, request, reply }) =>
          reply.ok(tick(request.headers['Last-Event-ID'] ?? 0, principal.role, closed)),
      }),
    ],
  })
}

const follow = (app: ReturnType<typeof serveClock>, token: () => string) =>
  client(
    { Clock },
    { baseUrl: 'http://clock.test', fetch: app.fetch, headers: () => ({ Authorization: `Bearer ${token()}` }) },
  ).Clock.watch.all()

/** Reads a stream to its end; returns how many events came, without a gap, and the error at the end. */
async function readToEnd(all: AsyncIterable<{ readonly event: string; readonly data: unknown }>, from = 0) {
  let last = from
  try {
    for await (const { data } of all) {
      expect(data).toEqual({ n: last + 1 })
      last++
    }
    return { last, error: undefined }
  } catch (error) {
    return { last, error }
  }
}

describe('a stream of events with credentials', () => {
  it('[EVT-06] ends when they are revoked, and its client is refused', async () => {
    const valid = new Set(['a', 'b'])
    const closed: string[] = []
    const app = serveClock(
      verifier(Token, (token) => (valid.has(token) ? { id: 1, role: token } : undefined)),
      closed,
    )
    const [a, b] = [follow(app, () => 'a'), follow(app, () => 'b')]
    for (const one of [a, b]) expect(await one.next()).toMatchObject({ value: { id: '1' } })
    const ending = readToEnd(a, 1)
    valid.delete('a')
    const { error } = await ending
    expect(error).toBeInstanceOf(StatusError)
    expect((error as StatusError).response.status).toBe(401)
    for (let i = 0; i < 50; i++) expect(await b.next()).toMatchObject({ done: false })
    await b.return?.()
    await expect.poll(() => closed.includes('a')).toBe(true)
  })

  it('[EVT-06] goes on where it was with renewed ones, and without a gap', async () => {
    let current = 'old'
    const closed: string[] = []
    const app = serveClock(
      verifier(Token, (token) => (token === current ? { id: 1, role: token } : undefined)),
      closed,
    )
    const all = follow(app, () => current)
    const seen: number[] = []
    for await (const event of all) {
      if (event.event !== 'tick') throw new Error('failed')
      seen.push(event.data.n)
      if (event.data.n === 10) current = 'new'
      if (seen.length > 20 && closed.includes('old')) break
    }
    expect(seen).toEqual(seen.map((_, i) => i + 1))
  })

  it('[EVT-06] ends when they stand for another principal, whose stream follows', async () => {
    let role = 'staff'
    const closed: string[] = []
    const app = serveClock(
      verifier(Token, () => ({ id: 1, role })),
      closed,
    )
    const all = follow(app, () => 'one')
    for await (const event of all) {
      if (event.id === '5') role = 'guest'
      if (closed.includes('staff')) break
    }
    expect(closed).toEqual(['staff'])
    await expect.poll(() => closed).toEqual(['staff', 'guest'])
  })

  it('[EVT-06] ends when they cannot be verified, and comes back when they can', async () => {
    let isDown = false
    const closed: string[] = []
    const check = verifier(Token, () => {
      if (isDown) throw new Error('the database is away')
      return { id: 1, role: 'member' }
    })
    const all = follow(serveClock(check, closed), () => 'one')
    const restored = expect
      .poll(() => closed.length)
      .toBe(1)
      .then(() => {
        isDown = false
      })
    const seen: string[] = []
    for await (const { id } of all) {
      seen.push(id)
      if (id === '5') isDown = true
      if (closed.length > 0 && !isDown && seen.length > 20) break
    }
    await restored
    expect(seen).toEqual(seen.map((_, i) => String(i + 1)))
  })

  it('[EVT-06] ends at the expiry of a JWT, not before, without a recheck in between', async () => {
    const Quiet = events({ tick: t.object({ n: t.integer({ required: true }) }) }, { retry: '10ms', recheck: 0 })
    const Late = endpoint('Late', {
      actions: { watch: { routing: route.get('/'), security: Token, responses: { ok: Quiet } } },
    })
    const closed: string[] = []
    const secret = crypto.getRandomValues(new Uint8Array(32))
    const app = application({
      logger: recorder(),
      verifiers: [jwt(Token, { secret, clockTolerance: 0, principal: () => ({ id: 1, role: 'expired' }) })],
      controllers: [controller(Late, { watch: (_, { reply }) => reply.ok(tick(0, 'expired', closed)) })],
    })
    const exp = Math.floor(Date.now() / 1000) + 2
    const token = await new SignJWT().setProtectedHeader({ alg: 'HS256' }).setExpirationTime(exp).sign(secret)
    const headers = { Authorization: `Bearer ${token}` }
    const { Late: late } = client({ Late }, { baseUrl: 'http://clock.test', fetch: app.fetch, headers })
    const { error } = await readToEnd(late.watch.all())
    expect((error as StatusError).response.status).toBe(401)
    expect(Date.now()).toBeGreaterThanOrEqual(exp * 1000)
    await expect.poll(() => closed).toEqual(['expired'])
  })
})
