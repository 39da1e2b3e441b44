// The snippets of docs/migrating/express.md: the same API in Express, which runs here too, and in edict.
import type { AddressInfo } from 'node:net'
import type { Shown } from '../../scripts/snippets.ts'
import { answers } from './support/http.ts'

interface Stored {
  readonly id: number
  readonly title: string
  readonly shelf: string
}
const books = new Map<number, Stored>([[1, { id: 1, title: 'Emma', shelf: 'A1' }]])

// #region express
import express from 'express'

const server = express()
server.use(express.json())

server.use((request, response, next) => {
  if (request.get('Authorization') === 'Bearer ada') return next()
  response.status(401).json({ message: 'Log in.' })
})

server.get('/books/:id', (request, response) => {
  const id = Number(request.params.id)
  if (!Number.isInteger(id)) return void response.status(400).json({ message: 'The id must be an integer.' })
  const book = books.get(id)
  if (book === undefined) return void response.status(404).json({ message: `There is no book ${id}.` })
  response.json({ id: book.id, title: book.title })
})

server.post('/books', (request, response) => {
  const title: unknown = request.body?.title
  if (typeof title !== 'string') return void response.status(400).json({ message: 'The title is missing.' })
  const id = books.size + 1
  books.set(id, { id, title, shelf: 'B2' })
  response.status(201).location(`/books/${id}`).end()
})
// #endregion

// #region edict
import { application, endpoint, inherit, mediaType, route, security, t, verifier } from 'edict'

const Book = mediaType('Book', {
  attributes: { id: t.integer({ required: true }), title: t.string({ required: true, min: 1, max: 100 }) },
})
const Token = security.bearer<{ readonly name: string }>('Token')

const Books = endpoint('Books', {
  mediaType: Book,
  actionDefaults: { security: Token },
  actions: {
    show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: Book, notFound: true } },
    create: {
      routing: route.post('/'),
      payload: { title: inherit },
      responses: { created: { location: /^\/books\/\d+$/ } },
    },
  },
})

const controllers = [
  Books.implement({
    show({ id }, { reply }) {
      const book = books.get(id)
      return book ? reply.ok(book) : reply.notFound(`There is no book ${id}.`)
    },
    create(_, { request, reply }) {
      const id = books.size + 1
      books.set(id, { id, title: request.payload.title, shelf: 'B2' })
      return reply.created(undefined, { location: `/books/${id}` })
    },
  }),
]
const verifiers = [verifier(Token, (sent) => (sent === 'ada' ? { name: 'Ada' } : undefined))]

const app = application({ controllers, verifiers })
// #endregion

// #region both
import { listener } from 'edict/node'

const both = express()
both.use(listener(app, { fallthrough: true })) // before express.json()
both.get('/shelves', (_, response) => void response.json(['A1']))
// #endregion

/** Asks a server of Express as answers() asks an application. */
const overSocket = (handler: express.Express) => ({
  async fetch(request: Request): Promise<Response> {
    const listening = handler.listen(0, '127.0.0.1')
    await new Promise((done) => listening.once('listening', done))
    const { port } = listening.address() as AddressInfo
    const { method, headers } = request
    const body = method === 'GET' ? null : await request.text()
    const target = request.url.replace('http://localhost', `http://127.0.0.1:${port}`)
    const answer = await fetch(target, {
      method,
      headers: { ...Object.fromEntries(headers), Connection: 'close' },
      body,
    })
    const copy = new Response(await answer.text(), { status: answer.status, headers: answer.headers })
    listening.close()
    return copy
  },
})

const headers = { Authorization: 'Bearer ada' }
const asked = [
  'GET /books/1',
  ['GET /books/1', { headers }],
  ['GET /books/emma', { headers }],
  ['GET /books/1?colour=red', { headers }],
  ['POST /books', { headers, body: { title: '', pages: 'many' } }],
] as const

/** The answers that the page shows. */
export const shown: Shown = {
  express: () => answers(overSocket(server), asked),
  edict: () => answers(app, asked),
  both: () => answers(overSocket(both), [['GET /books/1', { headers }], 'GET /shelves']),
}
