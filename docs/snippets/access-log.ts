// The snippets of docs/guide/access-log.md.
import type { Shown } from '../../scripts/snippets.ts'
import { ask } from './support/http.ts'

const lines: string[] = []
const write = (line: string): void => void lines.push(line)

// #region smallest
import { application, endpoint, route, t } from 'edict'
import { accessLog } from 'edict/access-log'

const Accounts = endpoint('Accounts', {
  actions: {
    show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: 'text/plain', notFound: true } },
    reset: {
      routing: route.get('/reset/:token'),
      params: { token: t.string({ secret: true }), mail: t.string({ secret: true }), lang: t.string() },
      responses: { ok: 'text/plain' },
    },
  },
})

const accounts = Accounts.implement({
  show: ({ id }, { reply }) => (id === 7 ? reply.ok('Ada') : reply.notFound()),
  reset: () => 'Check your mail',
})

// Without `write`, lines go to standard output.
export const app = application({ controllers: [accounts], plugins: [accessLog({ write })] })
// #endregion

// #region chosen
const chosen = application({
  controllers: [accounts],
  plugins: [
    accessLog({
      write,
      fields: ['time', 'method', 'url', 'status', 'duration'],
      requestHeaders: ['User-Agent', 'Authorization'],
      add: ({ principal, action }) => ({
        user: principal ?? null,
        team: action?.startsWith('Accounts.') ? 'id' : 'web',
      }),
      skip: ({ action }) => action === 'Readiness.ready',
    }),
  ],
})
// #endregion

const steady = (line: string): string =>
  line
    .replace(/"time":"[^"]*"/, '"time":"2026-11-16T09:30:00.000Z"')
    .replace(/"requestId":"[^"]*"/, '"requestId":"k3v9x0ab-1"')
    .replace(/"duration":[\d.]+/, '"duration":0.42')

/** The answers that the page shows. */
export const shown: Shown = {
  async lines() {
    lines.length = 0
    for (const line of ['GET /accounts/7', 'GET /accounts/reset/f3a9?mail=ada@example.org&lang=en', 'GET /nowhere?a=1'])
      await ask(app, line)
    return lines.map(steady).join('\n')
  },
  async picked() {
    lines.length = 0
    await ask(chosen, 'GET /accounts/8', { headers: { 'User-Agent': 'curl/8', Authorization: 'Bearer f3a9' } })
    return lines.map(steady).join('\n')
  },
}
