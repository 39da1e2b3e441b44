// The common shapes and the list of articles on Express: Zod for inputs, projection by hand, a function before the handler
// for the token.
import express from 'express'
import { z } from 'zod'
import { articlesById, feed, projected, userOf } from './data.js'
import { schemasOf } from './zod.js'

const { ById, Changes, Message, OrderPayload, SearchHeaders, SearchQuery } = schemasOf(z)
const articles = [...articlesById.values()]

/**
 * @param {import('express').Express} app
 * @param {Function} validated Checks the parts of a request that schemas are given for.
 */
export function addShapes(app, validated) {
  const json = express.json()
  app.get('/articles', (_, res) => {
    res.json(articles.map(projected))
  })
  app.get('/feed', (_, res) => {
    res.json(feed.map(projected))
  })
  app.get('/articles/:id', validated({ params: ById }, showArticle))
  app.patch('/articles/:id', json, validated({ params: ById, body: Changes }, showArticle))
  app.get(
    '/search',
    validated({ query: SearchQuery, headers: SearchHeaders }, ({ query, headers }, res) => {
      res.json({ ...query, trace: headers['x-trace'] })
    }),
  )
  app.post(
    '/orders',
    json,
    validated({ body: OrderPayload }, ({ body }, res) => {
      res.status(201).json({ id: 1, ...body })
    }),
  )
  app.post(
    '/messages',
    json,
    validated({ body: Message }, ({ body }, res) => {
      res.json(body)
    }),
  )
  app.get('/me', verify, (_, res) => {
    const { id, name, roles } = res.locals.user
    res.json({ id, name, roles })
  })
}

function showArticle({ params: { id }, body }, res) {
  const article = articlesById.get(id)
  if (article === undefined) return res.status(404).json({ error: 'not found' })
  res.json(projected({ ...article, ...body }))
}

function verify(req, res, next) {
  const user = userOf(req.headers.authorization)
  if (user === undefined) return res.status(401).set('WWW-Authenticate', 'Bearer').json({ error: 'not known' })
  res.locals.user = user
  next()
}
