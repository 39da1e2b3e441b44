// oRPC with its OpenAPI handler and zod schemas for inputs and outputs.
import { createServer } from 'node:http'
import { OpenAPIHandler } from '@orpc/openapi/node'
import { os } from '@orpc/server'
import { z } from 'zod'
import { answering } from '../answering.js'
import { answerOf, eachRoute, pathOf } from '../routes.js'

const integer = () => z.coerce.number().int().min(1)
const router = {}
eachRoute((a, b, payload) => {
  const captures = { id: integer(), part: integer() }
  const input = payload
    ? z.object({ ...captures, name: z.string().min(1).max(100), count: z.number().int().min(0).optional() })
    : z.object(captures)
  router[`part${a}x${b}`] = os
    .route({ method: payload ? 'POST' : 'GET', path: pathOf(a, b, (name) => `{${name}}`) })
    .input(input)
    .output(z.object({ id: z.number().int(), part: z.number().int(), name: z.string(), count: z.number().int() }))
    .handler(({ input }) => answerOf(input.id, input.part, payload ? input : undefined))
})
const handler = new OpenAPIHandler(router)
async function answer(request, response) {
  const { matched } = await handler.handle(request, response)
  if (matched) return
  response.statusCode = 404
  response.end()
}
const server = createServer((request, response) => void answer(request, response))
server.listen(0, '127.0.0.1', () => answering(server.address().port))
