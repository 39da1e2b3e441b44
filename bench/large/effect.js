// The large shapes in Effect: schemas for inputs and outputs.
import { HttpApiEndpoint } from '@effect/platform'
import { Effect, Schema } from 'effect'
import { books, countRows, received } from './data.js'

// Decoding stops at the first error unless a schema says otherwise.
const all = { parseOptions: { errors: 'all' } }
const text = (most) => Schema.String.pipe(Schema.maxLength(most))
const name = text(100).pipe(Schema.minLength(1))
const upTo = (most) => Schema.Int.pipe(Schema.between(0, most))
const amount = Schema.Number.pipe(Schema.nonNegative())
const positive = Schema.Int.pipe(Schema.positive())
const fits = (pattern) => Schema.String.pipe(Schema.pattern(pattern))
// Absent values are left out, never undefined: schemas that know it have less to try.
const optional = Schema.optionalWith({ exact: true })
const defaulted = (schema, value) => Schema.optionalWith(schema, { default: () => value, exact: true })
const list = (items, most) => Schema.Array(items).pipe(Schema.maxItems(most))

const Company = Schema.Struct({
  name,
  founded: upTo(3000),
  units: list(
    Schema.Struct({
      name,
      budget: amount,
      teams: Schema.Array(
        Schema.Struct({
          name,
          remote: Schema.Boolean,
          lead: Schema.Struct({
            id: positive,
            name,
            contact: Schema.Struct({
              email: text(100),
              phone: optional(text(30)),
              address: Schema.Struct({ street: text(100), city: text(100), zip: optional(text(12)), country: text(2) }),
            }),
          }),
          members: Schema.Array(
            Schema.Struct({
              id: positive,
              name,
              role: Schema.Literal('engineer', 'designer', 'analyst', 'manager'),
              active: Schema.Boolean,
              skills: list(text(30), 10),
            }),
          ),
        }),
      ),
    }),
    20,
  ),
})
const Form = Schema.Struct({
  title: optional(text(10)),
  first_name: name,
  middle_name: optional(text(100)),
  last_name: name,
  email: text(100),
  phone: optional(text(30)),
  street: text(100),
  house: text(10),
  city: text(100),
  zip: text(12),
  region: optional(text(100)),
  country: text(2),
  nationality: text(2),
  language: text(5),
  occupation: optional(text(100)),
  employer: optional(text(100)),
  iban: text(34),
  bank: optional(text(100)),
  tax_number: text(20),
  comment: optional(text(500)),
  age: upTo(150),
  children: upTo(30),
  dependants: upTo(30),
  years_employed: upTo(100),
  rooms: upTo(100),
  floor: upTo(200),
  cars: upTo(50),
  pets: upTo(50),
  income: amount,
  rent: amount,
  savings: amount,
  debts: amount,
  rating: Schema.Number.pipe(Schema.between(0, 5)),
  height: Schema.Number.pipe(Schema.between(0, 3)),
  married: Schema.Boolean,
  owner: Schema.Boolean,
  smoker: Schema.Boolean,
  newsletter: Schema.Boolean,
  terms: Schema.Boolean,
  plan: Schema.Literal('basic', 'premium'),
})
const numberParam = Schema.NumberFromString.pipe(Schema.nonNegative())
const wholeParam = Schema.NumberFromString.pipe(Schema.int())
const ProductsQuery = Schema.Struct({
  q: optional(text(100)),
  category: optional(text(50)),
  brands: optional(Schema.Array(Schema.String)),
  min_price: optional(numberParam),
  max_price: optional(numberParam),
  currency: optional(Schema.Literal('EUR', 'GBP', 'USD')),
  in_stock: optional(Schema.BooleanFromString),
  on_sale: optional(Schema.BooleanFromString),
  min_rating: optional(wholeParam.pipe(Schema.between(1, 5))),
  sort: optional(Schema.Literal('price', 'rating', 'title')),
  page: defaulted(wholeParam.pipe(Schema.positive()), 1),
  per_page: defaulted(wholeParam.pipe(Schema.between(1, 100)), 50),
})
const Products = Schema.Struct({
  q: optional(Schema.String),
  category: optional(Schema.String),
  brands: optional(Schema.Array(Schema.String)),
  min_price: optional(Schema.Number),
  max_price: optional(Schema.Number),
  currency: optional(Schema.String),
  in_stock: optional(Schema.Boolean),
  on_sale: optional(Schema.Boolean),
  min_rating: optional(Schema.Int),
  sort: optional(Schema.String),
  page: Schema.Int,
  per_page: Schema.Int,
})
const Rows = Schema.Struct({
  rows: list(
    Schema.Struct({
      sku: fits(/^[A-Z]{3}-\d{4}$/),
      quantity: Schema.Int.pipe(Schema.between(1, 999)),
      price: amount,
      note: optional(text(200)),
    }),
    1000,
  ),
})
const payment = {
  reference: fits(/^INV-\d{4}-\d{6}$/),
  amount,
  currency: Schema.Literal('EUR', 'GBP', 'USD'),
  method: Schema.Union(
    Schema.Struct({
      kind: Schema.Literal('card'),
      number: fits(/^\d{16}$/),
      expires: fits(/^\d{4}-\d{2}$/),
      holder: text(100),
    }),
    Schema.Struct({
      kind: Schema.Literal('transfer'),
      iban: fits(/^[A-Z]{2}\d{2}[A-Z0-9]{8,30}$/),
      bic: optional(text(11)),
      holder: text(100),
    }),
    Schema.Struct({ kind: Schema.Literal('wallet'), provider: Schema.Literal('blue', 'green'), token: text(200) }),
  ),
  parts: list(
    Schema.Union(
      Schema.Struct({
        kind: Schema.Literal('share'),
        account: text(30),
        percent: Schema.Number.pipe(Schema.between(0, 100)),
      }),
      Schema.Struct({ kind: Schema.Literal('fixed'), account: text(30), amount }),
    ),
    50,
  ),
}
const Book = Schema.Struct({
  id: Schema.Int,
  title: Schema.String,
  pages: Schema.Int,
  published_at: Schema.Date,
  author: Schema.Struct({ id: Schema.Int, name: Schema.String, country: Schema.String }),
  reviews: Schema.Array(
    Schema.Struct({
      id: Schema.Int,
      rating: Schema.Int,
      text: Schema.String,
      reviewer: Schema.Struct({ id: Schema.Int, name: Schema.String }),
    }),
  ),
})

const post = (id, path, input, output) =>
  HttpApiEndpoint.post(id, path).setPayload(input.annotations(all)).addSuccess(output)
const endpoints = [
  post('company', '/companies', Company, Company),
  post('form', '/forms', Form, Schema.Struct({ id: Schema.Int, status: Schema.String })),
  HttpApiEndpoint.get('products', '/products').setUrlParams(ProductsQuery.annotations(all)).addSuccess(Products),
  post('rows', '/rows', Rows, Schema.Struct({ accepted: Schema.Int, total: Schema.Int })),
  post('payment', '/payments', Schema.Struct(payment), Schema.Struct({ id: Schema.Int, ...payment })),
  HttpApiEndpoint.get('books', '/books').addSuccess(Schema.Array(Book)),
]

/** Adds the shapes to a group. */
export const addLarge = (group) => endpoints.reduce((group, endpoint) => group.add(endpoint), group)

/** Adds the functions of the shapes. */
export const handleLarge = (handlers) =>
  handlers
    .handle('company', ({ payload }) => Effect.succeed(payload))
    .handle('form', () => Effect.succeed(received))
    .handle('products', ({ urlParams }) => Effect.succeed(urlParams))
    .handle('rows', ({ payload }) => Effect.succeed(countRows(payload.rows)))
    .handle('payment', ({ payload }) => Effect.succeed({ id: 1, ...payload }))
    .handle('books', () => Effect.succeed(books))
