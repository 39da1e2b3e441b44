// The snippets of docs/guide/security-headers.md.
import type { Shown } from '../../scripts/snippets.ts'
import { exchange } from './support/http.ts'

// #region smallest
import { application, endpoint, route } from 'edict'
import { securityHeaders } from 'edict/security-headers'

const Books = endpoint('Books', {
  actions: { index: { routing: route.get('/'), responses: { ok: 'text/plain' } } },
})

export const app = application({
  controllers: [Books.implement({ index: () => 'Emma, Ulysses' })],
  plugins: [securityHeaders({ permissionsPolicy: false, referrerPolicy: 'same-origin' })],
})
// #endregion

/** The answers that the page shows. */
export const shown: Shown = { answer: () => exchange(app, 'GET /books') }
