// The snippets of docs/guide/responses.md.
import type { Shown } from '../../scripts/snippets.ts'
import { compileError } from './support/compiler.ts'
import { answers, exchange } from './support/http.ts'

// #region smallest
import { application, collectionOf, controller, endpoint, mediaType, route, t } from 'edict'

const Book = mediaType('Book', {
  attributes: { id: t.integer({ required: true }), title: t.string({ required: true }) },
  views: { spine: ['id'] },
})

const Books = endpoint('Books', {
  mediaType: Book,
  actions: {
    index: { routing: route.get('/'), responses: { ok: collectionOf(Book) } },
    show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: Book, notFound: true } },
  },
})

const books = controller(Books, {
  index: (_, { reply }) => reply.ok([{ id: 1, title: 'Kokoro' }]),
  show: ({ id }, { reply }) => (id === 1 ? reply.ok({ id, title: 'Kokoro' }) : reply.notFound(`No book ${id}.`)),
})
// #endregion

// #region forms
import { response } from 'edict'

const Busy = response('busy', { status: 429, headers: { 'Retry-After': /^\d+$/ } })

const Forms = endpoint('Forms', {
  mediaType: Book,
  actions: {
    status: { routing: route.get('/status'), responses: { ok: true, noContent: true, gone: true } },
    media: { routing: route.get('/media'), responses: { ok: Book } },
    view: { routing: route.get('/view'), responses: { ok: Book.view('spine') } },
    list: { routing: route.get('/list'), responses: { ok: collectionOf(Book, { view: 'spine' }) } },
    value: { routing: route.get('/value'), responses: { ok: t.object({ count: t.integer({ required: true }) }) } },
    bytes: { routing: route.get('/bytes'), responses: { ok: 'image/png' } },
    several: { routing: route.get('/several'), responses: { ok: { mediaType: [Book, 'text/csv'] } } },
    long: {
      routing: route.post('/long'),
      responses: {
        created: { description: 'The book is on its shelf.', mediaType: Book, location: /^\/books\/\d+$/ },
        busy: Busy,
        tooBig: { status: 413, description: 'No shelf is long enough.' },
      },
    },
  },
})
// #endregion

// #region returns
const forms = Forms.implement({
  status: (_, { reply }) => reply.gone('It was sold.'),
  media: (_, { reply }) => reply.ok({ id: 1, title: 'Kokoro' }),
  view: (_, { reply }) => reply.ok({ id: 1 }),
  list: (_, { reply }) => reply.ok([{ id: 1 }]),
  value: (_, { reply }) => reply.ok({ count: 1 }),
  bytes: (_, { reply }) => reply.ok(new Uint8Array([137, 80, 78, 71])),
  several(_, { reply, request }) {
    const csv = request.accepts('ok') === 'text/csv'
    return csv ? reply.ok('1,Kokoro', { mediaType: 'text/csv' }) : reply.ok({ id: 1, title: 'Kokoro' })
  },
  long: (_, { reply }) => reply.created({ id: 1, title: 'Kokoro' }, { location: Books.toHref({ id: 1 }) }),
})
// #endregion

// #region streams
const Exports = endpoint('Exports', {
  actions: { csv: { routing: route.get('/'), responses: { ok: 'text/csv' } } },
})

const exported = Exports.implement({
  csv(_, { reply }) {
    async function* lines() {
      yield 'id,title\n'
      for (const { id, title } of [{ id: 1, title: 'Kokoro' }]) yield `${id},${title}\n`
    }
    return reply.ok(lines(), { headers: { 'Content-Disposition': 'attachment; filename="books.csv"' } })
  },
})
// #endregion

// #region members
import { Responses } from 'edict'

const answer = new Responses.Created({ location: '/books/1', headers: { 'X-Shelf': 'A1' }, mediaType: Book })
answer.body = undefined

console.log(answer.name, answer.status) // created 201
console.log(answer.location, answer.mediaType) // /books/1 application/vnd.book+json
console.log(Responses.NoContent.responseName) // noContent
console.log(Busy.responseName, new Busy().status) // busy 429
// #endregion

const Broken = endpoint('Broken', {
  mediaType: Book,
  actions: {
    undeclared: { routing: route.get('/undeclared'), responses: { ok: Book } },
    header: { routing: route.get('/header'), responses: { busy: Busy } },
    body: { routing: route.get('/body'), responses: { ok: Book } },
  },
})
const broken = Broken.implement({
  undeclared: (() => new Responses.Gone()) as never,
  header: (_, { reply }) => reply.busy(),
  body: (() => new Responses.Ok({ body: { id: 'one' } })) as never,
})

/** Never called: the compiler is the one to see it. */
export const refused = () =>
  controller(Books, {
    index: (_, { reply }) => reply.ok([]),
    // #region undeclared
    // @ts-expect-error gone is not declared
    show: (_, { reply }) => reply.gone(),
    // #endregion
  })

const controllers = [books, forms, exported, broken]
const logger = { info() {}, warn() {}, error() {} }
/** The application of this page. */
export const app = application({ controllers, logger })
/** The same in production. */
export const production = application({ controllers, logger, environment: 'production' })

// --- what the page shows ---------------------------------------------------------------------------------------

/** The answers that the page shows. */
export const shown: Shown = {
  answers: () => answers(app, ['GET /books', 'GET /books/1', 'GET /books/2']),
  created: () => exchange(app, 'POST /forms/long'),
  several: () =>
    answers(app, [
      'GET /forms/status',
      ['GET /forms/several', { headers: { Accept: '*/*' } }],
      ['GET /forms/several', { headers: { Accept: 'text/csv' } }],
      ['GET /forms/several', { headers: { Accept: 'TEXT/*;q=0.5' } }],
      ['GET /forms/several', { headers: { Accept: 'image/png' } }],
    ]),
  broken: () => answers(app, ['GET /broken/undeclared', 'GET /broken/header', 'GET /broken/body']),
  production: () => answers(production, ['GET /broken/undeclared']),
  compiler: () => compileError('responses.ts', 'undeclared'),
}
