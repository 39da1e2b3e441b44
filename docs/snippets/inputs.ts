// The snippets of docs/guide/inputs.md.
import type { Shown } from '../../scripts/snippets.ts'
import { answers, exchange } from './support/http.ts'

// #region params
import { application, endpoint, route, t } from 'edict'

const Books = endpoint('Books', {
  actions: {
    search: {
      routing: route.get('/:shelf'),
      params: {
        shelf: t.string(),
        author: t.struct({ id: t.integer(), name: t.string() }),
        tags: t.collection(t.string()),
      },
      responses: { ok: t.any() },
      ignore: ['utm_*'],
    },
  },
})
// #endregion

// #region lists
const Shelves = endpoint('Shelves', {
  actions: {
    find: {
      routing: route.get('/'),
      params: {
        ids: t.collection(t.integer(), { delimiter: ',', max: 20 }),
        tags: t.collection(t.string(), { delimiter: ',' }),
        lines: t.collection(t.struct({ title: t.string({ required: true }), copies: t.integer({ default: 1 }) })),
      },
      responses: { ok: t.any() },
    },
  },
})
// #endregion

// #region json
const Finds = endpoint('Finds', {
  actions: {
    find: {
      routing: route.get('/'),
      params: {
        filter: t.json(t.struct({ year: t.integer(), tags: t.collection(t.string()) })),
      },
      responses: { ok: t.any() },
    },
  },
})
// #endregion

// #region payloads
import { inherit, mediaType, payloadOf } from 'edict'

const Book = mediaType('Book', {
  attributes: { id: t.integer({ required: true }), title: t.string({ required: true, max: 100 }), year: t.integer() },
})

const Notes = endpoint('Notes', {
  actions: {
    order: {
      routing: route.post('/orders'),
      // inherits from Book although the endpoint has no media type
      payload: payloadOf(Book, { title: inherit, copies: t.integer({ default: 1 }) }),
      consumes: ['application/json', 'application/x-www-form-urlencoded'],
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
      payload: t.collection(t.integer(), { required: true }),
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
    readers: t.collection(t.struct({ name: t.string({ required: true }), since: t.date() })),
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
        book: t.struct({ title: inherit }, { required: true }),
        readers: t.collection(t.struct({ name: inherit })),
      },
      responses: { ok: t.any() },
    },
  },
})
// #endregion

// #region headers
import { header } from 'edict'

const Doors = endpoint('Doors', {
  actions: {
    open: {
      routing: route.post('/:id'),
      params: { id: t.integer() },
      headers: {
        Authorization: header(),
        'X-Attempt': header(t.integer()),
        'X-Trace': header(/[0-9a-f]{8}/),
        'X-Mode': header('quiet'),
        'X-Key': header('brass', { required: true }),
        'X-Floor': t.integer({ required: true, min: 0, max: 3 }),
      },
      responses: { ok: 'text/plain' },
    },
  },
})
// #endregion

const books = Books.implement({ search: (params, { reply }) => reply.ok(params) })
const shelves = Shelves.implement({ find: (params, { reply }) => reply.ok(params) })
const copies = Copies.implement({
  find: (params, { reply }) => reply.ok(params),
  add: (_, { reply, request }) => reply.ok(request.payload),
})
const finds = Finds.implement({ find: (params, { reply }) => reply.ok(params) })
const notes = Notes.implement({
  order: (_, { request }) => `${request.payload.copies} × ${request.payload.title}`,
  text: (_, { request }) => `${request.payload.length} characters`,
  list: (_, { request }) => `Sum ${request.payload.reduce((sum, one) => sum + one, 0)}`,
  scan: (_, { request: { payload } }) => `${payload.label}: ${payload.page?.filename}, ${payload.page?.size} bytes`,
})
const doors = Doors.implement({
  open: ({ id }, { request }) => `Door ${id} on floor ${request.headers['X-Floor']}`,
})

/** The application of this page. */
export const app = application({ controllers: [books, copies, shelves, finds, notes, doors] })

// --- what the page shows ---------------------------------------------------------------------------------------

async function upload(): Promise<string> {
  const body = new FormData()
  body.set('label', 'Title page')
  body.set('page', new File([new Uint8Array(1200)], 'title.png', { type: 'image/png' }))
  const answer = await app.fetch(new Request('http://localhost/notes/scans', { method: 'POST', body }))
  return `POST /notes/scans  multipart/form-data with label and page  →  ${answer.status} ${await answer.text()}`
}

/** What the page shows. */
export const shown: Shown = {
  params: () =>
    answers(app, [
      'GET /books/A1?author[id]=7&tags=sea&tags=ships',
      'GET /books/A1?author%5Bid%5D=7&tags[]=sea',
      'GET /books/A1?shelf=B2&utm_source=mail',
      'GET /books/A1?author[id]=seven&tag=sea',
      'GET /books/A1?author=7&author[id]=7',
    ]),
  lists: () =>
    answers(app, [
      'GET /shelves?ids=7,8,9',
      'GET /shelves?ids=',
      'GET /shelves?ids=7,eight',
      'GET /shelves?tags=sea%2C+deep,ships',
      'GET /shelves?tags[]=sea&tags[]=ships',
      'GET /shelves?lines[][title]=Emma&lines[][copies]=2&lines[][title]=Persuasion',
      'GET /shelves?lines[0][title]=Emma&lines[1][title]=Persuasion',
    ]),
  json: () =>
    answers(app, [
      'GET /finds?filter={"year":1815,"tags":["sea"]}',
      'GET /finds?filter=%7B%22year%22:1815%7D',
      'GET /finds?filter={"year":"soon"}',
      'GET /finds?filter={"year":1815',
      'GET /finds?filter[year]=1815',
    ]),
  payloads: async () => {
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const written = await answers(app, [
      ['POST /notes/orders', { body: { title: 'Emma' } }],
      ['POST /notes/orders', { headers: form, body: 'title=Emma&copies=3' }],
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
  headers: () => exchange(app, 'POST /doors/4', { headers: { 'X-Mode': 'loud', 'X-Key': 'brass', 'X-Attempt': '2' } }),
}
