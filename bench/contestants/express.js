// Express 5 with zod by hand, qs for nested queries, multer for uploads; without ETags, which no other contestant makes here.
import { createServer } from 'node:http'
import express from 'express'
import multer from 'multer'
import { z } from 'zod'
import { contest, ROUTES, UPLOAD_LIMIT } from '../contest.js'
import { addLarge } from '../large/express.js'
import { addShapes } from '../shapes/express.js'

const app = express()
app.disable('x-powered-by')
app.disable('etag')
app.set('query parser', 'extended')
const positive = z.coerce.number().int().min(1)

/** Checks the parts of a request that schemas are given for, and answers all errors at once. */
function validated(schemas, handle) {
  const parts = Object.keys(schemas)
  return (req, res) => {
    const valid = {}
    const errors = []
    for (const part of parts) {
      const result = schemas[part].safeParse(req[part])
      if (result.success) valid[part] = result.data
      else errors.push(...result.error.issues)
    }
    if (errors.length > 0) return res.status(400).json({ errors })
    handle(valid, res, req)
  }
}

app.get('/ping', (_, res) => {
  res.type('text/plain').send('pong')
})

const post = {
  params: z.object({ blog_id: positive, id: positive }),
  query: z.object({
    author: z.object({ id: z.coerce.number().int().optional() }).optional(),
    tags: z.array(z.string()).optional(),
    limit: positive.max(100).default(50),
    order: z.enum(['title', 'id']).optional(),
    draft: z
      .enum(['true', 'false'])
      .transform((text) => text === 'true')
      .default(false),
  }),
  headers: z.object({
    authorization: z.string(),
    'x-trace': z
      .string()
      .regex(/^[0-9a-f]{16}$/)
      .optional(),
  }),
}

app.get(
  '/blogs/:blog_id/posts/:id',
  validated(post, ({ params: { blog_id, id }, query: { author, tags, limit, order, draft }, headers }, res) => {
    res.json({ blog_id, id, author: author?.id, tags, limit, order, draft, trace: headers['x-trace'] })
  }),
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

app.post(
  '/blogs',
  express.json(),
  validated({ body: Blog }, ({ body }, res) => {
    res
      .status(201)
      .location('/blogs/1')
      .json({ id: 1, ...body })
  }),
)

addShapes(app, validated)
addLarge(app, validated)

const files = multer({ storage: multer.memoryStorage(), limits: { fileSize: UPLOAD_LIMIT, files: 1 } })
app.post(
  '/uploads',
  files.single('file'),
  validated({ body: z.object({ title: z.string() }) }, ({ body: { title } }, res, { file }) => {
    if (file === undefined) return res.status(400).json({ errors: [{ path: ['file'], message: 'Required' }] })
    res.status(201).json({ title, size: file.size, type: file.mimetype })
  }),
)

const item = { params: z.object({ id: positive, item: positive }) }
for (let i = 0; i < ROUTES; i++) {
  app.get(
    `/r${i}/:id/items/:item`,
    validated(item, ({ params }, res) => {
      res.json({ route: i, id: params.id, item: params.item })
    }),
  )
}

app.use((_, res) => {
  res.status(404).json({ error: 'not found' })
})
// Express knows handlers of errors by their four parameters.
app.use((error, _req, res, _next) => {
  const status = error instanceof multer.MulterError ? 400 : (error.status ?? 500)
  res.status(status).json({ error: error.message })
})

contest(createServer(app))
