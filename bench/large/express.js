// The large shapes on Express: Zod for inputs, projection by hand.
import express from 'express'
import { z } from 'zod'
import { books, countRows, projectBook, received } from './data.js'
import { largeSchemas } from './zod.js'

const { Company, Form, PaymentPayload, ProductsQuery, Rows } = largeSchemas(z)

/**
 * @param {import('express').Express} app
 * @param {Function} validated Checks the parts of a request that schemas are given for.
 */
export function addLarge(app, validated) {
  const json = express.json()
  const post = (/** @type {string} */ path, /** @type {object} */ body, /** @type {(body: any) => object} */ answer) =>
    app.post(
      path,
      json,
      validated({ body }, (valid, res) => {
        res.json(answer(valid.body))
      }),
    )
  post('/companies', Company, (body) => body)
  post('/forms', Form, () => received)
  post('/rows', Rows, ({ rows }) => countRows(rows))
  post('/payments', PaymentPayload, (body) => ({ id: 1, ...body }))
  app.get(
    '/products',
    validated({ query: ProductsQuery }, ({ query }, res) => {
      res.json(query)
    }),
  )
  app.get('/books', (_, res) => {
    res.json(books.map(projectBook))
  })
}
