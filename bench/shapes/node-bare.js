// The common shapes and the list of articles by hand, without any validation.
import { missing, send } from '../by-hand.js'
import { articlesById, feed, users } from './data.js'

const articles = [...articlesById.values()]
const json = (res, status, value) => send(res, status, 'application/json', JSON.stringify(value))

/** Answers a GET of one of the shapes, and tells whether it is one. */
export function getShape(req, res, url) {
  if (url === '/articles') json(res, 200, articles)
  else if (url === '/feed') json(res, 200, feed)
  else if (url === '/me') json(res, 200, users.get(req.headers.authorization.slice(7)))
  else if (url.startsWith('/articles/')) showArticle(res, Number(url.slice(10)))
  else if (url.startsWith('/search?')) search(req, res, url.slice(8))
  else return false
  return true
}

function search(req, res, query) {
  const found = { q: undefined, limit: 50, sort: undefined, tags: [], archived: false, trace: req.headers['x-trace'] }
  for (const [name, value] of new URLSearchParams(query)) {
    if (name === 'q') found.q = value
    else if (name === 'limit') found.limit = Number(value)
    else if (name === 'sort') found.sort = value
    else if (name === 'tags') found.tags.push(value)
    else if (name === 'archived') found.archived = value === 'true'
  }
  json(res, 200, found)
}

function showArticle(res, id) {
  const article = articlesById.get(id)
  if (article === undefined) return missing(res)
  json(res, 200, article)
}

/** Answers a PATCH of an article. */
export const updateArticle = (res, id, body) => json(res, 200, { ...articlesById.get(Number(id)), ...body })

/** Answers a POST of a message. */
export const postMessage = (res, body) => json(res, 200, body)

/** Answers a POST of an order. */
export function placeOrder(res, body) {
  const customer = { country: 'GB', ...body.customer }
  const lines = body.lines.map((line) => ({ note: '', ...line }))
  json(res, 201, { id: 1, currency: 'EUR', gift: false, ...body, customer, lines })
}
