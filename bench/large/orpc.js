// The large shapes in oRPC: Zod 4 for inputs and outputs.
import { os } from '@orpc/server'
import { z } from 'zod'
import { books, countRows, received } from './data.js'
import { largeSchemas } from './zod.js'

const { Book, Company, Counted, Form, Payment, PaymentPayload, Products, ProductsQuery, Received, Rows } =
  largeSchemas(z)
const procedure = (method, path, input, output) => os.route({ method, path }).input(input).output(output)

/** The procedures of the large shapes. */
export const large = {
  company: procedure('POST', '/companies', Company, Company).handler(({ input }) => input),
  form: procedure('POST', '/forms', Form, Received).handler(() => received),
  products: procedure('GET', '/products', ProductsQuery, Products).handler(({ input }) => input),
  rows: procedure('POST', '/rows', Rows, Counted).handler(({ input }) => countRows(input.rows)),
  payment: procedure('POST', '/payments', PaymentPayload, Payment).handler(({ input }) => ({ id: 1, ...input })),
  books: os
    .route({ method: 'GET', path: '/books' })
    .output(z.array(Book))
    .handler(() => books),
}
