// Step 4: books that change.
import { application, controller } from 'edict'
import { mapper } from 'edict/mapper'
import { serve } from 'edict/node'
import { pagination } from 'edict/pagination'
import { openLibrary } from './database.ts'
import { Books } from './design.ts'

const resources = await openLibrary(process.env['DATABASE_URL'] ?? ':memory:')

const books = controller(Books, {
  index: async (_, { request, reply }) => reply.ok(await resources.books.list(request)),
  async show({ id }, { request, reply }) {
    const book = await resources.books.find(id, request)
    return book ? reply.ok(book) : reply.notFound(`There is no book ${id}.`)
  },
  // #region writes
  async create(_, { request, reply, href }) {
    const { id } = await resources.books.create(request.payload)
    return reply.created(undefined, { location: href(Books, { id }) })
  },
  async update({ id }, { request, reply }) {
    const found = await resources.books.update(id, request.payload)
    return found ? reply.noContent() : reply.notFound(`There is no book ${id}.`)
  },
  async remove({ id }, { reply }) {
    const found = await resources.books.delete(id)
    return found ? reply.noContent() : reply.notFound(`There is no book ${id}.`)
  },
  // #endregion
})

const app = application({
  title: 'Library',
  controllers: [books],
  plugins: [mapper({ resources }), pagination({ maxItems: 100 })],
})

const { url } = await serve(app)
console.log(`The library is at ${url}`)
