// Fastify 5 with the surface, as its documentation advises: JSON schemas, qs for nested queries, its own form and multipart plugins.
import formbody from '@fastify/formbody'
import multipart from '@fastify/multipart'
import Fastify from 'fastify'
import qs from 'qs'
import { underGauge } from '../gauge.ts'
import { TIMEOUTS } from '../timeouts.ts'
import { BODY_LIMIT, FILE_LIMIT, files, lines } from './shared.js'

const app = Fastify({
  bodyLimit: BODY_LIMIT,
  requestTimeout: TIMEOUTS.request,
  http: { headersTimeout: TIMEOUTS.headers, connectionsCheckingInterval: TIMEOUTS.checkEvery },
  routerOptions: { querystringParser: (text) => qs.parse(text), maxParamLength: 4000 },
})
app.register(formbody, { parser: (text) => qs.parse(text) })
app.register(multipart, { limits: { fileSize: FILE_LIMIT, parts: 200, fields: 200 } })
app.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_, body, done) => done(null, body))

const text = (maxLength) => ({ type: 'string', maxLength })
const things = {
  name: text(50),
  count: { type: 'integer', minimum: 0, maximum: 1000 },
  ratio: { type: 'number' },
  big: { type: 'string', pattern: '^-?[0-9]{1,1000}$' },
  on: { type: 'boolean' },
  day: { type: 'string', format: 'date' },
  at: { type: 'string', format: 'date-time' },
  time: { type: 'string', format: 'time' },
  tags: { type: 'array', maxItems: 20, items: text(50) },
  author: {
    type: 'object',
    additionalProperties: false,
    required: ['id'],
    properties: { id: { type: 'integer' }, name: { type: 'string' } },
  },
  labels: { type: 'object', additionalProperties: { type: 'integer' } },
  slug: { type: 'string', pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$', maxLength: 64 },
  email: { type: 'string', format: 'email' },
  site: { type: 'string', format: 'uri' },
  uuid: { type: 'string', format: 'uuid' },
}
const closed = (properties, required = []) => ({ type: 'object', additionalProperties: false, required, properties })

app.register(async (routes) => {
  routes.get('/health', (_, reply) => reply.type('text/plain').send('ok'))
  routes.get(
    '/items/:id',
    { schema: { params: closed({ id: { type: 'integer', minimum: 1 } }) } },
    (request) => request.params,
  )
  routes.get('/echo/:text', { schema: { params: closed({ text: text(1000) }) } }, (request) => request.params)
  routes.get('/files/*', (request, reply) => {
    const found = files.get(request.params['*'])
    return found === undefined
      ? reply.code(404).send({ error: 'There is no such file.' })
      : reply.type('text/plain').send(found)
  })
  routes.get(
    '/coded/:code',
    { schema: { params: closed({ code: { type: 'string', pattern: '^[a-z0-9-]+$' } }) } },
    (request) => request.params,
  )
  routes.get('/search', { schema: { querystring: closed(things) } }, (request) => request.query)
  routes.post('/things', { schema: { body: closed(things, ['name']) } }, (request) => request.body)
  routes.post('/any', (request) => typeof request.body)
  routes.put('/text', { schema: { body: text(10_000) } }, (request) => `${request.body?.length ?? 0} characters`)
  routes.put('/file', (request) => `${request.body?.length ?? 0} bytes`)
  routes.post('/upload', upload)
  routes.get('/redirect', { schema: { querystring: closed({ to: text(4000) }, ['to']) } }, (request, reply) =>
    reply.redirect(request.query.to),
  )
  routes.get('/reflect', { schema: { querystring: closed({ value: text(4000) }, ['value']) } }, (request, reply) =>
    reply.header('X-Value', request.query.value).send('reflected'),
  )
  const headers = {
    type: 'object',
    properties: {
      'x-count': { type: 'integer' },
      'x-kind': { type: 'string', pattern: '^[a-z]+(?:,[a-z]+)*$' },
      'x-mode': { const: 'quiet' },
    },
  }
  routes.get('/kept', { schema: { headers } }, (request) => ({ count: request.headers['x-count'] }))
  routes.get('/negotiated', () => ({ text: 'chosen' }))
  routes.get('/stream', (_, reply) => reply.type('application/x-ndjson').send(lines()))
})

async function upload(request, reply) {
  const seen = { title: undefined, tags: [], file: undefined }
  for await (const part of request.parts()) {
    if (part.type === 'file') {
      const bytes = await part.toBuffer()
      seen.file = { name: part.filename, type: part.mimetype, size: bytes.length }
    } else if (part.fieldname === 'title') seen.title = part.value
    else if (part.fieldname === 'tags') seen.tags.push(part.value)
    else return reply.code(400).send({ error: 'There is no such field.' })
  }
  if (typeof seen.title !== 'string' || seen.title.length > 100)
    return reply.code(400).send({ error: 'The title is required.' })
  return seen
}

await app.listen({ port: 0, host: '127.0.0.1' })
underGauge({ surface: app.server.address().port })
