// The implementation of the actions on books. Params, payloads and replies have the types that the design declares.
import { controller } from 'edict'
import { Books } from '../design/books.ts'
import type { Resources } from '../resources.ts'

/** Implements Books. */
export const books = ({ books }: Resources) =>
  controller(Books, {
    // Filters, order, pagination and fields of the request become one query.
    index: async (_, { request, reply }) => reply.ok(await books.list(request)),

    async show({ id }, { request, reply }) {
      const found = await books.find(id, request)
      return found ? reply.ok(found) : reply.notFound(`There is no book ${id}.`)
    },

    async create(_, { request, reply, href }) {
      const { id } = await books.create(request.payload)
      return reply.created(undefined, { location: href(Books, { id }) })
    },

    async update({ id }, { request, reply }) {
      // Only what was sent is in the payload, so that nothing else is overwritten.
      const found = await books.update(id, request.payload)
      return found ? reply.noContent() : reply.notFound(`There is no book ${id}.`)
    },

    async remove({ id }, { reply }) {
      const found = await books.delete(id)
      return found ? reply.noContent() : reply.notFound(`There is no book ${id}.`)
    },
  })
