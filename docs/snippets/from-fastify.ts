// The snippets of docs/migrating/fastify.md: the same API in Fastify, which runs here too, and in edict.
import type { Shown } from '../../scripts/snippets.ts'
import { answers } from './support/http.ts'

const books = new Map([[1, { id: 1, title: 'Emma', shelf: 'A1' }]])

// #region fastify
import fastify from 'fastify'

const server = fastify()
server.get<{ Params: { id: number } }>(
  '/books/:id',
  {
    schema: {
      params: { type: 'object', properties: { id: { type: 'integer' } } },
      response: {
        200: {
          type: 'object',
          required: ['id', 'title'],
          properties: { id: { type: 'integer' }, title: { type: 'string' } },
        },
      },
    },
  },
  async (request, reply) => {
    const book = books.get(request.params.id)
    return book ?? reply.code(404).send({ message: `There is no book ${request.params.id}.` })
  },
)
// #endregion

// #region edict
import { application, endpoint, mediaType, route, t } from 'edict'

const Book = mediaType('Book', {
  attributes: { id: t.integer({ required: true }), title: t.string({ required: true }) },
})

const Books = endpoint('Books', {
  mediaType: Book,
  actions: {
    show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: Book, notFound: true } },
  },
})

const controllers = [
  Books.implement({
    show({ id }, { reply }) {
      const book = books.get(id)
      return book ? reply.ok(book) : reply.notFound(`There is no book ${id}.`)
    },
  }),
]

const app = application({ controllers })
// #endregion

// #region both
import { fastifyPlugin } from 'edict/node'

const both = fastify()
both.addHook('onRequest', async (_, reply) => void reply.header('X-Service', 'library'))
both.get('/shelves', async () => ['A1'])
await both.register(fastifyPlugin(app, { fallthrough: true }))
// #endregion

/** Asks a server of Fastify as answers() asks an application. */
const injected = (to: typeof server) => ({
  async fetch({ method, url }: Request): Promise<Response> {
    const { statusCode, body } = await to.inject({ method: method as 'GET', url: url.slice('http://localhost'.length) })
    return new Response(body, { status: statusCode })
  },
})

const asked = ['GET /books/1', 'GET /books/9', 'GET /books/emma', 'GET /books/1?colour=red']

/** The answers that the page shows. */
export const shown: Shown = {
  fastify: () => answers(injected(server), asked),
  edict: () => answers(app, asked),
  both: () => answers(injected(both), ['GET /books/1', 'GET /shelves']),
}
