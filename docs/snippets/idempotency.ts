// The snippets of docs/guide/idempotency.md.
import type { Shown } from '../../scripts/snippets.ts'
import { answers } from './support/http.ts'

// #region smallest
import { application, endpoint, route, t } from 'edict'
import { idempotency, idempotent } from 'edict/idempotency'
import { memoryStore } from 'edict/stores'

const Orders = endpoint('Orders', {
  actions: {
    create: {
      routing: route.post('/'),
      payload: t.object({ title: t.string({ required: true }) }),
      policies: [idempotent({ keep: '24h' })],
      responses: { created: 'text/plain' },
    },
  },
})

let count = 0

const orders = Orders.implement({
  create: (_, { request, reply }) => reply.created(`Order ${++count}: ${request.payload?.title}`),
})

export const app = application({ controllers: [orders], plugins: [idempotency(memoryStore())] })
// #endregion

// #region transaction
import { postgresStore, type PostgresClient, type PostgresPool, transaction } from 'edict/stores'

/** Orders whose keys are rows of the same database, and commit with them. */
export function exactly(pool: PostgresPool & PostgresClient) {
  const Exact = endpoint('Orders', {
    actions: {
      create: {
        routing: route.post('/'),
        payload: t.object({ title: t.string({ required: true }) }),
        needs: { db: transaction(pool) },
        policies: [idempotent({ keep: '24h', within: 'db' })],
        responses: { created: 'text/plain' },
      },
    },
  })
  const exact = Exact.implement({
    async create(_, { request, db, reply }) {
      const sql = 'insert into orders (title) values ($1) returning id'
      const { rows } = await db.query<{ readonly id: number }>(sql, [request.payload?.title])
      return reply.created(`Order ${rows[0]?.id}`)
    },
  })
  return application({ controllers: [exact], plugins: [idempotency(postgresStore(pool))] })
}
// #endregion

// #region client
import { client } from 'edict/client'

const calls = client({ Orders }, { baseUrl: 'http://localhost', fetch: app.fetch })
// #endregion

const keyed = (key: string, title: string) => ({ headers: { 'Idempotency-Key': key }, body: { title } })

/** The answers that the page shows. */
export const shown: Shown = {
  async answers() {
    const told: string[] = []
    for (const [key, title] of [
      ['a1', 'Emma'],
      ['a1', 'Emma'],
      ['a1', 'Ulysses'],
      ['b2', 'Emma'],
    ] as const)
      told.push(await answers(app, [['POST /orders', keyed(key, title)]]))
    return told.join('\n')
  },
  async called() {
    // #region call
    const answer = await calls.Orders.create({}, { payload: { title: 'Middlemarch' } })
    // #endregion
    return `${answer.status} ${answer.body}`
  },
}
