// A shelf of books with ties and missing values, served in the conventions that others published.
import { type Application, application, type Context, controller, endpoint, mediaType, route, t } from 'edict'
import { client } from 'edict/client'
import { many, mapper, memoryDatastore, one, resource } from 'edict/mapper'
import { mock } from 'edict/mock'
import { pagination } from 'edict/pagination'
import { checkApplication } from 'edict/testing'
import { expect } from 'vitest'
import { diffContracts } from '../../../../src/contract/diff/diff.ts'
import { type Answered, ask } from '../../../support/ask.ts'
import { runs } from '../../../support/runs.ts'

const Author = mediaType('Author', {
  attributes: { id: t.integer({ required: true }), name: t.string({ required: true }) },
})

const Review = mediaType('Review', {
  attributes: { id: t.integer({ required: true }), stars: t.integer({ required: true }) },
})

export const Book = mediaType('Book', {
  attributes: {
    id: t.integer({ required: true }),
    title: t.string({ required: true }),
    year: t.integer({ nullable: true }),
    author: Author,
    reviews: t.array(Review),
  },
  views: {
    default: ['id', 'title', 'year'],
    whole: ['id', 'title', 'year', 'author', 'reviews'],
  },
})

export const rows = [
  { id: 1, title: 'Kokoro', year: 1914, author_id: 1 },
  { id: 2, title: 'Emma', year: null, author_id: 2 },
  { id: 3, title: "O'Hara, collected", year: 1914, author_id: null },
  { id: 4, title: 'Emma', year: 1815, author_id: 2 },
  { id: 5, title: 'Botchan', year: 1906, author_id: 1 },
]

const [integer, text] = [{ kind: 'integer' }, { kind: 'text' }] as const
const datastore = memoryDatastore({
  books: {
    key: ['id'],
    columns: {
      id: integer,
      title: text,
      year: { ...integer, nullable: true },
      author_id: { ...integer, nullable: true },
    },
    rows,
  },
  authors: {
    key: ['id'],
    columns: { id: integer, name: text },
    rows: [
      { id: 1, name: 'Soseki' },
      { id: 2, name: 'Austen' },
    ],
  },
  reviews: {
    key: ['id'],
    columns: { id: integer, stars: integer, book_id: integer },
    rows: [
      { id: 1, stars: 5, book_id: 1 },
      { id: 2, stars: 3, book_id: 1 },
      { id: 3, stars: 4, book_id: 4 },
    ],
  },
})

const authors = resource(datastore, Author, { table: 'authors' })
const reviews = resource(datastore, Review, { table: 'reviews' })
const books = resource(datastore, Book, {
  table: 'books',
  attributes: { author: one(authors, { author_id: 'id' }), reviews: many(reviews, { id: 'book_id' }) },
})

/** The parts of a declared list that a test needs. */
interface AnyList {
  readonly params: object
  readonly body: unknown
  answer(request: Context['request'], page: never): unknown
}

export const BASE_URL = 'https://api.example.test/v1'

/** Serves books by a list. */
export function serveBooks(list: AnyList, options: object = {}): Application {
  const Books = declareBooks(list)
  return application({
    environment: 'test',
    plugins: [mapper({ resources: { books, authors, reviews } }), pagination({ baseUrl: BASE_URL })],
    controllers: [
      controller(Books, {
        index: async (_: unknown, { request, reply }: Context) =>
          (reply as never as { ok(body: unknown): never }).ok(
            list.answer(request, (await books.list(request as never)) as never),
          ),
      } as never),
    ],
    ...options,
  } as never)
}

const declareBooks = ({ params, body }: AnyList) =>
  endpoint('Books', {
    actions: { index: { routing: route.get('/'), params: params as never, responses: { ok: body as never } } },
  })

/** Expects a 200 for a query, and returns its body. */
export async function askBooks(app: Application, query: string): Promise<Answered['json']> {
  const { status, json } = await ask(app, `GET /books?${query.replaceAll(' ', '%20')}`)
  expect([query, status, status === 200 ? undefined : json]).toEqual([query, 200, undefined])
  return json
}

/** Expects refusals of queries, each with a text of its detail. */
export async function expectRefused(
  app: Application,
  cases: readonly (readonly [query: string, message: string])[],
): Promise<void> {
  for (const [query, message] of cases) {
    const { status, json } = await ask(app, `GET /books?${query.replaceAll(' ', '%20')}`)
    expect([query, status, json.detail]).toEqual([query, 400, expect.stringContaining(message)])
  }
}

/** Expects that clients, a mock, documents, contracts and the laws of the test kit know a list; `params` ask for pages of 2. */
export async function expectKnown(list: AnyList, params: object, count = rows.length): Promise<void> {
  const app = serveBooks(list)
  const Books = declareBooks(list)
  for (const served of [app, mock([Books])]) {
    const calls = client({ Books }, { baseUrl: 'http://inside.test', fetch: (request) => served.fetch(request) })
    const all: unknown[] = []
    const { index } = calls.Books as never as { index: { all(params: object): AsyncIterable<unknown> } }
    for await (const element of index.all(params)) all.push(JSON.stringify(element))
    expect([served === app ? 'application' : 'mock', new Set(all).size]).toEqual([
      served === app ? 'application' : 'mock',
      all.length,
    ])
    expect(all.length).toBe(served === app ? count : Math.max(count, 30))
  }
  const documented = app.openapi().paths['/books']?.['get'] as never as {
    readonly parameters: readonly { readonly name: string }[]
  }
  // Documents have a param for each member of some structures.
  const names = new Set(documented.parameters.map(({ name }) => name.split('[', 1)[0]))
  expect([...names].toSorted()).toEqual(Object.keys(list.params).toSorted())
  expect(diffContracts(app.contract(), serveBooks(list).contract())).toEqual([])
  const { unreached } = await checkApplication(app, { runs: runs(5, 60) })
  expect(unreached).toEqual([])
}
