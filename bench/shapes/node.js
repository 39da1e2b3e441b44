// The common shapes and the list of articles by hand: every input is checked, every answer projected.
import {
  isObject,
  isText,
  missing,
  NO_BOOLEAN,
  NO_TEXT,
  POSITIVE,
  readInteger,
  readPairs,
  refuse,
  send,
  TO_100,
  wrong,
} from '../by-hand.js'
import { articlesById, feed, projected, userOf } from './data.js'

const TRACE = /^[0-9a-f]{16}$/
const NUMBER = /^ORD-\d{4}-\d{6}$/
const SKU = /^[A-Z]{3}-\d{4}$/
const ORDER = new Set(['number', 'customer', 'currency', 'gift', 'lines'])
const MESSAGE = new Set(['to', 'text', 'priority'])
const CHANGES = new Set(['title', 'slug', 'status', 'rating', 'published', 'tags'])
const articles = [...articlesById.values()]

const json = (res, status, value) => send(res, status, 'application/json', JSON.stringify(value))
const list = (res, stored) => json(res, 200, stored.map(projected))

/** Answers a GET of one of the shapes, and tells whether it is one. */
export function getShape(req, res, url) {
  if (url === '/articles') list(res, articles)
  else if (url === '/feed') list(res, feed)
  else if (url === '/me') showUser(req, res)
  else if (url.startsWith('/articles/')) showArticle(res, url.slice(10))
  else if (url === '/search' || url.startsWith('/search?')) search(req, res, url.slice(8))
  else return false
  return true
}

function search(req, res, query) {
  const errors = []
  const found = { q: undefined, limit: 50, sort: undefined, tags: undefined, archived: false, trace: undefined }
  readPairs(query, (name, value) => {
    if (name === 'q') {
      if (value.length > 100) errors.push(wrong('/q', 'must be a text of at most 100 signs'))
      found.q = value
    } else if (name === 'limit') found.limit = readInteger(value, name, errors, TO_100)
    else if (name === 'sort') {
      if (value !== 'title' && value !== 'created_at') errors.push(wrong('/sort', 'must be title or created_at'))
      found.sort = value
    } else if (name === 'tags') {
      found.tags ??= []
      found.tags.push(value)
    } else if (name === 'archived') {
      if (value !== 'true' && value !== 'false') errors.push(wrong('/archived', NO_BOOLEAN))
      found.archived = value === 'true'
    } else errors.push(wrong(`/${name}`, 'is unknown'))
  })
  if (req.headers.authorization === undefined) errors.push(wrong('/authorization', 'is missing'))
  const trace = req.headers['x-trace']
  if (trace !== undefined && !TRACE.test(trace)) errors.push(wrong('/x-trace', 'does not fit its pattern'))
  found.trace = trace
  if (errors.length > 0) return refuse(res, errors)
  json(res, 200, found)
}

function showArticle(res, idText) {
  const errors = []
  const id = readInteger(idText, 'id', errors, POSITIVE)
  if (errors.length > 0) return refuse(res, errors)
  const article = articlesById.get(id)
  if (article === undefined) return missing(res)
  json(res, 200, projected(article))
}

function showUser(req, res) {
  const user = userOf(req.headers.authorization)
  if (user !== undefined) return json(res, 200, { id: user.id, name: user.name, roles: user.roles })
  res.setHeader('WWW-Authenticate', 'Bearer')
  json(res, 401, { error: 'not known' })
}

/** Answers a PATCH of an article. */
export function updateArticle(res, idText, body) {
  const errors = []
  const id = readInteger(idText, 'id', errors, POSITIVE)
  if (!isKnown(body, CHANGES, errors)) return refuse(res, errors)
  const { title, slug, status, rating, published, tags } = body
  if (title !== undefined && (!isText(title, 200) || title.length < 1))
    errors.push(wrong('/title', 'must be a text of 1 to 200 signs'))
  if (slug !== undefined && !isText(slug, 200)) errors.push(wrong('/slug', 'must be a text of at most 200 signs'))
  if (status !== undefined && status !== 'draft' && status !== 'review' && status !== 'published')
    errors.push(wrong('/status', 'must be draft, review or published'))
  if (rating !== undefined && !(typeof rating === 'number' && rating >= 0 && rating <= 5))
    errors.push(wrong('/rating', 'must be a number from 0 to 5'))
  if (published !== undefined && typeof published !== 'boolean') errors.push(wrong('/published', NO_BOOLEAN))
  if (tags !== undefined && !(Array.isArray(tags) && tags.length <= 20 && tags.every(isAnyText)))
    errors.push(wrong('/tags', 'must be at most 20 texts'))
  if (errors.length > 0) return refuse(res, errors)
  const article = articlesById.get(id)
  if (article === undefined) return missing(res)
  json(res, 200, projected({ ...article, ...body }))
}

/** Answers a POST of a message. */
export function postMessage(res, body) {
  const errors = []
  if (!isKnown(body, MESSAGE, errors)) return refuse(res, errors)
  const { to, text, priority } = body
  if (!isText(to, 100)) errors.push(wrong('/to', 'must be a text of at most 100 signs'))
  if (!isText(text, 280)) errors.push(wrong('/text', 'must be a text of at most 280 signs'))
  if (!isWhole(priority, 1, 5)) errors.push(wrong('/priority', 'must be a whole number from 1 to 5'))
  if (errors.length > 0) return refuse(res, errors)
  json(res, 200, { to, text, priority })
}

/** Answers a POST of an order. */
export function placeOrder(res, body) {
  const errors = []
  if (!isKnown(body, ORDER, errors)) return refuse(res, errors)
  const { number, currency = 'EUR', gift = false } = body
  if (!isText(number) || !NUMBER.test(number)) errors.push(wrong('/number', 'does not fit its pattern'))
  if (currency !== 'EUR' && currency !== 'GBP' && currency !== 'USD')
    errors.push(wrong('/currency', 'must be EUR, GBP or USD'))
  if (typeof gift !== 'boolean') errors.push(wrong('/gift', NO_BOOLEAN))
  const customer = customerOf(body.customer, errors)
  const lines = linesOf(body.lines, errors)
  if (errors.length > 0) return refuse(res, errors)
  json(res, 201, { id: 1, number, customer, currency, gift, lines })
}

function customerOf(customer, errors) {
  if (!isObject(customer)) return void errors.push(wrong('/customer', 'must be an object'))
  const { id, name, email, country = 'GB' } = customer
  if (!isWhole(id, 1, Infinity)) errors.push(wrong('/customer/id', 'must be a whole number of at least 1'))
  if (!isText(name, 100)) errors.push(wrong('/customer/name', NO_TEXT))
  if (!isText(email, 100)) errors.push(wrong('/customer/email', NO_TEXT))
  if (!isText(country, 2)) errors.push(wrong('/customer/country', 'must be a text of at most 2 signs'))
  return { id, name, email, country }
}

function linesOf(lines, errors) {
  if (!Array.isArray(lines) || lines.length > 100) return void errors.push(wrong('/lines', 'must be at most 100 lines'))
  return lines.map((line, i) => {
    if (!isObject(line)) return void errors.push(wrong(`/lines/${i}`, 'must be an object'))
    const { sku, quantity, price, note = '' } = line
    if (!isText(sku) || !SKU.test(sku)) errors.push(wrong(`/lines/${i}/sku`, 'does not fit its pattern'))
    if (!isWhole(quantity, 1, 999)) errors.push(wrong(`/lines/${i}/quantity`, 'must be a whole number from 1 to 999'))
    if (typeof price !== 'number' || price < 0)
      errors.push(wrong(`/lines/${i}/price`, 'must be a number of at least 0'))
    if (!isText(note, 200)) errors.push(wrong(`/lines/${i}/note`, 'must be a text of at most 200 signs'))
    return { sku, quantity, price, note }
  })
}

const isAnyText = (value) => typeof value === 'string'
const isWhole = (value, min, max) => Number.isSafeInteger(value) && value >= min && value <= max

function isKnown(body, names, errors) {
  if (!isObject(body)) {
    errors.push(wrong('', 'is not an object in JSON'))
    return false
  }
  for (const name in body) if (!names.has(name)) errors.push(wrong(`/${name}`, 'is unknown'))
  return true
}
