// The snippets of docs/guide/serving.md.
import type { Shown } from '../../scripts/snippets.ts'
import { answered, ask, exchange } from './support/http.ts'

// #region application
import { application, endpoint, route } from 'edict'

const Health = endpoint('Health', {
  actions: {
    show: { routing: route.get('/'), responses: { ok: 'text/plain', serviceUnavailable: true } },
    slow: { routing: route.get('/slow'), responses: { ok: 'text/plain' } },
  },
})

const health = Health.implement({
  show: (_, { reply }) => (server.draining ? reply.serviceUnavailable('Draining.') : 'fine'),
  async slow(_, { request }) {
    await new Promise((resolve) => request.signal.addEventListener('abort', resolve))
    return 'nobody reads this any more'
  },
}).before('response', ({ request, response }) => {
  response.headers['X-Request-Id'] = request.id
})

const lines: string[] = []

export const app = application({
  title: 'Library',
  controllers: [health],
  timeout: 100,
  logRequests: true,
  logger: {
    info: (fields, message) => lines.push(`info  ${message} ${JSON.stringify(fields)}`),
    warn: (fields, message) => lines.push(`warn  ${message} ${JSON.stringify(fields)}`),
    error: (fields, message) => lines.push(`error ${message} ${JSON.stringify(fields)}`),
  },
})
// #endregion

// #region serve
import { serve } from 'edict/node'

const server = await serve(app, {
  host: '127.0.0.1',
  timeouts: { request: 30_000, drain: 5_000 },
  onClose: () => lines.push('closed'),
})
// #endregion

// #region fetch
const answer = await app.fetch(new Request('http://localhost/health'))
console.log(answer.status, await answer.text()) // 200 fine

// Runtimes that take an object with `fetch` take this one.
export default { fetch: app.fetch }
// #endregion

// #region listener
import { createServer } from 'node:http'
import { listener } from 'edict/node'

export const own = createServer(listener(app))
// #endregion

// #region pino
import { pino } from 'pino'

export const logged = application({ controllers: [health], logger: pino({ level: 'warn' }) })
// #endregion

/** Never called here. */
export async function inWorkers(): Promise<void> {
  // #region workers
  await serve(app, { workers: 'auto' })
  // #endregion
}

/** Called by the test of the documentation. */
export async function stop(): Promise<readonly string[]> {
  // #region close
  await server.close()
  // #endregion
  return lines
}

// --- what the page shows ---------------------------------------------------------------------------------------

const id = { headers: { 'X-Request-Id': 'a1' } }

/** The answers that the page shows. */
export const shown: Shown = {
  health: async () => answered(await fetch(`${server.url}/health`, id)),
  slow: () => exchange(app, 'GET /health/slow', id),
  log: async () => {
    lines.length = 0
    await ask(app, 'GET /health?x=1', id)
    await ask(app, 'GET /health/slow', id)
    await ask(app, 'GET /helth', id)
    return lines.join('\n')
  },
}
