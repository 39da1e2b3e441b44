// The snippets of docs/guide/security.md.
import type { Shown } from '../../scripts/snippets.ts'
import { answers } from './support/http.ts'

// #region smallest
import { application, endpoint, forbidden, route, security, t, verifier } from 'edict'

interface Reader {
  readonly name: string
  readonly may: readonly string[]
}

// Declared once: a name for documents, where the credentials stand, and whom they stand for.
const Card = security.bearer<Reader>('Card', { description: 'The number of a library card.' })

const Books = endpoint('Books', {
  actionDefaults: { security: Card },
  actions: {
    index: { routing: route.get('/'), security: 'none', responses: { ok: 'text/plain' } },
    show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: 'text/plain' } },
    remove: {
      routing: route.delete('/:id'),
      params: { id: t.integer() },
      security: Card.scopes('remove'),
      responses: { noContent: true },
    },
  },
})

const books = Books.implement({
  index: () => 'Emma, Ulysses',
  show: ({ id }, { principal }) => `book ${id} for ${principal.name}`, // principal: Reader
  remove: (_, { reply }) => reply.noContent(),
})

const readers = new Map<string, Reader>([
  ['1815', { name: 'Ada', may: ['remove'] }],
  ['1912', { name: 'Alan', may: [] }],
])

export const app = application({
  title: 'Library',
  controllers: [books],
  verifiers: [
    verifier(Card, (number, { scopes }) => {
      const reader = readers.get(number)
      if (reader === undefined) return undefined // unknown client: 401
      return scopes.every((scope) => reader.may.includes(scope)) ? reader : forbidden // 403
    }),
  ],
})
// #endregion

// #region several
const Key = security.apiKey<Reader>('Key', { in: 'header', name: 'X-Key' })

const Shelves = endpoint('Shelves', {
  actions: {
    // Either will do; the first whose credentials hold is taken.
    show: { routing: route.get('/:id'), params: { id: t.integer() }, security: [Card, Key] },
    // Both are needed: principal.reader is the reader, principal.app whoever has the key.
    move: {
      routing: route.put('/:id'),
      params: { id: t.integer() },
      security: security.all({ reader: Card, app: Key }),
    },
    // Anonymous requests are accepted too: principal is Reader or undefined.
    index: { routing: route.get('/'), security: [Card, 'none'] },
  },
})
// #endregion

void Shelves

const card = (number: string) => ({ headers: { Authorization: `Bearer ${number}` } })

/** The answers that the page shows. */
export const shown: Shown = {
  answers: () =>
    answers(app, [
      'GET /books',
      'GET /books/7',
      ['GET /books/7', card('1815')],
      ['GET /books/7', card('1')],
      ['DELETE /books/7', card('1815')],
      ['DELETE /books/7', card('1912')],
    ]),
}
