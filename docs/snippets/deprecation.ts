// The snippets of docs/guide/deprecation.md.
import type { Shown } from '../../scripts/snippets.ts'
import { exchange } from './support/http.ts'

// #region smallest
import { application, endpoint, mediaType, type Plugin, route, t } from 'edict'

const Book = mediaType('Book', {
  attributes: {
    id: t.integer(),
    title: t.string(),
    name: t.string({ deprecated: { since: '2026-10-01', instead: 'title' } }),
  },
})

const Books = endpoint('Books', {
  mediaType: Book,
  actions: {
    show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: Book } },
    read: {
      routing: route.get('/:id/read'),
      params: { id: t.integer(), lang: t.string({ deprecated: true }) },
      deprecated: { since: '2026-10-01', sunset: '2027-04-01', instead: 'show', link: 'https://library.example/news' },
      responses: { ok: Book },
    },
  },
})

// A version goes as a whole: what its endpoints say holds for all their actions.
const Shelves = endpoint('Shelves', {
  version: '1.0',
  deprecated: { since: '2026-10-01', sunset: '2027-04-01', instead: '/v2.0/shelves' },
  actions: { index: { routing: route.get('/'), responses: { ok: 'text/plain' } } },
})
// #endregion

// #region counted
const uses = new Map<string, number>()

const countDeprecated: Plugin = {
  name: 'count-deprecated',
  deprecated({ what, pointer }, { action, principal }) {
    const key = `${action} ${what} ${pointer} by ${principal ?? 'anonymous'}`
    uses.set(key, (uses.get(key) ?? 0) + 1)
  },
}
// #endregion

const book = { id: 7, title: 'Emma', name: 'Emma' }

export const app = application({
  controllers: [
    Books.implement({ show: (_, { reply }) => reply.ok(book), read: (_, { reply }) => reply.ok(book) }),
    Shelves.implement({ index: () => 'A to Z' }),
  ],
  plugins: [countDeprecated],
})

/** The answers that the page shows. */
export const shown: Shown = {
  read: () => exchange(app, 'GET /books/7/read'),
  shelves: () => exchange(app, 'GET /v1.0/shelves'),
  async counts() {
    uses.clear()
    for (const path of ['/books/7/read?lang=en', '/books/7/read', '/books/7'])
      await app.fetch(new Request(`http://localhost${path}`))
    return [...uses].map(([use, times]) => `${times}  ${use}`).join('\n')
  },
}
