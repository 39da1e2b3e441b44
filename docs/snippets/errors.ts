// The snippets of docs/guide/errors.md.
import type { Shown } from '../../scripts/snippets.ts'
import { answers, exchange } from './support/http.ts'

// #region smallest
import { application, endpoint, route, t } from 'edict'

const Books = endpoint('Books', {
  actions: {
    create: {
      routing: route.post('/'),
      params: { shelf: t.string({ required: true }) },
      headers: { 'X-Reader': t.integer({ required: true }) },
      payload: { title: t.string({ required: true, max: 100 }), authors: t.array(t.string()) },
      responses: { created: true, conflict: true },
    },
    show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: 'text/plain' } },
  },
})

const books = Books.implement({
  create: (_, { reply }) => reply.conflict('The shelf is full.'),
  show: () => {
    throw new Error('connection to db-7 lost')
  },
})
// #endregion

// #region encoder
import { mediaType, problemEncoder } from 'edict'

export const Failure = mediaType('Failure', {
  attributes: {
    code: t.string({ required: true }),
    message: t.string({ required: true }),
    ticket: t.string(),
  },
})

const encodeProblem = problemEncoder(
  Failure,
  ({ status, code, title, detail = title }, { request, action, environment }) => ({
    body: {
      code: action === undefined ? code : `${action.endpoint}.${action.name}.${code}`,
      message: detail,
      ...(environment !== 'production' && request !== undefined && { ticket: request.id }),
    },
    status: code === 'validation' ? 422 : status,
    headers: { 'Content-Language': 'en' },
  }),
)

export const own = application({ controllers: [books], encodeProblem })
// #endregion

// #region client
import type { Application } from 'edict'
import { testClient } from 'edict/testing'

export async function tryToRead(api: Application): Promise<string> {
  const { books: calls } = testClient(api, { books: Books }, { problem: Failure })
  const answer = await calls.show({ id: 7 })
  return answer.name === 'failure' ? `${answer.status} ${answer.problem?.code}` : answer.name
}
// #endregion

const quiet = { info() {}, warn() {}, error() {} }
/** The application of this page. */
export const app = application({ controllers: [books], logger: quiet })
/** The same in production. */
export const production = application({ controllers: [books], logger: quiet, environment: 'production' })

// --- what the page shows ---------------------------------------------------------------------------------------

const sent = { headers: { 'X-Reader': '7' } }
const json = { 'Content-Type': 'application/json' }

/** The answers that the page shows. */
export const shown: Shown = {
  validation: () =>
    exchange(app, 'POST /books?self=A1', {
      headers: { 'X-Reader': 'ada' },
      body: { titel: 'Emma', authors: ['Eliot', 7] },
    }),
  returned: () => exchange(app, 'POST /books?shelf=A1', { ...sent, body: { title: 'Emma' } }),
  thrown: async () => {
    const line = 'GET /books/7'
    return `${await answers(app, [line])}\n${await answers(production, [line])}`
  },
  own: () => exchange(own, 'GET /books/seven', { headers: { 'X-Request-Id': 'abc-1' } }),
  called: () => tryToRead(application({ controllers: [books], encodeProblem, logger: quiet })),
  bodies: () =>
    answers({ fetch: noted }, [
      ['POST /books', { headers: json, body: '{"title": "Emma",}' }],
      ['POST /books', { headers: json, body: '{"title": "Emma"' }],
      ['POST /books', { headers: json, body: '["Emma"]' }],
      ['POST /books', { headers: { 'Content-Type': 'text/csv' }, body: 'Emma' }],
      ['POST /books', { headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'br' }, body: '?' }],
    ]),
}

// Errors that are not about the body are left out of the lines.
function noted(request: Request): Promise<Response> {
  const full = new Request(`${request.url}?shelf=A1`, request)
  full.headers.set('X-Reader', '7')
  return app.fetch(full)
}
