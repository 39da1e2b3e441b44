// Mocks of endpoints that say neither what they are about nor what they belong to, as imported ones: paths and responses tell.
import { type Attribute, application, controller, endpoint, mediaType, route, security, t, verifier } from 'edict'
import { describeMock, mock } from 'edict/mock'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { askFetch } from '../support/ask.ts'
import { type Envelope, envelopes } from '../support/envelopes.ts'

const json = 'application/json'
const Team = mediaType('Team', {
  identifier: json,
  attributes: { id: t.integer(), name: t.string({ required: true }) },
})
const Player = mediaType('Player', {
  identifier: json,
  attributes: { number: t.integer({ required: true, min: 1 }), name: t.string({ required: true, max: 40 }) },
})
const Badge = mediaType('Badge', { identifier: json, attributes: { colour: t.string({ nullable: true }) } })
const Report = mediaType('Report', { identifier: json, attributes: { text: t.string({ nullable: true, max: 90 }) } })
const Account = mediaType('Account', {
  identifier: json,
  attributes: {
    mail: t.string({ required: true }),
    key: t.string({ required: true }),
    bio: t.string({ nullable: true }),
  },
})
const NewAccount = mediaType('NewAccount', {
  identifier: json,
  attributes: { mail: t.string({ required: true }), phrase: t.string({ required: true }) },
})
const Taken = mediaType('Taken', { identifier: json, attributes: { why: t.string({ required: true }) } })
const Key = security.apiKey<unknown>('Key', { in: 'header', name: 'Authorization' })

const ref = (of: object): Attribute => t.ref(of as typeof Team, { required: true })

/** Everything in one endpoint without a media type, in an envelope. */
function declare(around: Envelope) {
  const one = (of: object) => around.wrap(ref(of))
  const sent = (name: string) => around.wrap(t.object({ [name]: t.string({ required: true }) }, { required: true }))
  const [team, player] = [{ teamId: t.integer() }, { teamId: t.integer(), number: t.integer() }]
  const unlisted = { code: t.string() }
  return endpoint('League', {
    prefix: '//',
    actions: {
      teams: { routing: route.get('/teams'), responses: { ok: around.wrap(t.array(Team, { required: true })) } },
      found: { routing: route.post('/teams'), payload: sent('name'), responses: { created: one(Team) } },
      team: { routing: route.get('/teams/:teamId'), params: team, responses: { ok: one(Team) } },
      rename: {
        routing: route.put('/teams/:teamId'),
        params: team,
        payload: sent('name'),
        responses: { ok: one(Team) },
      },
      dissolve: { routing: route.delete('/teams/:teamId'), params: team, responses: { noContent: true } },
      badge: { routing: route.get('/teams/:teamId/badge'), params: team, responses: { ok: one(Badge) } },
      paint: {
        routing: route.put('/teams/:teamId/badge'),
        params: team,
        payload: sent('colour'),
        responses: { ok: one(Badge) },
      },
      players: {
        routing: route.get('/teams/:teamId/players'),
        params: team,
        responses: { ok: around.wrap(t.array(Player, { required: true })) },
      },
      sign: {
        routing: route.post('/teams/:teamId/players'),
        params: team,
        payload: sent('name'),
        responses: { created: one(Player) },
      },
      release: {
        routing: route.delete('/teams/:teamId/players/:number'),
        params: player,
        responses: { noContent: true },
      },
      report: { routing: route.get('/reports/:code'), params: unlisted, responses: { ok: one(Report) } },
      drop: { routing: route.delete('/reports/:code'), params: unlisted, responses: { noContent: true } },
      join: {
        routing: route.post('/accounts'),
        payload: around.wrap(ref(NewAccount)),
        responses: { created: one(Account), unprocessableContent: Taken },
      },
      enter: {
        routing: route.post('/accounts/enter'),
        payload: around.wrap(ref(NewAccount)),
        responses: { ok: one(Account), unauthorized: true },
      },
      me: { routing: route.get('/me'), security: Key, responses: { ok: one(Account), unauthorized: true } },
      change: {
        routing: route.put('/me'),
        security: Key,
        payload: sent('bio'),
        responses: { ok: one(Account), unauthorized: true },
      },
    },
  } as never)
}

function serve(around: Envelope) {
  const League = declare(around)
  const names = Object.keys((League as unknown as { spec: { actions: object } }).spec.actions)
  const actions = Object.fromEntries(names.map((name) => [name, () => undefined]))
  const controllers = [controller(League, actions as never)]
  const app = mock(application({ controllers, verifiers: [verifier(Key, () => ({}))] }))
  const ask = async (line: string, body?: object, headers: Record<string, string> = {}) => {
    const options = body === undefined ? { headers } : { headers, body: around.put(body) }
    const answer = await askFetch(app, line, options)
    if (answer.status === 204) return { status: 204, body: undefined }
    return { status: answer.status, body: answer.status < 300 ? around.open(answer.json) : answer.json }
  }
  return { app, ask }
}

const check = (run: (served: ReturnType<typeof serve>) => Promise<void>) =>
  fc.assert(
    fc.asyncProperty(envelopes, (around) => run(serve(around))),
    { numRuns: 8 },
  )

describe('[FOR-01] a mock of an endpoint without a media type', () => {
  it('keeps elements under keys of other names, and refuses those that are gone', () =>
    check(async ({ ask }) => {
      const { status, body } = await ask('POST /teams', { name: 'Reds' })
      expect(status).toBe(201)
      expect((await ask(`GET /teams/${body.id}`)).body).toEqual({ id: body.id, name: 'Reds' })
      expect((await ask(`PUT /teams/${body.id}`, { name: 'Blues' })).body).toEqual({ id: body.id, name: 'Blues' })
      expect((await ask('GET /teams')).body).toContainEqual({ id: body.id, name: 'Blues' })
      expect((await ask(`DELETE /teams/${body.id}`)).status).toBe(204)
      expect((await ask(`GET /teams/${body.id}`)).status).toBe(404)
      expect((await ask('GET /teams')).body).not.toContainEqual({ id: body.id, name: 'Blues' })
    }))

  it('keeps elements below those of the path above, whose end is theirs', () =>
    check(async ({ ask }) => {
      const player = (await ask('POST /teams/2/players', { name: 'Ann' })).body
      expect((await ask('GET /teams/2/players')).body).toContainEqual(player)
      expect((await ask('GET /teams/1/players')).body).not.toContainEqual(player)
      expect((await ask(`DELETE /teams/2/players/${player.number}`)).status).toBe(204)
      expect((await ask('GET /teams/2/players')).body).not.toContainEqual(player)
    }))

  it('keeps the only element below another', () =>
    check(async ({ ask }) => {
      expect((await ask('PUT /teams/3/badge', { colour: 'green' })).body).toEqual({ colour: 'green' })
      expect((await ask('PUT /teams/4/badge', { colour: 'grey' })).body).toEqual({ colour: 'grey' })
      expect((await ask('GET /teams/3/badge')).body).toEqual({ colour: 'green' })
    }))

  it('keeps elements that only their path identifies', () =>
    check(async ({ app, ask }) => {
      // The keys of generated elements are known to nobody, so that one has to be missing.
      expect((await ask('GET /reports/nowhere')).status).toBe(404)
      expect(describeMock(app).map(({ location }) => location)).not.toContain('Report')
    }))

  it('compares the secret that an account was made with, and keeps what its caller changes', () =>
    check(async ({ ask }) => {
      const { status, body } = await ask('POST /accounts', { mail: 'a@example.com', phrase: 'open' })
      expect([status, body.mail]).toEqual([201, 'a@example.com'])
      expect(Object.keys(body)).not.toContain('phrase')
      const right = await ask('POST /accounts/enter', { mail: 'a@example.com', phrase: 'open' })
      expect([right.status, right.body.key]).toEqual([200, body.key])
      expect((await ask('POST /accounts/enter', { mail: 'a@example.com', phrase: 'opens' })).status).toBe(401)
      expect((await ask('POST /accounts/enter', { mail: 'b@example.com', phrase: 'open' })).status).toBe(401)
      const headers = { Authorization: `Token ${body.key}` }
      expect((await ask('GET /me', undefined, headers)).body.mail).toBe('a@example.com')
      expect((await ask('PUT /me', { bio: 'Hello.' }, headers)).status).toBe(200)
      expect((await ask('GET /me', undefined, { Authorization: body.key })).body.bio).toBe('Hello.')
      expect((await ask('GET /me', undefined, { Authorization: 'Token other' })).status).toBe(401)
    }))

  it('refuses a value that is taken in the declared form', () =>
    check(async ({ ask }) => {
      await ask('POST /accounts', { mail: 'a@example.com', phrase: 'open' })
      const { status, body } = await ask('POST /accounts', { mail: 'a@example.com', phrase: 'other' })
      expect([status, Object.keys(body)]).toEqual([422, ['why']])
    }))
})

describe('[FOR-01] lists that are sent to a mock', () => {
  const Line = mediaType('Line', {
    identifier: json,
    attributes: { text: t.string({ required: true, max: 9 }), cents: t.integer({ required: true }) },
  })
  const Bill = mediaType('Bill', {
    identifier: json,
    attributes: {
      number: t.integer({ required: true }),
      labels: t.array(t.string({ max: 9 }), { required: true }),
      lines: t.array(Line, { required: true }),
    },
    views: { default: ['number', 'labels', 'lines'] },
  })

  const Customer = mediaType('Customer', { identifier: json, attributes: { handle: t.string({ required: true }) } })

  /** The bills of two customers, in an endpoint that declares nothing but its paths. */
  async function serveBills(around: Envelope) {
    const one = around.wrap(ref(Bill))
    const handle = t.object({ handle: t.string({ required: true }) }, { required: true })
    const line = t.object({ text: t.string({ required: true }), cents: t.integer({ required: true }) })
    const lists = { labels: t.array(t.string()), lines: t.array(line) }
    const made = around.wrap(t.object({ number: t.integer({ required: true }), ...lists }, { required: true }))
    const changed = around.wrap(t.object(lists, { required: true }))
    const [customer, bill] = [{ handle: t.string() }, { handle: t.string(), number: t.integer() }]
    const Bills = endpoint('Bills', {
      prefix: '//',
      actions: {
        join: {
          routing: route.post('/customers'),
          payload: around.wrap(handle),
          responses: { created: around.wrap(ref(Customer)) },
        },
        customer: {
          routing: route.get('/customers/:handle'),
          params: customer,
          responses: { ok: around.wrap(ref(Customer)) },
        },
        list: {
          routing: route.get('/customers/:handle/bills'),
          params: customer,
          responses: { ok: around.wrap(t.array(Bill, { required: true })) },
        },
        make: {
          routing: route.post('/customers/:handle/bills'),
          params: customer,
          payload: made,
          responses: { created: one, conflict: true },
        },
        show: { routing: route.get('/customers/:handle/bills/:number'), params: bill, responses: { ok: one } },
        change: {
          routing: route.patch('/customers/:handle/bills/:number'),
          params: bill,
          payload: changed,
          responses: { ok: one },
        },
        drop: {
          routing: route.delete('/customers/:handle/bills/:number'),
          params: bill,
          responses: { noContent: true },
        },
      },
    } as never)
    const actions = Object.fromEntries(
      ['join', 'customer', 'list', 'make', 'show', 'change', 'drop'].map((name) => [name, () => undefined]),
    )
    const app = mock(application({ controllers: [controller(Bills, actions as never)] }))
    const ask = async (request: string, body?: object) => {
      const answer = await askFetch(app, request, body === undefined ? {} : { body: around.put(body) })
      return { status: answer.status, body: answer.status < 204 ? around.open(answer.json) : undefined }
    }
    for (const name of ['ann', 'bob']) expect((await ask('POST /customers', { handle: name })).status).toBe(201)
    return ask
  }

  const lines = fc.array(fc.record({ text: fc.constantFrom('a', 'b', 'c'), cents: fc.constantFrom(1, 2) }), {
    maxLength: 4,
  })
  const labels = fc.array(fc.constantFrom('x', 'y', 'z'), { maxLength: 3 })
  const lists = fc.record({ lines, labels })

  it('are kept as they are, with their order and with what is there twice', () =>
    fc.assert(
      fc.asyncProperty(envelopes, lists, lists, lists, async (around, first, second, third) => {
        const ask = await serveBills(around)
        expect((await ask('POST /customers/ann/bills', { number: 7, ...first })).body).toEqual({ number: 7, ...first })
        expect((await ask('POST /customers/ann/bills', { number: 8, ...second })).body).toEqual({
          number: 8,
          ...second,
        })
        expect((await ask('GET /customers/ann/bills/7')).body).toEqual({ number: 7, ...first })
        expect((await ask('PATCH /customers/ann/bills/8', third)).body).toEqual({ number: 8, ...third })
        expect((await ask('GET /customers/ann/bills/7')).body).toEqual({ number: 7, ...first })
        expect((await ask('GET /customers/ann/bills/8')).body).toEqual({ number: 8, ...third })
      }),
      { numRuns: 20 },
    ))

  it('are generated with no more elements than they may have', async () => {
    const Short = mediaType('Short', {
      identifier: json,
      attributes: { number: t.integer({ required: true }), lines: t.array(Line, { required: true, max: 2 }) },
      views: { default: ['number', 'lines'] },
    })
    const Shorts = endpoint('Shorts', {
      actions: { list: { routing: route.get('/'), responses: { ok: t.array(Short, { required: true }) } } },
    })
    const app = mock(application({ controllers: [controller(Shorts, { list: () => undefined as never })] }))
    const { status, json: found } = await askFetch(app, 'GET /shorts')
    expect(status).toBe(200)
    const lengths = found.map((one: { readonly lines: readonly unknown[] }) => one.lines.length)
    expect(Math.max(...lengths)).toBe(2)
  })

  it('belong to the element that the whole path names', () =>
    fc.assert(
      fc.asyncProperty(envelopes, lists, lists, async (around, first, second) => {
        const ask = await serveBills(around)
        expect((await ask('POST /customers/ann/bills', { number: 7, ...first })).status).toBe(201)
        expect((await ask('POST /customers/bob/bills', { number: 7, ...second })).status).toBe(201)
        expect((await ask('POST /customers/bob/bills', { number: 7, ...second })).status).toBe(409)
        expect((await ask('GET /customers/ann/bills/7')).body).toEqual({ number: 7, ...first })
        expect((await ask('GET /customers/bob/bills/7')).body).toEqual({ number: 7, ...second })
        expect((await ask('DELETE /customers/ann/bills/7')).status).toBe(204)
        expect((await ask('GET /customers/ann/bills/7')).status).toBe(404)
        expect((await ask('GET /customers/bob/bills/7')).body).toEqual({ number: 7, ...second })
      }),
      { numRuns: 20 },
    ))
})
