// The snippets of docs/guide/diagnostics.md.
import type { Shown } from '../../scripts/snippets.ts'
import { ask } from './support/http.ts'

// #region smallest
import { subscribe } from 'node:diagnostics_channel'
import { application, endpoint, route } from 'edict'
import { diagnostics, type RequestEndMessage } from 'edict/diagnostics'

const Books = endpoint('Books', {
  actions: { index: { routing: route.get('/'), responses: { ok: 'text/plain' } } },
})

export const app = application({
  controllers: [Books.implement({ index: () => 'Emma, Ulysses' })],
  plugins: [diagnostics()],
})

const counts = new Map<string, number>()

subscribe('edict:request:end', (message) => {
  const { route: pattern = 'none', status } = (message as RequestEndMessage).facts
  const key = `${pattern} ${status}`
  counts.set(key, (counts.get(key) ?? 0) + 1)
})
// #endregion

/** The answers that the page shows. */
export const shown: Shown = {
  async counts() {
    counts.clear()
    for (const line of ['GET /books', 'GET /books', 'GET /books?x=1', 'GET /nowhere', 'DELETE /books'])
      await ask(app, line)
    return [...counts].map(([key, times]) => `${times}  ${key}`).join('\n')
  },
}
