// Step 3: books in a database.
import { application, controller } from 'edict'
import { mapper } from 'edict/mapper'
import { serve } from 'edict/node'
import { pagination } from 'edict/pagination'
import { openLibrary } from './database.ts'
import { Books } from './design.ts'

const resources = await openLibrary(process.env['DATABASE_URL'] ?? ':memory:')

// #region controller
const books = controller(Books, {
  index: async (_, { request, reply }) => reply.ok(await resources.books.list(request)),
  async show({ id }, { request, reply }) {
    const book = await resources.books.find(id, request)
    return book ? reply.ok(book) : reply.notFound(`There is no book ${id}.`)
  },
})

const app = application({
  title: 'Library',
  controllers: [books],
  plugins: [mapper({ resources }), pagination({ maxItems: 100 })],
})
// #endregion
const { url } = await serve(app)
console.log(`The library is at ${url}`)
