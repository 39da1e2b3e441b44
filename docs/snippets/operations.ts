// The snippets of docs/guide/operations.md.
import { application, endpoint, type Logger, route } from 'edict'
import type { Shown } from '../../scripts/snippets.ts'
import { answered } from './support/http.ts'

const logger: Logger = { info() {}, warn() {}, error() {} }
const url = 'postgres://localhost/library'

// #region pool
import pg from 'pg'

const pool = new pg.Pool({
  connectionString: url,
  max: 10,
  connectionTimeoutMillis: 2_000, // for a free connection; without it, requests queue without end
  statement_timeout: 5_000, // PostgreSQL gives the statement up, and the connection is free again
  query_timeout: 6_000, // the same from this side, for a server that does not answer at all
})
// Without a listener, a broken idle connection is an uncaught error.
pool.on('error', (err) => logger.warn({ err }, 'A connection of the pool broke'))
// #endregion

const Reports = endpoint('Reports', {
  actions: {
    show: { routing: route.get('/year'), responses: { ok: 'text/plain' } },
    create: { routing: route.post('/'), responses: { ok: 'text/plain' } },
  },
})

const waiting: (() => void)[] = []

const reports = Reports.implement({
  show: () => new Promise<string>((resolve) => waiting.push(() => resolve('done'))),
  // #region signal
  async create(_, { request }) {
    const answer = await fetch('https://reports.example/make', { method: 'POST', signal: request.signal })
    return answer.text()
  },
  // #endregion
})

const app = application({ controllers: [reports], timeout: 10_000, logger })

// #region serve
import { serve } from 'edict/node'

const start = () =>
  serve(app, {
    workers: 1,
    maxRequests: 1_000,
    maxDelay: 200,
    timeouts: { headers: 10_000, request: 60_000, drain: 10_000 },
    onClose: () => pool.end(),
  })
// #endregion

// --- what the page shows ---------------------------------------------------------------------------------------

/** The answers that the page shows. */
export const shown: Shown = {
  overloaded: async () => {
    const server = await serve(app, {
      port: 0,
      host: '127.0.0.1',
      maxRequests: 1,
      signals: false,
      fatal: false,
      logger,
    })
    const first = fetch(`${server.url}/reports/year`)
    while (waiting.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    const refused = await answered(await fetch(`${server.url}/reports/year`))
    for (const resolve of waiting.splice(0)) resolve()
    await first
    await server.close()
    return refused
  },
}

/** Never called here. */
export { start }
