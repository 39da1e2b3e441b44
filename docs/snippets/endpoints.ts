// The snippets of docs/guide/endpoints.md.
import type { Shown } from '../../scripts/snippets.ts'
import { exchange, thrown } from './support/http.ts'

// #region smallest
import { application, endpoint, route, t } from 'edict'

const Shelves = endpoint('Shelves', {
  actions: {
    show: {
      routing: route.get('/:code'),
      params: { code: t.string({ max: 8 }) },
      responses: { ok: 'text/plain', notFound: true },
    },
  },
})
// #endregion

// #region full
import { collectionOf, header, inherit, mediaType } from 'edict'

const Book = mediaType('Book', {
  attributes: {
    id: t.integer({ required: true }),
    title: t.string({ required: true, max: 100 }),
    binding: t.string({ values: ['hard', 'soft'] }),
    year: t.integer(),
  },
})

const Books = endpoint('Books', {
  description: 'The books of the library.',
  mediaType: Book,
  actionDefaults: {
    params: { dry_run: t.boolean({ default: false }) },
    headers: { 'X-Reader': header() },
    responses: { forbidden: true },
  },
  actions: {
    index: {
      routing: route.get('/'),
      params: { year: t.integer() },
      responses: { ok: collectionOf(Book) },
      ignore: ['utm_*'],
    },
    create: {
      routing: route.post('/'),
      payload: { title: inherit, binding: inherit({ required: true }), notify: t.boolean() },
      responses: { created: Book },
      bodyLimit: 10_000,
    },
  },
})
// #endregion

const shelves = Shelves.implement({ show: ({ code }, { reply }) => (code === 'A1' ? 'Novels' : reply.notFound()) })
const books = Books.implement({
  index: (_, { reply }) => reply.ok([{ id: 1, title: 'Kokoro', year: 1914 }]),
  create(_, { request, reply }) {
    const { title, binding } = request.payload
    return reply.created({ id: 2, title, binding })
  },
})

/** The application of this page. */
export const app = application({ controllers: [shelves, books] })

/** Boots an application whose declarations have mistakes. */
export function broken(): unknown {
  // #region mistakes
  const Loans = endpoint('Loans', {
    mediaType: Book,
    // @ts-expect-error the compiler sees this one as well
    canonicalPath: 'display',
    actions: {
      show: {
        // @ts-expect-error and this one
        routing: route.get('/:id'),
        params: { loan: t.integer() },
        // @ts-expect-error and this one
        payload: { colour: inherit },
        // @ts-expect-error and this one
        responses: { ok: Book, late: { description: 'Too late.' } },
      },
    },
  })
  const loans = Loans.implement({ show: (_, { reply }) => reply.ok({ id: 1, title: 'Emma' }) })
  return application({ controllers: [loans] })
  // #endregion
}

// --- what the page shows ---------------------------------------------------------------------------------------

const reader = { 'X-Reader': 'ada' }

/** The answers that the page shows. */
export const shown: Shown = {
  smallest: () => exchange(app, 'GET /shelves/A1'),
  created: () => exchange(app, 'POST /books', { headers: reader, body: { title: 'Emma', binding: 'soft' } }),
  refused: () => exchange(app, 'POST /books?dry_run=maybe', { body: { binding: 'leather', pages: 9 } }),
  mistakes: () => thrown(broken),
}
