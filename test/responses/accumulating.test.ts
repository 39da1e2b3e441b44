// Headers that accumulate: whoever sets one of them adds to what others have set, and nobody replaces it.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { policy, problem } from '../../src/extend.ts'
import {
  ActionResponse,
  application,
  endpoint,
  type Plugin,
  problemEncoder,
  route,
  security,
  t,
  verifier,
} from '../../src/index.ts'
import { cors } from '../../src/plugins/cors/index.ts'
import { ask, recorder } from '../support/ask.ts'
import { runs } from '../support/runs.ts'

const HEADERS = ['Vary', 'Link', 'Set-Cookie', 'Server-Timing'] as const
const SETTERS = [
  ...['encoder', 'plugin head', 'plugin answer', 'plugin append', 'policy head', 'policy successes'],
  ...['policy after', 'policy settle', 'policy answer', 'action', 'callback', 'around', 'last callback'],
] as const
type Setter = (typeof SETTERS)[number]
type Given = Partial<Record<Setter, readonly (typeof HEADERS)[number][]>>

/** The value that a setter gives to a header. */
function headerValue(header: string, setter: Setter): string {
  const word = setter.replaceAll(' ', '-')
  if (header === 'Vary') return `X-${word}`
  if (header === 'Link') return `</${word}>; rel="${word}"`
  return header === 'Set-Cookie' ? `${word}=1` : `${word};dur=1`
}

const Card = security.bearer<string>('Card')

function made(given: Given) {
  const bag = (setter: Setter): Record<string, string> =>
    Object.fromEntries((given[setter] ?? []).map((header) => [header, headerValue(header, setter)]))
  const head = (setter: Setter): string[] => Object.entries(bag(setter)).flat()
  const marked = policy({
    name: 'marked',
    plugin: 'marked',
    responseHeaders: head('policy head'),
    successHeaders: head('policy successes'),
  })
  const Marked: Plugin = {
    name: 'marked',
    responseHeaders: head('plugin head'),
    enforce: () => ({
      after: (response) => void Object.assign(response.headers, bag('policy after')),
      settle(response) {
        for (const [name, value] of Object.entries(bag('policy settle'))) response.set(name.toLowerCase(), value)
      },
      response(response) {
        for (const [name, value] of Object.entries(bag('policy answer'))) response.set(name, value)
      },
    }),
    response(response) {
      for (const [name, value] of Object.entries(bag('plugin answer'))) response.set(name.toUpperCase(), value)
      for (const [name, value] of Object.entries(bag('plugin append'))) response.append(name, value)
    },
  }
  const responses = { ok: 'text/plain', conflict: true } as const
  const Things = endpoint('Things', {
    actionDefaults: { security: Card, policies: [marked] },
    actions: {
      show: { routing: route.get('/'), responses },
      refuse: { routing: route.get('/refused'), responses },
      fail: { routing: route.get('/failed'), responses },
    },
  })
  return application({
    controllers: [
      Things.implement({
        show: (_, { reply }) => reply.ok('shown', { headers: bag('action') }),
        refuse: (_, { reply }) => reply.conflict('taken', { headers: bag('action') }),
        fail: () => {
          throw new Error('broken')
        },
      })
        .after(({ response }) => void Object.assign(response.headers, bag('callback')))
        .around(async (context, next) => {
          await next()
          Object.assign(context.response.headers, bag('around'))
        })
        .before('response', ({ response }) => void Object.assign(response.headers, bag('last callback'))),
    ],
    verifiers: [verifier(Card, () => 'ada')],
    plugins: [Marked, cors({ origins: ['https://shop.example'] })],
    encodeProblem: problemEncoder(t.any(), ({ status }) => ({ body: { status }, headers: bag('encoder') })),
    logger: recorder(),
  })
}

/** The setters whose headers belong into the answer to a request. */
const sends: Record<string, readonly Setter[]> = {
  '/things': SETTERS.filter((one) => one !== 'encoder'),
  '/things/refused': SETTERS.filter((one) => one !== 'policy successes'),
  '/things/failed': SETTERS.filter((one) => !['policy successes', 'action', 'callback', 'around'].includes(one)),
  '/nowhere': ['encoder', 'plugin head', 'plugin answer', 'plugin append'],
}

const given: fc.Arbitrary<Given> = fc.record(
  Object.fromEntries(SETTERS.map((one) => [one, fc.subarray([...HEADERS], { minLength: 1 })])) as never,
  { requiredKeys: [] },
)

it('has the values of everybody who set it, in every response', async () => {
  await fc.assert(
    fc.asyncProperty(given, async (all) => {
      const app = made(all)
      for (const [path, setters] of Object.entries(sends)) {
        const { headers } = await ask(app, `GET ${path}`, { headers: { authorization: 'Bearer x' } })
        for (const setter of setters)
          for (const header of all[setter] ?? [])
            expect(headers[header.toLowerCase()] ?? '', `${path}: ${header} of ${setter}`).toContain(
              headerValue(header, setter),
            )
        const varies = (headers['vary'] ?? '').split(', ')
        expect(varies).toContain('Origin')
        if (path !== '/nowhere') expect(varies).toContain('Authorization')
        expect(new Set(varies.map((one) => one.toLowerCase())).size).toBe(varies.length)
      }
    }),
    { numRuns: runs(15, 600) },
  )
})

it('of a problem encoder leaves Origin and Authorization in Vary', async () => {
  const app = made({ encoder: ['Vary'] })
  const { headers } = await ask(app, 'GET /things/failed', { headers: { authorization: 'Bearer x' } })
  expect(headers['vary']?.split(', ').sort()).toEqual(['Authorization', 'Origin', 'X-encoder'])
})

it('stays in Vary when a policy replaces the response of the action', async () => {
  const other = policy({ name: 'other', plugin: 'other', declares: { notModified: true } })
  const Things = endpoint('Things', {
    actions: {
      show: {
        routing: route.get('/:id'),
        params: { id: t.integer() },
        policies: [other],
        responses: { ok: 'text/plain' },
      },
    },
  })
  const Other: Plugin = {
    name: 'other',
    enforce: () => ({
      after: (_, { url }) =>
        url.endsWith('1')
          ? new ActionResponse('notModified', 304, { headers: { Vary: 'X-Other' } })
          : problem({ status: 409, code: 'other', title: 'Another' }),
    }),
  }
  const headers = { Vary: 'X-Mood', 'Set-Cookie': 'a=1' }
  const app = application({
    controllers: [Things.implement({ show: (_, { reply }) => reply.ok('a', { headers }) })],
    plugins: [Other],
    logger: recorder(),
  })
  const [known, refused] = [await ask(app, 'GET /things/1'), await ask(app, 'GET /things/2')]
  expect([known.status, known.headers['vary']?.split(', ').sort()]).toEqual([304, ['X-Mood', 'X-Other']])
  expect([refused.status, refused.headers['vary'], refused.headers['set-cookie']]).toEqual([409, 'X-Mood', undefined])
})

it('stays in Vary whatever takes the place of the response that it was set on', async () => {
  const responses = { ok: 'text/plain', conflict: true } as const
  const ways = ['returned', 'thrown', 'broken', 'undeclared', 'callback', 'around', 'before', 'last'] as const
  const Things = endpoint('Things', {
    actions: { show: { routing: route.get('/:way'), params: { way: t.string({ values: ways }) }, responses } },
  })
  const vary = { headers: { Vary: 'X-First' } }
  const app = application({
    controllers: [
      Things.implement({
        show({ way }, { response, reply }) {
          if (way === 'before') return reply.ok('b')
          response.headers['Vary'] = 'X-First'
          if (way === 'returned') return reply.ok('b')
          if (way === 'thrown') throw reply.conflict('b')
          if (way === 'broken') throw new Error('broken')
          if (way === 'undeclared') return new ActionResponse('gone', 410, vary) as never
          return reply.ok('a', vary)
        },
      })
        .before(({ request, response }) => {
          if (request.params.way === 'before') response.headers['Vary'] = 'X-First'
        })
        .after(({ request, reply }) => (request.params.way === 'callback' ? reply.conflict('b') : undefined))
        .around(async ({ request, reply }, next) => {
          await next()
          return request.params.way === 'around' ? reply.conflict('b') : undefined
        })
        .before('response', ({ request, reply }) =>
          request.params?.way === 'last' ? (reply.conflict('b') as never) : undefined,
        ),
    ],
    logger: recorder(),
  })
  for (const way of ways) {
    const { headers } = await ask(app, `GET /things/${way}`)
    expect([way, headers['vary']]).toEqual([way, 'X-First'])
  }
})

it('that is undefined is not set: it adds nothing, and takes nothing away', async () => {
  const Things = endpoint('Things', {
    actions: {
      show: {
        routing: route.get('/:way'),
        params: { way: t.string() },
        responses: { ok: 'text/plain', conflict: true },
      },
    },
  })
  const unset = Object.fromEntries(HEADERS.map((name) => [name, undefined])) as never
  const odd = { Vary: 5, Link: [undefined, {}] } as never
  const app = application({
    controllers: [
      Things.implement({
        show: ({ way }, { reply }) => reply.ok('a', { headers: way === 'replaced' ? odd : unset }),
      })
        .after(({ request, response }) => {
          if (request.params.way === 'set') Object.assign(response.headers, { Vary: 'X-A', Link: '</a>; rel="a"' })
        })
        .after(({ request, reply }) =>
          request.params.way === 'replaced' ? reply.conflict('b', { headers: unset }) : undefined,
        ),
    ],
    logger: recorder(),
  })
  for (const [way, status, vary] of [
    ['kept', 200, undefined],
    ['set', 200, 'X-A'],
    ['replaced', 409, undefined],
  ] as const) {
    const answer = await ask(app, `GET /things/${way}`)
    const { vary: varies, 'set-cookie': cookie } = answer.headers
    expect([way, answer.status, varies, cookie]).toEqual([way, status, vary, undefined])
  }
})

it('of one request is in no other answer', async () => {
  const taken = problem({ status: 409, code: 'taken', title: 'Taken' })
  const shared = policy({ name: 'shared', plugin: 'shared', declares: { conflict: true } })
  const Things = endpoint('Things', {
    actions: {
      show: {
        routing: route.get('/:id'),
        params: { id: t.integer() },
        policies: [shared],
        responses: { ok: 'text/plain' },
      },
    },
  })
  const app = application({
    controllers: [Things.implement({ show: ({ id }, { reply }) => reply.ok('a', { headers: { Vary: `X-${id}` } }) })],
    plugins: [{ name: 'shared', enforce: () => ({ after: () => taken }) }],
    logger: recorder(),
  })
  for (const id of [1, 2, 3]) expect((await ask(app, `GET /things/${id}`)).headers['vary']).toBe(`X-${id}`)
})
