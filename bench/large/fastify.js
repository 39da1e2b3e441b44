// The large shapes on Fastify: JSON schemas for inputs and outputs.
import { books, countRows, received } from './data.js'
import * as schemas from './json-schemas.js'

/** @param {import('fastify').FastifyInstance} app */
export function addLarge(app) {
  app.post(
    '/companies',
    { schema: { body: schemas.company, response: { 200: schemas.company } } },
    (request, reply) => {
      reply.send(request.body)
    },
  )
  app.post('/forms', { schema: { body: schemas.form, response: { 200: schemas.received } } }, (_, reply) => {
    reply.send(received)
  })
  const products = { querystring: schemas.productsQuery, response: { 200: schemas.products } }
  app.get('/products', { schema: products }, (request, reply) => {
    reply.send(request.query)
  })
  app.post('/rows', { schema: { body: schemas.rows, response: { 200: schemas.counted } } }, (request, reply) => {
    reply.send(countRows(request.body.rows))
  })
  const payments = { body: schemas.paymentPayload, response: { 200: schemas.paid } }
  app.post('/payments', { schema: payments }, (request, reply) => {
    reply.send({ id: 1, ...request.body })
  })
  app.get('/books', { schema: { response: { 200: schemas.books } } }, (_, reply) => {
    reply.send(books)
  })
}
