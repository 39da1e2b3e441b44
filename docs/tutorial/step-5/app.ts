// Step 5: the application as a value, so that servers, tests and tools can each have one.
import { application, controller, forbidden, verifier } from 'edict'
import { docs } from 'edict/docs'
import { mapper } from 'edict/mapper'
import { pagination } from 'edict/pagination'
import { openLibrary } from './database.ts'
import { Books, Card, type Reader } from './design.ts'

const readers = new Map<string, Reader>([
  ['1815', { name: 'Ada', librarian: true }],
  ['1912', { name: 'Alan', librarian: false }],
])

/** Makes the library over a database, such as `file:library.db` or `:memory:`. */
export async function libraryIn(url: string) {
  const resources = await openLibrary(url)
  const books = controller(Books, {
    index: async (_, { request, reply }) => reply.ok(await resources.books.list(request)),
    async show({ id }, { request, reply }) {
      const book = await resources.books.find(id, request)
      return book ? reply.ok(book) : reply.notFound(`There is no book ${id}.`)
    },
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
  })

  // #region application
  return application({
    title: 'Library',
    controllers: [books],
    plugins: [mapper({ resources }), pagination({ maxItems: 100 }), docs()],
    verifiers: [
      verifier(Card, (number, { scopes }) => {
        const reader = readers.get(number)
        return reader === undefined || reader.librarian || scopes.length === 0 ? reader : forbidden
      }),
    ],
  })
  // #endregion
}
