// The common shapes and the list of articles in oRPC: Zod 4 for inputs and outputs, a middleware for the token.
import { ORPCError, os } from '@orpc/server'
import { z } from 'zod'
import { articlesById, feed, userOf } from './data.js'
import { schemasOf } from './zod.js'

const { Article, ById, Changes, Found, Message, Order, OrderPayload, SearchHeaders, SearchQuery, User } = schemasOf(z)
const articles = [...articlesById.values()]

const listArticles = os
  .route({ method: 'GET', path: '/articles' })
  .output(z.array(Article))
  .handler(() => articles)

const listFeed = os
  .route({ method: 'GET', path: '/feed' })
  .output(z.array(Article))
  .handler(() => feed)

const showArticle = os
  .route({ method: 'GET', path: '/articles/{id}' })
  .input(ById)
  .output(Article)
  .handler(({ input: { id } }) => articleOf(id))

const updateArticle = os
  .route({ method: 'PATCH', path: '/articles/{id}' })
  .input(ById.extend(Changes.shape))
  .output(Article)
  .handler(({ input: { id, ...changes } }) => ({ ...articleOf(id), ...changes }))

const search = os
  .route({ method: 'GET', path: '/search', inputStructure: 'detailed' })
  .input(z.object({ query: SearchQuery, headers: SearchHeaders }))
  .output(Found)
  .handler(({ input: { query, headers } }) => ({ ...query, trace: headers['x-trace'] }))

const placeOrder = os
  .route({ method: 'POST', path: '/orders', successStatus: 201 })
  .input(OrderPayload)
  .output(Order)
  .handler(({ input }) => ({ id: 1, ...input }))

const postMessage = os
  .route({ method: 'POST', path: '/messages' })
  .input(Message)
  .output(Message)
  .handler(({ input }) => input)

const secured = os.$context().use(({ context, next }) => {
  const user = userOf(context.headers.authorization)
  if (user === undefined) throw new ORPCError('UNAUTHORIZED')
  return next({ context: { user } })
})
const showUser = secured
  .route({ method: 'GET', path: '/me' })
  .output(User)
  .handler(({ context }) => context.user)

/** The procedures of the common shapes. */
export const shapes = {
  listArticles,
  listFeed,
  showArticle,
  updateArticle,
  search,
  placeOrder,
  postMessage,
  showUser,
}

function articleOf(id) {
  const article = articlesById.get(id)
  if (article === undefined) throw new ORPCError('NOT_FOUND')
  return article
}
