// The snippets of docs/guide/payloads.md.
import type { Shown } from '../../scripts/snippets.ts'
import { answers } from './support/http.ts'

// #region payloads
import { endpoint, inherit, mediaType, payloadOf, route, t } from 'edict'

const Book = mediaType('Book', {
  attributes: { id: t.integer({ required: true }), title: t.string({ required: true, max: 100 }), year: t.integer() },
})

const Notes = endpoint('Notes', {
  actions: {
    order: {
      routing: route.post('/orders'),
      // inherits from Book although the endpoint has no media type
      payload: payloadOf(Book, { title: inherit, copies: t.integer({ default: 1 }) }),
      responses: { ok: 'text/plain' },
    },
    text: {
      routing: route.put('/text'),
      // one attribute is the whole body
      payload: t.string({ required: true, max: 2000 }),
      responses: { ok: 'text/plain' },
    },
    list: {
      routing: route.put('/list'),
      payload: t.array(t.integer(), { required: true }),
      responses: { ok: 'text/plain' },
    },
    scan: {
      routing: route.post('/scans'),
      payload: { label: t.string({ required: true }), page: t.file({ types: ['image/*'], max: 500_000 }) },
      responses: { ok: 'text/plain' },
    },
  },
})
// #endregion

// #region inherit
const Copy = mediaType('Copy', {
  attributes: {
    shelf: t.string({ max: 3 }),
    book: Book,
    readers: t.array(t.object({ name: t.string({ required: true }), since: t.date() })),
  },
})

const Copies = endpoint('Copies', {
  mediaType: Copy,
  actions: {
    find: { routing: route.get('/'), params: { shelf: inherit }, responses: { ok: t.any() } },
    add: {
      routing: route.post('/'),
      payload: {
        shelf: inherit({ required: true }),
        book: t.object({ title: inherit }, { required: true }),
        readers: t.array(t.object({ name: inherit })),
      },
      responses: { ok: t.any() },
    },
  },
})
// #endregion

const copies = Copies.implement({
  find: (params, { reply }) => reply.ok(params),
  add: (_, { reply, request }) => reply.ok(request.payload),
})
const notes = Notes.implement({
  order: (_, { request }) => `${request.payload.copies} × ${request.payload.title}`,
  text: (_, { request }) => `${request.payload.length} characters`,
  list: (_, { request }) => `Sum ${request.payload.reduce((sum, one) => sum + one, 0)}`,
  scan: (_, { request: { payload } }) => `${payload.label}: ${payload.page?.filename}, ${payload.page?.size} bytes`,
})

// #region consumes
import { application } from 'edict'

const Letters = endpoint('Letters', {
  actionDefaults: { responses: { ok: 'text/plain' } },
  actions: {
    // as the application says
    write: { routing: route.post('/'), payload: { to: t.string({ required: true }), copies: t.integer() } },
    sign: {
      routing: route.post('/signed'),
      payload: { to: t.string({ required: true }) },
      consumes: ['application/json'],
    },
  },
})

const letters = Letters.implement({
  write: (_, { request }) => `To ${request.payload.to}`,
  sign: (_, { request }) => `Signed, to ${request.payload.to}`,
})

export const app = application({
  controllers: [copies, notes, letters],
  consumes: ['application/json', 'application/x-www-form-urlencoded'],
})
// #endregion

// --- what the page shows ---------------------------------------------------------------------------------------

async function upload(): Promise<string> {
  const body = new FormData()
  body.set('label', 'Title page')
  body.set('page', new File([new Uint8Array(1200)], 'title.png', { type: 'image/png' }))
  const answer = await app.fetch(new Request('http://localhost/notes/scans', { method: 'POST', body }))
  return `POST /notes/scans  multipart/form-data with label and page  →  ${answer.status} ${await answer.text()}`
}

/** The answers that the page shows. */
export const shown: Shown = {
  payloads: async () => {
    const written = await answers(app, [
      ['POST /notes/orders', { body: { title: 'Emma' } }],
      ['POST /notes/orders', { body: { title: 'Emma', copies: 3 } }],
      ['PUT /notes/text', { headers: { 'Content-Type': 'text/plain' }, body: 'Closed on Mondays' }],
      ['PUT /notes/list', { body: [1, 2, '3'] }],
    ])
    return `${written}\n${await upload()}`
  },
  inherit: () =>
    answers(app, [
      'GET /copies?shelf=A1',
      'GET /copies?shelf=Atlas',
      ['POST /copies', { body: { shelf: 'A1', book: { title: 'Emma' }, readers: [{ name: 'Ann' }] } }],
      ['POST /copies', { body: { shelf: 'A1', book: {} } }],
    ]),
  consumes: () => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    return answers(app, [
      ['POST /letters', { body: { to: 'Jane' } }],
      ['POST /letters', { headers, body: 'to=Jane&copies=2' }],
      ['POST /letters/signed', { headers, body: 'to=Jane' }],
    ])
  },
}
