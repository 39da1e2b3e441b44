// The common shapes and the list of articles in Effect: schemas for inputs and outputs, a security middleware for the token.
import { HttpApiEndpoint, HttpApiError, HttpApiMiddleware, HttpApiSecurity } from '@effect/platform'
import { Context, Effect, Layer, Redacted, Schema } from 'effect'
import { articlesById, feed, users } from './data.js'

// Decoding stops at the first error unless a schema says otherwise.
const all = { parseOptions: { errors: 'all' } }
const Whole = Schema.NumberFromString.pipe(Schema.int())
const Positive = Whole.pipe(Schema.positive())
// Absent values are left out, never undefined: schemas that know it have less to try.
const optional = Schema.optionalWith({ exact: true })
const defaulted = (schema, value) => Schema.optionalWith(schema, { default: () => value, exact: true })
const text = (most) => Schema.String.pipe(Schema.maxLength(most))
const status = Schema.Literal('draft', 'review', 'published')

const Article = Schema.Struct({
  id: Schema.Int,
  title: Schema.String,
  slug: Schema.String,
  status,
  rating: Schema.Number,
  views: Schema.Int,
  published: Schema.Boolean,
  created_at: Schema.Date,
  author: Schema.Struct({ id: Schema.Int, name: Schema.String }),
  tags: Schema.Array(Schema.String),
})
const Changes = Schema.Struct({
  title: optional(text(200).pipe(Schema.minLength(1))),
  slug: optional(text(200)),
  status: optional(status),
  rating: optional(Schema.Number.pipe(Schema.between(0, 5))),
  published: optional(Schema.Boolean),
  tags: optional(Schema.Array(Schema.String).pipe(Schema.maxItems(20))),
}).annotations(all)
const SearchQuery = Schema.Struct({
  q: optional(text(100)),
  limit: defaulted(Whole.pipe(Schema.between(1, 100)), 50),
  sort: optional(Schema.Literal('title', 'created_at')),
  tags: optional(Schema.Array(Schema.String)),
  archived: defaulted(Schema.BooleanFromString, false),
}).annotations(all)
const SearchHeaders = Schema.Struct({
  authorization: Schema.String,
  'x-trace': optional(Schema.String.pipe(Schema.pattern(/^[0-9a-f]{16}$/))),
}).annotations(all)
const Found = Schema.Struct({
  q: Schema.optional(Schema.String),
  limit: Schema.Int,
  sort: Schema.optional(Schema.String),
  tags: Schema.optional(Schema.Array(Schema.String)),
  archived: Schema.Boolean,
  trace: Schema.optional(Schema.String),
})
const order = {
  number: Schema.String.pipe(Schema.pattern(/^ORD-\d{4}-\d{6}$/)),
  customer: Schema.Struct({
    id: Schema.Int.pipe(Schema.positive()),
    name: text(100),
    email: text(100),
    country: defaulted(text(2), 'GB'),
  }),
  currency: defaulted(Schema.Literal('EUR', 'GBP', 'USD'), 'EUR'),
  gift: defaulted(Schema.Boolean, false),
  lines: Schema.Array(
    Schema.Struct({
      sku: Schema.String.pipe(Schema.pattern(/^[A-Z]{3}-\d{4}$/)),
      quantity: Schema.Int.pipe(Schema.between(1, 999)),
      price: Schema.Number.pipe(Schema.nonNegative()),
      note: defaulted(text(200), ''),
    }),
  ).pipe(Schema.maxItems(100)),
}
const Message = Schema.Struct({
  to: text(100),
  text: text(280),
  priority: Schema.Int.pipe(Schema.between(1, 5)),
})

class CurrentUser extends Context.Tag('CurrentUser')() {}
class Token extends HttpApiMiddleware.Tag()('Token', {
  failure: HttpApiError.Unauthorized,
  provides: CurrentUser,
  security: { bearer: HttpApiSecurity.bearer },
}) {}

/** Callers by their tokens. */
export const TokenLive = Layer.succeed(Token, {
  bearer: (token) => {
    const user = users.get(Redacted.value(token))
    return user === undefined ? Effect.fail(new HttpApiError.Unauthorized()) : Effect.succeed(user)
  },
})

const byId = Schema.Struct({ id: Positive })
const endpoints = [
  HttpApiEndpoint.get('articles', '/articles').addSuccess(Schema.Array(Article)),
  HttpApiEndpoint.get('feed', '/feed').addSuccess(Schema.Array(Article)),
  HttpApiEndpoint.get('showArticle', '/articles/:id').setPath(byId).addSuccess(Article).addError(HttpApiError.NotFound),
  HttpApiEndpoint.patch('updateArticle', '/articles/:id')
    .setPath(byId)
    .setPayload(Changes)
    .addSuccess(Article)
    .addError(HttpApiError.NotFound),
  HttpApiEndpoint.get('search', '/search').setUrlParams(SearchQuery).setHeaders(SearchHeaders).addSuccess(Found),
  HttpApiEndpoint.post('placeOrder', '/orders')
    .setPayload(Schema.Struct(order).annotations(all))
    .addSuccess(Schema.Struct({ id: Schema.Int, ...order }), { status: 201 }),
  HttpApiEndpoint.post('postMessage', '/messages').setPayload(Message.annotations(all)).addSuccess(Message),
  HttpApiEndpoint.get('me', '/me')
    .addSuccess(Schema.Struct({ id: Schema.Int, name: Schema.String, roles: Schema.Array(Schema.String) }))
    .middleware(Token),
]

/** Adds the shapes to a group. */
export const addShapes = (group) => endpoints.reduce((group, endpoint) => group.add(endpoint), group)

const articles = [...articlesById.values()]

/** Adds the functions of the shapes. */
export const handleShapes = (handlers) =>
  handlers
    .handle('articles', () => Effect.succeed(articles))
    .handle('feed', () => Effect.succeed(feed))
    .handle('showArticle', ({ path: { id } }) => articleOf(id))
    .handle('updateArticle', ({ path: { id }, payload }) =>
      Effect.map(articleOf(id), (article) => ({ ...article, ...payload })),
    )
    .handle('search', ({ urlParams, headers }) => Effect.succeed({ ...urlParams, trace: headers['x-trace'] }))
    .handle('placeOrder', ({ payload }) => Effect.succeed({ id: 1, ...payload }))
    .handle('postMessage', ({ payload }) => Effect.succeed(payload))
    .handle('me', () => CurrentUser)

function articleOf(id) {
  const article = articlesById.get(id)
  return article === undefined ? Effect.fail(new HttpApiError.NotFound()) : Effect.succeed(article)
}
