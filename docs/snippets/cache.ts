// The snippets of docs/guide/cache.md.
import type { Shown } from '../../scripts/snippets.ts'

// #region smallest
import { application, endpoint, route, security, t, verifier } from 'edict'
import { cacheControl } from 'edict/cache'

const Card = security.bearer<{ readonly name: string }>('Card')

const Books = endpoint('Books', {
  actionDefaults: { policies: [cacheControl({ maxAge: 60, staleWhileRevalidate: 600 })] },
  actions: {
    show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: 'text/plain', notFound: true } },
    lent: { routing: route.get('/lent'), security: Card, responses: { ok: 'text/plain' } },
    fees: {
      routing: route.get('/fees'),
      security: Card,
      policies: [cacheControl('no-store')],
      responses: { ok: 'text/plain' },
    },
    cover: {
      routing: route.get('/cover'),
      policies: [cacheControl({ visibility: 'public', maxAge: 31_536_000, immutable: true })],
      responses: { ok: 'text/plain' },
    },
    lend: { routing: route.post('/lend'), security: Card, responses: { noContent: true } },
  },
})

const books = Books.implement({
  show: ({ id }, { reply }) => (id === 1 ? reply.ok('Emma') : reply.notFound()),
  lent: (_, { principal }) => `The books of ${principal.name}`,
  fees: () => '0.20',
  cover: () => 'a picture',
  lend: (_, { reply }) => reply.noContent(),
})

export const app = application({
  controllers: [books],
  verifiers: [verifier(Card, () => ({ name: 'Ada' }))],
})
// #endregion

async function told(line: string): Promise<string> {
  const [method, path] = line.split(' ') as [string, string]
  const headers = { authorization: 'Bearer 1815' }
  const answer = await app.fetch(new Request(`http://localhost${path}`, { method, headers }))
  const caches = answer.headers.get('Cache-Control') ?? 'none'
  return `${line.padEnd(16)}  →  ${answer.status} Cache-Control: ${caches}`
}

/** The answers that the page shows. */
export const shown: Shown = {
  async answers() {
    const lines: string[] = []
    for (const line of [
      'GET /books/1',
      'GET /books/2',
      'GET /books/lent',
      'GET /books/fees',
      'GET /books/cover',
      'POST /books/lend',
    ])
      lines.push(await told(line))
    return lines.join('\n')
  },
}
