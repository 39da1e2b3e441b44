// The snippets of docs/guide/client.md.
import type { Shown } from '../../scripts/snippets.ts'

// #region design
import { application, collectionOf, endpoint, inherit, mediaType, route, t } from 'edict'
import { OrderingParams, PaginationParams, paginate, pagination } from 'edict/pagination'

const Book = mediaType('Book', {
  attributes: {
    id: t.integer({ required: true }),
    title: t.string({ required: true, max: 100 }),
    published_at: t.dateTime({ nullable: true }),
  },
})

export const Books = endpoint('Books', {
  mediaType: Book,
  actions: {
    index: {
      routing: route.get('/'),
      params: { pagination: PaginationParams.for(Book), order: OrderingParams.for(Book) },
      responses: { ok: collectionOf(Book) },
    },
    show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: Book, notFound: true } },
    create: {
      routing: route.post('/'),
      payload: { title: inherit, published_at: inherit },
      responses: { created: { location: /^\/books\/\d+$/ } },
    },
  },
})
// #endregion

const list = ['Emma', 'Ulysses', 'Persuasion', 'Dubliners'].map((title, i) => ({
  id: i + 1,
  title,
  published_at: i === 2 ? null : new Date(Date.UTC(1815 + i, 0, 1)),
}))

const app = application({
  plugins: [pagination()],
  controllers: [
    Books.implement({
      index: (_, { request, reply }) => reply.ok(paginate(request, list)),
      show({ id }, { reply }) {
        const book = list.find((one) => one.id === id)
        return book === undefined ? reply.notFound() : reply.ok(book)
      },
      create: (_, { reply }) => reply.created(undefined, { location: '/books/5' }),
    }),
  ],
})

// #region calls
import { client } from 'edict/client'

async function calls(baseUrl: string, fetch: typeof app.fetch) {
  const api = client({ Books }, { baseUrl, fetch, headers: { 'X-Client': 'guide' } })
  const lines: string[] = []

  const answer = await api.Books.show({ id: 1 })
  if (answer.name === 'ok')
    lines.push(`${answer.body.title}, ${answer.body.published_at?.getFullYear()}`) // a Date
  else if (answer.name === 'notFound') lines.push('There is no such book.')
  else lines.push(`failed: ${answer.problem?.detail}`)

  const made = await api.Books.create(undefined, { payload: { title: 'Middlemarch' } })
  lines.push(`${made.status} ${made.headers.get('Location')}`)

  for await (const book of api.Books.index.all({ order: '-published_at', pagination: 'by=published_at,items=1' }))
    lines.push(book.title)
  return lines
}
// #endregion

// #region throwing
async function title(id: number) {
  const { Books: books } = client({ Books }, { baseUrl: 'http://books.test', fetch: app.fetch })
  try {
    const book = await books.show.ok({ id })
    return book.title
  } catch (error) {
    if (books.show.threw(error) && error.response.name === 'notFound') return 'There is no such book.'
    throw error
  }
}
// #endregion

// #region resumed
async function firstTwo(from: string) {
  const { Books: books } = client({ Books }, { baseUrl: 'http://books.test', fetch: app.fetch })
  const walk = books.index.all({ pagination: 'by=id,items=3' }, { from })
  const titles: string[] = []
  for await (const book of walk) if (titles.push(book.title) === 2) break
  return { titles, place: walk.cursor }
}

async function walked() {
  const first = await firstTwo('')
  const second = await firstTwo(first.place)
  return [...first.titles, '—', ...second.titles]
}
// #endregion

// #region queries
import { QueryClient } from '@tanstack/query-core'
import { infiniteQueryOptions, mutationOptions, queryOptions } from 'edict/tanstack-query'

async function queries() {
  const { Books: books } = client({ Books }, { baseUrl: 'http://books.test', fetch: app.fetch })
  const cache = new QueryClient()
  // In a component: useQuery(queryOptions(books.show, { id: 1 }))
  const book = await cache.fetchQuery(queryOptions(books.show, { id: 1 }))
  const pages = await cache.fetchInfiniteQuery({ ...infiniteQueryOptions(books.index), pages: 2 })
  const creating = mutationOptions(books.create) // useMutation(creating).mutate([undefined, { payload }])
  return [book.title, `${pages.pages.length} page`, creating.mutationKey]
}
// #endregion

// #region testing
import { testClient } from 'edict/testing'

async function tested() {
  const api = testClient(app, { Books })
  const refused = await api.Books.create({}, { payload: { title: 'x'.repeat(101) } })
  return refused.name === 'failure' ? refused.problem?.errors?.map(({ message }) => message) : []
}
// #endregion

/** The answers that the page shows. */
export const shown: Shown = {
  queried: async () => (await queries()).join('\n'),
  printed: async () => (await calls('http://books.test', app.fetch)).join('\n'),
  thrown: async () => [await title(2), await title(99)].join('\n'),
  walked: async () => (await walked()).join('\n'),
  refused: async () => String(await tested()),
}
