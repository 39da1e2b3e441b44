// The snippets of docs/guide/prometheus.md.
import type { Shown } from '../../scripts/snippets.ts'

// #region smallest
import { application, endpoint, route, t } from 'edict'
import { prometheus } from 'edict/prometheus'

const Books = endpoint('Books', {
  actions: {
    show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: 'text/plain' } },
  },
})

const books = Books.implement({ show: ({ id }) => `Book ${id}` })

export const app = application({ controllers: [books], plugins: [prometheus()] })
// #endregion

// #region apart
import { serve } from 'edict/node'

export async function serveBoth(): Promise<void> {
  const metrics = prometheus({ path: false })
  await serve(application({ controllers: [books], plugins: [metrics] }), { port: 3000 })
  await serve(metrics.page, { port: 9090, host: '127.0.0.1', signals: false })
}
// #endregion

// #region own
import pg from 'pg'
import { Counter, Registry } from 'prom-client'

const registry = new Registry()
export const orders = new Counter({ name: 'orders_total', help: 'Orders.', registers: [registry] })
const pool = new pg.Pool({ max: 10 })

export const shop = application({
  controllers: [books],
  plugins: [prometheus({ registry, pools: { main: pool } })],
})
// #endregion

const get = (path: string): Promise<Response> => app.fetch(new Request(`http://localhost${path}`))

/** The answers that the page shows. */
export const shown: Shown = {
  async page() {
    for (const path of ['/books/1', '/books/2', '/books/x', '/nowhere', '/somewhere']) await get(path)
    const text = await (await get('/metrics')).text()
    return text
      .split('\n')
      .filter((line) => /http_requests(?:_total|_in)/.test(line))
      .join('\n')
  },
}
