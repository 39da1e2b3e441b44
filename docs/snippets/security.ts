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

// #region signed
import { createHmac, timingSafeEqual } from 'node:crypto'

// The service signs each webhook with a secret that both sides know.
const Shop = security.apiKey<{ readonly shop: string }>('Shop', { in: 'header', name: 'Shop-Signature' })

const Webhooks = endpoint('Webhooks', {
  actionDefaults: { security: Shop },
  actions: {
    paid: {
      routing: route.post('/paid'),
      payload: { order: t.integer({ required: true }) },
      responses: { ok: 'text/plain' },
    },
  },
})

const signatures = (secret: string) =>
  verifier(Shop, async (sent, { method, target, body }) => {
    const hmac = createHmac('sha256', secret).update(`${method} ${target}\n`)
    const expected = hmac.update(await body()).digest()
    const given = Buffer.from(sent, 'hex')
    return given.length === expected.length && timingSafeEqual(given, expected) ? { shop: 'north' } : undefined
  })

export const webhooks = application({
  controllers: [Webhooks.implement({ paid: (_, { request }) => `order ${request.payload.order} is paid` })],
  verifiers: [signatures('a secret of both')],
})
// #endregion

const signed = '{ "order": 7 }'
const signature = createHmac('sha256', 'a secret of both').update(`POST /webhooks/paid\n`).update(signed).digest('hex')
const headers = { 'Shop-Signature': signature, 'Content-Type': 'application/json' }
const withSignature = (body: string) => ({ headers, body })

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
  signatures: async () => {
    const bodies = [signed, '{"order": 7 }', '{ "order": 8 }']
    const told = await answers(
      webhooks,
      bodies.map((body) => ['POST /webhooks/paid', withSignature(body)] as const),
    )
    return told.replaceAll(`Shop-Signature: ${signature}  Content-Type: application/json  `, '')
  },
}
