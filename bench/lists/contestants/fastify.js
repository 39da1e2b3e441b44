// Fastify with Drizzle: JSON Schemas for what comes in and what goes out, as its documentation advises.
import Fastify from 'fastify'
import { answering } from './contestant.js'
import { itemsOf, ORDERS, WrongPlace } from './peer.js'

const list = itemsOf('fastify')
const app = Fastify({ ajv: { customOptions: { removeAdditional: false } } })

const querystring = {
  type: 'object',
  additionalProperties: false,
  required: ['order'],
  properties: {
    order: { type: 'string', enum: ORDERS },
    page: { type: 'integer', minimum: 1 },
    items: { type: 'integer', minimum: 1, maximum: 100, default: 100 },
    after: { type: 'string', maxLength: 4096 },
    before: { type: 'string', maxLength: 4096 },
    count: { type: 'boolean', default: false },
  },
}

const Item = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    title: { type: 'string' },
    kind: { type: 'string' },
    price: { type: 'number', nullable: true },
    stock: { type: 'integer' },
    active: { type: 'boolean' },
    created_at: { type: 'string', format: 'date-time' },
  },
}

app.get(
  '/items',
  { schema: { querystring, response: { 200: { type: 'array', items: Item } } } },
  async (request, reply) => {
    const { page, total, link } = await list(request.query)
    reply.header('Link', link)
    if (total !== undefined) reply.header('Total-Count', total)
    return page
  },
)

app.setErrorHandler((error, _, reply) => {
  const status = error instanceof WrongPlace ? 400 : (error.statusCode ?? 500)
  reply.status(status).send({ error: error.message })
})

await app.listen({ port: 0, host: '127.0.0.1' })
answering(app.server.address().port)
