// JSON schemas of the large shapes, for those who validate or write answers with them.

const text = { type: 'string' }
const integer = { type: 'integer' }
const flag = { type: 'boolean' }
const amount = { type: 'number', minimum: 0 }
const upTo = (/** @type {number} */ maximum) => ({ type: 'integer', minimum: 0, maximum })
const most = (/** @type {number} */ maxLength) => ({ type: 'string', maxLength })
const name = { type: 'string', minLength: 1, maxLength: 100 }
const positive = { type: 'integer', minimum: 1 }
const oneOf = (/** @type {string[]} */ ...values) => ({ type: 'string', enum: values })
const fits = (/** @type {string} */ pattern) => ({ type: 'string', pattern })
const list = (/** @type {object} */ items, /** @type {number} */ maxItems) => ({ type: 'array', items, maxItems })

/**
 * An object of which these properties may be absent.
 * @param {Record<string, object>} properties
 * @param {string[]} [optional]
 */
const object = (properties, optional = []) => ({
  type: 'object',
  additionalProperties: false,
  required: Object.keys(properties).filter((one) => !optional.includes(one)),
  properties,
})
const tagged = (/** @type {object[]} */ ...variants) => ({
  type: 'object',
  discriminator: { propertyName: 'kind' },
  required: ['kind'],
  oneOf: variants,
})
const kind = (/** @type {string} */ value) => ({ const: value })

export const company = object({
  name,
  founded: upTo(3000),
  units: list(
    object({
      name,
      budget: amount,
      teams: {
        type: 'array',
        items: object({
          name,
          remote: flag,
          lead: object({
            id: positive,
            name,
            contact: object(
              {
                email: most(100),
                phone: most(30),
                address: object({ street: most(100), city: most(100), zip: most(12), country: most(2) }, ['zip']),
              },
              ['phone'],
            ),
          }),
          members: {
            type: 'array',
            items: object({
              id: positive,
              name,
              role: oneOf('engineer', 'designer', 'analyst', 'manager'),
              active: flag,
              skills: list(most(30), 10),
            }),
          },
        }),
      },
    }),
    20,
  ),
})
export const form = object(
  {
    title: most(10),
    first_name: name,
    middle_name: most(100),
    last_name: name,
    email: most(100),
    phone: most(30),
    street: most(100),
    house: most(10),
    city: most(100),
    zip: most(12),
    region: most(100),
    country: most(2),
    nationality: most(2),
    language: most(5),
    occupation: most(100),
    employer: most(100),
    iban: most(34),
    bank: most(100),
    tax_number: most(20),
    comment: most(500),
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
    rating: { ...amount, maximum: 5 },
    height: { ...amount, maximum: 3 },
    married: flag,
    owner: flag,
    smoker: flag,
    newsletter: flag,
    terms: flag,
    plan: oneOf('basic', 'premium'),
  },
  ['title', 'middle_name', 'phone', 'region', 'occupation', 'employer', 'bank', 'comment'],
)
export const received = object({ id: integer, status: text })

const filters = {
  q: most(100),
  category: most(50),
  brands: { type: 'array', items: text },
  min_price: amount,
  max_price: amount,
  currency: oneOf('EUR', 'GBP', 'USD'),
  in_stock: flag,
  on_sale: flag,
  min_rating: { type: 'integer', minimum: 1, maximum: 5 },
  sort: oneOf('price', 'rating', 'title'),
  page: { ...positive, default: 1 },
  per_page: { ...positive, maximum: 100, default: 50 },
}
export const productsQuery = object(filters, Object.keys(filters))
export const products = object({
  q: text,
  category: text,
  brands: { type: 'array', items: text },
  min_price: { type: 'number' },
  max_price: { type: 'number' },
  currency: text,
  in_stock: flag,
  on_sale: flag,
  min_rating: integer,
  sort: text,
  page: integer,
  per_page: integer,
})
products.required = ['page', 'per_page']

export const rows = object({
  rows: list(
    object(
      {
        sku: fits('^[A-Z]{3}-\\d{4}$'),
        quantity: { type: 'integer', minimum: 1, maximum: 999 },
        price: amount,
        note: most(200),
      },
      ['note'],
    ),
    1000,
  ),
})
export const counted = object({ accepted: integer, total: integer })

const payment = { reference: fits('^INV-\\d{4}-\\d{6}$'), amount, currency: oneOf('EUR', 'GBP', 'USD') }
export const paymentPayload = object({
  ...payment,
  method: tagged(
    object({ kind: kind('card'), number: fits('^\\d{16}$'), expires: fits('^\\d{4}-\\d{2}$'), holder: most(100) }),
    object({ kind: kind('transfer'), iban: fits('^[A-Z]{2}\\d{2}[A-Z0-9]{8,30}$'), bic: most(11), holder: most(100) }, [
      'bic',
    ]),
    object({ kind: kind('wallet'), provider: oneOf('blue', 'green'), token: most(200) }),
  ),
  parts: list(
    tagged(
      object({ kind: kind('share'), account: most(30), percent: { ...amount, maximum: 100 } }),
      object({ kind: kind('fixed'), account: most(30), amount }),
    ),
    50,
  ),
})
// Writers that know `oneOf` try its schemas one after the other; one structure with the fields of all costs less.
const inOne = (/** @type {Record<string, object>} */ properties) => object(properties, Object.keys(properties))
export const paid = object({
  id: integer,
  reference: text,
  amount: { type: 'number' },
  currency: text,
  method: inOne({
    kind: text,
    number: text,
    expires: text,
    holder: text,
    iban: text,
    bic: text,
    provider: text,
    token: text,
  }),
  parts: {
    type: 'array',
    items: inOne({ kind: text, account: text, percent: { type: 'number' }, amount: { type: 'number' } }),
  },
})
export const books = {
  type: 'array',
  items: object({
    id: integer,
    title: text,
    pages: integer,
    published_at: { type: 'string', format: 'date-time' },
    author: object({ id: integer, name: text, country: text }),
    reviews: {
      type: 'array',
      items: object({ id: integer, rating: integer, text, reviewer: object({ id: integer, name: text }) }),
    },
  }),
}
