// The snippets of docs/guide/controllers.md.
import type { Shown } from '../../scripts/snippets.ts'
import { compileError } from './support/compiler.ts'
import { answers, thrown } from './support/http.ts'

// #region smallest
import { application, controller, endpoint, mediaType, route, t } from 'edict'

const Book = mediaType('Book', {
  attributes: { id: t.integer({ required: true }), title: t.string({ required: true }) },
})

const Books = endpoint('Books', {
  mediaType: Book,
  actionDefaults: { params: { dry_run: t.boolean({ default: false }) } },
  actions: {
    show: {
      routing: route.get('/:id'),
      params: { id: t.integer() },
      responses: { ok: Book, notFound: true },
    },
    remove: {
      routing: route.delete('/:id'),
      params: { id: t.integer() },
      responses: { noContent: true, notFound: true },
    },
  },
})

const shelf = new Map([[1, { id: 1, title: 'Middlemarch' }]])

const books = controller(Books, {
  async show({ id }, { reply }) {
    const book = shelf.get(id)
    return book ? reply.ok(book) : reply.notFound()
  },
  remove({ id, ...rest }, { reply }) {
    if (rest.dry_run) return shelf.has(id) ? reply.noContent() : reply.notFound()
    return shelf.delete(id) ? reply.noContent() : reply.notFound()
  },
})
// #endregion

// #region returning
import { Responses } from 'edict'

const Doors = endpoint('Doors', {
  actions: {
    reply: { routing: route.get('/reply'), responses: { accepted: 'text/plain' } },
    class: { routing: route.get('/class'), responses: { seeOther: true } },
    text: { routing: route.get('/text'), responses: { ok: true } },
    current: { routing: route.get('/current'), responses: { ok: true } },
    wrong: { routing: route.get('/wrong'), responses: { ok: true } },
  },
})

const doors = controller(Doors, {
  // a declared response, made by its name
  reply: (_, { reply }) => reply.accepted('Soon.', { headers: { 'X-Queue': '3' } }),
  // the same with a class; there is one for every status
  class: () => new Responses.SeeOther({ location: '/doors/text' }),
  // a string becomes the body of the response that stands ready
  text: () => 'Open.',
  // that response itself, changed
  current(_, { response }) {
    response.headers['X-Door'] = 'front'
    response.body = 'Ajar.'
    return response
  },
  // anything else is refused, by the compiler and at run time
  // @ts-expect-error a number is not a response
  wrong: () => 42,
})
// #endregion

// #region class
import type { Context, ParamsOf } from 'edict'

type BooksContext = Context<typeof Books.spec>

class BooksController {
  readonly context: BooksContext

  constructor(context: BooksContext) {
    this.context = context
  }

  show({ id }: ParamsOf<typeof Books.spec, 'show'>) {
    return new Responses.Ok({ body: { id, title: `asked by ${this.context.request.method}` } })
  }

  remove() {
    return new Responses.NoContent()
  }
}

const booksByClass = controller(Books, BooksController)
// #endregion

// #region implement
const Ping = endpoint('Ping', {
  actions: { ping: { routing: route.get('/'), responses: { ok: 'text/plain' } } },
})

const ping = Ping.implement({ ping: () => 'pong' })

console.log(ping.definition === Ping) // true
// #endregion

// #region with
import type { Controller, EndpointSpec } from 'edict'

const stamped = <S extends EndpointSpec>(of: Controller<S>): Controller<S> =>
  of.after((context) => {
    context.response.headers['X-Answered-By'] = context.definition.name
  })

const stampedPing = ping.with(stamped)
// #endregion

const quiet = { info() {}, warn() {}, error() {} }

/** The application of this page. */
export const app = application({ basePath: '/api', controllers: [books, doors, stampedPing], logger: quiet })
/** The same endpoint, implemented by a class. */
export const byClass = application({ controllers: [booksByClass] })

/** Boots with a controller that misses an action. */
export function incomplete(): unknown {
  const half = controller(Books, {
    // @ts-expect-error remove is missing
    show: (_, { reply }) => reply.notFound(),
  })
  return application({ controllers: [half] })
}

// --- what the page shows ---------------------------------------------------------------------------------------

/** The answers that the page shows. */
export const shown: Shown = {
  answers: () =>
    answers(app, ['GET /api/books/1', 'GET /api/books/2', 'DELETE /api/books/1?dry_run=true', 'GET /api/books/one']),
  returned: () =>
    answers(app, [
      'GET /api/doors/reply',
      'GET /api/doors/class',
      'GET /api/doors/text',
      'GET /api/doors/current',
      'GET /api/doors/wrong',
    ]),
  'wrong-type': () => compileError('controllers.ts', 'returning'),
  incomplete: () => thrown(incomplete),
}
