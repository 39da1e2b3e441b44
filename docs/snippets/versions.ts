// The snippets of docs/guide/versions.md.
import type { Shown } from '../../scripts/snippets.ts'
import { answers, exchange, table } from './support/http.ts'

// #region smallest
import { application, endpoint, route, t } from 'edict'

const Books1 = endpoint('Books', {
  version: '1.0',
  actions: { show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: 'text/plain' } } },
})

const Books2 = endpoint('Books', {
  version: '2.0',
  actions: { show: { routing: route.get('/:id'), params: { id: t.string() }, responses: { ok: 'text/plain' } } },
})

const Health = endpoint('Health', {
  actions: { show: { routing: route.get('/'), responses: { ok: 'text/plain' } } },
})

export const app = application({
  basePath: '/api',
  controllers: [
    Books1.implement({ show: ({ id }, context) => `1.0: ${id + 1} is next, this is ${context.href(Books1, { id })}` }),
    Books2.implement({ show: ({ id }, context) => `2.0: this is ${context.href(Books2, { id })}` }),
    Health.implement({ show: (_, { request }) => `fine, asked with ${request.version ?? 'no version'}` }),
  ],
})
// #endregion

// #region narrow
export const byHeader = application({
  versionWith: ['header'],
  controllers: [Books1.implement({ show: ({ id }) => `1.0: ${id}` })],
})
// #endregion

// #region hrefs
console.log(Books1.toHref({ id: 7 })) // /books/7
console.log(app.href(Books1, { id: 7 })) // /api/v1.0/books/7
console.log(byHeader.href(Books1, { id: 7 })) // /books/7
// #endregion

// --- what the page shows ---------------------------------------------------------------------------------------

const version = (value: string) => ({ headers: { 'X-Api-Version': value } })

/** The answers that the page shows. */
export const shown: Shown = {
  answers: () =>
    answers(app, [
      'GET /api/v1.0/books/7',
      ['GET /api/books/7', version('1.0')],
      'GET /api/books/7?api_version=2.0',
      'GET /api/health',
      ['GET /api/health', version('1.0')],
      'GET /api/v1.0/health',
      'GET /api/books/7',
      'GET /api/v3.0/books/7',
    ]),
  conflict: () => exchange(app, 'GET /api/v1.0/books/7?api_version=2.0'),
  unknown: () => exchange(app, 'GET /api/books/7', version('3.0')),
  narrow: () =>
    answers(byHeader, [
      ['GET /books/7', version('1.0')],
      'GET /v1.0/books/7',
      'GET /books/7?api_version=1.0',
      ['GET /books/7?api_version=1.0', version('1.0')],
    ]),
  routes: () => table(app.routes()),
}
