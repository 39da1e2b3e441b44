// An application whose elements are written and walked while nodes of its database stop: one of several processes that share
// nothing but the database.
import { application, collectionOf, controller, endpoint, mediaType, route, t } from 'edict'
import { type Datastore, mapper, ownWrites, resource } from 'edict/mapper'
import { OrderingParams, PaginationParams, pagination } from 'edict/pagination'

const Event = mediaType('Event', {
  attributes: {
    id: t.string({ required: true, max: 40 }),
    rank: t.integer({ required: true }),
    word: t.string({ required: true, max: 40 }),
  },
})

const FIELDS = ['id', 'rank', 'word'] as const

const Events = endpoint('Events', {
  mediaType: Event,
  actionDefaults: { policies: [ownWrites()] },
  actions: {
    index: {
      routing: route.get('/'),
      params: {
        pagination: PaginationParams.for(Event, { byFields: FIELDS }),
        order: OrderingParams.for(Event, { byFields: FIELDS }),
      },
      responses: { ok: collectionOf(Event) },
    },
    export: {
      routing: route.get('/export'),
      params: { order: OrderingParams.for(Event, { byFields: FIELDS }) },
      responses: { ok: collectionOf(Event, { as: 'ndjson' }) },
    },
    show: {
      routing: route.get('/:id'),
      params: { id: t.string({ required: true }) },
      responses: { ok: Event, notFound: true },
    },
    create: { routing: route.post('/'), payload: Event, responses: { created: Event, conflict: true } },
    remove: {
      routing: route.delete('/:id'),
      params: { id: t.string({ required: true }) },
      responses: { noContent: true, notFound: true },
    },
  },
})

/** Serves the events of a datastore. */
export function eventsIn<T>(datastore: Datastore<T>, table: T) {
  const events = resource(datastore, Event, { table })
  return application({
    environment: 'test',
    // Refusals of a database that is being killed are what is counted.
    logger: { info() {}, warn() {}, error() {} },
    plugins: [mapper({ resources: { events } }), pagination({ maxItems: 1000 })],
    controllers: [
      controller(Events, {
        index: async (_, { request, reply }) => reply.ok(await events.list(request)),
        export: (_, { request, reply }) => reply.ok(events.stream(request)),
        show: async ({ id }, { request, reply }) => {
          const found = await events.find(id, request)
          return found === undefined ? reply.notFound() : reply.ok(found)
        },
        create: async (_, { request, reply }) => {
          await events.create(request.payload as never)
          return reply.created(request.payload as never)
        },
        remove: async ({ id }, { reply }) => ((await events.delete(id)) ? reply.noContent() : reply.notFound()),
      }),
    ],
  })
}

/** The application of a process. */
export type EventsApp = ReturnType<typeof eventsIn>
