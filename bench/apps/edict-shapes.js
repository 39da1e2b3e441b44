// The common shapes of the contestant edict: everything on, as in the rest of its application.
import {
  collectionOf,
  controller,
  endpoint,
  header,
  inherit,
  mediaType,
  route,
  security,
  t,
  verifier,
} from '../../dist/index.js'
import { articlesById, feed, users } from '../shapes/data.js'

const Article = mediaType('Article', {
  attributes: {
    id: t.integer({ required: true }),
    title: t.string({ required: true }),
    slug: t.string({ required: true }),
    status: t.string({ required: true, values: ['draft', 'review', 'published'] }),
    rating: t.number({ required: true }),
    views: t.integer({ required: true }),
    published: t.boolean({ required: true }),
    created_at: t.dateTime({ required: true }),
    author: t.object({ id: t.integer({ required: true }), name: t.string({ required: true }) }, { required: true }),
    tags: t.array(t.string(), { required: true }),
  },
})
const Found = mediaType('Found', {
  identifier: 'application/json',
  attributes: {
    q: t.string(),
    limit: t.integer({ required: true }),
    sort: t.string(),
    tags: t.array(t.string()),
    archived: t.boolean({ required: true }),
    trace: t.string(),
  },
})
const Order = mediaType('Order', {
  attributes: {
    id: t.integer({ required: true }),
    number: t.string({ required: true, pattern: /^ORD-\d{4}-\d{6}$/ }),
    customer: t.object(
      {
        id: t.integer({ required: true, min: 1 }),
        name: t.string({ required: true, max: 100 }),
        email: t.string({ required: true, max: 100 }),
        country: t.string({ default: 'GB', max: 2 }),
      },
      { required: true },
    ),
    currency: t.string({ values: ['EUR', 'GBP', 'USD'], default: 'EUR' }),
    gift: t.boolean({ default: false }),
    lines: t.array(
      t.object({
        sku: t.string({ required: true, pattern: /^[A-Z]{3}-\d{4}$/ }),
        quantity: t.integer({ required: true, min: 1, max: 999 }),
        price: t.number({ required: true, min: 0 }),
        note: t.string({ max: 200, default: '' }),
      }),
      { required: true, max: 100 },
    ),
  },
})
const Message = mediaType('Message', {
  attributes: {
    to: t.string({ required: true, max: 100 }),
    text: t.string({ required: true, max: 280 }),
    priority: t.integer({ required: true, min: 1, max: 5 }),
  },
})
const User = mediaType('User', {
  attributes: {
    id: t.integer({ required: true }),
    name: t.string({ required: true }),
    roles: t.array(t.string(), { required: true }),
  },
})
const Token = security.bearer('Token')

const Search = endpoint('Search', {
  actions: {
    index: {
      routing: route.get('/'),
      params: {
        q: t.string({ max: 100 }),
        limit: t.integer({ min: 1, max: 100, default: 50 }),
        sort: t.string({ values: ['title', 'created_at'] }),
        tags: t.array(t.string()),
        archived: t.boolean({ default: false }),
      },
      headers: { Authorization: header(), 'X-Trace': header(/^[0-9a-f]{16}$/) },
      responses: { ok: Found },
    },
  },
})
const Orders = endpoint('Orders', {
  mediaType: Order,
  actions: {
    create: {
      routing: route.post('/'),
      payload: { number: inherit, customer: inherit, currency: inherit, gift: inherit, lines: inherit },
      responses: { created: Order },
    },
  },
})
const Articles = endpoint('Articles', {
  mediaType: Article,
  actions: {
    index: { routing: route.get('/'), responses: { ok: collectionOf(Article) } },
    show: {
      routing: route.get('/:id'),
      params: { id: t.integer({ min: 1 }) },
      responses: { ok: Article, notFound: true },
    },
    update: {
      routing: route.patch('/:id'),
      params: { id: t.integer({ min: 1 }) },
      payload: {
        title: inherit({ required: false, min: 1, max: 200 }),
        slug: inherit({ required: false, max: 200 }),
        status: inherit({ required: false }),
        rating: inherit({ required: false, min: 0, max: 5 }),
        published: inherit({ required: false }),
        tags: inherit({ required: false, max: 20 }),
      },
      responses: { ok: Article, notFound: true },
    },
  },
})
const Feed = endpoint('Feed', {
  actions: { index: { routing: route.get('/'), responses: { ok: collectionOf(Article) } } },
})
const Messages = endpoint('Messages', {
  actions: { create: { routing: route.post('/'), payload: Message, responses: { ok: Message } } },
})
const Me = endpoint('Me', {
  actions: { show: { routing: route.get('/'), security: Token, responses: { ok: User } } },
})
const articles = [...articlesById.values()]

/** Those who answer the common shapes. */
export const shapes = [
  controller(Search, {
    index: ({ q, limit, sort, tags, archived }, { request, reply }) =>
      reply.ok({ q, limit, sort, tags, archived, trace: request.headers['X-Trace'] }),
  }),
  controller(Orders, { create: (_, { request, reply }) => reply.created({ id: 1, ...request.payload }) }),
  controller(Articles, {
    index: (_, { reply }) => reply.ok(articles),
    show({ id }, { reply }) {
      const article = articlesById.get(id)
      return article === undefined ? reply.notFound() : reply.ok(article)
    },
    update({ id }, { request, reply }) {
      const article = articlesById.get(id)
      return article === undefined ? reply.notFound() : reply.ok({ ...article, ...request.payload })
    },
  }),
  controller(Feed, { index: (_, { reply }) => reply.ok(feed) }),
  controller(Messages, { create: (_, { request, reply }) => reply.ok(request.payload) }),
  controller(Me, { show: (_, { principal, reply }) => reply.ok(principal) }),
]

/** Callers by their tokens. */
export const verifiers = [verifier(Token, (token) => users.get(token))]
