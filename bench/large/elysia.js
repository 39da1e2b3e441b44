// The large shapes on Elysia: TypeBox for inputs and outputs.
import { node } from '@elysiajs/node'
import { Type } from '@sinclair/typebox'
import { Elysia, t } from 'elysia'
import { books, countRows, received } from './data.js'

const text = (/** @type {number} */ maxLength) => t.String({ maxLength })
const name = t.String({ minLength: 1, maxLength: 100 })
const upTo = (/** @type {number} */ maximum) => Type.Integer({ minimum: 0, maximum })
const amount = t.Number({ minimum: 0 })
const positive = Type.Integer({ minimum: 1 })
const values = (/** @type {string[]} */ ...all) => t.Union(all.map((one) => t.Literal(one)))

const Company = t.Object({
  name,
  founded: upTo(3000),
  units: t.Array(
    t.Object({
      name,
      budget: amount,
      teams: t.Array(
        t.Object({
          name,
          remote: t.Boolean(),
          lead: t.Object({
            id: positive,
            name,
            contact: t.Object({
              email: text(100),
              phone: t.Optional(text(30)),
              address: t.Object({ street: text(100), city: text(100), zip: t.Optional(text(12)), country: text(2) }),
            }),
          }),
          members: t.Array(
            t.Object({
              id: positive,
              name,
              role: values('engineer', 'designer', 'analyst', 'manager'),
              active: t.Boolean(),
              skills: t.Array(text(30), { maxItems: 10 }),
            }),
          ),
        }),
      ),
    }),
    { maxItems: 20 },
  ),
})
const Form = t.Object({
  title: t.Optional(text(10)),
  first_name: name,
  middle_name: t.Optional(text(100)),
  last_name: name,
  email: text(100),
  phone: t.Optional(text(30)),
  street: text(100),
  house: text(10),
  city: text(100),
  zip: text(12),
  region: t.Optional(text(100)),
  country: text(2),
  nationality: text(2),
  language: text(5),
  occupation: t.Optional(text(100)),
  employer: t.Optional(text(100)),
  iban: text(34),
  bank: t.Optional(text(100)),
  tax_number: text(20),
  comment: t.Optional(text(500)),
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
  rating: t.Number({ minimum: 0, maximum: 5 }),
  height: t.Number({ minimum: 0, maximum: 3 }),
  married: t.Boolean(),
  owner: t.Boolean(),
  smoker: t.Boolean(),
  newsletter: t.Boolean(),
  terms: t.Boolean(),
  plan: values('basic', 'premium'),
})
const ProductsQuery = t.Object({
  q: t.Optional(text(100)),
  category: t.Optional(text(50)),
  brands: t.Optional(t.Array(t.String())),
  min_price: t.Optional(t.Numeric({ minimum: 0 })),
  max_price: t.Optional(t.Numeric({ minimum: 0 })),
  currency: t.Optional(values('EUR', 'GBP', 'USD')),
  in_stock: t.Optional(t.BooleanString()),
  on_sale: t.Optional(t.BooleanString()),
  min_rating: t.Optional(t.Integer({ minimum: 1, maximum: 5 })),
  sort: t.Optional(values('price', 'rating', 'title')),
  page: t.Integer({ minimum: 1, default: 1 }),
  per_page: t.Integer({ minimum: 1, maximum: 100, default: 50 }),
})
const Products = t.Object({
  q: t.Optional(t.String()),
  category: t.Optional(t.String()),
  brands: t.Optional(t.Array(t.String())),
  min_price: t.Optional(t.Number()),
  max_price: t.Optional(t.Number()),
  currency: t.Optional(t.String()),
  in_stock: t.Optional(t.Boolean()),
  on_sale: t.Optional(t.Boolean()),
  min_rating: t.Optional(Type.Integer()),
  sort: t.Optional(t.String()),
  page: Type.Integer(),
  per_page: Type.Integer(),
})
const Rows = t.Object({
  rows: t.Array(
    t.Object({
      sku: t.String({ pattern: '^[A-Z]{3}-\\d{4}$' }),
      quantity: Type.Integer({ minimum: 1, maximum: 999 }),
      price: amount,
      note: t.Optional(text(200)),
    }),
    { maxItems: 1000 },
  ),
})
const payment = {
  reference: t.String({ pattern: '^INV-\\d{4}-\\d{6}$' }),
  amount,
  currency: values('EUR', 'GBP', 'USD'),
  method: t.Union([
    t.Object({
      kind: t.Literal('card'),
      number: t.String({ pattern: '^\\d{16}$' }),
      expires: t.String({ pattern: '^\\d{4}-\\d{2}$' }),
      holder: text(100),
    }),
    t.Object({
      kind: t.Literal('transfer'),
      iban: t.String({ pattern: '^[A-Z]{2}\\d{2}[A-Z0-9]{8,30}$' }),
      bic: t.Optional(text(11)),
      holder: text(100),
    }),
    t.Object({ kind: t.Literal('wallet'), provider: values('blue', 'green'), token: text(200) }),
  ]),
  parts: t.Array(
    t.Union([
      t.Object({ kind: t.Literal('share'), account: text(30), percent: t.Number({ minimum: 0, maximum: 100 }) }),
      t.Object({ kind: t.Literal('fixed'), account: text(30), amount }),
    ]),
    { maxItems: 50 },
  ),
}
const Book = t.Object({
  id: Type.Integer(),
  title: t.String(),
  pages: Type.Integer(),
  published_at: Type.Date(),
  author: t.Object({ id: Type.Integer(), name: t.String(), country: t.String() }),
  reviews: t.Array(
    t.Object({
      id: Type.Integer(),
      rating: Type.Integer(),
      text: t.String(),
      reviewer: t.Object({ id: Type.Integer(), name: t.String() }),
    }),
  ),
})
const Received = t.Object({ id: Type.Integer(), status: t.String() })
const Counted = t.Object({ accepted: Type.Integer(), total: Type.Integer() })
const Payment = t.Object({ id: Type.Integer(), ...payment })
const json = (body, answer) => ({ parse: 'json', body, response: { 200: answer } })

/** The routes of the large shapes. */
export const large = new Elysia({ adapter: node(), precompile: true })
  .post('/companies', ({ body }) => body, json(Company, Company))
  .post('/forms', () => received, json(Form, Received))
  .get('/products', ({ query }) => query, { query: ProductsQuery, response: { 200: Products } })
  .post('/rows', ({ body }) => countRows(body.rows), json(Rows, Counted))
  .post('/payments', ({ body }) => ({ id: 1, ...body }), json(t.Object(payment), Payment))
  .get('/books', () => books, { response: { 200: t.Array(Book) } })
