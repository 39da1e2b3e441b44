// Scopes: a client has all that an action asks for, or is not let in. Some of them never suffice, whoever verifies.
import {
  application,
  endpoint,
  forbidden,
  route,
  type SecurityScheme,
  security,
  t,
  type Verifier,
  verifier,
} from 'edict'
import { jwt } from 'edict/jwt'
import { session, sessions } from 'edict/sessions'
import { memoryStore } from 'edict/stores'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askFetch, recorder } from '../support/ask.ts'
import { Issuer, type Keys, makeKeys, signed } from '../support/credentials/issuer.ts'
import { runs } from '../support/runs.ts'

const NAMES = ['a', 'b', 'c'] as const
type Scopes = readonly string[]

/** Every set of scopes. */
const SETS: readonly Scopes[] = [0, 1, 2, 3, 4, 5, 6, 7].map((bits) => NAMES.filter((_, i) => (bits >> i) & 1))
const nameOf = (wanted: Scopes): string => `s${wanted.join('')}`
const isWithin = (inner: Scopes, outer: Scopes): boolean => inner.filter((one) => !outer.includes(one)).length === 0

/** An application with one action for each set of scopes, all of one scheme. */
function made(
  scheme: SecurityScheme<unknown, string> & { scopes(...names: string[]): unknown },
  verified: Verifier,
  more = {},
) {
  const actions = SETS.map((wanted) => {
    const action = { routing: route.get(`/${nameOf(wanted)}`), security: scheme.scopes(...wanted), responses: OK }
    return [nameOf(wanted), action] as const
  })
  const Doors = endpoint('Doors', { actions: Object.fromEntries(actions) as never })
  const doors = Doors.implement(Object.fromEntries(actions.map(([name]) => [name, () => 'in'])) as never)
  return application({ controllers: [doors], verifiers: [verified], logger: recorder(), ...more })
}

const OK = { ok: 'text/plain' } as const

async function expectAll(app: ReturnType<typeof made>, given: Scopes, headers: Record<string, string>, form: string) {
  for (const wanted of SETS) {
    const { status } = await askFetch(app, `GET /doors/${nameOf(wanted)}`, { headers })
    expect([form, given, wanted, status]).toEqual([form, given, wanted, isWithin(wanted, given) ? 200 : 403])
  }
}

describe('the scopes of a JWT', () => {
  const AUDIENCE = 'https://api.example'
  let keys: Keys
  let issuer: Issuer
  beforeAll(async () => {
    keys = await makeKeys('one')
    issuer = await Issuer.start(keys)
  })
  afterAll(() => issuer?.stop())

  it.each<[string, (given: Scopes) => object]>([
    ['scope as a text', (given) => ({ scope: given.join(' ') })],
    ['scp as a list', (given) => ({ scp: given })],
    ['scp as a text', (given) => ({ scp: given.join(' ') })],
    ['some in scope and some in scp', (given) => ({ scope: given.slice(0, 1).join(' '), scp: given.slice(1) })],
    ['scope, and others that nobody asks for', (given) => ({ scope: [...given, 'ab', 'bc', 'x'].join(' ') })],
  ])('[AUT-01] have to be all that are requested: %s', async (form, claims) => {
    const Token = security.oauth2<string>('Token', { flows: {} })
    const app = made(Token, jwt(Token, { issuer: issuer.url, audience: AUDIENCE, principal: () => 'ada' }))
    for (const given of SETS) {
      const token = await signed(keys, { iss: issuer.url, aud: AUDIENCE, ...claims(given) })
      await expectAll(app, given, { authorization: `Bearer ${token}` }, form)
    }
  })
})

it('[AUT-02] the scopes of a session have to be all that are requested', async () => {
  const Session = session('Session', { data: t.object({ scopes: t.array(t.string()) }) })
  const kept = sessions(Session, { store: memoryStore() })
  const Desk = endpoint('Desk', {
    actions: {
      login: {
        routing: route.post('/'),
        params: { scopes: t.array(t.string()) },
        policies: [Session.writes],
        responses: OK,
      },
    },
  })
  const desk = Desk.implement({
    login({ scopes = [] }, { session: own }) {
      own.start({ scopes })
      return 'welcome'
    },
  })
  const doors = made(Session as never, kept.verifier, { plugins: [kept.plugin] })
  const app = application({
    controllers: [desk],
    plugins: [kept.plugin],
    verifiers: [kept.verifier],
    logger: recorder(),
  })
  for (const given of SETS) {
    const { headers } = await askFetch(app, `POST /desk?${given.map((one) => `scopes=${one}`).join('&')}`)
    const [cookie = ''] = (headers['set-cookie'] ?? '').split(';')
    await expectAll(doors, given, { cookie }, 'session')
  }
})

describe('schemes that are requested together', () => {
  const Key = security.apiKey<string>('Key', { in: 'header', name: 'X-Key' })
  const Other = security.apiKey<string>('Other', { in: 'header', name: 'X-Other' })
  const Token = security.oauth2<string>('Token', { flows: {} })
  const known = (scheme: SecurityScheme<string, string>) =>
    verifier(scheme, (sent, { scopes }) => {
      if (sent === 'bad') return undefined
      return scopes.includes('write') && sent !== 'good' ? forbidden : sent
    })
  const Doors = endpoint('Doors', {
    actions: {
      all: {
        routing: route.get('/'),
        security: security.all({ key: Key, other: Other, user: Token.scopes('write') }),
        responses: OK,
      },
    },
  })
  const app = application({
    controllers: [Doors.implement({ all: () => 'in' })],
    verifiers: [known(Key), known(Other), known(Token)],
    logger: recorder(),
  })
  const CASES = [undefined, 'bad', 'good'] as const
  const cases = CASES.flatMap((key) =>
    CASES.flatMap((other) => [...CASES, 'poor'].map((user) => [key, other, user] as const)),
  )

  it.each(cases)('[AUT-01] let in whom all of them know: %s, %s, %s', async (key, other, user) => {
    const headers = {
      ...(key && { 'x-key': key }),
      ...(other && { 'x-other': other }),
      ...(user && { authorization: `Bearer ${user}` }),
    }
    const { status } = await askFetch(app, 'GET /doors', { headers })
    const others = [key, other]
    // What is missing or unknown is told before what is known and does not suffice.
    const expected = others.every((one) => one === 'good') && user === 'poor' ? 403 : 401
    expect(status).toBe(others.every((one) => one === 'good') && user === 'good' ? 200 : expected)
  })
})

describe('alternatives in a contract', () => {
  const Token = security.oauth2<string>('Token', { flows: {} })
  const Key = security.apiKey<string>('Key', { in: 'header', name: 'X-Key' })
  interface Way {
    readonly token?: Scopes
    readonly key?: true
  }
  const schemeOf = ({ token, key }: Way) => {
    if (token === undefined) return Key
    const scoped = Token.scopes(...token)
    return key ? security.all({ key: Key, token: scoped }) : scoped
  }
  const asked = (ways: readonly Way[]): string[] => {
    const Doors = endpoint('Doors', {
      actions: { show: { routing: route.get('/'), security: ways.map(schemeOf) as never, responses: OK } },
    })
    const doors = Doors.implement({ show: () => 'in' } as never)
    const app = application({
      controllers: [doors],
      verifiers: [verifier(Key, () => 'k'), verifier(Token, () => 't')],
      logger: recorder(),
    })
    const policy = app.contract().endpoints[0]?.actions['show']?.policies?.['security'] as any
    return policy.security.ways.map(({ sentWith = [], ...first }: any) => {
      const parts = [first, ...sentWith].map(({ name, demands }) => `${name}:${demands.join('')}`)
      return parts.sort().join('+')
    })
  }
  const textOf = ({ token, key }: Way): string =>
    [...(key || token === undefined ? ['Key:'] : []), ...(token === undefined ? [] : [`Token:${token.join('')}`])].join(
      '+',
    )
  /** Whether whoever goes one way could go the other. */
  const covers = (other: Way, way: Way): boolean =>
    (!(other.key || other.token === undefined) || way.key === true || way.token === undefined) &&
    (other.token === undefined || (way.token !== undefined && isWithin(other.token, way.token)))

  const way: fc.Arbitrary<Way> = fc.oneof(
    fc.record({ token: fc.constantFrom(...SETS) }),
    fc.record({ token: fc.constantFrom(...SETS), key: fc.constant(true as const) }),
    fc.constant<Way>({}),
  )

  it('are those that let further clients in, each once', () => {
    fc.assert(
      fc.property(fc.array(way, { minLength: 1, maxLength: 4 }), (ways) => {
        const least = ways.filter((one) => !ways.some((other) => covers(other, one) && textOf(other) !== textOf(one)))
        expect(asked(ways).sort()).toEqual([...new Set(least.map(textOf))].sort())
      }),
      { numRuns: runs(150, 5000) },
    )
  })
})
