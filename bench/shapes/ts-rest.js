// The common shapes and the list of articles in ts-rest: a contract of Zod 3 schemas, a hook of Fastify for the token.
import { initContract } from '@ts-rest/core'
import { z } from 'zod-3'
import { articlesById, feed, userOf } from './data.js'
import { schemasOf } from './zod.js'

const { Article, ById, Changes, Found, Message, Order, OrderPayload, SearchHeaders, SearchQuery, User } = schemasOf(z)
const Missing = z.object({ error: z.string() })
const c = initContract()
const articles = [...articlesById.values()]
const missing = { status: 404, body: { error: 'not found' } }

/** The routes of the contract. */
export const shapes = c.router({
  articles: { method: 'GET', path: '/articles', responses: { 200: z.array(Article) } },
  feed: { method: 'GET', path: '/feed', responses: { 200: z.array(Article) } },
  showArticle: { method: 'GET', path: '/articles/:id', pathParams: ById, responses: { 200: Article, 404: Missing } },
  updateArticle: {
    method: 'PATCH',
    path: '/articles/:id',
    pathParams: ById,
    body: Changes,
    responses: { 200: Article, 404: Missing },
  },
  search: { method: 'GET', path: '/search', query: SearchQuery, headers: SearchHeaders, responses: { 200: Found } },
  placeOrder: { method: 'POST', path: '/orders', body: OrderPayload, responses: { 201: Order } },
  postMessage: { method: 'POST', path: '/messages', body: Message, responses: { 200: Message } },
  me: { method: 'GET', path: '/me', responses: { 200: User } },
})

/** Their functions. */
export const handlers = {
  articles: async () => ({ status: 200, body: articles }),
  feed: async () => ({ status: 200, body: feed }),
  showArticle: async ({ params: { id } }) => {
    const body = articlesById.get(id)
    return body === undefined ? missing : { status: 200, body }
  },
  updateArticle: async ({ params: { id }, body }) => {
    const article = articlesById.get(id)
    return article === undefined ? missing : { status: 200, body: { ...article, ...body } }
  },
  search: async ({ query, headers }) => ({ status: 200, body: { ...query, trace: headers['x-trace'] } }),
  placeOrder: async ({ body }) => ({ status: 201, body: { id: 1, ...body } }),
  postMessage: async ({ body }) => ({ status: 200, body }),
  me: { hooks: { preHandler: verify }, handler: async ({ request: { user } }) => ({ status: 200, body: user }) },
}

function verify(request, reply, done) {
  const user = userOf(request.headers.authorization)
  if (user === undefined) return reply.code(401).header('WWW-Authenticate', 'Bearer').send({ error: 'not known' })
  request.user = user
  done()
}
