// The common shapes and the list of articles on Elysia: TypeBox for inputs and outputs, `resolve` for the token.
import { node } from '@elysiajs/node'
import { Type } from '@sinclair/typebox'
import { Elysia, t } from 'elysia'
import { articlesById, feed, userOf } from './data.js'

// `t.Integer` and `t.Date` also take texts, as parameters need; in bodies and answers those of TypeBox itself say what is meant.
const status = t.Union([t.Literal('draft'), t.Literal('review'), t.Literal('published')])
const Article = t.Object({
  id: Type.Integer(),
  title: t.String(),
  slug: t.String(),
  status,
  rating: t.Number(),
  views: Type.Integer(),
  published: t.Boolean(),
  created_at: Type.Date(),
  author: t.Object({ id: Type.Integer(), name: t.String() }),
  tags: t.Array(t.String()),
})
const Order = {
  number: t.String({ pattern: '^ORD-\\d{4}-\\d{6}$' }),
  customer: t.Object({
    id: Type.Integer({ minimum: 1 }),
    name: t.String({ maxLength: 100 }),
    email: t.String({ maxLength: 100 }),
    country: t.Optional(t.String({ maxLength: 2 })),
  }),
  currency: t.Union([t.Literal('EUR'), t.Literal('GBP'), t.Literal('USD')], { default: 'EUR' }),
  gift: t.Boolean({ default: false }),
  lines: t.Array(
    t.Object({
      sku: t.String({ pattern: '^[A-Z]{3}-\\d{4}$' }),
      quantity: Type.Integer({ minimum: 1, maximum: 999 }),
      price: t.Number({ minimum: 0 }),
      note: t.Optional(t.String({ maxLength: 200 })),
    }),
    { maxItems: 100 },
  ),
}
const Message = t.Object({
  to: t.String({ maxLength: 100 }),
  text: t.String({ maxLength: 280 }),
  priority: Type.Integer({ minimum: 1, maximum: 5 }),
})
const Changes = t.Object({
  title: t.Optional(t.String({ minLength: 1, maxLength: 200 })),
  slug: t.Optional(t.String({ maxLength: 200 })),
  status: t.Optional(status),
  rating: t.Optional(t.Number({ minimum: 0, maximum: 5 })),
  published: t.Optional(t.Boolean()),
  tags: t.Optional(t.Array(t.String(), { maxItems: 20 })),
})
const search = {
  query: t.Object({
    q: t.Optional(t.String({ maxLength: 100 })),
    limit: t.Integer({ minimum: 1, maximum: 100, default: 50 }),
    sort: t.Optional(t.Union([t.Literal('title'), t.Literal('created_at')])),
    tags: t.Optional(t.Array(t.String())),
    archived: t.Boolean({ default: false }),
  }),
  headers: t.Object({ authorization: t.String(), 'x-trace': t.Optional(t.String({ pattern: '^[0-9a-f]{16}$' })) }),
  response: {
    200: t.Object({
      q: t.Optional(t.String()),
      limit: Type.Integer(),
      sort: t.Optional(t.String()),
      tags: t.Optional(t.Array(t.String())),
      archived: t.Boolean(),
      trace: t.Optional(t.String()),
    }),
  },
}
const User = t.Object({ id: Type.Integer(), name: t.String(), roles: t.Array(t.String()) })
const Missing = t.Object({ error: t.String() })
const byId = t.Object({ id: t.Integer({ minimum: 1 }) })
const articles = [...articlesById.values()]

const secured = new Elysia({ adapter: node(), precompile: true })
  .resolve(({ headers, status }) => {
    const user = userOf(headers.authorization)
    return user === undefined ? status(401, { error: 'not known' }) : { user }
  })
  .get('/me', ({ user }) => user, { response: { 200: User, 401: Missing } })

/** The routes of the common shapes. */
export const shapes = new Elysia({ adapter: node(), precompile: true })
  .get('/articles', () => articles, { response: { 200: t.Array(Article) } })
  .get('/feed', () => feed, { response: { 200: t.Array(Article) } })
  .get('/articles/:id', ({ params: { id }, status }) => articlesById.get(id) ?? status(404, { error: 'not found' }), {
    params: byId,
    response: { 200: Article, 404: Missing },
  })
  .patch(
    '/articles/:id',
    ({ params: { id }, body, status }) => {
      const article = articlesById.get(id)
      return article === undefined ? status(404, { error: 'not found' }) : { ...article, ...body }
    },
    { parse: 'json', params: byId, body: Changes, response: { 200: Article, 404: Missing } },
  )
  .get('/search', ({ query, headers }) => ({ ...query, trace: headers['x-trace'] }), search)
  .post('/orders', ({ body, status }) => status(201, { id: 1, ...withDefaults(body) }), {
    parse: 'json',
    body: t.Object(Order),
    response: { 201: t.Object({ id: Type.Integer(), ...Order }) },
  })
  .post('/messages', ({ body }) => body, { parse: 'json', body: Message, response: { 200: Message } })
  .use(secured)

// Elysia fills in the defaults of the body itself, and not those of objects and lists in it.
function withDefaults(order) {
  const customer = { country: 'GB', ...order.customer }
  return { ...order, customer, lines: order.lines.map((line) => ({ note: '', ...line })) }
}
