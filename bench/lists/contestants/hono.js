// Hono on Node with Drizzle: zod through its validator, as its documentation advises.
import { createAdaptorServer } from '@hono/node-server'
import { zValidator } from '@hono/zod-validator'
import { Hono } from 'hono'
import { z } from 'zod'
import { answering } from './contestant.js'
import { itemsOf, ORDERS, WrongPlace } from './peer.js'

const list = itemsOf('hono')
const app = new Hono()

const Query = z.strictObject({
  order: z.enum(ORDERS),
  page: z.coerce.number().int().min(1).optional(),
  items: z.coerce.number().int().min(1).max(100).default(100),
  after: z.string().max(4096).optional(),
  before: z.string().max(4096).optional(),
  count: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .default(false),
})

app.get('/items', zValidator('query', Query), async (c) => {
  const { page, total, link } = await list(c.req.valid('query'))
  c.header('Link', link)
  if (total !== undefined) c.header('Total-Count', String(total))
  return c.json(page)
})

app.onError((error, c) => c.json({ error: error.message }, error instanceof WrongPlace ? 400 : 500))

const server = createAdaptorServer(app)
server.listen(0, '127.0.0.1', () => answering(server.address().port))
