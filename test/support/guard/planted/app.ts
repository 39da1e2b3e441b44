// An application that does not check its answers and gives wrong ones.
import { type Application, application, endpoint, mediaType, route, t } from 'edict'

const Book = mediaType('Book', {
  identifier: 'application/vnd.book+json',
  attributes: { id: t.integer({ required: true }), title: t.string({ required: true }) },
})

const Books = endpoint('Books', {
  mediaType: Book,
  actions: {
    show: { routing: route.get('/:id'), params: { id: t.integer({ required: true }) }, responses: { ok: Book } },
  },
})

/** Gives a title to the first book only. */
export const broken: Application = application({
  controllers: [
    Books.implement({
      show: ({ id }, { reply }) => reply.ok({ id, title: id === 1 ? 'Kokoro' : (undefined as never) }),
    }),
  ],
  validateResponses: 'off',
})
