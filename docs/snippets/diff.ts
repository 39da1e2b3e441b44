// The snippets of docs/guide/diff.md.
import type { Shown } from '../../scripts/snippets.ts'
import { formatChanges } from '../../src/cli/change-list.ts'

// #region smallest
import { application, collectionOf, diffContracts, endpoint, mediaType, type Plugin, route, t } from 'edict'
import { OrderingParams, PaginationParams, pagination } from 'edict/pagination'

const Book = mediaType('Book', {
  attributes: {
    id: t.integer({ required: true }),
    title: t.string({ required: true }),
    status: t.string({ values: ['draft', 'printed'] }),
  },
})

const Books = endpoint('Books', {
  mediaType: Book,
  actions: {
    index: {
      routing: route.get('/'),
      params: { pagination: PaginationParams.for(Book), order: OrderingParams.for(Book) },
      responses: { ok: collectionOf(Book) },
    },
    create: {
      routing: route.post('/'),
      payload: { title: t.string({ required: true, max: 200 }) },
      responses: { created: Book },
    },
  },
})

const plugins = [pagination()]
export const app = application({
  plugins,
  controllers: [
    Books.implement({
      index: (_, { reply }) => reply.ok([]),
      create: (_, { reply }) => reply.created({ id: 1, title: 'x' }),
    }),
  ],
})
// #endregion

const NextBook = mediaType('Book', {
  attributes: {
    id: t.integer({ required: true }),
    title: t.string({ required: true, description: 'As it stands on the cover.' }),
    status: t.string({ values: ['draft', 'printed', 'sold out'] }),
    pages: t.integer(),
  },
})

const NextBooks = endpoint('Books', {
  mediaType: NextBook,
  actions: {
    index: {
      routing: route.get('/'),
      params: {
        pagination: PaginationParams.for(NextBook, { maxItems: 500 }),
        order: OrderingParams.for(NextBook, { byFields: ['id', 'title'] }),
      },
      responses: { ok: collectionOf(NextBook) },
    },
    create: {
      routing: route.post('/'),
      payload: { title: t.string({ required: true, max: 500 }), pages: t.integer({ required: true }) },
      responses: { created: NextBook },
    },
  },
})

const next = application({
  plugins,
  controllers: [
    NextBooks.implement({
      index: (_, { reply }) => reply.ok([]),
      create: (_, { reply }) => reply.created({ id: 1, title: 'x' }),
    }),
  ],
})

// #region program
const kept = JSON.stringify(app.contract()) // in a file, or with a release

const changes = diffContracts(JSON.parse(kept), next.contract())
console.log(changes.filter(({ kind }) => kind === 'breaking').length) // 5
// #endregion

// #region plugin
export const quota = (perDay: number): Plugin => ({
  name: 'quota',
  contract: (action) => (action.params['key'] === undefined ? {} : { key: { requestsPerDay: { most: perDay } } }),
})
// #endregion

// --- what the page shows ---------------------------------------------------------------------------------------

/** The answers that the page shows. */
export const shown: Shown = {
  list: () => `$ edict diff contract.json src/app.ts\n${formatChanges(changes, false)}`,
  change: () => JSON.stringify(changes[0], null, 2),
}
