// The large shapes on Hono: Zod through its validator, projection by hand.
import { zValidator } from '@hono/zod-validator'
import { z } from 'zod'
import { books, countRows, projectBook, received } from './data.js'
import { largeSchemas } from './zod.js'

const { Company, Form, PaymentPayload, ProductsQuery, Rows } = largeSchemas(z)

/** @param {import('hono').Hono} app */
export function addLarge(app) {
  app.post('/companies', zValidator('json', Company), (c) => c.json(c.req.valid('json')))
  app.post('/forms', zValidator('json', Form), (c) => c.json(received))
  app.get('/products', zValidator('query', ProductsQuery), (c) => c.json(c.req.valid('query')))
  app.post('/rows', zValidator('json', Rows), (c) => c.json(countRows(c.req.valid('json').rows)))
  app.post('/payments', zValidator('json', PaymentPayload), (c) => c.json({ id: 1, ...c.req.valid('json') }))
  app.get('/books', (c) => c.json(books.map(projectBook)))
}
