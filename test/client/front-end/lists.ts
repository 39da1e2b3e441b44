// A front end with what most have: the params of lists, and credentials.
import { collectionOf, endpoint, mediaType, route, security, t } from 'edict'
import { client } from 'edict/client'
import { FieldSelector, FilteringParams } from 'edict/mapper'
import { OrderingParams, PaginationParams } from 'edict/pagination'

const Person = mediaType('Person', { attributes: { id: t.integer({ required: true }), name: t.string() } })
const Note = mediaType('Note', { attributes: { id: t.integer({ required: true }), author: Person } })

export const Notes = endpoint('Notes', {
  mediaType: Note,
  actionDefaults: { security: security.bearer('Token', { format: 'JWT' }) },
  actions: {
    show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: Note } },
    index: {
      routing: route.get('/'),
      params: {
        fields: FieldSelector.for(Note),
        filters: FilteringParams.for(Note),
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
    filters: 'id>=1',
    order: [{ field: 'id', descending: true }],
    pagination: 'items=2',
  })

export const unwritten = (fetch: (request: Request) => Promise<Response>) =>
  client({ Notes }, { baseUrl: 'http://notes.test', fetch }).Notes.index({
    filters: { op: '=', field: 'id', any: [{ value: 1 }] },
  })
