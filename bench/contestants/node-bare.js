// node:http by hand without any validation: it believes what it is sent, and sends what it has.
import { createServer } from 'node:http'
import { Busboy } from '@fastify/busboy'
import { missing, send } from '../by-hand.js'
import { contest, ROUTES } from '../contest.js'
import { getLarge, postLarge } from '../large/node-bare.js'
import { getShape, placeOrder, postMessage, updateArticle } from '../shapes/node-bare.js'

const POST = /^\/blogs\/([^/]+)\/posts\/([^/]+)$/
const ITEM = /^\/([^/]+)\/items\/([^/]+)$/
const items = new Map(Array.from({ length: ROUTES }, (_, i) => [`/r${i}`, i]))

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
  const route = slash < 0 ? undefined : items.get(path.slice(0, slash))
  const match = route === undefined ? null : ITEM.exec(path.slice(slash))
  if (match === null) return missing(res)
  send(res, 200, 'application/json', JSON.stringify({ route, id: Number(match[1]), item: Number(match[2]) }))
}

function showPost(req, res, match, query) {
  const answer = {
    blog_id: Number(match[1]),
    id: Number(match[2]),
    author: undefined,
    tags: [],
    limit: 50,
    order: undefined,
    draft: false,
    trace: req.headers['x-trace'],
  }
  for (const [name, value] of new URLSearchParams(query)) {
    if (name === 'author[id]') answer.author = Number(value)
    else if (name === 'tags[]') answer.tags.push(value)
    else if (name === 'limit') answer.limit = Number(value)
    else if (name === 'order') answer.order = value
    else if (name === 'draft') answer.draft = value === 'true'
  }
  send(res, 200, 'application/json', JSON.stringify(answer))
}

function collect(req, res, handle) {
  const chunks = []
  req.on('data', (chunk) => chunks.push(chunk))
  req.on('end', () => {
    let body
    try {
      body = JSON.parse((chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)).toString())
    } catch {
      return send(res, 400, 'application/json', '{"error":"malformed"}')
    }
    handle(res, body)
  })
}

function create(res, body) {
  const text = JSON.stringify({ id: 1, pinned: false, ...body })
  const length = String(Buffer.byteLength(text))
  res.writeHead(201, ['Content-Type', 'application/json', 'Location', '/blogs/1', 'Content-Length', length])
  res.end(text)
}

function upload(req, res) {
  const parser = new Busboy({ headers: req.headers })
  const answer = { title: undefined, size: 0, type: undefined }
  parser.on('field', (_name, value) => {
    answer.title = value
  })
  // biome-ignore lint/complexity/useMaxParams: the parser calls it with five arguments.
  parser.on('file', (_name, file, _filename, _encoding, mimetype) => {
    answer.type = mimetype
    file.on('data', (chunk) => {
      answer.size += chunk.length
    })
  })
  parser.on('finish', () => send(res, 201, 'application/json', JSON.stringify(answer)))
  req.pipe(parser)
}

contest(server)
