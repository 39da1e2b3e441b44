// Fastify 5 as its documentation advises: JSON schemas for inputs and outputs, qs for nested queries.
import Fastify from 'fastify'
import qs from 'qs'
import { contest } from '../contest.js'

const app = Fastify({ routerOptions: { querystringParser: (text) => qs.parse(text) } })

app.get('/ping', (_, reply) => {
  reply.type('text/plain; charset=utf-8').send('pong')
})

app.get(
  '/blogs/:blog_id/posts/:id',
  {
    schema: {
      params: {
        type: 'object',
        required: ['blog_id', 'id'],
        properties: { blog_id: { type: 'integer', minimum: 1 }, id: { type: 'integer', minimum: 1 } },
      },
      querystring: {
        type: 'object',
        additionalProperties: false,
        properties: {
          author: { type: 'object', additionalProperties: false, properties: { id: { type: 'integer' } } },
          tags: { type: 'array', items: { type: 'string' } },
          limit: { type: 'integer', minimum: 1, maximum: 100, default: 50 },
          order: { type: 'string', enum: ['title', 'id'] },
          draft: { type: 'boolean', default: false },
        },
      },
      headers: {
        type: 'object',
        required: ['authorization'],
        properties: { authorization: { type: 'string' }, 'x-trace': { type: 'string', pattern: '^[0-9a-f]{16}$' } },
      },
      response: {
        200: {
          type: 'object',
          properties: {
            blog_id: { type: 'integer' },
            id: { type: 'integer' },
            author: { type: 'integer' },
            tags: { type: 'array', items: { type: 'string' } },
            limit: { type: 'integer' },
            order: { type: 'string' },
            draft: { type: 'boolean' },
            trace: { type: 'string' },
          },
        },
      },
    },
  },
  (request, reply) => {
    const { blog_id, id } = request.params
    const { author, tags, limit, order, draft } = request.query
    reply.send({ blog_id, id, author: author?.id, tags, limit, order, draft, trace: request.headers['x-trace'] })
  },
)

const blog = {
  title: { type: 'string', minLength: 1, maxLength: 200 },
  kind: { type: 'string', enum: ['personal', 'company'] },
  tags: { type: 'array', maxItems: 20, items: { type: 'string', maxLength: 50 } },
  rating: { type: 'number', minimum: 0, maximum: 5 },
  published: { type: 'boolean' },
  pinned: { type: 'boolean', default: false },
  author: {
    type: 'object',
    additionalProperties: false,
    required: ['id', 'name'],
    properties: {
      id: { type: 'integer', minimum: 1 },
      name: { type: 'string' },
      email: { type: 'string' },
      address: {
        type: 'object',
        additionalProperties: false,
        required: ['city'],
        properties: { street: { type: 'string' }, city: { type: 'string' }, zip: { type: 'string', maxLength: 12 } },
      },
    },
  },
  links: {
    type: 'array',
    items: {
      type: 'object',
      additionalProperties: false,
      required: ['rel', 'href'],
      properties: { rel: { type: 'string' }, href: { type: 'string' }, weight: { type: 'integer' } },
    },
  },
  summary: { type: 'string', maxLength: 1000 },
}

app.post(
  '/blogs',
  {
    schema: {
      body: { type: 'object', additionalProperties: false, required: ['title', 'kind', 'author'], properties: blog },
      response: { 201: { type: 'object', properties: { id: { type: 'integer' }, ...blog } } },
    },
  },
  (request, reply) => {
    reply
      .code(201)
      .header('Location', '/blogs/1')
      .send({ id: 1, ...request.body })
  },
)

await app.ready()
contest(app.server)
