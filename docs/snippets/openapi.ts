// The snippets of docs/guide/openapi.md.
import type { Shown } from '../../scripts/snippets.ts'

// #region smallest
import { application, collectionOf, endpoint, mediaType, route, t } from 'edict'
import { FieldSelector, mapper } from 'edict/mapper'
import { OrderingParams, PaginationParams, paginate, pagination } from 'edict/pagination'

const Book = mediaType('Book', {
  description: 'A book on the shelf.',
  attributes: { id: t.integer({ required: true }), title: t.string({ required: true, example: 'Emma' }) },
})

const Books = endpoint('Books', {
  description: 'Everything on the **shelf**.',
  mediaType: Book,
  actions: {
    index: {
      summary: 'List books',
      description: 'All of them, a page at a time.',
      operationId: 'listBooks',
      routing: route.get('/'),
      params: {
        order: OrderingParams.for(Book, { default: ['title'] }, { description: 'How they stand.' }),
        pagination: PaginationParams.for(Book, { maxItems: 50, pageSize: 20 }),
        fields: FieldSelector.for(Book),
      },
      responses: { ok: collectionOf(Book) },
    },
    audit: { nodoc: true, routing: route.get('/audit'), responses: { ok: 'text/plain' } },
  },
})

const books = Books.implement({
  index: (_, { request, reply }) => reply.ok(paginate(request, [{ id: 1, title: 'Emma' }])),
  audit: () => 'Nothing is missing.',
})

export const app = application({ title: 'Library', controllers: [books], plugins: [mapper(), pagination()] })
// #endregion

// #region metadata
export const described = application({
  title: 'Library',
  description: 'Books, and where they stand.',
  contact: { name: 'The library', email: 'help@library.example' },
  license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
  termsOfService: 'https://library.example/terms',
  externalDocs: { url: 'https://library.example/manual' },
  servers: [{ url: 'https://api.library.example', description: 'Production' }],
  tags: [{ name: 'Books', summary: 'All books', description: 'Everything on the **shelf**, by title.' }],
  basePath: '/api',
  controllers: [books],
  plugins: [mapper(), pagination()],
})
// #endregion

// #region documents
const documents = app.versions.map((version) => app.openapi(version))
// #endregion

// #region newer
export const newer = app.openapi(undefined, { openapi: '3.2' })
// #endregion

const [document] = documents
const operation = document?.paths['/books']?.['get']
const written = (value: unknown): string => JSON.stringify(value, null, 2)

export const shown: Shown = {
  operation: () => {
    const { operationId, tags, summary, description } = operation ?? {}
    return written({ operationId, tags, summary, description })
  },
  metadata: () => {
    const { info, servers, tags } = described.openapi()
    return written({ info, servers, tags })
  },
  order: () => written(operation?.parameters?.find(({ name }) => name === 'order')),
  ok: () => written(operation?.responses['200']),
}
