// The snippets of docs/guide/attributes.md.
import type { Shown } from '../../scripts/snippets.ts'
import { answers, ask, exchange } from './support/http.ts'

// #region smallest
import { application, endpoint, route, t } from 'edict'

const Search = endpoint('Search', {
  actions: {
    books: {
      routing: route.get('/books'),
      params: { q: t.string({ required: true, max: 80 }), limit: t.integer({ default: 20, max: 100 }) },
      responses: { ok: 'text/plain' },
    },
  },
})

const search = Search.implement({
  books: ({ q, limit }) => `At most ${limit} books about ${q}`,
})
// #endregion

// #region presence
import { has } from 'edict'

const Books = endpoint('Books', {
  actions: {
    update: {
      routing: route.patch('/:id'),
      params: { id: t.integer() },
      payload: { title: t.string(), lent_to: t.string({ nullable: true }) },
      responses: { ok: 'text/plain' },
    },
  },
})

const books = Books.implement({
  update({ id }, { request: { payload } }) {
    if (!has(payload, 'lent_to')) return `Book ${id}: lent_to was not sent`
    return payload.lent_to === null ? `Book ${id} is back` : `Book ${id} is lent to ${payload.lent_to}`
  },
})
// #endregion

// #region rules
import { allOrNone, atMostOne, exactlyOne } from 'edict'

const Readers = endpoint('Readers', {
  actions: {
    find: {
      routing: route.get('/'),
      params: { name: t.string(), card: t.integer() },
      requires: { params: [atMostOne('name', 'card')] },
      responses: { ok: 'text/plain' },
    },
    register: {
      routing: route.post('/'),
      payload: {
        email: t.string(),
        phone: t.string(),
        leave: t.object({ from: t.date(), to: t.date() }, { requires: [allOrNone('from', 'to')] }),
      },
      requires: { payload: [exactlyOne('email', 'phone')] },
      responses: { ok: 'text/plain' },
    },
  },
})
// #endregion

// #region recursive
import type { Attribute } from 'edict'

interface Shelf {
  label: string
  shelves?: Shelf[]
}

const shelf: Attribute<Shelf, false> = t.object({
  label: t.string({ required: true }),
  shelves: t.array(t.ref<Shelf>(() => shelf, { name: 'Shelf' })),
})
// #endregion

// #region standard
import { z } from 'zod'

const even = t.standard(z.coerce.number().refine((value) => value % 2 === 0, 'must be even'))
// #endregion

const Trial = endpoint('Trial', {
  actions: {
    query: {
      routing: route.get('/'),
      params: {
        pages: t.integer({ min: 1 }),
        weight: t.number(),
        barcode: t.bigint(),
        price: t.decimal({ precision: 10, scale: 2 }),
        lent: t.boolean(),
        title: t.string({ max: 10 }),
        binding: t.string({ values: ['hard', 'soft'] }),
        stars: t.integer({ values: [1, 2, 3] }),
        printed: t.date(),
        opens: t.time(),
        added_at: t.dateTime(),
        tags: t.array(t.string()),
        author: t.object({ id: t.integer({ required: true }), name: t.string() }),
        even,
      },
      responses: { ok: t.any() },
    },
    store: { routing: route.post('/'), payload: { shelf }, responses: { ok: t.any() } },
  },
})

const trial = Trial.implement({
  query: (params, { reply }) => reply.ok(params),
  store: (_, { request, reply }) => reply.ok(request.payload),
})

/** The application of this page. */
const readers = Readers.implement({ find: () => 'Found', register: () => 'Registered' })
export const app = application({ controllers: [search, books, trial, readers] })

// --- what the page shows ---------------------------------------------------------------------------------------

async function tried(query: string): Promise<string> {
  const answer = (await (await ask(app, `GET /trial?${query}`)).json()) as { errors?: { message: string }[] }
  const said = answer.errors?.map(({ message }) => message).join('; ') ?? JSON.stringify(answer)
  return `${query.padEnd(38)} ${said}`
}

const queries = [
  'pages=12',
  'pages=012',
  'pages=9007199254740993',
  'pages=0',
  'pages=1&pages=2',
  'barcode=9007199254740993',
  'price=12.5',
  'price=12.505',
  'weight=1.50',
  'lent=T',
  'title=',
  'title=Middlemarch',
  'binding=leather',
  'stars=4',
  'printed=2023-02-29',
  'opens=09:30',
  'added_at=2024-03-14T09:30:00%2B01:00',
  'added_at=2024-03-14T09:30:00',
  'tags=sea',
  'tags=sea&tags=ships',
  'author[id]=7&author[name]=Eliot',
  'author=7',
  'author[name]=Eliot',
  'colour=red',
  'even=4',
  'even=3',
]

/** The answers that the page shows. */
export const shown: Shown = {
  refused: () => exchange(app, 'GET /search/books?limit=many&sort=title'),
  presence: async () => {
    const bodies = [{}, { lent_to: null }, { lent_to: 'Ada' }, { title: null }]
    const lines = bodies.map(async (body) => {
      const answer = await ask(app, 'PATCH /books/7', { body })
      const text = await answer.text()
      const said = answer.ok ? text : (JSON.parse(text) as { detail: string }).detail
      return `${JSON.stringify(body).padEnd(22)} ${said}`
    })
    return (await Promise.all(lines)).join('\n')
  },
  rules: () =>
    answers(app, [
      'GET /readers?card=7',
      'GET /readers?card=7&name=Ada',
      ['POST /readers', { body: { email: 'ada@example.org' } }],
      ['POST /readers', { body: {} }],
      ['POST /readers', { body: { phone: '1', leave: { from: '2024-03-14' } } }],
    ]),
  coercions: async () => (await Promise.all(queries.map(tried))).join('\n'),
}
