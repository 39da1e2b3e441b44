// ts-rest 3 on Fastify 4, with a contract of Zod 3 schemas for inputs and outputs: the versions that it asks for.
import { initContract } from '@ts-rest/core'
import { initServer } from '@ts-rest/fastify'
import Fastify from 'fastify-4'
import multipart from 'fastify-multipart-8'
import { z } from 'zod-3'
import { contest, ROUTES, UPLOAD_LIMIT } from '../contest.js'
import { large, largeHandlers } from '../large/ts-rest.js'
import { handlers, shapes } from '../shapes/ts-rest.js'

const integer = z.coerce.number().int()
const positive = integer.min(1)
const blog = {
  title: z.string().min(1).max(200),
  kind: z.enum(['personal', 'company']),
  tags: z.array(z.string().max(50)).max(20).optional(),
  rating: z.number().min(0).max(5).optional(),
  published: z.boolean().optional(),
  pinned: z.boolean().default(false),
  author: z.object({
    id: z.number().int().min(1),
    name: z.string(),
    email: z.string().optional(),
    address: z
      .object({ street: z.string().optional(), city: z.string(), zip: z.string().max(12).optional() })
      .optional(),
  }),
  links: z.array(z.object({ rel: z.string(), href: z.string(), weight: z.number().int().optional() })).optional(),
  summary: z.string().max(1000).optional(),
}
const Upload = z.object({ title: z.string(), size: z.number().int(), type: z.string() })

const c = initContract()
const contract = c.router({
  ping: {
    method: 'GET',
    path: '/ping',
    responses: { 200: c.otherResponse({ contentType: 'text/plain; charset=utf-8', body: z.string() }) },
  },
  showPost: {
    method: 'GET',
    path: '/blogs/:blog_id/posts/:id',
    pathParams: z.object({ blog_id: positive, id: positive }),
    query: z.object({
      // Fastify's own parser leaves names with brackets as they are, and costs less than qs.
      'author[id]': integer.optional(),
      'tags[]': z.union([z.array(z.string()), z.string().transform((tag) => [tag])]).optional(),
      limit: positive.max(100).default(50),
      order: z.enum(['title', 'id']).optional(),
      draft: z
        .enum(['true', 'false'])
        .default('false')
        .transform((value) => value === 'true'),
    }),
    headers: z.object({
      authorization: z.string(),
      'x-trace': z
        .string()
        .regex(/^[0-9a-f]{16}$/)
        .optional(),
    }),
    responses: {
      200: z.object({
        blog_id: z.number().int(),
        id: z.number().int(),
        author: z.number().int().optional(),
        tags: z.array(z.string()).optional(),
        limit: z.number().int(),
        order: z.string().optional(),
        draft: z.boolean(),
        trace: z.string().optional(),
      }),
    },
  },
  create: {
    method: 'POST',
    path: '/blogs',
    body: z.object(blog),
    responses: { 201: z.object({ id: z.number().int(), ...blog }) },
  },
  ...shapes,
  ...large,
  upload: {
    method: 'POST',
    path: '/uploads',
    contentType: 'multipart/form-data',
    body: c.type(),
    responses: {
      201: Upload,
      400: z.object({ errors: z.array(z.unknown()) }),
    },
  },
  ...Object.fromEntries(
    Array.from({ length: ROUTES }, (_, i) => [
      `r${i}`,
      {
        method: 'GET',
        path: `/r${i}/:id/items/:item`,
        pathParams: z.object({ id: positive, item: positive }),
        responses: { 200: c.type() },
      },
    ]),
  ),
})

const s = initServer()
const router = s.router(contract, {
  ping: async () => ({ status: 200, body: 'pong' }),
  showPost: async ({ params: { blog_id, id }, query, headers }) => ({
    status: 200,
    body: {
      blog_id,
      id,
      author: query['author[id]'],
      tags: query['tags[]'],
      limit: query.limit,
      order: query.order,
      draft: query.draft,
      trace: headers['x-trace'],
    },
  }),
  create: async ({ body, reply }) => {
    reply.header('Location', '/blogs/1')
    return { status: 201, body: { id: 1, ...body } }
  },
  ...handlers,
  ...largeHandlers,
  // ts-rest leaves forms to the plugin of Fastify, so that what came is checked here.
  upload: async ({ request }) => {
    const form = { size: 0 }
    for await (const part of request.parts()) {
      if (part.type !== 'file') form[part.fieldname] = part.value
      else {
        form.type = part.mimetype
        for await (const chunk of part.file) form.size += chunk.length
      }
    }
    const { success, data, error } = Upload.safeParse(form)
    return success ? { status: 201, body: data } : { status: 400, body: { errors: error.issues } }
  },
  ...Object.fromEntries(
    Array.from({ length: ROUTES }, (_, i) => [
      `r${i}`,
      async ({ params: { id, item } }) => ({ status: 200, body: { route: i, id, item } }),
    ]),
  ),
})

const app = Fastify()
app.decorateRequest('user', null)
app.register(multipart, { limits: { fileSize: UPLOAD_LIMIT } })
app.register(s.plugin(router), { logInitialization: false, responseValidation: true })
await app.ready()
contest(app.server)
