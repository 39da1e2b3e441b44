// The large shapes on NestJS: Zod schemas through its pipe for inputs, schemas of Fastify for outputs.
import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common'
import { RouteSchema } from '@nestjs/platform-fastify'
import { z } from 'zod'
import { decorate } from '../shapes/nest.js'
import { books, countRows, received } from './data.js'
import * as schemas from './json-schemas.js'
import { largeSchemas } from './zod.js'

const { Company, Form, PaymentPayload, ProductsQuery, Rows } = largeSchemas(z)

/** Answers the large shapes. */
export class LargeController {
  company(body) {
    return body
  }

  form(_body) {
    return received
  }

  products(query) {
    return query
  }

  rows(body) {
    return countRows(body.rows)
  }

  payment(body) {
    return { id: 1, ...body }
  }

  books() {
    return books
  }
}

const answers = (schema) => RouteSchema({ response: { 200: schema } })
const post = (method, path, input, output) =>
  decorate(LargeController, method, [Post(path), HttpCode(200), answers(output)], [Body({ schema: input })])
post('company', '/companies', Company, schemas.company)
post('form', '/forms', Form, schemas.received)
post('rows', '/rows', Rows, schemas.counted)
post('payment', '/payments', PaymentPayload, schemas.paid)
decorate(LargeController, 'products', [Get('/products'), answers(schemas.products)], [Query({ schema: ProductsQuery })])
decorate(LargeController, 'books', [Get('/books'), answers(schemas.books)])
Controller()(LargeController)
