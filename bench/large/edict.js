// The large shapes of the contestant edict.
import { collectionOf, controller, endpoint, inherit, mediaType, route, t } from '../../dist/index.js'
import { books, countRows, received } from './data.js'

const required = { required: true }
const name = t.string({ required: true, min: 1, max: 100 })
const text = (/** @type {number} */ max, /** @type {object} */ options = required) => t.string({ max, ...options })
const upTo = (/** @type {number} */ max) => t.integer({ required: true, min: 0, max })
const amount = (/** @type {number | undefined} */ max) =>
  t.number({ required: true, min: 0, ...(max === undefined ? {} : { max }) })
const id = t.integer({ required: true, min: 1 })
const flag = t.boolean(required)

const Company = mediaType('Company', {
  attributes: {
    name,
    founded: upTo(3000),
    units: t.array(
      t.object({
        name,
        budget: amount(),
        teams: t.array(
          t.object({
            name,
            remote: flag,
            lead: t.object(
              {
                id,
                name,
                contact: t.object(
                  {
                    email: text(100),
                    phone: text(30, {}),
                    address: t.object(
                      { street: text(100), city: text(100), zip: text(12, {}), country: text(2) },
                      required,
                    ),
                  },
                  required,
                ),
              },
              required,
            ),
            members: t.array(
              t.object({
                id,
                name,
                role: t.string({ required: true, values: ['engineer', 'designer', 'analyst', 'manager'] }),
                active: flag,
                skills: t.array(t.string({ max: 30 }), { required: true, max: 10 }),
              }),
              required,
            ),
          }),
          required,
        ),
      }),
      { required: true, max: 20 },
    ),
  },
})
const Received = mediaType('Received', {
  attributes: { id: t.integer(required), status: t.string(required) },
})
const Products = mediaType('Products', {
  attributes: {
    q: t.string(),
    category: t.string(),
    brands: t.array(t.string()),
    min_price: t.number(),
    max_price: t.number(),
    currency: t.string(),
    in_stock: t.boolean(),
    on_sale: t.boolean(),
    min_rating: t.integer(),
    sort: t.string(),
    page: t.integer(required),
    per_page: t.integer(required),
  },
})
const Counted = mediaType('Counted', {
  attributes: { accepted: t.integer(required), total: t.integer(required) },
})
const Payment = mediaType('Payment', {
  attributes: {
    id: t.integer(required),
    reference: t.string({ required: true, pattern: /^INV-\d{4}-\d{6}$/ }),
    amount: amount(),
    currency: t.string({ required: true, values: ['EUR', 'GBP', 'USD'] }),
    method: t.union(
      'kind',
      {
        card: {
          number: t.string({ required: true, pattern: /^\d{16}$/ }),
          expires: t.string({ required: true, pattern: /^\d{4}-\d{2}$/ }),
          holder: text(100),
        },
        transfer: {
          iban: t.string({ required: true, pattern: /^[A-Z]{2}\d{2}[A-Z0-9]{8,30}$/ }),
          bic: text(11, {}),
          holder: text(100),
        },
        wallet: { provider: t.string({ required: true, values: ['blue', 'green'] }), token: text(200) },
      },
      required,
    ),
    parts: t.array(
      t.union('kind', {
        share: { account: text(30), percent: amount(100) },
        fixed: { account: text(30), amount: amount() },
      }),
      { required: true, max: 50 },
    ),
  },
})
const Book = mediaType('Book', {
  attributes: {
    id: t.integer(required),
    title: t.string(required),
    pages: t.integer(required),
    published_at: t.dateTime(required),
    author: t.object({ id: t.integer(required), name: t.string(required), country: t.string(required) }, required),
    reviews: t.array(
      t.object({
        id: t.integer(required),
        rating: t.integer(required),
        text: t.string(required),
        reviewer: t.object({ id: t.integer(required), name: t.string(required) }, required),
      }),
      required,
    ),
  },
})

const form = {
  title: text(10, {}),
  first_name: name,
  middle_name: text(100, {}),
  last_name: name,
  email: text(100),
  phone: text(30, {}),
  street: text(100),
  house: text(10),
  city: text(100),
  zip: text(12),
  region: text(100, {}),
  country: text(2),
  nationality: text(2),
  language: text(5),
  occupation: text(100, {}),
  employer: text(100, {}),
  iban: text(34),
  bank: text(100, {}),
  tax_number: text(20),
  comment: text(500, {}),
  age: upTo(150),
  children: upTo(30),
  dependants: upTo(30),
  years_employed: upTo(100),
  rooms: upTo(100),
  floor: upTo(200),
  cars: upTo(50),
  pets: upTo(50),
  income: amount(),
  rent: amount(),
  savings: amount(),
  debts: amount(),
  rating: amount(5),
  height: amount(3),
  married: flag,
  owner: flag,
  smoker: flag,
  newsletter: flag,
  terms: flag,
  plan: t.string({ required: true, values: ['basic', 'premium'] }),
}
const Companies = endpoint('Companies', {
  actions: { check: { routing: route.post('/'), payload: Company, responses: { ok: Company } } },
})
const Forms = endpoint('Forms', {
  actions: { send: { routing: route.post('/'), payload: form, responses: { ok: Received } } },
})
const ProductList = endpoint('ProductList', {
  prefix: '/products',
  actions: {
    index: {
      routing: route.get('/'),
      params: {
        q: t.string({ max: 100 }),
        category: t.string({ max: 50 }),
        brands: t.array(t.string()),
        min_price: t.number({ min: 0 }),
        max_price: t.number({ min: 0 }),
        currency: t.string({ values: ['EUR', 'GBP', 'USD'] }),
        in_stock: t.boolean(),
        on_sale: t.boolean(),
        min_rating: t.integer({ min: 1, max: 5 }),
        sort: t.string({ values: ['price', 'rating', 'title'] }),
        page: t.integer({ min: 1, default: 1 }),
        per_page: t.integer({ min: 1, max: 100, default: 50 }),
      },
      responses: { ok: Products },
    },
  },
})
const Rows = endpoint('Rows', {
  actions: {
    take: {
      routing: route.post('/'),
      payload: {
        rows: t.array(
          t.object({
            sku: t.string({ required: true, pattern: /^[A-Z]{3}-\d{4}$/ }),
            quantity: t.integer({ required: true, min: 1, max: 999 }),
            price: amount(),
            note: text(200, {}),
          }),
          { required: true, max: 1000 },
        ),
      },
      responses: { ok: Counted },
    },
  },
})
const Payments = endpoint('Payments', {
  mediaType: Payment,
  actions: {
    create: {
      routing: route.post('/'),
      payload: { reference: inherit, amount: inherit, currency: inherit, method: inherit, parts: inherit },
      responses: { ok: Payment },
    },
  },
})
const Books = endpoint('Books', {
  actions: { index: { routing: route.get('/'), responses: { ok: collectionOf(Book) } } },
})

/** Those who answer the large shapes. */
export const large = [
  controller(Companies, { check: (_, { request, reply }) => reply.ok(request.payload) }),
  controller(Forms, { send: (_, { reply }) => reply.ok(received) }),
  controller(ProductList, { index: (params, { reply }) => reply.ok(params) }),
  controller(Rows, { take: (_, { request, reply }) => reply.ok(countRows(request.payload.rows)) }),
  controller(Payments, { create: (_, { request, reply }) => reply.ok({ id: 1, ...request.payload }) }),
  controller(Books, { index: (_, { reply }) => reply.ok(books) }),
]
