// The list that walks of the client are tested with.
import { collectionOf, endpoint, mediaType, route, t } from 'edict'
import { PaginationParams } from 'edict/pagination'

const Book = mediaType('Book', { attributes: { id: t.integer({ required: true }) } })
export const Books = endpoint('Books', {
  mediaType: Book,
  actions: {
    index: {
      routing: route.get('/'),
      params: { pagination: PaginationParams.for(Book) },
      responses: { ok: collectionOf(Book) },
    },
  },
})
