// The snippets of docs/guide/media-types.md.
import type { Shown } from '../../scripts/snippets.ts'
import { compileError } from './support/compiler.ts'
import { exchange } from './support/http.ts'

// #region smallest
import { application, collectionOf, controller, endpoint, mediaType, route, t } from 'edict'

const Author = mediaType('Author', {
  attributes: { id: t.integer({ required: true }), name: t.string({ required: true }), email: t.string() },
  views: { short: ['id', 'name'] },
})

const Book = mediaType('Book', {
  identifier: 'application/vnd.library.book+json',
  description: 'A book that the library *owns*.',
  attributes: {
    id: t.integer({ required: true }),
    title: t.string({ required: true, max: 100 }),
    added_at: t.dateTime(),
    author: Author.view('short'),
    reviewers: t.array(Author.view('short')),
  },
  views: { spine: ['id', 'title'], full: ['id', 'title', 'added_at', 'author', 'reviewers'] },
})
// #endregion

// #region use
const Books = endpoint('Books', {
  mediaType: Book,
  actions: {
    index: { routing: route.get('/'), responses: { ok: collectionOf(Book, { view: 'spine' }) } },
    show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: Book, notFound: true } },
    full: { routing: route.get('/:id/full'), params: { id: t.integer() }, responses: { ok: Book.view('full') } },
  },
})

// A row as a database gives it: more columns than the media type has.
const row = {
  id: 1,
  title: 'Middlemarch',
  added_at: new Date('2024-03-14T09:30:00Z'),
  purchase_price: 12.5,
  author: { id: 7, name: 'George Eliot', email: 'mary@example.com' },
  reviewers: [{ id: 8, name: 'Virginia Woolf', email: 'vw@example.com' }],
}

const books = controller(Books, {
  index: (_, { reply }) => reply.ok([row]),
  show: ({ id }, { reply }) => (id === row.id ? reply.ok(row) : reply.notFound()),
  full: (_, { reply }) => reply.ok(row),
})
// #endregion

// #region except
const Member = mediaType('Member', {
  attributes: { id: t.integer({ required: true }), name: t.string(), email: t.string() },
  views: { public: { except: ['email'] } },
})
const shownToAll = Member.view('public') // { id, name }
// #endregion
void shownToAll

// #region recursive
const Remark = mediaType('Remark', {
  attributes: {
    id: t.integer({ required: true }),
    text: t.string({ required: true }),
    get answers() {
      return t.array(Remark)
    },
  },
  views: { default: ['id', 'text', 'answers'] },
})
// #endregion

/** Never called: the compiler is the one to see it. */
export function refused(): void {
  // #region wrong-view
  // @ts-expect-error there is no such view
  Book.view('spien')
  // #endregion
}

const Broken = endpoint('Broken', {
  mediaType: Book,
  actions: { show: { routing: route.get('/'), responses: { ok: Book } } },
})
const Remarks = endpoint('Remarks', {
  mediaType: Remark,
  actions: { index: { routing: route.get('/'), responses: { ok: collectionOf(Remark) } } },
})

/** The application of this page. */
export const app = application({
  controllers: [
    books,
    Broken.implement({ show: (_, { reply }) => reply.ok({ id: 1.5 } as never) }),
    Remarks.implement({
      index: (_, { reply }) => reply.ok([{ id: 1, text: 'Why?', answers: [{ id: 2, text: 'So.' }] }]),
    }),
  ],
  logger: { info() {}, warn() {}, error() {} },
})

// --- what the page shows ---------------------------------------------------------------------------------------

const id = { headers: { 'X-Request-Id': 'a1' } }

/** The answers that the page shows. */
export const shown: Shown = {
  index: () => exchange(app, 'GET /books'),
  show: () => exchange(app, 'GET /books/1'),
  full: () => exchange(app, 'GET /books/1/full'),
  broken: () => exchange(app, 'GET /broken', id),
  remarks: () => exchange(app, 'GET /remarks'),
  'wrong-view': () => compileError('media-types.ts', 'wrong-view'),
}
