// The application of the contestant Fastify, as its documentation advises: JSON schemas for inputs and outputs, its own parser
// of queries, its plugin for uploads.
import multipart from '@fastify/multipart'
import Fastify from 'fastify'
import { ROUTES, UPLOAD_LIMIT } from '../contest.js'
import { addLarge } from '../large/fastify.js'
import { addShapes } from '../shapes/fastify.js'

/**
 * Makes an application that answers all workloads.
 * @param {object} options Options of Fastify.
 * @param {(app: import('fastify').FastifyInstance) => Promise<void>} prepare Registers plugins before any route.
 */
export async function fastifyApp(options = {}, prepare = async () => {}) {
  const app = Fastify({ ajv: { customOptions: { allErrors: true, discriminator: true } }, ...options })
  await prepare(app)
  await app.register(multipart, { limits: { fileSize: UPLOAD_LIMIT, files: 1 } })

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
        // Its parser leaves names with brackets as they are, and costs less than qs, which it may be given.
        querystring: {
          type: 'object',
          additionalProperties: false,
          properties: {
            'author[id]': { type: 'integer' },
            'tags[]': { type: 'array', items: { type: 'string' } },
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
      const { 'author[id]': author, 'tags[]': tags, limit, order, draft } = request.query
      reply.send({ blog_id, id, author, tags, limit, order, draft, trace: request.headers['x-trace'] })
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

  addShapes(app)
  addLarge(app)

  app.post(
    '/uploads',
    {
      schema: {
        response: {
          201: {
            type: 'object',
            properties: { title: { type: 'string' }, size: { type: 'integer' }, type: { type: 'string' } },
          },
        },
      },
    },
    async (request, reply) => {
      const data = await request.file()
      if (data === undefined) return reply.code(400).send({ message: 'file is missing' })
      let size = 0
      for await (const chunk of data.file) size += chunk.length
      const title = data.fields.title?.value
      if (typeof title !== 'string') return reply.code(400).send({ message: 'title is missing' })
      return reply.code(201).send({ title, size, type: data.mimetype })
    },
  )

  for (let i = 0; i < ROUTES; i++) {
    app.get(
      `/r${i}/:id/items/:item`,
      {
        schema: {
          params: {
            type: 'object',
            required: ['id', 'item'],
            properties: { id: { type: 'integer', minimum: 1 }, item: { type: 'integer', minimum: 1 } },
          },
          response: {
            200: {
              type: 'object',
              properties: { route: { type: 'integer' }, id: { type: 'integer' }, item: { type: 'integer' } },
            },
          },
        },
      },
      (request, reply) => {
        reply.send({ route: i, id: request.params.id, item: request.params.item })
      },
    )
  }

  await app.ready()
  return app
}
