// node:http by hand: the same checks, written out for exactly these requests, and answers projected by hand.
import { createServer } from 'node:http'
import { Busboy } from '@fastify/busboy'
import {
  ANY,
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
import { contest, ROUTES, UPLOAD_LIMIT } from '../contest.js'
import { getLarge, postLarge } from '../large/node.js'
import { getShape, placeOrder, postMessage, updateArticle } from '../shapes/node.js'

const BODY_LIMIT = 1_048_576
const POST = /^\/blogs\/([^/]+)\/posts\/([^/]+)$/
const ITEM = /^\/([^/]+)\/items\/([^/]+)$/
const TRACE = /^[0-9a-f]{16}$/
const items = new Map(
  Array.from({ length: ROUTES }, (_, i) => [`/r${i}`, (res, id, item) => showItem(res, i, id, item)]),
)

const server = createServer((req, res) => {
  if (req.method === 'GET') return get(req, res, req.url)
  if (req.method === 'POST') {
    if (req.url === '/blogs') return collect(req, res, create)
    if (req.url === '/orders') return collect(req, res, placeOrder)
    if (req.url === '/messages') return collect(req, res, postMessage)
    if (req.url === '/uploads') return upload(req, res)
    const take = postLarge.get(req.url)
    if (take !== undefined) return collect(req, res, take)
  }
  if (req.method === 'PATCH' && req.url.startsWith('/articles/')) {
    const id = req.url.slice(10)
    return collect(req, res, (res, body) => updateArticle(res, id, body))
  }
  missing(res)
})

function get(req, res, url) {
  if (url === '/ping') return send(res, 200, 'text/plain; charset=utf-8', 'pong')
  if (getShape(req, res, url) || getLarge(res, url)) return
  const mark = url.indexOf('?')
  const path = mark < 0 ? url : url.slice(0, mark)
  if (path.startsWith('/blogs/')) {
    const match = POST.exec(path)
    if (match !== null) return showPost(req, res, match, mark < 0 ? '' : url.slice(mark + 1))
  }
  const slash = path.indexOf('/', 1)
  const show = slash < 0 ? undefined : items.get(path.slice(0, slash))
  const match = show === undefined ? null : ITEM.exec(path.slice(slash))
  if (match === null) return missing(res)
  show(res, match[1], match[2])
}

function showItem(res, route, idText, itemText) {
  const errors = []
  const id = readInteger(idText, 'id', errors, POSITIVE)
  const item = readInteger(itemText, 'item', errors, POSITIVE)
  if (errors.length > 0) return refuse(res, errors)
  send(res, 200, 'application/json', JSON.stringify({ route, id, item }))
}

function showPost(req, res, match, query) {
  const errors = []
  const blog_id = readInteger(match[1], 'blog_id', errors, POSITIVE)
  const id = readInteger(match[2], 'id', errors, POSITIVE)
  const answer = {
    blog_id,
    id,
    author: undefined,
    tags: undefined,
    limit: 50,
    order: undefined,
    draft: false,
    trace: undefined,
  }
  readPairs(query, (name, value) => {
    if (name === 'author[id]') answer.author = readInteger(value, name, errors, ANY)
    else if (name === 'tags[]' || name === 'tags') {
      answer.tags ??= []
      answer.tags.push(value)
    } else if (name === 'limit') answer.limit = readInteger(value, name, errors, TO_100)
    else if (name === 'order') {
      if (value !== 'title' && value !== 'id') errors.push(wrong('/order', 'must be title or id'))
      answer.order = value
    } else if (name === 'draft') {
      if (value !== 'true' && value !== 'false') errors.push(wrong('/draft', 'must be true or false'))
      answer.draft = value === 'true'
    } else errors.push(wrong(`/${name}`, 'is unknown'))
  })
  if (req.headers.authorization === undefined) errors.push(wrong('/authorization', 'is missing'))
  const trace = req.headers['x-trace']
  if (trace !== undefined && !TRACE.test(trace)) errors.push(wrong('/x-trace', 'does not fit its pattern'))
  answer.trace = trace
  if (errors.length > 0) return refuse(res, errors)
  send(res, 200, 'application/json', JSON.stringify(answer))
}

function collect(req, res, handle) {
  const chunks = []
  let size = 0
  req.on('data', (chunk) => {
    size += chunk.length
    if (size <= BODY_LIMIT) chunks.push(chunk)
  })
  req.on('end', () => {
    if (size > BODY_LIMIT) return send(res, 413, 'application/json', '{"error":"too large"}')
    let body
    try {
      body = JSON.parse((chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)).toString())
    } catch {
      return refuse(res, [wrong('', 'is not an object in JSON')])
    }
    handle(res, body)
  })
}

const KNOWN = new Set(['title', 'kind', 'tags', 'rating', 'published', 'pinned', 'author', 'links', 'summary'])

const isTag = (value) => typeof value === 'string' && value.length <= 50

function create(res, body) {
  const errors = []
  if (!isObject(body)) return refuse(res, [wrong('', 'is not an object in JSON')])
  for (const name in body) if (!KNOWN.has(name)) errors.push(wrong(`/${name}`, 'is unknown'))
  const { title, kind, tags, rating, published, pinned = false, author, links, summary } = body
  if (!isText(title, 200) || title.length < 1) errors.push(wrong('/title', 'must be a text of 1 to 200 signs'))
  if (kind !== 'personal' && kind !== 'company') errors.push(wrong('/kind', 'must be personal or company'))
  if (tags !== undefined && !(Array.isArray(tags) && tags.length <= 20 && tags.every(isTag)))
    errors.push(wrong('/tags', 'must be at most 20 texts of at most 50 signs'))
  if (rating !== undefined && !(typeof rating === 'number' && rating >= 0 && rating <= 5))
    errors.push(wrong('/rating', 'must be a number from 0 to 5'))
  if (published !== undefined && typeof published !== 'boolean') errors.push(wrong('/published', NO_BOOLEAN))
  if (typeof pinned !== 'boolean') errors.push(wrong('/pinned', NO_BOOLEAN))
  if (summary !== undefined && !isText(summary, 1000))
    errors.push(wrong('/summary', 'must be a text of at most 1000 signs'))
  const blog = {
    id: 1,
    title,
    kind,
    tags,
    rating,
    published,
    pinned,
    author: authorOf(author, errors),
    links: linksOf(links, errors),
    summary,
  }
  if (errors.length > 0) return refuse(res, errors)
  const text = JSON.stringify(blog)
  res.writeHead(201, [
    'Content-Type',
    'application/json',
    'Location',
    '/blogs/1',
    'Content-Length',
    String(Buffer.byteLength(text)),
  ])
  res.end(text)
}

function authorOf(author, errors) {
  if (!isObject(author)) return void errors.push(wrong('/author', 'must be an object'))
  const { id, name, email, address } = author
  if (!Number.isSafeInteger(id) || id < 1) errors.push(wrong('/author/id', 'must be a whole number of at least 1'))
  if (!isText(name)) errors.push(wrong('/author/name', NO_TEXT))
  if (email !== undefined && !isText(email)) errors.push(wrong('/author/email', NO_TEXT))
  if (address === undefined) return { id, name, email }
  if (!isObject(address) || !isText(address.city)) errors.push(wrong('/author/address', 'must have a city'))
  const { street, city, zip } = address
  if (street !== undefined && !isText(street)) errors.push(wrong('/author/address/street', NO_TEXT))
  if (zip !== undefined && !isText(zip, 12))
    errors.push(wrong('/author/address/zip', 'must be a text of at most 12 signs'))
  return { id, name, email, address: { street, city, zip } }
}

function linksOf(links, errors) {
  if (links === undefined) return undefined
  if (!Array.isArray(links)) return void errors.push(wrong('/links', 'must be a list'))
  return links.map((link, i) => {
    if (!isObject(link)) return void errors.push(wrong(`/links/${i}`, 'must be an object'))
    const { rel, href, weight } = link
    if (!isText(rel)) errors.push(wrong(`/links/${i}/rel`, NO_TEXT))
    if (!isText(href)) errors.push(wrong(`/links/${i}/href`, NO_TEXT))
    if (weight !== undefined && !Number.isSafeInteger(weight))
      errors.push(wrong(`/links/${i}/weight`, 'must be a whole number'))
    return { rel, href, weight }
  })
}

function upload(req, res) {
  let parser
  try {
    parser = new Busboy({ headers: req.headers, limits: { fileSize: UPLOAD_LIMIT, files: 1, fields: 1, parts: 2 } })
  } catch {
    return refuse(res, [wrong('', 'is not an object in JSON')])
  }
  let title
  let type
  let size = 0
  let truncated = false
  parser.on('field', (name, value) => {
    if (name === 'title') title = value
  })
  // biome-ignore lint/complexity/useMaxParams: the parser calls it with five arguments.
  parser.on('file', (name, file, _filename, _encoding, mimetype) => {
    if (name !== 'file') return file.resume()
    type = mimetype
    file.on('data', (chunk) => {
      size += chunk.length
    })
    file.on('limit', () => {
      truncated = true
    })
  })
  parser.on('error', () => refuse(res, [wrong('', 'is malformed')]))
  parser.on('finish', () => {
    if (truncated) return send(res, 413, 'application/json', '{"error":"too large"}')
    const errors = []
    if (title === undefined) errors.push(wrong('/title', 'is missing'))
    if (type === undefined) errors.push(wrong('/file', 'is missing'))
    if (errors.length > 0) return refuse(res, errors)
    send(res, 201, 'application/json', JSON.stringify({ title, size, type }))
  })
  req.pipe(parser)
}

contest(server)
