// Shapes of more than a screen: a deep document, a wide form, many params, many rows, unions, relations in lists.
import { get, json, send, workload } from '../workload.js'
import { books, company, countRows, form, payment, projectBook, received, rows } from './data.js'

const PRODUCTS =
  '/products?q=rivers&category=maps&brands=a&brands=b&min_price=2.5&max_price=90&currency=EUR&in_stock=true&on_sale=false&min_rating=3&sort=price&page=2&per_page=25'
const asked = {
  q: 'rivers',
  category: 'maps',
  brands: ['a', 'b'],
  min_price: 2.5,
  max_price: 90,
  currency: 'EUR',
  in_stock: true,
  on_sale: false,
  min_rating: 3,
  sort: 'price',
  page: 2,
  per_page: 25,
}
const lastMember = (/** @type {object} */ changed) => {
  const copy = structuredClone(company)
  Object.assign(copy.units[3].teams[3].members[10], changed)
  return send('POST', '/companies', copy)
}
const lastAddress = (/** @type {object} */ changed) => {
  const copy = structuredClone(company)
  Object.assign(copy.units[3].teams[3].lead.contact.address, changed)
  return send('POST', '/companies', copy)
}
const sendForm = (/** @type {object} */ changed) => send('POST', '/forms', { ...form, ...changed })
const sendRows = (/** @type {object} */ changed) =>
  send('POST', '/rows', { rows: [...rows.slice(0, 199), { ...rows[199], ...changed }] })
const pay = (/** @type {object} */ changed) => send('POST', '/payments', { ...payment, ...changed })

/** @type {import('../workload.js').Workload[]} */
export const large = [
  workload('S18', 'deep', 'POST of a deep document of 20 kB', {
    request: send('POST', '/companies', company),
    check: (answer) => json(answer, company),
    refusals: [
      { what: 'the id "x" of the last member', request: lastMember({ id: 'x' }) },
      { what: 'another role of the last member', request: lastMember({ role: 'king' }) },
      { what: 'skills of the last member that hold an object', request: lastMember({ skills: [{}] }) },
      { what: 'the last address without city', request: lastAddress({ city: undefined }) },
      { what: 'the last address with a zip of 13 characters', request: lastAddress({ zip: '1234567890123' }) },
    ],
    warmup: 1000,
  }),
  workload('S19', 'form', 'POST of 40 flat fields', {
    request: sendForm({}),
    check: (answer) => json(answer, received),
    refusals: [
      { what: 'a form without last_name', request: sendForm({ last_name: undefined }) },
      { what: 'an email of 101 characters', request: sendForm({ email: 'e'.repeat(101) }) },
      { what: 'age 1.5', request: sendForm({ age: 1.5 }) },
      { what: 'floor 201', request: sendForm({ floor: 201 }) },
      { what: 'income below 0', request: sendForm({ income: -1 }) },
      { what: 'terms that is not a boolean', request: sendForm({ terms: 'perhaps' }) },
      { what: 'another plan', request: sendForm({ plan: 'golden' }) },
    ],
  }),
  workload('S20', 'filters', 'GET with 12 params in the query', {
    request: get(PRODUCTS),
    check: (answer) => json(answer, asked),
    refusals: [
      { what: 'min_price that is not a number', request: get('/products?min_price=x') },
      { what: 'page 0', request: get('/products?page=0') },
      { what: 'another currency', request: get('/products?currency=XXX') },
      { what: 'in_stock that is not a boolean', request: get('/products?in_stock=perhaps') },
      { what: 'per_page above 100', request: get('/products?per_page=101') },
    ],
  }),
  workload('S21', 'bulk', 'POST of 200 rows', {
    request: sendRows({}),
    check: (answer) => json(answer, countRows(rows)),
    refusals: [
      { what: 'an sku of another form in the last row', request: sendRows({ sku: 'abc' }) },
      { what: 'quantity 0 in the last row', request: sendRows({ quantity: 0 }) },
      { what: 'a negative price in the last row', request: sendRows({ price: -1 }) },
      { what: 'a note of 201 characters in the last row', request: sendRows({ note: 'n'.repeat(201) }) },
    ],
    warmup: 1500,
  }),
  workload('S22', 'union', 'POST of a body with unions', {
    request: pay({}),
    check: (answer) => json(answer, { id: 1, ...payment }),
    refusals: [
      { what: 'another kind of method', request: pay({ method: { kind: 'cash' } }) },
      { what: 'a card with the fields of a transfer', request: pay({ method: { kind: 'card', iban: 'GB33BUKB' } }) },
      { what: 'a number of another form', request: pay({ method: { ...payment.method, number: '4111' } }) },
      { what: 'a share of 101 percent', request: pay({ parts: [{ kind: 'share', account: 'A', percent: 101 }] }) },
    ],
  }),
  workload('S23', 'relations', 'GET of 30 objects with two relations', {
    request: get('/books'),
    check: (answer, strict) => {
      if (!strict) return json(answer, JSON.parse(JSON.stringify(books)))
      if (answer.body.includes('"secret"') || answer.body.includes('reader0@')) return 'an undeclared field left'
      return json(answer, books.map(projectBook))
    },
    warmup: 3000,
  }),
]
