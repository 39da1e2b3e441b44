// The snippets of docs/guide/testing.md.
import assert from 'node:assert/strict'
import type { Shown } from '../../scripts/snippets.ts'

// #region books
import { application, collectionOf, endpoint, inherit, mediaType, need, route, security, t, verifier } from 'edict'

const Book = mediaType('Book', {
  attributes: { id: t.integer({ required: true }), title: t.string({ required: true, min: 1, max: 40 }) },
})
const Card = security.bearer<{ readonly name: string }>('Card')
const today = need(() => new Date())

const Books = endpoint('Books', {
  mediaType: Book,
  actions: {
    index: { routing: route.get('/'), responses: { ok: collectionOf(Book) } },
    show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: Book, notFound: true } },
    create: { routing: route.post('/'), payload: { title: inherit }, responses: { created: Book } },
    due: { routing: route.get('/due'), security: Card, needs: { today }, responses: { ok: 'text/plain' } },
  },
})
// #endregion

const bookApp = () => {
  const rows: { id: number; title: string }[] = [{ id: 1, title: 'Emma' }]
  return application({
    controllers: [
      Books.implement({
        index: (_, { reply }) => reply.ok(rows),
        show({ id }, { reply }) {
          const row = rows.find((one) => one.id === id)
          return row === undefined ? reply.notFound() : reply.ok(row)
        },
        create(_, { request, reply }) {
          const row = { id: rows.length + 1, title: request.payload.title.slice(0, 10) }
          rows.push(row)
          return reply.created(row)
        },
        due: (_, { today, principal, reply }) => reply.ok(`${principal.name}: ${today.toISOString().slice(0, 10)}`),
      }),
    ],
    verifiers: [verifier(Card, () => undefined)],
    logger: { info() {}, warn() {}, error() {} },
  })
}

const makeApp = bookApp
const test = (_: string, run: () => Promise<unknown>): (() => Promise<unknown>) => run

// #region check
import { checkApplication } from 'edict/testing'

const checked = test('the API keeps to its declarations', () => checkApplication(makeApp))
// #endregion

const fault = async (): Promise<string> => String(((await checked().catch((error: unknown) => error)) as Error).message)

const Members = endpoint('Members', {
  actions: {
    join: {
      routing: route.post('/'),
      payload: { name: t.string({ required: true }), password: t.string({ required: true }) },
      responses: { created: t.object({ token: t.string({ required: true }) }) },
    },
  },
})

const memberApp = () =>
  application({
    controllers: [
      Members.implement({ join: (_, { request, reply }) => reply.created({ token: request.payload.name }) }),
    ],
    logger: { info() {}, warn() {}, error() {} },
  })

// #region clients
import type { CheckOptions } from 'edict/testing'

const signUp: CheckOptions['principals'] = async (app) => {
  const api = testClient(app, { Members })
  const join = async (name: string) => {
    const { token } = await api.Members.join.ok({}, { payload: { name, password: `${name}'s secret` } })
    return { Authorization: `Bearer ${token}` }
  }
  return { ada: await join('ada'), grace: await join('grace') }
}
// #endregion

const insist = async () => {
  // #region report
  const { untested, unreached } = await checkApplication(makeApp, { except: ['elements'] })
  // #endregion
  return { untested, unreached }
}

async function untested(): Promise<string> {
  const report = await insist()
  const law = report.untested.find((one) => one.law === 'pages')
  const action = report.unreached.find((one) => one.action === 'Books.due')
  return [
    law && `${law.law}: ${law.reason}. Remedy: ${law.remedy}`,
    action && `${action.action}: ${action.reason}. Remedy: ${action.remedy}`,
  ].join('\n')
}

// #region values
import { examples, nearMisses } from 'edict/testing'

const title = t.string({ min: 1, max: 5 })

const good = examples(title, { seed: 7, count: 3 })
const bad = nearMisses(title).filter(({ rule }) => rule.endsWith('length'))
// #endregion

// #region replaced
import { withReplacements, testClient } from 'edict/testing'

const app = withReplacements(bookApp(), {
  needs: [[today, need(() => new Date('2030-01-01'))]],
  verifiers: [verifier(Card, () => ({ name: 'Ada' }))],
})
const api = testClient(app, { Books }, { headers: { Authorization: 'Bearer any' } })
// #endregion

assert.deepEqual(Object.keys(await (signUp as (app: unknown) => Promise<object>)(memberApp())), ['ada', 'grace'])

/** The values that the page shows. */
export const shown: Shown = {
  fault,
  untested,
  values: () => `${JSON.stringify(good)}\n${bad.map((one) => JSON.stringify(one)).join('\n')}`,
  due: async () => String((await api.Books.due()).body),
}
