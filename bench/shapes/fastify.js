// The common shapes and the list of articles on Fastify: schemas for inputs and outputs, a hook for the token.
import { articlesById, feed, userOf } from './data.js'

const text = { type: 'string' }
const integer = { type: 'integer' }
const strings = { type: 'array', items: text }
const positive = { type: 'integer', minimum: 1 }
const byId = { type: 'object', required: ['id'], properties: { id: positive } }
const object = (properties, required = []) => ({ type: 'object', additionalProperties: false, required, properties })

const article = object({
  id: integer,
  title: text,
  slug: text,
  status: { type: 'string', enum: ['draft', 'review', 'published'] },
  rating: { type: 'number' },
  views: integer,
  published: { type: 'boolean' },
  created_at: { type: 'string', format: 'date-time' },
  author: object({ id: integer, name: text }),
  tags: strings,
})
const search = {
  querystring: object({
    q: { type: 'string', maxLength: 100 },
    limit: { type: 'integer', minimum: 1, maximum: 100, default: 50 },
    sort: { type: 'string', enum: ['title', 'created_at'] },
    tags: strings,
    archived: { type: 'boolean', default: false },
  }),
  headers: {
    type: 'object',
    required: ['authorization'],
    properties: { authorization: text, 'x-trace': { type: 'string', pattern: '^[0-9a-f]{16}$' } },
  },
  response: {
    200: object({ q: text, limit: integer, sort: text, tags: strings, archived: { type: 'boolean' }, trace: text }),
  },
}
const order = {
  number: { type: 'string', pattern: '^ORD-\\d{4}-\\d{6}$' },
  customer: object(
    {
      id: positive,
      name: { type: 'string', maxLength: 100 },
      email: { type: 'string', maxLength: 100 },
      country: { type: 'string', maxLength: 2, default: 'GB' },
    },
    ['id', 'name', 'email'],
  ),
  currency: { type: 'string', enum: ['EUR', 'GBP', 'USD'], default: 'EUR' },
  gift: { type: 'boolean', default: false },
  lines: {
    type: 'array',
    maxItems: 100,
    items: object(
      {
        sku: { type: 'string', pattern: '^[A-Z]{3}-\\d{4}$' },
        quantity: { type: 'integer', minimum: 1, maximum: 999 },
        price: { type: 'number', minimum: 0 },
        note: { type: 'string', maxLength: 200, default: '' },
      },
      ['sku', 'quantity', 'price'],
    ),
  },
}
const message = object(
  {
    to: { type: 'string', maxLength: 100 },
    text: { type: 'string', maxLength: 280 },
    priority: { type: 'integer', minimum: 1, maximum: 5 },
  },
  ['to', 'text', 'priority'],
)
const changes = object({
  title: { type: 'string', minLength: 1, maxLength: 200 },
  slug: { type: 'string', maxLength: 200 },
  status: { type: 'string', enum: ['draft', 'review', 'published'] },
  rating: { type: 'number', minimum: 0, maximum: 5 },
  published: { type: 'boolean' },
  tags: { type: 'array', maxItems: 20, items: text },
})

/** @param {import('fastify').FastifyInstance} app */
export function addShapes(app) {
  addArticles(app)
  app.get('/search', { schema: search }, (request, reply) => {
    const { q, limit, sort, tags, archived } = request.query
    reply.send({ q, limit, sort, tags, archived, trace: request.headers['x-trace'] })
  })
  const placed = object({ id: integer, ...order })
  const orders = { body: object(order, ['number', 'customer', 'lines']), response: { 201: placed } }
  app.post('/orders', { schema: orders }, (request, reply) => {
    reply.code(201).send({ id: 1, ...request.body })
  })
  app.post('/messages', { schema: { body: message, response: { 200: message } } }, (request, reply) => {
    reply.send(request.body)
  })
  app.decorateRequest('user', null)
  const me = { response: { 200: object({ id: integer, name: text, roles: strings }) } }
  app.get('/me', { schema: me, preHandler: verify }, (request, reply) => {
    reply.send(request.user)
  })
}

/** @param {import('fastify').FastifyInstance} app */
function addArticles(app) {
  const articles = [...articlesById.values()]
  const list = { response: { 200: { type: 'array', items: article } } }
  app.get('/articles', { schema: list }, (_, reply) => {
    reply.send(articles)
  })
  app.get('/feed', { schema: list }, (_, reply) => {
    reply.send(feed)
  })
  app.get('/articles/:id', { schema: { params: byId, response: { 200: article } } }, (request, reply) => {
    const found = articlesById.get(request.params.id)
    if (found === undefined) return reply.callNotFound()
    reply.send(found)
  })
  const update = { params: byId, body: changes, response: { 200: article } }
  app.patch('/articles/:id', { schema: update }, (request, reply) => {
    const found = articlesById.get(request.params.id)
    if (found === undefined) return reply.callNotFound()
    reply.send({ ...found, ...request.body })
  })
}

function verify(request, reply, done) {
  const user = userOf(request.headers.authorization)
  if (user === undefined) return reply.code(401).header('WWW-Authenticate', 'Bearer').send({ error: 'not known' })
  request.user = user
  done()
}
