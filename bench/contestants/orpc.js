// oRPC 1 with its OpenAPI handler on node:http, and Zod 4 schemas for inputs and outputs.
import { createServer } from 'node:http'
import { OpenAPIHandler } from '@orpc/openapi/node'
import { os } from '@orpc/server'
import { z } from 'zod'
import { contest, ROUTES, UPLOAD_LIMIT } from '../contest.js'
import { large } from '../large/orpc.js'
import { shapes } from '../shapes/orpc.js'

const blog = {
  title: z.string().min(1).max(200),
  kind: z.enum(['personal', 'company']),
  tags: z.array(z.string().max(50)).max(20).optional(),
  rating: z.number().min(0).max(5).optional(),
  published: z.boolean().optional(),
  pinned: z.boolean().default(false),
  author: z.object({
    id: z.int().min(1),
    name: z.string(),
    email: z.string().optional(),
    address: z
      .object({ street: z.string().optional(), city: z.string(), zip: z.string().max(12).optional() })
      .optional(),
  }),
  links: z.array(z.object({ rel: z.string(), href: z.string(), weight: z.int().optional() })).optional(),
  summary: z.string().max(1000).optional(),
}
// Zod's own coercion costs less than the plugin that coerces by the JSON schema of an input.
const integer = z.coerce.number().int()
const positive = integer.min(1)

const pong = new TextEncoder().encode('pong')
const ping = os
  .route({ method: 'GET', path: '/ping', outputStructure: 'detailed' })
  // oRPC answers in JSON: other text is a file or a stream to it, and a stream costs less.
  .handler(() => ({
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    body: new ReadableStream({
      start(controller) {
        controller.enqueue(pong)
        controller.close()
      },
    }),
  }))

const showPost = os
  .route({ method: 'GET', path: '/blogs/{blog_id}/posts/{id}', inputStructure: 'detailed' })
  .input(
    z.object({
      params: z.object({ blog_id: positive, id: positive }),
      query: z.object({
        author: z.object({ id: integer.optional() }).optional(),
        tags: z.array(z.string()).optional(),
        limit: positive.max(100).default(50),
        order: z.enum(['title', 'id']).optional(),
        draft: z.stringbool({ truthy: ['true'], falsy: ['false'] }).default(false),
      }),
      headers: z.object({
        authorization: z.string(),
        'x-trace': z
          .string()
          .regex(/^[0-9a-f]{16}$/)
          .optional(),
      }),
    }),
  )
  .output(
    z.object({
      blog_id: z.int(),
      id: z.int(),
      author: z.int().optional(),
      tags: z.array(z.string()).optional(),
      limit: z.int(),
      order: z.string().optional(),
      draft: z.boolean(),
      trace: z.string().optional(),
    }),
  )
  .handler(({ input: { params, query, headers } }) => ({
    blog_id: params.blog_id,
    id: params.id,
    author: query.author?.id,
    tags: query.tags,
    limit: query.limit,
    order: query.order,
    draft: query.draft,
    trace: headers['x-trace'],
  }))

const createBlog = os
  .route({ method: 'POST', path: '/blogs', successStatus: 201, outputStructure: 'detailed' })
  .input(z.object(blog))
  .output(z.object({ headers: z.object({ location: z.string() }), body: z.object({ id: z.int(), ...blog }) }))
  .handler(({ input }) => ({ headers: { location: '/blogs/1' }, body: { id: 1, ...input } }))

const createUpload = os
  .route({ method: 'POST', path: '/uploads', successStatus: 201 })
  .input(z.object({ title: z.string(), file: z.file().max(UPLOAD_LIMIT) }))
  .output(z.object({ title: z.string(), size: z.int(), type: z.string() }))
  .handler(({ input: { title, file } }) => ({ title, size: file.size, type: file.type }))

const more = {}
for (let i = 0; i < ROUTES; i++)
  more[`r${i}`] = os
    .route({ method: 'GET', path: `/r${i}/{id}/items/{item}` })
    .input(z.object({ id: positive, item: positive }))
    .handler(({ input: { id, item } }) => ({ route: i, id, item }))

const handler = new OpenAPIHandler({ ping, showPost, createBlog, createUpload, shapes, large, more })

const server = createServer((req, res) => {
  void handler.handle(req, res, { context: { headers: req.headers } }).then(({ matched }) => {
    if (matched) return
    res.writeHead(404, { 'Content-Type': 'application/json' })
    res.end('{"error":"not found"}')
  })
})
contest(server)
