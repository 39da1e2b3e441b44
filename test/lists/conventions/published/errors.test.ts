// Errors in their published forms: AIP-193, Slack, Stripe, OData and Graph, Elasticsearch, JSON:API.
import { type Application, application, controller, endpoint, type ProblemEncoder, route, t } from 'edict'
import {
  aip,
  aipErrors,
  elasticsearch,
  elasticsearchErrors,
  graph,
  jsonApi,
  jsonApiErrors,
  odata,
  odataErrors,
  pagination,
  slack,
  slackErrors,
  stripe,
  stripeErrors,
} from 'edict/pagination'
import { testClient } from 'edict/testing'
import { describe, expect, it } from 'vitest'
import { ask } from '../../../support/ask.ts'
import { Book, serveBooks } from './shelf.ts'

const Desk = endpoint('Desk', {
  actions: {
    lend: {
      routing: route.post('/:id'),
      params: { id: t.integer() },
      headers: { 'X-Reader': t.integer({ required: true }) },
      payload: { until: t.date({ required: true }), names: t.array(t.string({ max: 3 })) },
      responses: { noContent: true, conflict: true },
    },
    fail: { routing: route.get('/fail'), responses: { noContent: true } },
  },
})

const serveDesk = (encodeProblem: ProblemEncoder): Application =>
  application({
    environment: 'production',
    logger: { error() {}, warn() {}, info() {}, debug() {} },
    encodeProblem,
    plugins: [pagination()],
    controllers: [
      controller(Desk, {
        lend: (_, { reply }) => reply.conflict('The book is lent.'),
        fail: () => {
          throw new Error('secret of the database')
        },
      }),
    ],
  } as never)

/** The requests that fail, and the status of each. */
const FAILURES = [
  ['POST /desk/7', { 'x-reader': '1' }, { until: '2026-01-01' }, 409],
  ['POST /desk/7', { 'x-reader': 'x' }, { names: ['Emma'] }, 400],
  ['POST /desk/7', { 'x-reader': '1' }, '{"until', 400],
  ['GET /desk/fail', {}, undefined, 500],
  ['GET /shelf', {}, undefined, 404],
  ['DELETE /desk/fail', {}, undefined, 405],
] as const

async function askAll(app: Application): Promise<readonly unknown[]> {
  const found: unknown[] = []
  for (const [line, headers, body, status] of FAILURES) {
    const text = typeof body === 'object' ? JSON.stringify(body) : body
    const sent = text === undefined ? {} : { 'content-type': 'application/json' }
    const answer = await ask(app, line, { headers: { ...headers, ...sent }, body: text })
    expect([line, answer.status]).toEqual([line, status])
    expect(answer.text).not.toContain('secret of the database')
    found.push(answer.json)
  }
  return found
}

describe('[FOR-08] errors in their published forms', () => {
  it('[FOR-08] of AIP-193 have a canonical status, the reason in its domain, and the violations', async () => {
    const info = (reason: string) => ({
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason,
      domain: 'library.example.com',
      metadata: {},
    })
    const [conflict, invalid, malformed, thrown, missing, wrongVerb] = await askAll(
      serveDesk(aipErrors('library.example.com')),
    )
    expect(conflict).toEqual({
      error: { code: 409, message: 'The book is lent.', status: 'ABORTED', details: [info('CONFLICT')] },
    })
    expect(invalid).toEqual({
      error: {
        code: 400,
        message: "The header 'X-Reader' must be an integer",
        status: 'INVALID_ARGUMENT',
        details: [
          info('VALIDATION'),
          {
            '@type': 'type.googleapis.com/google.rpc.BadRequest',
            fieldViolations: [
              { field: 'X-Reader', description: "The header 'X-Reader' must be an integer", reason: 'TYPE' },
              { field: 'until', description: "The attribute 'until' is required", reason: 'MISSING' },
              {
                field: 'names[0]',
                description: "The attribute 'names[0]' must have at most 3 characters",
                reason: 'MAX_LENGTH',
              },
            ],
          },
        ],
      },
    })
    expect(malformed).toMatchObject({ error: { code: 400, status: 'INVALID_ARGUMENT' } })
    expect(thrown).toMatchObject({ error: { code: 500, status: 'INTERNAL', details: [info('INTERNAL')] } })
    expect(missing).toMatchObject({ error: { code: 404, status: 'NOT_FOUND', details: [info('NOT_FOUND')] } })
    expect(wrongVerb).toMatchObject({ error: { code: 405, status: 'UNIMPLEMENTED' } })
  })

  it('[FOR-08] of Slack have a short code, and the messages of invalid arguments', async () => {
    expect(await askAll(serveDesk(slackErrors))).toEqual([
      { ok: false, error: 'conflict' },
      {
        ok: false,
        error: 'invalid_arguments',
        response_metadata: {
          messages: [
            "[ERROR] The header 'X-Reader' must be an integer",
            "[ERROR] The attribute 'until' is required",
            "[ERROR] The attribute 'names[0]' must have at most 3 characters",
          ],
        },
      },
      { ok: false, error: 'malformed_body' },
      { ok: false, error: 'internal_error' },
      { ok: false, error: 'not_found' },
      { ok: false, error: 'method_not_allowed' },
    ])
  })

  it('[FOR-08] of Stripe have a type, a code, a message and the param', async () => {
    const type = 'invalid_request_error'
    expect(await askAll(serveDesk(stripeErrors))).toEqual([
      { error: { type, code: 'conflict', message: 'The book is lent.' } },
      {
        error: {
          type,
          code: 'parameter_invalid_type',
          message: "The header 'X-Reader' must be an integer",
          param: 'X-Reader',
        },
      },
      { error: { type, code: 'malformed_body', message: 'The JSON is malformed because it ends too early.' } },
      { error: { type: 'api_error', code: 'internal', message: expect.any(String) } },
      { error: { type, code: 'resource_missing', message: expect.any(String) } },
      { error: { type, code: 'method_not_allowed', message: expect.any(String) } },
    ])
  })

  it('[FOR-08] of OData and Graph have a code, a target, and details of several errors', async () => {
    const [conflict, invalid, malformed, thrown, missing, wrongVerb] = await askAll(serveDesk(odataErrors))
    expect(conflict).toEqual({ error: { code: 'conflict', message: 'The book is lent.' } })
    expect(invalid).toEqual({
      error: {
        code: 'validation',
        message: "The header 'X-Reader' must be an integer",
        target: 'X-Reader',
        details: [
          { code: 'type', message: "The header 'X-Reader' must be an integer", target: 'X-Reader' },
          { code: 'missing', message: "The attribute 'until' is required", target: 'until' },
          {
            code: 'maxLength',
            message: "The attribute 'names[0]' must have at most 3 characters",
            target: 'names[0]',
          },
        ],
      },
    })
    expect([malformed, thrown, missing, wrongVerb]).toMatchObject([
      { error: { code: 'malformedBody' } },
      { error: { code: 'internal' } },
      { error: { code: 'notFound' } },
      { error: { code: 'methodNotAllowed' } },
    ])
  })

  it('[FOR-08] of Elasticsearch have an exception, its root causes, and the status', async () => {
    const [conflict, invalid, malformed, thrown, missing, wrongVerb] = await askAll(serveDesk(elasticsearchErrors))
    const lent = { type: 'version_conflict_engine_exception', reason: 'The book is lent.' }
    expect(conflict).toEqual({ error: { root_cause: [lent], ...lent }, status: 409 })
    const type = 'illegal_argument_exception'
    expect(invalid).toEqual({
      error: {
        root_cause: [
          { type, reason: "The header 'X-Reader' must be an integer" },
          { type, reason: "The attribute 'until' is required" },
          { type, reason: "The attribute 'names[0]' must have at most 3 characters" },
        ],
        type,
        reason: "The header 'X-Reader' must be an integer",
      },
      status: 400,
    })
    expect([malformed, thrown, missing, wrongVerb]).toMatchObject([
      { error: { type }, status: 400 },
      { error: { type: 'exception' }, status: 500 },
      { error: { type: 'resource_not_found_exception' }, status: 404 },
      { error: { type }, status: 405 },
    ])
  })

  it('[FOR-08] name the param of a list as clients write it', async () => {
    const asked = { orderBy: ['title'], filterBy: { year: {} } } as const
    for (const [list, encodeProblem, query, read, name] of [
      [stripe.for(Book, asked), stripeErrors, 'year[gte]=old', (one) => one.error.param, 'year[gte]'],
      [jsonApi.for(Book, asked), jsonApiErrors, 'filter[year]=old', (one) => one.errors[0].source, FILTER],
      [odata.for(Book, asked), odataErrors, '$orderby=shelf', (one) => one.error.target, '$orderby'],
      [graph.for(Book, asked), odataErrors, '$top=0', (one) => one.error.target, '$top'],
      [aip.for(Book, asked), aipErrors('a.test'), 'page_size=-1', readViolation, 'page_size'],
      [slack.for(Book, asked), slackErrors, 'cursor=x', (one) => one.error, 'invalid_arguments'],
      [elasticsearch.for(Book, asked), elasticsearchErrors, 'from=-1', (one) => one.status, 400],
    ] as readonly Fixture[]) {
      const { status, json } = await ask(serveBooks(list, { encodeProblem }), `GET /books?${query}`)
      expect([query, status, read(json)]).toEqual([query, 400, name])
    }
  })

  it('[FOR-08] are parsed by the client that knows their form', async () => {
    const { desk } = testClient(serveDesk(stripeErrors), { desk: Desk }, { problem: stripeErrors.form })
    const answer = await desk.fail()
    expect(answer.name === 'failure' && [answer.status, answer.problem?.error.type]).toEqual([500, 'api_error'])
  })
})

const FILTER = { parameter: 'filter[year]' }

const readViolation = (one: Parsed): unknown => one.error.details[1].fieldViolations[0].field

type Parsed = Awaited<ReturnType<typeof ask>>['json']

type Fixture = readonly [
  list: Parameters<typeof serveBooks>[0],
  encodeProblem: ProblemEncoder,
  query: string,
  read: (body: Parsed) => unknown,
  name: unknown,
]
