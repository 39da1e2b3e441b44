// Security over HTTP: schemes that actions name, verifiers that the application brings, and who is turned away.
import { application, endpoint, forbidden, header, route, security, t, verifier } from 'edict'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ask, askFetch, mistakesOf, recorder, urlOf } from '../support/ask.ts'
import { runs } from '../support/runs.ts'
import { Wire, type WireAnswer } from '../support/serving/wire.ts'

interface Person {
  readonly name: string
  readonly scopes: readonly string[]
}

const Token = security.bearer<Person>('Token', { format: 'opaque' })
const Password = security.basic<Person>('Password')
const Key = security.apiKey<Person>('Key', { in: 'header', name: 'X-Key' })
const Link = security.apiKey<Person>('Link', { in: 'query', name: 'key' })
const Cookie = security.apiKey<Person>('Cookie', { in: 'cookie', name: 'sid' })
const OAuth = security.oauth2<Person>('OAuth', { flows: {} })

const text = { ok: 'text/plain' } as const
const Doors = endpoint('Doors', {
  actionDefaults: { security: Token },
  actions: {
    token: { routing: route.get('/token'), responses: text },
    open: { routing: route.get('/open'), security: 'none', responses: text },
    maybe: { routing: route.get('/maybe'), security: [Token, 'none'], responses: text },
    password: { routing: route.get('/password'), security: Password, responses: text },
    either: { routing: route.get('/either'), security: [Key, Token, Password], responses: text },
    link: { routing: route.get('/link'), params: { page: t.integer() }, security: Link, responses: text },
    cookie: { routing: route.get('/cookie'), security: Cookie, responses: text },
    write: {
      routing: route.post('/write'),
      payload: { title: t.string({ required: true }) },
      security: OAuth.scopes('write', 'read'),
      responses: { noContent: true },
    },
    late: { routing: route.get('/late'), security: [Key, Token], responses: text },
    both: { routing: route.get('/both'), security: [security.all({ app: Key, user: Token }), 'none'], responses: text },
    all: {
      routing: route.get('/all'),
      security: [security.all({ key: Key, link: Link, user: OAuth.scopes('write') }), Cookie],
      responses: text,
    },
  },
})

describe('a verdict', () => {
  const Ask = security.bearer<unknown>('Ask')
  const Asked = endpoint('Asked', {
    actions: {
      one: { routing: route.get('/one'), security: Ask, responses: text },
      other: { routing: route.get('/other'), security: [Ask, 'none'], responses: text },
      both: { routing: route.get('/both'), security: security.all({ ask: Ask, key: Key }), responses: text },
    },
  })
  const asked = (verdict: unknown) =>
    application({
      logger: recorder(),
      verifiers: [verifier(Ask, () => verdict), verifier(Key, () => ada)],
      controllers: [Asked.implement({ one: () => 'in', other: () => 'in', both: () => 'in' })],
    })
  const statuses = async (verdict: unknown) => {
    const headers = { authorization: 'Bearer x', 'x-key': 'ada' }
    const made = asked(verdict)
    return Promise.all(
      ['one', 'other', 'both'].map(async (path) => (await ask(made, `GET /asked/${path}`, { headers })).status),
    )
  }

  it.each([undefined, null, false, '', Number.NaN, Object, Object.prototype, Object.prototype.toString])(
    '%s is no principal, at once or later',
    async (verdict) => {
      expect(await statuses(verdict)).toEqual([401, 401, 401])
      expect(await statuses(Promise.resolve(verdict))).toEqual([401, 401, 401])
    },
  )

  it.each([true, 0, 7, 'ada', {}, []])('%j is one', async (verdict) => {
    expect(await statuses(verdict)).toEqual([200, 200, 200])
  })
})

const ada: Person = { name: 'ada', scopes: ['read', 'write'] }
const bob: Person = { name: 'bob', scopes: ['read'] }
const people: Readonly<Record<string, Person>> = { 'ada-token': ada, 'bob-token': bob }
const seen = recorder()

const doors = application({
  title: 'The "doors"',
  logger: seen,
  verifiers: [
    verifier(Token, (token) => people[token]),
    verifier(Password, ({ user, password }) => (password === 'sésame:1' ? { name: user, scopes: [] } : undefined)),
    verifier(Key, async (key) => {
      if (key === 'broken') throw new Error('the key store is down')
      return people[`${key}-token`]
    }),
    verifier(Link, (key) => people[`${key}-token`]),
    verifier(Cookie, (sid) => people[`${sid}-token`]),
    verifier(OAuth, async (token, { scopes, action }) => {
      const person = people[token]
      if (person === undefined || !['Doors.write', 'Doors.all'].includes(action)) return undefined
      return scopes.every((scope) => person.scopes.includes(scope)) ? person : forbidden
    }),
  ],
  controllers: [
    Doors.implement({
      token: (_, { principal }) => principal.name,
      open: (_, { principal }) => String(principal),
      maybe: (_, { principal }) => principal?.name ?? 'stranger',
      password: (_, { principal }) => principal.name,
      either: (_, { principal }) => principal.name,
      link: ({ page }, { principal }) => `${principal.name} ${page}`,
      cookie: (_, { principal }) => principal.name,
      write: (_, { reply }) => reply.noContent(),
      late: (_, { principal }) => principal.name,
      both: (_, { principal }) =>
        principal === undefined ? 'stranger' : `${principal.app.name} ${principal.user.name}`,
      all: (_, { principal }) =>
        'key' in principal ? [principal.key, principal.link, principal.user].map(({ name }) => name).join(' ') : 'one',
    }),
  ],
})

const get = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await ask(doors, `GET /doors${path}`, { headers })
  return answer.status === 200 ? answer.text : [answer.status, answer.headers['www-authenticate']]
}
const realm = 'realm="The doors"'

describe('security', () => {
  it('lets in whom a verifier knows, and tells the action who it is', async () => {
    expect(await get('/token', { authorization: 'Bearer ada-token' })).toBe('ada')
    expect(await get('/token', { authorization: 'bearer bob-token' })).toBe('bob')
    expect(await get('/password', { authorization: `Basic ${btoa('eve:s\u00c3\u00a9same:1')}` })).toBe('eve')
    expect(await get('/link?page=2&key=ada')).toBe('ada 2')
    expect(await get('/cookie', { cookie: 'a=1; sid=bob; b=2' })).toBe('bob')
  })

  it('turns strangers away with what would let them in', async () => {
    expect(await get('/token')).toEqual([401, `Bearer ${realm}`])
    for (const authorization of ['Bearer', 'Bearer ', 'Bearer no-token', 'Basic ada-token', 'ada-token', 'Bearer a b'])
      expect(await get('/token', { authorization })).toEqual([401, `Bearer ${realm}`])
    for (const authorization of [
      'Basic ?',
      `Basic ${btoa('nobody')}`,
      `Basic ${btoa('a:\xff')}`,
      `Basic ${btoa('a:b')}`,
    ])
      expect(await get('/password', { authorization })).toEqual([401, `Basic ${realm}`])
    expect(await get('/link?page=2')).toEqual([401, `ApiKey ${realm}`])
    expect(await get('/cookie', { cookie: 'sid=; Sid=ada' })).toEqual([401, `ApiKey ${realm}`])
    expect(await get('/either')).toEqual([401, `ApiKey ${realm}, Bearer ${realm}, Basic ${realm}`])
  })

  it('tries the ways in one after the other', async () => {
    expect(await get('/either', { 'x-key': 'bob', authorization: 'Bearer ada-token' })).toBe('bob')
    expect(await get('/either', { 'x-key': 'nobody', authorization: 'Bearer ada-token' })).toBe('ada')
    expect(await get('/late', { authorization: 'Bearer ada-token' })).toBe('ada')
  })

  it('may take credentials of several schemes together', async () => {
    expect(await get('/both')).toBe('stranger')
    expect(await get('/both', { 'x-key': 'ada', authorization: 'Bearer bob-token' })).toBe('ada bob')
    const refused = [401, `ApiKey ${realm}, Bearer ${realm}`]
    // Half of the credentials are wrong credentials.
    expect(await get('/both', { 'x-key': 'ada' })).toEqual(refused)
    expect(await get('/both', { authorization: 'Bearer bob-token' })).toEqual(refused)
    expect(await get('/both', { 'x-key': 'nobody', authorization: 'Bearer bob-token' })).toEqual(refused)
    expect(await get('/both', { 'x-key': 'ada', authorization: 'Bearer nobody' })).toEqual(refused)
  })

  it('takes several schemes together exactly when each of them is satisfied', async () => {
    const people = fc.constantFrom(undefined, 'ada', 'bob', 'nobody')
    await fc.assert(
      fc.asyncProperty(people, people, people, people, async (key, link, user, cookie) => {
        const headers = {
          ...(key !== undefined && { 'x-key': key }),
          ...(user !== undefined && { authorization: `Bearer ${user}-token` }),
          ...(cookie !== undefined && { cookie: `sid=${cookie}` }),
        }
        const found = await get(`/all${link === undefined ? '' : `?key=${link}`}`, headers)
        const isKnown = (one: string | undefined): boolean => one === 'ada' || one === 'bob'
        const isTogether = [key, link, user].every(isKnown)
        if (isTogether && user === 'ada') expect(found).toBe(`${key} ${link} ada`)
        else if (isKnown(cookie)) expect(found).toBe('one')
        else expect(found).toEqual(isTogether ? [403, undefined] : [401, `ApiKey ${realm}, Bearer ${realm}`])
      }),
      { numRuns: runs(60, 400) },
    )
  })

  it('says in documents what is required together', async () => {
    const { paths } = doors.openapi()
    expect(paths['/doors/all']?.['get']?.security).toEqual([{ Key: [], Link: [], OAuth: ['write'] }, { Cookie: [] }])
    expect(paths['/doors/both']?.['get']?.security).toEqual([{ Key: [], Token: [] }, {}])
  })

  it('does not boot with schemes that no request can satisfy together', () => {
    const mistakes = (parts: object): string => {
      const Odd = endpoint('Odd', {
        actions: { show: { routing: route.get('/'), security: security.all(parts as never), responses: text } },
      })
      const found = mistakesOf(() => application({ controllers: [Odd.implement({ show: () => 'x' })], verifiers: [] }))
      return JSON.stringify(found)
    }
    expect(mistakes({ a: Token, b: Password })).toMatch(/both in the header authorization.*as alternatives/)
    expect(mistakes({ a: Token })).toMatch(/fewer than two schemes/)
    expect(mistakes({ a: Token, b: 'Key' })).toMatch(/security\.b.*a scheme of security\.bearer/)
    for (const b of [null, 5, {}, { scheme: null }, { form: {} }])
      expect(mistakes({ a: Token, b }), JSON.stringify(b)).toMatch(/security\.b.*a scheme of security\.bearer/)
    expect(mistakes(null as never)).toMatch(/security.*an object, each value a scheme/)
    expect(mistakes({ a: Key, b: Token })).toMatch(/nothing verifies the scheme 'Key'.*nothing verifies/)
  })

  it('may be lifted, or left to the client', async () => {
    expect(await get('/open')).toBe('undefined')
    expect(await get('/open', { authorization: 'Bearer wrong' })).toBe('undefined')
    expect(await get('/maybe')).toBe('stranger')
    expect(await get('/maybe', { authorization: 'Bearer ada-token' })).toBe('ada')
    // Wrong credentials are refused, and not treated like missing ones.
    expect(await get('/maybe', { authorization: 'Bearer wrong' })).toEqual([401, `Bearer ${realm}`])
  })

  it('tells who is known but must not', async () => {
    const write = (token: string, body: object = { title: 'x' }) =>
      ask(doors, 'POST /doors/write', { headers: { authorization: `Bearer ${token}` }, body })
    expect((await write('ada-token')).status).toBe(204)
    const refused = await write('bob-token')
    expect([refused.status, refused.json.code, refused.headers['www-authenticate']]).toEqual([
      403,
      'forbidden',
      undefined,
    ])
    expect((await write('no-token')).json).toMatchObject({ status: 401, code: 'unauthorized' })
  })

  it('comes before everything else of a request', async () => {
    const strange = await ask(doors, 'POST /doors/write?unknown=1', { headers: { 'content-type': 'x/y' }, body: '{' })
    expect(strange.status).toBe(401)
    const known = await ask(doors, 'POST /doors/write?unknown=1', {
      headers: { authorization: 'Bearer ada-token' },
      body: { titel: 'x' },
    })
    expect(known.status).toBe(400)
  })

  it('a verifier that fails is a failure of the server, and lets nobody in', async () => {
    expect(await get('/either', { 'x-key': 'broken', authorization: 'Bearer ada-token' })).toEqual([500, undefined])
    expect(seen.entries.map(({ fields }) => String((fields as { err?: Error }).err))).toContain(
      'Error: the key store is down',
    )
  })

  it('an action whose scheme nothing verifies does not boot', () => {
    const Closed = endpoint('Closed', {
      actions: { show: { routing: route.get('/'), security: [Token, Key], responses: text } },
    }).implement({ show: () => 'never' })
    const boot = () => application({ controllers: [Closed], verifiers: [verifier(Token, () => ada)] })
    expect(mistakesOf(boot)).toEqual([
      expect.objectContaining({ setting: 'security', problem: "nothing verifies the scheme 'Key'" }),
    ])
  })

  it('a plain header Authorization stays what it is', async () => {
    const Plain = endpoint('Plain', {
      actions: { show: { routing: route.get('/'), headers: { Authorization: header() }, responses: text } },
    }).implement({ show: (_, { request }) => request.headers.Authorization })
    const plain = application({ controllers: [Plain] })
    expect((await ask(plain, 'GET /plain')).status).toBe(400)
    expect((await ask(plain, 'GET /plain', { headers: { authorization: 'anything' } })).text).toBe('anything')
  })
})

describe('several ways in', () => {
  const schemes = [
    security.apiKey<string>('First', { in: 'header', name: 'X-First' }),
    security.apiKey<string>('Second', { in: 'header', name: 'X-Second' }),
    security.apiKey<string>('Third', { in: 'header', name: 'X-Third' }),
  ] as const
  const Gates = endpoint('Gates', {
    actions: {
      members: { routing: route.get('/members'), security: [...schemes], responses: text },
      anybody: { routing: route.get('/anybody'), security: [...schemes, 'none'], responses: text },
    },
  })
  const negative = new Map<string, undefined | typeof forbidden>([
    ['no', undefined],
    ['must-not', forbidden],
  ])
  const verdictOf = (sent: string) => (negative.has(sent) ? negative.get(sent) : sent)
  const gates = application({
    logger: recorder(),
    // Some verifiers answer at once, others later.
    verifiers: [
      verifier(schemes[0], verdictOf),
      verifier(schemes[1], async (sent) => verdictOf(sent)),
      verifier(schemes[2], verdictOf),
    ],
    controllers: [
      Gates.implement({
        members: (_, { principal }) => principal,
        anybody: (_, { principal }) => principal ?? 'stranger',
      }),
    ],
  })
  const verdicts = [undefined, 'no', 'must-not', 'known']
  const combinations = verdicts.flatMap((first) =>
    verdicts.flatMap((second) => verdicts.map((third) => [first, second, third] as const)),
  )

  /** The rule: valid credentials are accepted; without permission the answer is 403, whatever the other schemes say. */
  function expected(sent: readonly (string | undefined)[], strangers: boolean): readonly [number, string?] {
    const known = sent.indexOf('known')
    if (known >= 0) return [200, `known-${known}`]
    if (sent.includes('must-not')) return [403]
    return strangers && !sent.includes('no') ? [200, 'stranger'] : [401]
  }

  it.each(combinations)('that find %s, %s and %s', async (...sent) => {
    const names = ['x-first', 'x-second', 'x-third']
    const headers = Object.fromEntries(
      sent.flatMap((one, i) => (one === undefined ? [] : [[names[i] as string, one === 'known' ? `known-${i}` : one]])),
    )
    for (const [action, strangers] of [
      ['members', false],
      ['anybody', true],
    ] as const) {
      const answer = await ask(gates, `GET /gates/${action}`, { headers })
      expect(answer.status === 200 ? [200, answer.text] : [answer.status]).toEqual(expected(sent, strangers))
    }
  })
})

/** Sends header lines exactly as they are. */
async function raw(app: typeof doors, target: string, lines: readonly string[]): Promise<WireAnswer> {
  const wire = await Wire.open(Number(new URL(await urlOf(app)).port))
  const answer = await wire.send(`GET ${target} HTTP/1.1`, 'Host: a.test', ...lines, '', '').answer()
  wire.close()
  return answer
}

describe('credentials that are sent twice', () => {
  const verified: string[] = []
  const Twice = endpoint('Twice', {
    prefix: '/',
    actions: {
      token: { routing: route.get('/token'), security: Token, responses: text },
      password: { routing: route.get('/password'), security: Password, responses: text },
      key: { routing: route.get('/key'), security: Key, responses: text },
      link: { routing: route.get('/link'), security: Link, responses: text },
      cookie: { routing: route.get('/cookie'), security: Cookie, responses: text },
      any: { routing: route.get('/any'), security: [Key, Token, Link, Cookie, 'none'], responses: text },
      plain: { routing: route.get('/plain'), headers: { Authorization: header() }, responses: text },
    },
  })
  const known = (credentials: unknown): Person => {
    verified.push(String(credentials))
    return ada
  }
  const named = (_: object, { principal }: { principal: Person | undefined }): string => principal?.name ?? 'stranger'
  const twice = application({
    logger: recorder(),
    verifiers: [Token, Password, Key, Link, Cookie].map((scheme) => verifier(scheme, known)),
    controllers: [
      Twice.implement({
        ...{ token: named, password: named, key: named, link: named, cookie: named, any: named },
        plain: (_, { request }) => request.headers.Authorization,
      }),
    ],
  })

  const value = fc.constantFrom('open', 'wrong', 'a', '')
  const pair = fc.tuple(value, value)
  const mixed = (name: string): fc.Arbitrary<string> =>
    fc.constantFrom(name, name.toLowerCase(), name.toUpperCase(), `${name.slice(0, 1)}${name.slice(1).toUpperCase()}`)
  const headers = (name: string, kinds: readonly string[]): fc.Arbitrary<string[]> =>
    fc
      .tuple(mixed(name), mixed(name), pair, fc.constantFrom(...kinds), fc.constantFrom(...kinds), fc.boolean())
      .map(([one, other, [first, second], kind, last, apart]) => [
        `${one}: ${kind}${first}`,
        ...(apart ? ['X-Between: 1'] : []),
        `${other}: ${last}${second}`,
      ])
  const doubled: readonly (readonly [path: string, fc.Arbitrary<{ query: string; lines: string[] }>])[] = [
    ['token', headers('Authorization', ['Bearer ', 'Basic ', '']).map((lines) => ({ query: '', lines }))],
    ['password', headers('Authorization', ['Basic ', 'Bearer ']).map((lines) => ({ query: '', lines }))],
    ['key', headers('X-Key', ['']).map((lines) => ({ query: '', lines }))],
    [
      'link',
      fc
        .tuple(
          pair,
          fc.constantFrom('key', 'k%65y', '%6bey', 'ke%79', 'key[]', 'key[0]', 'key%5Bx%5D'),
          fc.constantFrom('&', '&page=2&', '&&'),
        )
        .map(([[a, b], name, between]) => ({ query: `?key=${a}${between}${name}=${b}`, lines: [] })),
    ],
    [
      'cookie',
      fc
        .tuple(pair, fc.constantFrom('; ', ';', '; x=y; ', '\r\nCookie: '))
        .map(([[a, b], between]) => ({ query: '', lines: [`Cookie: sid=${a}${between}sid=${b}`] })),
    ],
  ]

  it.each(doubled)('are refused before anybody verifies them: %s', async (path, sent) => {
    await fc.assert(
      fc.asyncProperty(sent, fc.constantFrom(path, 'any'), async ({ query, lines }, at) => {
        if (at === 'any' && path === 'password') return
        verified.length = 0
        const { status, body } = await raw(twice, `/${at}${query}`, lines)
        expect([status, JSON.parse(body).code, verified]).toEqual([400, 'repeated-credentials', []])
      }),
      { numRuns: runs(40, 200) },
    )
  })

  it('are refused through fetch where joining them can be seen', async () => {
    for (const authorization of ['Bearer wrong, Bearer open', 'Basic YTpi, Basic YTpi'])
      for (const path of ['token', 'password'])
        expect((await askFetch(twice, `GET /${path}`, { headers: { authorization } })).status).toBe(400)
    expect((await askFetch(twice, 'GET /link?key=a&key=b')).status).toBe(400)
    expect((await askFetch(twice, 'GET /cookie', { headers: { cookie: 'sid=a; sid=b' } })).status).toBe(400)
  })

  it('are refused in a plain header as well, as a header that was sent twice', async () => {
    const { status, body } = await raw(twice, '/plain', ['Authorization: a', 'authorization: b'])
    expect(status).toBe(400)
    expect(JSON.parse(body).errors).toEqual([
      expect.objectContaining({ in: 'headers', pointer: '/Authorization', code: 'repeated' }),
    ])
  })

  it('may be sent once in each of several ways', async () => {
    const { status } = await raw(twice, '/any?key=a', [
      'Authorization: Bearer b',
      'X-Key: c',
      'Cookie: sid=d; x=e; x=f',
    ])
    expect(status).toBe(200)
  })
})

describe('what caches learn of responses that needed credentials', () => {
  const Safe = endpoint('Safe', {
    prefix: '/',
    actionDefaults: { security: Token },
    actions: {
      show: {
        routing: route.get('/show'),
        params: { how: t.string() },
        responses: { ok: 'text/plain', notFound: true, notModified: true },
      },
      own: { routing: route.get('/own'), responses: { ok: 'text/plain', notFound: true } },
      maybe: { routing: route.get('/maybe'), security: [Key, Cookie, 'none'], responses: text },
      link: { routing: route.get('/link'), security: Link, responses: text },
      plain: { routing: route.get('/plain'), security: 'none', headers: { Authorization: header() }, responses: text },
      open: { routing: route.get('/open'), security: 'none', responses: text },
    },
  })
  const safe = application({
    logger: recorder(),
    timeout: 30,
    verifiers: [Token, Key, Cookie, Link].map((scheme) =>
      verifier(scheme, (secret: unknown) => {
        if (secret === 'bob') return forbidden
        return secret === 'ada' ? ada : undefined
      }),
    ),
    controllers: [
      Safe.implement({
        show: ({ how }, { reply }) => {
          if (how === 'throw') throw new Error('on purpose')
          if (how === 'late') return new Promise(() => {})
          if (how === 'lost') return reply.notFound()
          return how === 'same' ? reply.notModified() : reply.ok('a')
        },
        own: (_, { reply }) => reply.ok('a', { headers: { 'cache-CONTROL': 'max-age=5' } }),
        maybe: () => 'a',
        link: () => 'a',
        plain: () => 'a',
        open: () => 'a',
      }),
    ],
  })
  const told = async (target: string, sent: Record<string, string> = {}): Promise<unknown[]> => {
    const { status, headers } = await ask(safe, `GET ${target}`, { headers: sent })
    return [status, headers['cache-control'], headers['vary']]
  }
  const token = { authorization: 'Bearer ada' }

  it.each([
    ['/show', token, 200],
    ['/show?how=lost', token, 404],
    ['/show?how=same', token, 304],
    ['/show?how=throw', token, 500],
    ['/show?how=late', token, 503],
    ['/show?what=1', token, 400],
    ['/show', {}, 401],
    ['/show', { authorization: 'Bearer bob' }, 403],
    ['/show', { authorization: 'Bearer a, Bearer b' }, 400],
  ])('%s of %o (%i) is kept by nobody', async (target, sent, status) => {
    expect(await told(target, sent)).toEqual([status, 'private, no-store', 'Authorization'])
  })

  it('is also said where credentials are a choice, a key or a plain header', async () => {
    expect(await told('/maybe')).toEqual([200, 'private, no-store', 'X-Key, Cookie'])
    expect(await told('/link?key=ada')).toEqual([200, 'private, no-store', undefined])
    expect(await told('/plain', { authorization: 'x' })).toEqual([200, 'private, no-store', 'Authorization'])
  })

  it('is what the action says, if it says anything', async () => {
    expect(await told('/own', token)).toEqual([200, 'max-age=5', 'Authorization'])
  })

  it('is nothing where no credentials are required', async () => {
    expect(await told('/open')).toEqual([200, undefined, undefined])
  })
})

it('a verifier of passwords is given what stands before the first colon and behind it, and nothing without one', async () => {
  const Guarded = endpoint('Guarded', {
    actions: { show: { routing: route.get('/'), security: Password, responses: { ok: 'text/plain' } } },
  })
  const given: unknown[] = []
  const known = verifier(Password, (credentials) => {
    given.push(credentials)
    return undefined
  })
  const app = application({ controllers: [Guarded.implement({ show: () => 'in' })], verifiers: [known] })
  const texts = ['', 'a', 'ab', ':', 'a:', ':b', 'a:b', 'a:b:c', '::', 'ä:ö']
  for (const text of texts) {
    const authorization = `Basic ${Buffer.from(text).toString('base64')}`
    expect((await askFetch(app, 'GET /guarded', { headers: { authorization } })).status, text).toBe(401)
  }
  expect(given).toEqual([
    ...[
      { user: '', password: '' },
      { user: 'a', password: '' },
      { user: '', password: 'b' },
    ],
    ...[
      { user: 'a', password: 'b' },
      { user: 'a', password: 'b:c' },
      { user: '', password: ':' },
    ],
    { user: 'ä', password: 'ö' },
  ])
})

it.each([
  ['bearer', {}],
  ['basic', {}],
  ['http', { scheme: 'Token' }],
  ['apiKey', { in: 'header', name: 'X-Own' }],
  ['oauth2', { flows: { clientCredentials: { tokenUrl: 'https://a.example/token', scopes: {} } } }],
  ['openIdConnect', { url: 'https://a.example/.well-known/openid-configuration' }],
] as const)('security.%s takes its options, and refuses others', (kind, options) => {
  const mistakes = (given: object) => {
    const scheme = (security[kind] as (name: string, given: object) => typeof Token)('Own', given)
    const Odd = endpoint('Odd', {
      actions: { show: { routing: route.get('/'), security: scheme, responses: { ok: 'text/plain' } } },
    })
    const verifiers = [verifier(scheme, () => undefined)]
    return mistakesOf(() => application({ controllers: [Odd.implement({ show: () => 'in' })], verifiers }))
  }
  expect(mistakes({ ...options, description: 'Whoever.' })).toEqual([])
  expect(JSON.stringify(mistakes({ ...options, odd: 1 }))).toContain('odd')
})
