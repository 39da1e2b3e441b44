// The large shapes in ts-rest: a contract of Zod 3 schemas.
import { initContract } from '@ts-rest/core'
import { z } from 'zod-3'
import { books, countRows, received } from './data.js'
import { largeSchemas } from './zod.js'

const { Book, Company, Counted, Form, Payment, PaymentPayload, Products, ProductsQuery, Received, Rows } =
  largeSchemas(z)

/** The routes of the contract. */
export const large = initContract().router({
  company: { method: 'POST', path: '/companies', body: Company, responses: { 200: Company } },
  form: { method: 'POST', path: '/forms', body: Form, responses: { 200: Received } },
  products: { method: 'GET', path: '/products', query: ProductsQuery, responses: { 200: Products } },
  rows: { method: 'POST', path: '/rows', body: Rows, responses: { 200: Counted } },
  payment: { method: 'POST', path: '/payments', body: PaymentPayload, responses: { 200: Payment } },
  books: { method: 'GET', path: '/books', responses: { 200: z.array(Book) } },
})

const answer = (body) => ({ status: 200, body })

/** Their functions. */
export const largeHandlers = {
  company: async ({ body }) => answer(body),
  form: async () => answer(received),
  products: async ({ query }) => answer(query),
  rows: async ({ body }) => answer(countRows(body.rows)),
  payment: async ({ body }) => answer({ id: 1, ...body }),
  books: async () => answer(books),
}
