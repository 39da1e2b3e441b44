// The snippets of docs/guide/routing.md.
import type { Shown } from '../../scripts/snippets.ts'
import { answers, table, thrown } from './support/http.ts'

// #region smallest
import { application, endpoint, route, t } from 'edict'

const Books = endpoint('Books', {
  actions: {
    index: { routing: route.get('/'), responses: { ok: true } },
    show: {
      routing: [route.get('/:id', { name: 'book' }), route.get('//b/:id')],
      params: { id: t.integer() },
      responses: { ok: true },
    },
    lend: { routing: route.put('/:id/loan'), params: { id: t.integer() }, responses: { ok: true } },
    other: { routing: route.any('/:id/loan'), params: { id: t.integer() }, responses: { ok: true } },
  },
})

const books = Books.implement({
  index: () => 'all books',
  show: ({ id }) => `book ${id}`,
  lend: ({ id }) => `book ${id} is lent`,
  other: ({ id }, { request }) => `${request.method} on the loan of book ${id}`,
})
// #endregion

// #region patterns
import { charClasses } from 'edict'

const Files = endpoint('Files', {
  actions: {
    page: {
      routing: route.get('/:book/:page(.:format)?', { capture: { page: charClasses.digit, format: ['txt', 'md'] } }),
      params: { book: t.string(), page: t.integer(), format: t.string() },
      responses: { ok: true },
    },
    tree: {
      routing: route.get('/(tree|list)/*/raw/*', { except: '/tree/private/*' }),
      params: { splat: t.array(t.string(), { required: true }) },
      responses: { ok: true },
    },
  },
})

const files = Files.implement({
  page: ({ book, page, format = 'html' }) => `page ${page} of ${book} as ${format}`,
  tree: ({ splat }) => splat.join(' and '),
})
// #endregion

// #region prefixes
const Help = endpoint('HelpPages', {
  actions: {
    rules: {
      routing: [route.get('/rules/new'), route.get('//laws'), route.prefix('//'), route.get('/rules')],
      responses: { ok: true },
    },
  },
})
// #endregion

// #region parents
import { childOf } from 'edict'

const Loans = endpoint('Loans', {
  parent: Books,
  actions: { show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: true } } },
})

const Remarks = endpoint('Remarks', {
  parent: childOf(Books, { id: 'book' }),
  actions: { show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: true } } },
})

const loans = Loans.implement({ show: ({ book_id, id }) => `loan ${id} of book ${book_id}` })
const remarks = Remarks.implement({ show: ({ book, id }) => `remark ${id} on book ${book}` })
// #endregion

// #region hrefs
console.log(Books.toHref({ id: 7 })) // /books/7
console.log(Loans.toHref({ book_id: 7, id: 2 })) // /books/7/loans/2
console.log(Books.parseHref('/books/7')) // { id: 7 }
console.log(Books.routes.book.expand({ id: 7 })) // /books/7
console.log(Books.routes.book.parse('/books/7')) // { id: 7 }
// #endregion

const help = Help.implement({ rules: () => 'rules' })

/** The application of this page. */
export const app = application({ basePath: '/api', controllers: [books, files, help, loans, remarks] })

/** Refused when it boots. */
export function conflict(): unknown {
  const Doors = endpoint('Doors', {
    actions: {
      show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: true } },
      open: { routing: route.get('/:name'), params: { name: t.string() }, responses: { ok: true } },
    },
  })
  return application({ controllers: [Doors.implement({ show: () => 'shown', open: () => 'open' })] })
}

// --- what the page shows ---------------------------------------------------------------------------------------

/** The answers that the page shows. */
export const shown: Shown = {
  verbs: () =>
    answers(app, [
      'GET /api/books/7',
      'GET /api/b/7',
      'PUT /api/books/7/loan',
      'DELETE /api/books/7/loan',
      'PURGE /api/books/7/loan',
      'OPTIONS /api/books',
      'DELETE /api/books',
      'GET /api/boks',
    ]),
  patterns: () =>
    answers(app, [
      'GET /api/files/emma/12',
      'GET /api/files/emma/12.md',
      'GET /api/files/emma/12.pdf',
      'GET /api/files/tree/a/b%2Fc/raw/d',
      'GET /api/files/tree/private/a/raw/d',
    ]),
  slashes: () => answers(app, ['GET /api/books', 'GET /api/books/', 'GET /api/books/7/', 'GET /api/books/%E0%A4%A']),
  prefixes: () => answers(app, ['GET /api/help_pages/rules/new', 'GET /api/laws', 'GET /api/rules']),
  parents: () => answers(app, ['GET /api/books/7/loans/2', 'GET /api/books/7/remarks/2', 'GET /api/books/x/loans/2']),
  routes: () => table(app.routes().slice(0, 3)),
  conflict: () => thrown(conflict),
}
