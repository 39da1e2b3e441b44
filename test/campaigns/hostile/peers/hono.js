// Hono 4 on Node with the surface, as its documentation advises: zod for every input, bodyLimit for bodies.
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { stream } from 'hono/streaming'
import { validator } from 'hono/validator'
import { z } from 'zod'
import { underGauge } from '../gauge.ts'
import { TIMEOUTS } from '../timeouts.ts'
import { BODY_LIMIT, FILE_LIMIT, files, lines } from './shared.js'

const text = (max) => z.string().max(max)
const integer = z.coerce.number().int().safe()
const list = z.union([z.array(text(50)).max(20), text(50).transform((one) => [one])])
const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((one) => one === 'true')])
const things = {
  name: text(50).optional(),
  count: integer.min(0).max(1000).optional(),
  ratio: z.coerce.number().optional(),
  big: z
    .string()
    .regex(/^-?[0-9]{1,1000}$/)
    .optional(),
  on: flag.optional(),
  day: z.iso.date().optional(),
  at: z.iso.datetime({ offset: true }).optional(),
  time: z.iso.time().optional(),
  tags: list.optional(),
  author: z.strictObject({ id: integer, name: z.string().optional() }).optional(),
  labels: z.record(z.string(), integer).optional(),
  slug: text(64)
    .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/)
    .optional(),
  email: z.email().optional(),
  site: z.url().optional(),
  uuid: z.uuid().optional(),
}
const Things = z.strictObject({ ...things, name: text(50) })
const checked = (target, schema) =>
  validator(target, (value, context) => {
    const result = schema.safeParse(value)
    return result.success ? result.data : context.json({ error: 'The request does not fit.' }, 400)
  })

const app = new Hono()
app.use(bodyLimit({ maxSize: BODY_LIMIT }))
app.get('/health', (c) => c.text('ok'))
app.get('/items/:id', checked('param', z.strictObject({ id: integer.min(1) })), (c) => c.json(c.req.valid('param')))
app.get('/echo/:text', checked('param', z.strictObject({ text: text(1000) })), (c) => c.json(c.req.valid('param')))
app.get('/files/*', (c) => {
  const found = files.get(c.req.path.slice('/files/'.length))
  return found === undefined ? c.json({ error: 'There is no such file.' }, 404) : c.text(found)
})
app.get('/coded/:code{[a-z0-9-]+}', (c) => c.json({ code: c.req.param('code') }))
app.get('/search', checked('query', z.strictObject(things)), (c) => c.json(c.req.valid('query')))
app.post('/things', async (c) => {
  const type = c.req.header('content-type') ?? ''
  const sent = type.includes('json') ? await jsonOf(c) : await formOf(c)
  if (sent === undefined) return c.json({ error: 'The body cannot be read.' }, 400)
  const result = Things.safeParse(sent)
  return result.success ? c.json(result.data) : c.json({ error: 'The request does not fit.' }, 400)
})
app.post('/any', async (c) => {
  const sent = await jsonOf(c)
  return sent === undefined ? c.json({ error: 'The body cannot be read.' }, 400) : c.text(typeof sent)
})
app.put('/text', async (c) => c.text(`${(await c.req.text()).length} characters`))
app.put('/file', async (c) => c.text(`${(await c.req.arrayBuffer()).byteLength} bytes`))
app.post('/upload', async (c) => {
  const sent = await formOf(c, { all: true })
  const { title, tags, file } = sent ?? {}
  if (typeof title !== 'string' || title.length > 100) return c.json({ error: 'The title is required.' }, 400)
  if (file !== undefined && (!(file instanceof File) || file.size > FILE_LIMIT))
    return c.json({ error: 'No such file.' }, 400)
  return c.json({ title, tags, file: file && { name: file.name, type: file.type, size: file.size } })
})
app.get('/redirect', checked('query', z.strictObject({ to: text(4000) })), (c) => c.redirect(c.req.valid('query').to))
app.get('/reflect', checked('query', z.strictObject({ value: text(4000) })), (c) =>
  c.text('reflected', 200, { 'X-Value': c.req.valid('query').value }),
)
const Kept = z.object({
  'x-count': integer.optional(),
  'x-kind': z
    .string()
    .max(1000)
    .regex(/^[a-z]+(?:,[a-z]+)*$/)
    .optional(),
  'x-mode': z.literal('quiet').optional(),
})
app.get('/kept', checked('header', Kept), (c) => c.json(c.req.valid('header')))
app.get('/negotiated', (c) => c.json({ text: 'chosen' }))
app.get('/stream', (c) =>
  stream(c, async (out) => {
    for await (const line of lines()) await out.write(line)
  }),
)

async function jsonOf(c) {
  try {
    return await c.req.json()
  } catch {
    return undefined
  }
}

async function formOf(c, options) {
  try {
    return await c.req.parseBody(options)
  } catch {
    return undefined
  }
}

const serverOptions = {
  headersTimeout: TIMEOUTS.headers,
  requestTimeout: TIMEOUTS.request,
  connectionsCheckingInterval: TIMEOUTS.checkEvery,
}
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1', serverOptions }, ({ port }) => underGauge({ surface: port }))
