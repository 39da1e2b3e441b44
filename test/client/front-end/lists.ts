// A front end with params of plugins, whose kinds bring their own rules along.
import { collectionOf, endpoint, mediaType, route, t } from 'edict'
import { client } from 'edict/client'
import { FieldSelector } from 'edict/mapper'
import { OrderingParams, PaginationParams } from 'edict/pagination'

const Person = mediaType('Person', { attributes: { id: t.integer({ required: true }), name: t.string() } })
const Note = mediaType('Note', { attributes: { id: t.integer({ required: true }), author: Person } })

const Notes = endpoint('Notes', {
  mediaType: Note,
  actions: {
    index: {
      routing: route.get('/'),
      params: {
        fields: FieldSelector.for(Note),
        order: OrderingParams.for(Note),
        pagination: PaginationParams.for(Note),
      },
      responses: { ok: collectionOf(Note) },
    },
  },
})

export const notes = (fetch: (request: Request) => Promise<Response>) =>
  client({ Notes }, { baseUrl: 'http://notes.test', fetch }).Notes.index({
    fields: ['id', 'author.name'],
    order: '-id',
    pagination: 'items=2',
  })
