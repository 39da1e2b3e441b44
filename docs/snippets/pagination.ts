// The snippets of docs/guide/pagination.md.
import type { Shown } from '../../scripts/snippets.ts'
import { answers, exchange } from './support/http.ts'

// #region smallest
import { application, collectionOf, endpoint, mediaType, route, t } from 'edict'
import { OrderingParams, PaginationParams, paginate, pagination } from 'edict/pagination'

const Book = mediaType('Book', {
  attributes: { id: t.integer({ required: true }), title: t.string({ required: true }), year: t.integer() },
})

const Books = endpoint('Books', {
  actions: {
    index: {
      routing: route.get('/'),
      params: { pagination: PaginationParams.for(Book), order: OrderingParams.for(Book) },
      responses: { ok: collectionOf(Book) },
    },
  },
})

const shelf = [
  { id: 1, title: 'Middlemarch', year: 1871 },
  { id: 2, title: 'Kokoro', year: 1914 },
  { id: 3, title: 'Dubliners', year: 1914 },
  { id: 4, title: 'Beowulf' },
]

const books = Books.implement({ index: (_, { request, reply }) => reply.ok(paginate(request, shelf)) })

export const app = application({ plugins: [pagination()], controllers: [books] })
// #endregion

// #region settings
const Archive = endpoint('Archive', {
  actions: {
    index: {
      routing: route.get('/'),
      params: { pagination: PaginationParams.for(Book, { maxItems: 50, pageSize: 1, disallow: 'cursor' }) },
      responses: { ok: collectionOf(Book) },
    },
  },
})
// #endregion

// #region elsewhere
import { type PageRequest, pageOf } from 'edict/pagination'

const archive = Archive.implement({
  async index({ pagination }, { request, reply }) {
    const { page, items } = pagination as PageRequest
    // One element more than was asked for tells whether there is a next page.
    const found = shelf.slice((page - 1) * items, page * items + 1)
    return reply.ok(pageOf(request, found.slice(0, items), { next: found.length > items, total: shelf.length }))
  },
})

const elsewhere = application({ plugins: [pagination({ maxItems: 1000 })], controllers: [archive] })
// #endregion

// --- what the page shows ---------------------------------------------------------------------------------------

/** The answers that the page shows. */
export const shown: Shown = {
  page: () => exchange(app, 'GET /books?pagination=page=2,items=1,total_count=true&order=-year,title'),
  cursor: () => exchange(app, 'GET /books?pagination=by=year,items=2'),
  from: () =>
    answers(app, [
      'GET /books?pagination=by=year,from=1871,items=1',
      'GET /books?pagination=by=year,from=1914',
      'GET /books?pagination=by=title,from=E,items=1',
      'GET /books?pagination=by=title,from=K%252C&order=-title',
    ]),
  orders: () =>
    answers(app, [
      'GET /books?pagination=items=1&order=-year',
      'GET /books?pagination=items=1&order=year,-title',
      'GET /books?pagination=items=1&order=+title',
      'GET /books?order=author',
    ]),
  settings: () =>
    answers(elsewhere, [
      'GET /archive?pagination=page=2',
      'GET /archive?pagination=items=51',
      'GET /archive?pagination=by=id',
    ]),
  refused: () =>
    answers(app, [
      'GET /books?pagination=page=0',
      'GET /books?pagination=page=1,by=id',
      'GET /books?pagination=from=7',
      'GET /books?pagination=by=id,from=seven',
      'GET /books?pagination=by=id&order=year',
      'GET /books?pagination=by=id,after=WzFd',
    ]),
}
