// The endpoint as edict has it, on whatever datastore: items by two fields, and the same with the notes of each.
import { serve } from '../../../dist/adapters/node/index.js'
import { application, collectionOf, controller, endpoint, mediaType, route, t } from '../../../dist/index.js'
import { many, mapper, resource } from '../../../dist/plugins/mapper/index.js'
import {
  aip,
  cursors,
  jsonApi,
  jsonApiPages,
  limitOffset,
  OrderingParams,
  PaginationParams,
  pageNumbers,
  pagination,
  stripe,
} from '../../../dist/plugins/pagination/index.js'
import { answering } from './contestant.js'

const Note = mediaType('Note', {
  attributes: { id: t.integer({ required: true }), text: t.string({ required: true }) },
})
const Item = mediaType('Item', {
  identifier: 'application/json',
  attributes: {
    id: t.integer({ required: true }),
    title: t.string({ required: true }),
    kind: t.string({ required: true, values: ['book', 'film', 'game', 'song'] }),
    price: t.number({ nullable: true }),
    stock: t.integer({ required: true }),
    active: t.boolean({ required: true }),
    created_at: t.dateTime({ required: true }),
    notes: t.array(Note),
  },
  views: { default: ['id', 'title', 'kind', 'price', 'stock', 'active', 'created_at'], full: ['id', 'title', 'notes'] },
})

const FIELDS = ['id', 'title', 'created_at']
const params = {
  pagination: PaginationParams.for(Item, { byFields: FIELDS }),
  order: OrderingParams.for(Item, { byFields: FIELDS, enforceFor: 'all' }),
}
const Items = endpoint('Items', {
  mediaType: Item,
  actions: {
    index: { routing: route.get('/'), params, responses: { ok: collectionOf(Item) } },
    full: { routing: route.get('/full'), params, responses: { ok: collectionOf(Item, { view: 'full' }) } },
  },
})

const ordered = { orderBy: FIELDS, order: ['-created_at', 'id'] }

/** The same list in other conventions, by the name of its action. */
const CONVENTIONS = {
  'limit-offset': limitOffset.for(Item, ordered),
  'page-numbers': pageNumbers.for(Item, ordered),
  stripe: stripe.for(Item, { order: ['id'] }),
  aip: aip.for(Item, ordered),
  cursors: cursors.for(Item, ordered),
  'json-api': jsonApi.for(Item, { ...ordered, type: 'items' }),
  'json-api-pages': jsonApiPages.for(Item, { ...ordered, type: 'items' }),
}

const Conventions = endpoint('Conventions', {
  actions: Object.fromEntries(
    Object.entries(CONVENTIONS).map(([name, { params, body }]) => [
      name,
      { routing: route.get(`/${name}`), params, responses: { ok: body } },
    ]),
  ),
})

/**
 * Serves the endpoint from a datastore with the two tables.
 * @param {import('../../../dist/plugins/mapper/index.js').Datastore} datastore
 * @param {{ items: unknown, notes: unknown }} tables
 */
export async function serveItems(datastore, tables) {
  const notes = resource(datastore, Note, { table: tables.notes })
  const items = resource(datastore, Item, {
    table: tables.items,
    attributes: { notes: many(notes, { id: 'item_id' }) },
  })
  const list = async (_, { request, reply }) => reply.ok(await items.list(request))
  const conventions = Object.entries(CONVENTIONS).map(([name, convention]) => [
    name,
    async (_, { request, reply }) => reply.ok(convention.answer(request, await items.list(request))),
  ])
  const app = application({
    environment: 'production',
    plugins: [mapper({ resources: { items, notes } }), pagination({ maxItems: 100 })],
    controllers: [
      controller(Items, { index: list, full: list }),
      controller(Conventions, Object.fromEntries(conventions)),
    ],
  })
  const silent = { info() {}, warn() {}, error() {} }
  const { port } = await serve(app, { port: 0, host: '127.0.0.1', signals: false, logger: silent })
  answering(port)
}
