// The snippets of docs/guide/health.md.
import type { Shown } from '../../scripts/snippets.ts'
import { exchange } from './support/http.ts'

const db = { ping: async (): Promise<boolean> => true }

// #region smallest
import { application, endpoint, route } from 'edict'
import { health, storeCheck } from 'edict/health'
import { memoryStore } from 'edict/stores'

const Books = endpoint('Books', {
  actions: { index: { routing: route.get('/'), responses: { ok: 'text/plain' } } },
})

const store = memoryStore()

export const app = application({
  controllers: [Books.implement({ index: () => 'Emma, Ulysses' })],
  plugins: [
    health({
      checks: {
        database: () => db.ping(),
        limits: { check: storeCheck(store), timeout: '200ms', keep: '5s' },
      },
    }),
  ],
})
// #endregion

// #region details
const open = application({
  controllers: [Books.implement({ index: () => 'Emma, Ulysses' })],
  plugins: [
    health({
      ready: '/readyz',
      checks: { database: () => Promise.reject(new Error('no route to db-1.internal')) },
      details: ({ headers }) => headers['x-probe'] === 'operator',
    }),
  ],
  logger: { info() {}, warn() {}, error() {} },
})
// #endregion

/** The answers that the page shows. */
export const shown: Shown = {
  async ready() {
    await app.start()
    return exchange(app, 'GET /health/ready')
  },
  async failing() {
    await open.start()
    const text = await exchange(open, 'GET /readyz', { headers: { 'X-Probe': 'operator' } })
    return text.replace(/"duration": ?\d+/, '"duration": 3')
  },
}
