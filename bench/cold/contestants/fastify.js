// Fastify with JSON schemas for params, bodies and responses.
import Fastify from 'fastify'
import { answering } from '../answering.js'
import { answerOf, eachRoute, pathOf } from '../routes.js'

const app = Fastify()
const integer = { type: 'integer', minimum: 1 }
eachRoute((a, b, payload) => {
  const schema = {
    params: { type: 'object', required: ['id', 'part'], properties: { id: integer, part: integer } },
    response: {
      200: {
        type: 'object',
        required: ['id', 'part', 'name', 'count'],
        properties: {
          id: { type: 'integer' },
          part: { type: 'integer' },
          name: { type: 'string' },
          count: { type: 'integer' },
        },
      },
    },
  }
  const body = {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string', minLength: 1, maxLength: 100 }, count: { type: 'integer', minimum: 0 } },
  }
  app.route({
    method: payload ? 'POST' : 'GET',
    url: pathOf(a, b),
    schema: payload ? { ...schema, body } : schema,
    handler: async ({ params, body }) => answerOf(params.id, params.part, body),
  })
})
await app.listen({ port: 0, host: '127.0.0.1' })
answering(app.server.address().port)
