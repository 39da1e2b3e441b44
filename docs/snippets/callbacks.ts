// The snippets of docs/guide/callbacks.md.
import type { Shown } from '../../scripts/snippets.ts'
import { answers, ask } from './support/http.ts'

// #region smallest
import { application, controller, endpoint, Responses, route, t } from 'edict'

const Books = endpoint('Books', {
  actionDefaults: { responses: { unauthorized: true } },
  actions: {
    show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: 'text/plain' } },
    create: {
      routing: route.post('/'),
      payload: { title: t.string({ required: true }) },
      responses: { created: true },
    },
  },
})

const journal: string[] = []

const books = controller(Books, {
  show: ({ id }, { state }) => `book ${id} for ${state['reader']}`,
  create: (_, { reply }) => reply.created(),
})
  .before('load', ({ request, state }) => {
    const { authorization } = request.env.headers
    if (authorization !== 'Bearer ada') return new Responses.Unauthorized({ body: 'Send your card.' })
    state['reader'] = 'Ada'
  })
  .after({ actions: ['show'] }, ({ response }) => {
    response.headers['Cache-Control'] = 'private'
  })
  .around({ actions: ['create'] }, async (context, next) => {
    journal.push('begin')
    await next()
    journal.push(context.response.status < 400 ? 'commit' : 'roll back')
  })
// #endregion

// #region stages
const log: string[] = []

const Stages = endpoint('Stages', {
  actions: {
    walk: {
      routing: route.post('/:id'),
      params: { id: t.integer() },
      payload: { title: t.string() },
      responses: { ok: true },
    },
  },
})

const note = (text: string) => () => void log.push(text)

const stages = Stages.implement({ walk: () => `line ${log.push('the action')}` })
  .before('load', note('before load'))
  .after('load', note('after load'))
  .before('validate', note('before validate'))
  .after('validate:params', note('after validate:params'))
  .before('validate:payload', note('before validate:payload'))
  .after('validate', note('after validate'))
  .before(note('before action'))
  .around(async (_, next) => {
    log.push('around action, going in')
    await next()
    log.push('around action, coming out')
  })
  .after(note('after action'))
  .before('response', note('before response'))
  .after('response', note('after response'))
// #endregion

// #region failures
const Failing = endpoint('Failing', {
  actions: {
    throws: { routing: route.get('/throws'), responses: { ok: true } },
    caught: { routing: route.get('/caught'), responses: { ok: true, serviceUnavailable: true } },
  },
})

const failing = Failing.implement({
  throws: () => {
    throw new Error('the roof leaks')
  },
  caught: () => {
    throw new Error('the roof leaks')
  },
})
  .around({ actions: ['caught'] }, async (_, next) => {
    try {
      await next()
    } catch {
      return new Responses.ServiceUnavailable({ headers: { 'Retry-After': '60' } })
    }
  })
  .before('response', ({ response }) => {
    response.headers['X-Status'] = String(response.status)
  })
// #endregion

/** The application of this page. */
export const app = application({
  controllers: [books, stages, failing],
  logger: { info() {}, warn() {}, error() {} },
})

// --- what the page shows ---------------------------------------------------------------------------------------

async function walked(line: string): Promise<string> {
  log.length = 0
  const answer = await ask(app, line, { body: { title: 'Emma' } })
  return [line, ...log, `${answer.status}`].join('\n')
}

async function created(): Promise<string> {
  journal.length = 0
  const answer = await ask(app, 'POST /books', { ...card, body: { title: 'Emma' } })
  return `${answer.status} ${journal.join(', ')}`
}

const card = { headers: { Authorization: 'Bearer ada' } }

/** The answers that the page shows. */
export const shown: Shown = {
  answers: () => answers(app, ['GET /books/7', ['GET /books/7', card]]),
  created,
  walk: () => walked('POST /stages/1'),
  'walk-refused': () => walked('POST /stages/x'),
  failures: () => answers(app, ['GET /failing/throws', 'GET /failing/caught']),
}
