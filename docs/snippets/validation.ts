// The snippets of docs/guide/validation.md.
import type { Shown } from '../../scripts/snippets.ts'
import { answers } from './support/http.ts'

// #region example
import { allOrNone, application, endpoint, route, t } from 'edict'
import { z } from 'zod'

const isbn = z.string().regex(/^\d{13}$/, 'must have 13 digits')
const taken = new Set(['9780141439587'])

const Books = endpoint('Books', {
  actions: {
    create: {
      routing: route.post('/'),
      params: { notify: t.boolean({ default: false }) },
      headers: { 'X-Branch': t.string({ required: true, values: ['north', 'south'] }) },
      payload: {
        isbn: t.standard(isbn, { required: true }),
        title: t.string({ required: true, max: 100 }),
        format: t.string({ values: ['hardback', 'paperback'], default: 'paperback' }),
        copies: t.integer({ min: 1, max: 99, default: 1 }),
        loan: t.object({ from: t.date(), to: t.date() }, { requires: [allOrNone('from', 'to')] }),
      },
      responses: { ok: 'text/plain', unprocessableContent: true },
    },
  },
})

const books = Books.implement({
  create(_, { request: { payload }, reply }) {
    if (taken.has(payload.isbn)) return reply.unprocessableContent('This ISBN is in the catalogue already.')
    return reply.ok(`${payload.copies} × ${payload.title}, ${payload.format}`)
  },
})
// #endregion

// #region responses
import { mediaType } from 'edict'

const Copy = mediaType('Copy', {
  attributes: { id: t.integer({ required: true }), shelf: t.string({ required: true }) },
})

const Copies = endpoint('Copies', {
  actions: {
    show: {
      routing: route.get('/:id'),
      params: { id: t.integer() },
      responses: { ok: Copy },
    },
  },
})

const copies = Copies.implement({
  // @ts-expect-error The shelf is missing.
  show: ({ id }, { reply }) => reply.ok({ id }),
})
// #endregion

const quiet = { info() {}, warn() {}, error() {} }
/** The application of this page. */
export const app = application({ controllers: [books, copies], logger: quiet })

const headers = { 'X-Branch': 'north' }
const book = { isbn: '9780099511151', title: 'Emma' }

/** The responses that the page shows. */
export const shown: Shown = {
  example: () =>
    answers(app, [
      ['POST /books', { headers, body: book }],
      ['POST /books', { headers, body: { ...book, copies: '3' } }],
      ['POST /books', { headers, body: { ...book, format: 'scroll' } }],
      ['POST /books', { headers, body: { ...book, isbn: '99' } }],
      ['POST /books', { headers, body: { ...book, loan: { from: '2026-11-18' } } }],
      ['POST /books', { headers, body: { ...book, isbn: '9780141439587' } }],
      ['POST /books?notify=maybe', { headers, body: book }],
      ['POST /books', { headers: { 'X-Branch': 'west' }, body: book }],
    ]),
  responses: () => answers(app, ['GET /copies/7']),
}
