// Hono 4 on Node as its documentation advises: zod schemas through its validator, its body limit for uploads.
import { createAdaptorServer } from '@hono/node-server'
import { zValidator } from '@hono/zod-validator'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { z } from 'zod'
import { contest, ROUTES, UPLOAD_LIMIT } from '../contest.js'
import { addLarge } from '../large/hono.js'
import { addShapes } from '../shapes/hono.js'

const app = new Hono()
const positive = z.coerce.number().int().min(1)

app.get('/ping', (c) => c.text('pong'))

const PostParams = z.object({ blog_id: positive, id: positive })
// Hono leaves names with brackets as they are.
const PostQuery = z.object({
  'author[id]': z.coerce.number().int().optional(),
  'tags[]': z.union([z.array(z.string()), z.string().transform((tag) => [tag])]).optional(),
  limit: positive.max(100).default(50),
  order: z.enum(['title', 'id']).optional(),
  draft: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .default(false),
})
const PostHeaders = z.object({
  authorization: z.string(),
  'x-trace': z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .optional(),
})

app.get(
  '/blogs/:blog_id/posts/:id',
  zValidator('param', PostParams),
  zValidator('query', PostQuery),
  zValidator('header', PostHeaders),
  (c) => {
    const { blog_id, id } = c.req.valid('param')
    const { 'author[id]': author, 'tags[]': tags, limit, order, draft } = c.req.valid('query')
    return c.json({ blog_id, id, author, tags, limit, order, draft, trace: c.req.valid('header')['x-trace'] })
  },
)

const Blog = z.object({
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
})

app.post('/blogs', zValidator('json', Blog), (c) =>
  c.json({ id: 1, ...c.req.valid('json') }, 201, { Location: '/blogs/1' }),
)

addShapes(app)
addLarge(app)

app.post(
  '/uploads',
  bodyLimit({ maxSize: UPLOAD_LIMIT }),
  zValidator('form', z.object({ title: z.string(), file: z.instanceof(File) })),
  (c) => {
    const { title, file } = c.req.valid('form')
    return c.json({ title, size: file.size, type: file.type }, 201)
  },
)

for (let i = 0; i < ROUTES; i++) {
  app.get(`/r${i}/:id/items/:item`, zValidator('param', z.object({ id: positive, item: positive })), (c) => {
    const { id, item } = c.req.valid('param')
    return c.json({ route: i, id, item })
  })
}

app.notFound((c) => c.json({ error: 'not found' }, 404))

contest(createAdaptorServer({ fetch: app.fetch }))
