// The common shapes and the list of articles on Hono: Zod through its validator, projection by hand, its middleware for
// bearer tokens.
import { zValidator } from '@hono/zod-validator'
import { bearerAuth } from 'hono/bearer-auth'
import { z } from 'zod'
import { articlesById, feed, projected, users } from './data.js'
import { schemasOf } from './zod.js'

const { ById, Changes, Message, OrderPayload, SearchHeaders, SearchQuery } = schemasOf(z)
const articles = [...articlesById.values()]

/** @param {import('hono').Hono} app */
export function addShapes(app) {
  app.get('/articles', (c) => c.json(articles.map(projected)))
  app.get('/feed', (c) => c.json(feed.map(projected)))
  app.get('/articles/:id', zValidator('param', ById), (c) => {
    const article = articlesById.get(c.req.valid('param').id)
    return article === undefined ? c.notFound() : c.json(projected(article))
  })
  app.patch('/articles/:id', zValidator('param', ById), zValidator('json', Changes), (c) => {
    const article = articlesById.get(c.req.valid('param').id)
    return article === undefined ? c.notFound() : c.json(projected({ ...article, ...c.req.valid('json') }))
  })
  app.get('/search', zValidator('query', SearchQuery), zValidator('header', SearchHeaders), (c) =>
    c.json({ ...c.req.valid('query'), trace: c.req.valid('header')['x-trace'] }),
  )
  app.post('/orders', zValidator('json', OrderPayload), (c) => c.json({ id: 1, ...c.req.valid('json') }, 201))
  app.post('/messages', zValidator('json', Message), (c) => c.json(c.req.valid('json')))
  app.get('/me', bearerAuth({ verifyToken }), (c) => {
    const { id, name, roles } = c.get('user')
    return c.json({ id, name, roles })
  })
}

function verifyToken(token, c) {
  const user = users.get(token)
  c.set('user', user)
  return user !== undefined
}
