// The snippets of docs/guide/rate-limits.md.
import type { Shown } from '../../scripts/snippets.ts'
import { answers, exchange } from './support/http.ts'

// #region smallest
import { application, endpoint, route, security, verifier } from 'edict'
import { rateLimit, rateLimits } from 'edict/rate-limit'
import { memoryStore } from 'edict/stores'

const Card = security.bearer<{ readonly id: string }>('Card')

const Books = endpoint('Books', {
  actionDefaults: { security: Card, policies: [rateLimit({ limit: 3, per: '1m', by: 'principal' })] },
  actions: {
    index: { routing: route.get('/'), responses: { ok: 'text/plain' } },
    search: {
      routing: route.get('/search'),
      policies: [rateLimit({ name: 'search', limit: 1, per: '10s', by: 'principal' })],
      responses: { ok: 'text/plain' },
    },
  },
})

const books = Books.implement({ index: () => 'Emma, Ulysses', search: () => 'Emma' })

export const app = application({
  controllers: [books],
  plugins: [rateLimits(memoryStore())],
  verifiers: [verifier(Card, (id) => ({ id }))],
})
// #endregion

// #region by
import { forwardedFor } from 'edict/rate-limit'

/** By a key of the request: the tenant that a header names. */
export const perTenant = rateLimit({ limit: 1000, per: '1h', by: ({ headers }) => String(headers['x-tenant']) })

/** By address, behind one proxy that adds to X-Forwarded-For. */
export const perAddress = rateLimit({ limit: 100, per: '1m', by: forwardedFor(1) })
// #endregion

// #region down
import type { Plugin } from 'edict'
import { type RedisClient, redisStore } from 'edict/stores'

/** Limits in Redis that are not enforced while it does not answer, which is known after 100 ms. */
export const limits = (client: RedisClient): Plugin =>
  rateLimits(redisStore(client, { timeout: 100 }), { whenDown: 'pass' })
// #endregion

const ada = { headers: { Authorization: 'Bearer ada' } }
const alan = { headers: { Authorization: 'Bearer alan' } }

/** The answers that the page shows. */
export const shown: Shown = {
  headers: () => exchange(app, 'GET /books', ada),
  async answers() {
    const told: string[] = []
    for (const line of ['GET /books', 'GET /books/search', 'GET /books/search', 'GET /books'])
      told.push(await answers(app, [[line, alan]]))
    return told.join('\n')
  },
  async refused() {
    const bob = { headers: { Authorization: 'Bearer bob' } }
    for (let i = 0; i < 3; i++) await exchange(app, 'GET /books', bob)
    return exchange(app, 'GET /books', bob)
  },
}
