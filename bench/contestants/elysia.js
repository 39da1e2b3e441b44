// Elysia 1.4 on its adapter for Node, with TypeBox schemas for inputs and outputs, precompiled as its documentation advises.
import { node } from '@elysiajs/node'
import { Type } from '@sinclair/typebox'
import { Elysia, t } from 'elysia'
import { answering, ROUTES, UPLOAD_LIMIT } from '../contest.js'
import { large } from '../large/elysia.js'
import { shapes } from '../shapes/elysia.js'

// `t.Integer` and `t.Date` also take texts, as parameters need; in bodies and answers those of TypeBox itself say what is meant.
const Blog = {
  title: t.String({ minLength: 1, maxLength: 200 }),
  kind: t.Union([t.Literal('personal'), t.Literal('company')]),
  tags: t.Optional(t.Array(t.String({ maxLength: 50 }), { maxItems: 20 })),
  rating: t.Optional(t.Number({ minimum: 0, maximum: 5 })),
  published: t.Optional(t.Boolean()),
  pinned: t.Boolean({ default: false }),
  author: t.Object({
    id: Type.Integer({ minimum: 1 }),
    name: t.String(),
    email: t.Optional(t.String()),
    address: t.Optional(
      t.Object({ street: t.Optional(t.String()), city: t.String(), zip: t.Optional(t.String({ maxLength: 12 })) }),
    ),
  }),
  links: t.Optional(t.Array(t.Object({ rel: t.String(), href: t.String(), weight: t.Optional(Type.Integer()) }))),
  summary: t.Optional(t.String({ maxLength: 1000 })),
}
const Positive = t.Integer({ minimum: 1 })

const app = new Elysia({ adapter: node(), precompile: true })
  // Elysia answers 422 to what does not validate, and hides the places in production; `error.all` has all of them.
  .onError(({ code, error, status }) => {
    if (code === 'NOT_FOUND') return status(404, { error: 'not found' })
    if (code === 'VALIDATION')
      return status(400, { on: error.type, errors: error.all.map(({ path, message }) => ({ path, message })) })
    if (code === 'PARSE') return status(400, { error: 'body is not well-formed' })
    return status(500, { error: 'internal error' })
  })
  .get('/ping', () => 'pong')
  .get(
    '/blogs/:blog_id/posts/:id',
    ({ params: { blog_id, id }, query, headers }) => ({
      blog_id,
      id,
      author: query['author[id]'],
      tags: query['tags[]'],
      limit: query.limit,
      order: query.order,
      draft: query.draft,
      trace: headers['x-trace'],
    }),
    {
      params: t.Object({ blog_id: Positive, id: Positive }),
      // Elysia's parser of queries knows no brackets: they are part of the names.
      query: t.Object({
        'author[id]': t.Optional(t.Integer()),
        'tags[]': t.Optional(t.Array(t.String())),
        limit: t.Integer({ minimum: 1, maximum: 100, default: 50 }),
        order: t.Optional(t.Union([t.Literal('title'), t.Literal('id')])),
        draft: t.Boolean({ default: false }),
      }),
      headers: t.Object({
        authorization: t.String(),
        'x-trace': t.Optional(t.String({ pattern: '^[0-9a-f]{16}$' })),
      }),
      response: {
        200: t.Object({
          blog_id: Type.Integer(),
          id: Type.Integer(),
          author: t.Optional(Type.Integer()),
          tags: t.Optional(t.Array(t.String())),
          limit: Type.Integer(),
          order: t.Optional(t.String()),
          draft: t.Boolean(),
          trace: t.Optional(t.String()),
        }),
      },
    },
  )
  .post(
    '/blogs',
    ({ body, set, status }) => {
      set.headers.location = '/blogs/1'
      return status(201, { id: 1, ...body })
    },
    { parse: 'json', body: t.Object(Blog), response: { 201: t.Object({ id: Type.Integer(), ...Blog }) } },
  )
  .use(shapes)
  .use(large)
  .post('/uploads', ({ body: { title, file }, status }) => status(201, { title, size: file.size, type: file.type }), {
    parse: 'formdata',
    body: t.Object({ title: t.String(), file: t.File({ maxSize: UPLOAD_LIMIT }) }),
    response: { 201: t.Object({ title: t.String(), size: Type.Integer(), type: t.String() }) },
  })

for (let i = 0; i < ROUTES; i++)
  app.get(`/r${i}/:id/items/:item`, ({ params: { id, item } }) => ({ route: i, id, item }), {
    params: t.Object({ id: Positive, item: Positive }),
  })

app.listen({ port: 0, hostname: '127.0.0.1' }, async ({ raw }) => {
  await raw.ready()
  answering(raw.node.server.address().port)
})
