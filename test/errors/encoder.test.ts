// The encoder of problems: what it sees, what it may set, and how documents and clients know it.
import { application, endpoint, mediaType, type Plugin, problemEncoder, route, security, t, verifier } from 'edict'
import { type Problem as ClientProblem, client } from 'edict/client'
import { problem, Refusal } from 'edict/extend'
import { testClient } from 'edict/testing'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { ask, mistakesOf } from '../support/ask.ts'

const Failure = mediaType('Failure', {
  attributes: {
    code: t.string({ required: true }),
    line: t.string(),
    id: t.string(),
    agent: t.string(),
    action: t.string(),
    environment: t.string(),
    at: t.dateTime(),
  },
})
const TYPE = 'application/vnd.failure+json'
const MOMENT = new Date('2026-01-02T03:04:05.000Z')

const encodeProblem = problemEncoder(Failure, ({ code, status }, { request, action, environment }) => ({
  status: code === 'validation' ? 422 : status,
  headers: { 'X-Code': code, ...(code === 'unauthorized' && { 'WWW-Authenticate': 'Card' }) },
  body: {
    code,
    environment,
    at: MOMENT,
    ...(action && { action: `${action.endpoint} ${action.name}` }),
    ...(request && {
      line: `${request.method} ${request.url}`,
      id: request.id,
      agent: String(request.headers['user-agent']),
    }),
  },
}))

const Card = security.bearer<{ name: string }>('Card')
const Things = endpoint('Things', {
  actions: {
    index: { routing: route.get('/'), responses: { ok: 'text/plain', conflict: true } },
    show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: 'text/plain' } },
    create: { routing: route.post('/'), payload: { name: t.string() }, responses: { created: true } },
    secret: { routing: route.get('//secret'), security: Card, responses: { ok: 'text/plain' } },
  },
})
const things = Things.implement({
  index: (_, { reply }) => reply.conflict('taken', { headers: { 'X-Own': 'yes' } }),
  show: ({ id }) => {
    if (id === 1) throw new Refusal({ code: 'gone-away', status: 410, title: 'It is gone' })
    throw new Error('broken')
  },
  create: (_, { reply }) => reply.created(),
  secret: () => 'secret',
})

const door: Plugin = {
  name: 'door',
  arrival: ({ url }) =>
    url.endsWith('?closed') ? problem({ code: 'closed', status: 503, title: 'Closed' }) : undefined,
}
const quiet = { info() {}, warn() {}, error() {} }
const options = { controllers: [things], encodeProblem, verifiers: [verifier(Card, () => undefined)], logger: quiet }
const app = application({ ...options, environment: 'production' })
const guarded = application({ ...options, plugins: [door], environment: 'test' })
const headers = { 'User-Agent': 'tester', 'X-Request-Id': 'id-7' }

describe('an encoder', () => {
  it.each([
    ['GET /things/x', 422, 'validation', 'Things show'],
    ['GET /things/1', 410, 'gone-away', 'Things show'],
    ['GET /things/2', 500, 'internal', 'Things show'],
    ['GET /things', 409, 'conflict', 'Things index'],
    ['GET /secret', 401, 'unauthorized', 'Things secret'],
    ['GET /nowhere?a=1', 404, 'not-found', undefined],
    ['PUT /things', 405, 'method-not-allowed', undefined],
    ['GET /%', 400, 'malformed-path', undefined],
  ])('[EXT-12] sees the request, its action and the environment: %s', async (line, status, code, action) => {
    for (const [one, environment] of [
      [app, 'production'],
      [guarded, 'test'],
    ] as const) {
      const answer = await ask(one, line, { headers })
      const told = { code, line, id: 'id-7', agent: 'tester', environment, at: MOMENT.toISOString() }
      expect([answer.status, answer.headers['content-type'], answer.headers['x-code'], answer.json]).toEqual([
        status,
        TYPE,
        code,
        action === undefined ? told : { ...told, action },
      ])
    }
  })

  it('[EXT-12] sees what a plugin answers before there is a route', async () => {
    const { status, json } = await ask(guarded, 'GET /things?closed', { headers })
    expect([status, json.code, json.line, json.action]).toEqual([503, 'closed', 'GET /things?closed', undefined])
  })

  it('[EXT-12] may put its headers instead of others, and leaves the rest', async () => {
    expect((await ask(app, 'GET /secret', { headers })).headers).toMatchObject({
      'www-authenticate': 'Card',
      'cache-control': 'private, no-store',
    })
    expect((await ask(app, 'PUT /things', { headers })).headers).toMatchObject({
      allow: 'GET, POST, HEAD, OPTIONS',
      'x-code': expect.any(String),
    })
    expect((await ask(app, 'GET /things', { headers })).headers).toMatchObject({ 'x-own': 'yes', 'x-code': 'conflict' })
  })

  it('[EXT-12] sees one id for a request, the one that the log has', async () => {
    const logged: unknown[] = []
    const logger = { ...quiet, info: ({ requestId }: { requestId?: unknown }) => void logged.push(requestId) }
    const own = application({ ...options, logger, logRequests: true })
    for (const line of ['GET /nowhere', 'GET /things']) {
      const { json } = await own
        .fetch(new Request(`http://x${line.slice(4)}`))
        .then(async (answer) => ({ json: await answer.json() }))
      expect(logged.at(-1)).toBe(json.id)
    }
  })

  it('[EXT-12] is described: documents have its form, its statuses and its headers', () => {
    const { paths, components } = app.openapi()
    const responses: Readonly<Record<string, unknown>> = paths['/things/{id}']?.['get']?.responses ?? {}
    expect(Object.keys(responses)).toEqual(['200', '422', 'default'])
    expect(responses['422']).toEqual({
      description: 'The request is invalid.',
      headers: { 'X-Code': { required: false, schema: { type: 'string' } } },
      content: {
        [TYPE]: {
          schema: { $ref: '#/components/schemas/Failure' },
          example: { code: 'validation', environment: 'production', action: 'Things show', at: MOMENT.toISOString() },
        },
      },
    })
    expect(paths['/things']?.['get']?.responses['409']?.content).toHaveProperty([TYPE])
    expect(paths['/secret']?.['get']?.responses['401']?.content).toHaveProperty([TYPE])
    expect(components.schemas).not.toHaveProperty('Problem')
    expect(app.contract().problems).toBe(TYPE)
  })

  it('[EXT-12] is known to clients: failures have the type and the values of its form', async () => {
    const calls = testClient(app, { things: Things }, { problem: Failure })
    const answer = await calls.things.show({ id: 2 })
    if (answer.name !== 'failure') throw new Error(answer.name)
    expectTypeOf(answer.problem?.at).toEqualTypeOf<Date | undefined>()
    expect([answer.status, answer.problem?.code, answer.problem?.at]).toEqual([500, 'internal', MOMENT])
    const bare = client({ things: Things }, { baseUrl: 'http://x', fetch: app.fetch })
    const other = await bare.things.show({ id: 2 })
    if (other.name !== 'failure') throw new Error(other.name)
    expectTypeOf(other.problem).toEqualTypeOf<ClientProblem | undefined>()
    expect(other.problem).toBe(undefined)
    const strange = await testClient(
      { ...app, fetch: async () => Response.json({ code: 7 }, { status: 502 }) },
      { things: Things },
      {
        problem: Failure,
      },
    ).things.show({ id: 2 })
    expect(strange).toMatchObject({ name: 'failure', status: 502, problem: undefined })
  })

  it('a body that its form does not allow is logged, and the problem document sent', async () => {
    const errors: unknown[] = []
    const logger = { ...quiet, error: ({ err }: { err?: Error }) => void errors.push(err?.message) }
    const broken = problemEncoder(Failure, () => ({ body: { code: 7 as never } }))
    const own = application({ ...options, encodeProblem: broken, logger })
    expect(await ask(own, 'GET /things')).toMatchObject({ status: 409, json: { code: 'conflict', detail: 'taken' } })
    expect(errors).toEqual(
      Array(2).fill('The encoder of problems gave a body that its form does not allow: /code must be a string'),
    )
  })

  it('is checked when the application boots', () => {
    const mistakes = (wrong: unknown): string[] =>
      mistakesOf(() => application({ ...options, encodeProblem: wrong as never })).map(({ problem: one }) => one)
    expect(mistakes(() => ({}))).toHaveLength(1)
    expect(mistakes(problemEncoder('nonsense', () => ({ body: '' })))).toEqual([
      "'nonsense' is not a media type identifier",
    ])
    expect(mistakes(problemEncoder(7 as never, 8 as never))).toEqual(['its form is 7', 'encode is 8'])
  })
})
