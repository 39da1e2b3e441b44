// A second endpoint, to see what one more costs.
import { collectionOf, endpoint, inherit, mediaType, route, t } from 'edict'

const Author = mediaType('Author', {
  attributes: {
    id: t.integer({ required: true }),
    name: t.string({ required: true, max: 100 }),
    born: t.date({ nullable: true }),
    joinedAt: t.dateTime({ required: true }),
    verified: t.boolean(),
  },
})

export const Authors = endpoint('Authors', {
  mediaType: Author,
  actions: {
    index: { routing: route.get('/'), responses: { ok: collectionOf(Author) } },
    show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: Author, notFound: true } },
    create: { routing: route.post('/'), payload: { name: inherit, born: inherit }, responses: { created: Author } },
  },
})
