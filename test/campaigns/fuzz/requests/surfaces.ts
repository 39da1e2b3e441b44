// What clients send beside plain params and payloads: the params of every convention, payloads in envelopes, changes of
// related lists, positions of streams, tokens and signed bodies. Whatever they are, a server answers them in time, never fails
// by itself, and nothing of them becomes a key of a prototype.
import { createHmac } from 'node:crypto'
import {
  type Application,
  application,
  controller,
  endpoint,
  events,
  mediaType,
  route,
  security,
  t,
  verifier,
} from 'edict'
import { jwt } from 'edict/jwt'
import { many, mapper, memoryDatastore, one, resource } from 'edict/mapper'
import * as conventions from 'edict/pagination'
import { pagination } from 'edict/pagination'
import type { Draw } from '../draw.ts'
import { emptyTally, type Tally } from '../explore.ts'
import { broken } from '../laws.ts'
import { type Answered, byFetch, type Sent } from '../transports.ts'

// --- the application -----------------------------------------------------------------------

const id = t.integer({ required: true })
const Author = mediaType('Author', { attributes: { id, name: t.string() } })
const Review = mediaType('Review', { attributes: { id, stars: t.integer() } })
const Book = mediaType('Book', {
  attributes: {
    id,
    title: t.string(),
    year: t.integer({ nullable: true }),
    author: Author,
    reviews: t.array(Review),
    tags: t.array(t.string(), { max: 5 }),
  },
  views: { default: ['id', 'title', 'year', 'tags'], whole: ['id', 'title', 'year', 'author', 'reviews'] },
})
const Tag = mediaType('Tag', { attributes: { book: id, name: t.string({ required: true }) } })

const [integer, text] = [{ kind: 'integer' }, { kind: 'text' }] as const
const maybe = { ...integer, nullable: true }
const TITLES = ['Kokoro', 'Emma', "O'Hara, collected", 'a&b=c', '*']

function resources() {
  const datastore = memoryDatastore({
    books: {
      key: ['id'],
      columns: { id: integer, title: text, year: maybe, author_id: maybe },
      rows: TITLES.map((title, i) => ({ id: i + 1, title, year: i === 1 ? null : 1900 + i, author_id: (i % 2) + 1 })),
    },
    authors: {
      key: ['id'],
      columns: { id: integer, name: text },
      rows: [1, 2].map((one) => ({ id: one, name: `a${one}` })),
    },
    reviews: {
      key: ['id'],
      columns: { id: { ...integer, generated: true }, stars: maybe, book_id: integer },
      rows: [1, 2, 3].map((one) => ({ id: one, stars: one, book_id: 1 })),
    },
    tags: { key: ['book_id', 'name'], columns: { book_id: integer, name: text, place: integer } },
  })
  const authors = resource(datastore, Author, { table: 'authors' })
  const reviews = resource(datastore, Review, { table: 'reviews' })
  const tags = resource(datastore, Tag, { table: 'tags', key: ['book', 'name'], attributes: { book: 'book_id' } })
  const books = resource(datastore, Book, {
    table: 'books',
    attributes: {
      author: one(authors, { author_id: 'id' }),
      reviews: many(reviews, { id: 'book_id' }),
      tags: many(tags, { id: 'book_id' }, { value: 'name', position: 'place' }),
    },
  })
  return { books, all: [authors, reviews, tags, books] }
}

const filterBy = { title: { wildcards: true }, year: {}, 'author.name': {} }
const NAMES = [
  ...['limitOffset', 'pageNumbers', 'stripe', 'aip', 'cursors', 'github', 'slack', 'odata', 'graph', 'relay'],
  ...['elasticsearch', 'jsonApi', 'jsonApiPages'],
] as const
type ConventionName = (typeof NAMES)[number]

/** The settings that a convention has params for. */
const SETTINGS: Readonly<Partial<Record<ConventionName, object>>> = {
  stripe: { filterBy: { title: { operators: ['='] }, year: {} } },
  github: { orderBy: ['title', 'year'], filterBy: { title: { operators: ['='] }, year: {} } },
  slack: { filterBy: { title: { operators: ['='] } } },
  relay: { orderBy: ['title', 'year'], filterBy: { title: {} } },
  aip: { orderBy: ['title', 'year'], filterBy, fields: true },
  odata: {
    orderBy: ['title', 'year'],
    filterBy: { ...filterBy, reviews: { elements: ['any', 'all'] }, 'reviews.stars': {} },
    fields: true,
    include: ['author', 'reviews'],
  },
  graph: { orderBy: ['title', 'year'], filterBy, fields: true, include: ['author'] },
  elasticsearch: { orderBy: ['title', 'year'], filterBy: { ...filterBy, 'reviews.stars': {} }, type: 'books' },
  jsonApi: {
    type: 'books',
    orderBy: ['title', 'year'],
    filterBy: { title: {}, year: {} },
    fields: true,
    include: ['author', 'reviews'],
  },
  jsonApiPages: {
    type: 'books',
    orderBy: ['title', 'year'],
    filterBy: { title: {}, year: {} },
    fields: true,
    include: ['reviews'],
  },
}
const USUAL_SETTINGS = { orderBy: ['title', 'year'], filterBy }

interface AnyList {
  readonly params: Readonly<Record<string, unknown>>
  readonly body: unknown
  answer(request: object, page: object): unknown
}

const lists = Object.fromEntries(
  NAMES.map((name) => [
    name,
    (conventions as unknown as Record<string, { for(of: unknown, settings: object): AnyList }>)[name]!.for(
      Book.view('whole'),
      SETTINGS[name] ?? USUAL_SETTINGS,
    ),
  ]),
) as Readonly<Record<ConventionName, AnyList>>

const SECRET = 'a secret of this test that is long enough'
const Token = security.bearer<{ readonly id: string }>('Token')
const Signed = security.apiKey<{ readonly id: string }>('Signed', { in: 'header', name: 'Signature' })
const Ticks = events({ tick: t.object({ at: t.integer({ required: true }) }) })
const tags = t.array(t.string({ required: true, max: 20 }))

const Lists = endpoint('Lists', {
  actions: Object.fromEntries(
    NAMES.map((name) => [
      name,
      { routing: route.get(`/${name}`), params: lists[name].params, responses: { ok: lists[name].body } },
    ]),
  ),
} as never)
const Books = endpoint('Books', {
  mediaType: Book,
  actions: {
    replace: {
      routing: route.put('/:id'),
      params: { id: t.integer() },
      payload: {
        book: t.object({
          title: t.string(),
          tags,
          reviews: t.array(t.object({ id: t.integer(), stars: t.integer() })),
        }),
      },
      responses: { ok: t.object({ book: Book }), notFound: true },
    },
    change: {
      routing: route.patch('/:id'),
      params: { id: t.integer() },
      payload: { tags: t.object({ add: tags, remove: tags }), extra: t.record(t.any()) },
      responses: { ok: Book, notFound: true },
    },
    watch: {
      routing: route.get('/watch'),
      headers: { 'Last-Event-ID': t.integer({ min: 0, max: 9 }) },
      responses: { ok: Ticks },
    },
    mine: { routing: route.get('/mine'), security: Token, responses: { ok: 'text/plain' } },
    hook: {
      routing: route.post('/hook'),
      security: Signed,
      payload: { order: t.integer({ required: true }) },
      responses: { ok: 'text/plain' },
    },
  },
})

/** Makes the application, with rows of its own. */
function openSurfaces(): Application {
  const { books, all } = resources()
  const quiet = { info() {}, warn() {}, error() {} }
  const implementedLists = Object.fromEntries(
    NAMES.map((name) => [
      name,
      async (_: unknown, { request, reply }: { request: never; reply: { ok(body: unknown): unknown } }) =>
        reply.ok(lists[name].answer(request, await books.list(request))),
    ]),
  )
  const found = async (book: unknown, reply: { ok(body: unknown): unknown; notFound(): unknown }, key?: 'book') =>
    book === undefined ? reply.notFound() : reply.ok(key === undefined ? book : { book })
  return application({
    logger: quiet,
    timeout: 5000,
    plugins: [mapper({ resources: all }), pagination({ maxItems: 100, baseUrl: 'https://api.example' } as never)],
    verifiers: [
      jwt(Token, { secret: SECRET, principal: ({ sub }) => (sub === undefined ? undefined : { id: sub }) }),
      verifier(Signed, async (sent, { body }) => {
        const expected = createHmac('sha256', SECRET)
          .update(await body())
          .digest('hex')
        return sent === expected ? { id: 'shop' } : undefined
      }),
    ],
    controllers: [
      (Lists as unknown as { implement(of: object): never }).implement(implementedLists),
      controller(Books, {
        replace: async ({ id }, { request, reply }) =>
          found(
            await books.update(id as number, (request.payload.book ?? {}) as never, { shown: Book }),
            reply as never,
            'book',
          ) as never,
        change: async ({ id }, { request, reply }) =>
          found(
            await books.update(id as number, { ...(request.payload.tags && { tags: request.payload.tags }) } as never, {
              shown: Book,
            }),
            reply as never,
          ) as never,
        watch: (_, { request, reply }) =>
          reply.ok(
            Array.from({ length: 3 }, (_one, i) => {
              const at = (request.headers['Last-Event-ID'] ?? 0) + i + 1
              return { event: 'tick' as const, id: `${at}`, data: { at } }
            }),
          ),
        mine: (_, { principal }) => `of ${principal.id}`,
        hook: (_, { request }) => `order ${request.payload.order}`,
      }),
    ],
  } as never)
}

// --- what clients send ---------------------------------------------------------------------

const POISON = ['__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'hasOwnProperty', 'polluted']
/** Pieces of the languages of filters, orders, selections and cursors. */
const WORDS = [
  ...['title', 'year', 'author.name', 'reviews', 'reviews/any(r:r/stars gt 2)', 'id', 'name', 'stars', 'asc', 'desc'],
  ...[
    ' eq ',
    ' ne ',
    ' gt ',
    ' and ',
    ' or ',
    'not ',
    '=',
    '!=',
    ':',
    ',',
    ';',
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    '"',
    "'",
  ],
  ...[
    '*',
    '~',
    '-',
    '+',
    '%',
    '%00',
    '\\',
    '/',
    '$',
    '$select=title',
    '$expand=reviews',
    '.',
    '..',
    '&',
    '|',
    '!',
    '<',
    '>=',
  ],
  ...['1', '0', '-1', '2.5', '1e309', '9'.repeat(30), 'null', 'true', 'NaN', '1914', 'Kokoro', "contains(title,'o')"],
  ...['eyJhIjoxfQ', 'WzEsMl0', 'bnVsbA==', '😀', '\u0000', '\ud800', ' ', ''],
]

const word = (draw: Draw): string => {
  if (draw.chance(0.8)) return draw.pick(WORDS)
  return draw.chance(0.3) ? draw.pick(POISON) : draw.text(draw.int(1, 6), 'query')
}
const phrase = (draw: Draw): string => Array.from({ length: draw.int(0, 6) }, () => word(draw)).join('')

/** The names of a convention's params, with those that follow a pattern, and others. */
function paramName(name: ConventionName, draw: Draw): string {
  const known = Object.keys(lists[name].params)
  const kind = draw.unit()
  if (kind < 0.75 && known.length > 0) return draw.pick(known)
  if (kind < 0.9)
    return `${draw.pick(['filter', 'fields', 'page', 'sort'])}[${draw.pick([...POISON, 'title', 'books', 'size', ''])}]`
  return draw.pick([...POISON, '$', '', 'where[a][b]', phrase(draw)])
}

function listRequest(draw: Draw): Sent {
  const name = draw.pick(NAMES)
  const query = new URLSearchParams(Array.from({ length: draw.int(0, 4) }, () => [paramName(name, draw), phrase(draw)]))
  return {
    method: draw.pick(['GET', 'GET', 'GET', 'HEAD']),
    url: `/lists/${name}?${query}`,
    headers: {},
    body: undefined,
  }
}

/** Draws any value of JSON, with names of prototypes. */
function anyJson(draw: Draw, depth: number): unknown {
  const kind = draw.int(0, depth === 0 ? 4 : 7)
  if (kind === 0) return null
  if (kind === 1) return draw.pick([0, -1, 1.5, 1e308, 7, 1])
  if (kind === 2) return draw.chance(0.5)
  if (kind <= 4) return draw.pick([...WORDS, ...POISON])
  if (kind === 5) return Array.from({ length: draw.int(0, 4) }, () => anyJson(draw, depth - 1))
  const names = ['book', 'title', 'tags', 'reviews', 'add', 'remove', 'id', 'stars', 'extra', 'order', ...POISON]
  return Object.fromEntries(Array.from({ length: draw.int(0, 4) }, () => [draw.pick(names), anyJson(draw, depth - 1)]))
}

/** Draws a payload that is nearly right: its form, with parts of it replaced. */
function nearly(form: unknown, draw: Draw): unknown {
  if (draw.chance(0.12)) return anyJson(draw, 3)
  if (Array.isArray(form)) return Array.from({ length: draw.int(0, 4) }, () => nearly(form[0], draw))
  if (typeof form === 'object' && form !== null) {
    const entries: [string, unknown][] = Object.entries(form)
      .filter(() => draw.chance(0.8))
      .map(([name, one]) => [name, nearly(one, draw)])
    if (draw.chance(0.1)) entries.push([draw.pick(POISON), anyJson(draw, 2)])
    return Object.fromEntries(entries)
  }
  return typeof form === 'number' ? draw.int(-1, 9) : draw.pick(['a', 'b', 'c', 'd', 'e', ''])
}

const BOOK_FORM = { book: { title: 'x', tags: ['x'], reviews: [{ id: 1, stars: 1 }] } }
const CHANGE_FORM = { tags: { add: ['x'], remove: ['x'] }, extra: { x: 'x' } }
const TYPES = [
  'application/json',
  'application/json; charset=utf-8',
  'application/vnd.api+json',
  'text/plain',
  'multipart/form-data',
  '',
]

/** Bytes that may be cut or changed. */
function damaged(text: string, draw: Draw): Uint8Array {
  const bytes = Buffer.from(text)
  if (draw.chance(0.85) || bytes.length === 0) return bytes
  const at = draw.int(0, bytes.length - 1)
  if (draw.chance(0.5)) return bytes.subarray(0, at)
  bytes[at] = draw.int(0, 255)
  return bytes
}

function jsonHeaders(draw: Draw): Record<string, string> {
  const type = draw.chance(0.9) ? 'application/json' : draw.pick(TYPES)
  const coding = draw.chance(0.03) ? draw.pick(['gzip', 'br', 'x', 'identity']) : ''
  return { ...(type && { 'content-type': type }), ...(coding && { 'content-encoding': coding }) }
}

function writeRequest(draw: Draw): Sent {
  const [method, form] = draw.pick([['PUT', BOOK_FORM] as const, ['PATCH', CHANGE_FORM] as const])
  const key = draw.chance(0.9) ? draw.int(1, 6) : phrase(draw)
  const body = damaged(JSON.stringify(nearly(form, draw)), draw)
  return {
    method,
    url: `/books/${encodeURIComponent(Buffer.from(`${key || 'x'}`).toString())}`,
    headers: jsonHeaders(draw),
    body,
  }
}

const printable = (value: string): string => value.replace(/[^\x20-\x7e]/g, '?').trim()

function watchRequest(draw: Draw): Sent {
  const last = printable(draw.pick([phrase(draw), `${draw.int(-2, 12)}`, '9'.repeat(400)]))
  return { method: 'GET', url: '/books/watch', headers: { 'last-event-id': last }, body: undefined }
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value) ?? '').toString('base64url')

function tokenRequest(draw: Draw): Sent {
  const claims = {
    sub: 'ada',
    exp: Math.floor(Date.now() / 1000) + 600,
    ...(draw.chance(0.3) && (anyJson(draw, 2) as object)),
  }
  const header = draw.pick<unknown>([
    { alg: 'HS256' },
    { alg: 'none' },
    { alg: 'HS256', crit: ['x'], kid: '__proto__' },
    anyJson(draw, 2),
  ])
  const signed = `${encode(header)}.${encode(draw.chance(0.9) ? claims : anyJson(draw, 2))}`
  const token = `${signed}.${createHmac('sha256', SECRET).update(signed).digest('base64url')}`
  const sent = draw.chance(0.7) ? token : printable(Buffer.from(damaged(token, draw)).toString('latin1'))
  const value = draw.chance(0.9) ? `Bearer ${sent}` : printable(`${phrase(draw)} ${sent}`)
  return { method: 'GET', url: '/books/mine', headers: { authorization: value }, body: undefined }
}

function hookRequest(draw: Draw): Sent {
  const body = damaged(draw.chance(0.02) ? 'x'.repeat(2 ** 20 + 1) : JSON.stringify(nearly({ order: 7 }, draw)), draw)
  const signature = createHmac('sha256', SECRET).update(body).digest('hex')
  const sent = draw.chance(0.8) ? signature : printable(phrase(draw))
  return { method: 'POST', url: '/books/hook', headers: { ...jsonHeaders(draw), signature: sent }, body }
}

const REQUESTS = [
  listRequest,
  listRequest,
  listRequest,
  writeRequest,
  writeRequest,
  watchRequest,
  tokenRequest,
  hookRequest,
]

// --- the laws --------------------------------------------------------------------------------

/** The names of the prototypes that input could reach. */
const prototypes = (): string =>
  [Object.prototype, Array.prototype, Function.prototype, String.prototype, Number.prototype, Map.prototype]
    .map((one) => Reflect.ownKeys(one).map(String).join())
    .join(';')

/** Milliseconds within which everything here is answered, on the slowest machine. */
const IN_TIME = 30_000

async function answerOf(app: Application, sent: Sent): Promise<Answered> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer in time: ${sent.method} ${sent.url}`)), IN_TIME)
  })
  try {
    return await Promise.race([byFetch(app, sent), late])
  } finally {
    clearTimeout(timer)
  }
}

/** Sends about so many requests; throws for the first that breaks a law. */
export async function exploreSurfaces(draw: Draw, requests: number, tally: Tally = emptyTally()): Promise<Set<string>> {
  const app = openSurfaces()
  const before = prototypes()
  const seen = new Set<string>()
  for (let i = 0; i < requests; i++) {
    const sent = draw.pick(REQUESTS)(draw)
    const answered = await answerOf(app, sent)
    tally.odd++
    seen.add(`${sent.url.split(/[/?]/)[1]} ${answered.status}`)
    if (answered.status >= 500) broken('Nothing fails by itself', sent, answered)
    if (prototypes() !== before) broken('No input becomes a key of a prototype', sent, answered)
    if (answered.status === 200 && answered.headers['content-type']?.includes('json')) parse(sent, answered)
  }
  return seen
}

function parse(sent: Sent, answered: Answered): void {
  if (sent.method === 'HEAD') return
  const inherited = JSON.parse(answered.body.toString(), function (this: object, name, value: unknown) {
    if (name === '__proto__') broken('No name of a prototype leaves', sent, answered)
    return value
  })
  if (inherited === undefined) broken('A body is JSON', sent, answered)
}
