// The shapes that most requests of most APIs have: a flat query, an order with lines, one object, a page, an update.
import { makeArticles } from '../articles.js'
import { get, json, jsonOfArticles, send, workload } from '../workload.js'
import { users } from './data.js'

const AUTHORIZED = 'Authorization: Bearer abc'
const TRACE = 'X-Trace: 0af7651916cd43dd'
const SEARCH = '/search?q=rivers&limit=20&sort=title&tags=a&tags=b'
const found = { q: 'rivers', limit: 20, sort: 'title', tags: ['a', 'b'], archived: false, trace: '0af7651916cd43dd' }

const line = (/** @type {number} */ i) => ({
  sku: `ABC-${4700 + i}`,
  quantity: i + 1,
  price: 12.5 + i,
  ...(i % 3 === 0 ? { note: `to be wrapped in paper number ${i}` } : {}),
})
const order = {
  number: 'ORD-2026-004711',
  customer: { id: 17, name: 'Ada Lovelace', email: 'ada@example.com' },
  lines: Array.from({ length: 8 }, (_, i) => line(i)),
}
const placed = {
  id: 1,
  number: order.number,
  customer: { ...order.customer, country: 'GB' },
  currency: 'EUR',
  gift: false,
  lines: order.lines.map((line) => ({ note: '', ...line })),
}
const withLine = (/** @type {object} */ changed) =>
  send('POST', '/orders', { ...order, lines: [...order.lines.slice(0, 7), { ...order.lines[7], ...changed }] })

const message = { to: 'ada@example.com', text: 'The bridge is open again.', priority: 2 }
const changes = { title: 'Rivers, again', status: 'published', tags: ['water'] }
const article = makeArticles()[6]
const [[token, user]] = users

/** @type {import('../workload.js').Workload[]} */
export const shapes = [
  workload('S10', 'flat', 'GET with flat query and two headers', {
    request: get(SEARCH, AUTHORIZED, TRACE),
    check: (answer) => json(answer, found),
    refusals: [
      { what: 'limit that is not an integer', request: get('/search?limit=x', AUTHORIZED) },
      { what: 'limit above 100', request: get('/search?limit=101', AUTHORIZED) },
      { what: 'another sort', request: get('/search?sort=colour', AUTHORIZED) },
      { what: 'archived that is not a boolean', request: get('/search?archived=maybe', AUTHORIZED) },
      { what: 'q of more than 100 characters', request: get(`/search?q=${'q'.repeat(101)}`, AUTHORIZED) },
      { what: 'a request without Authorization', request: get(SEARCH) },
      { what: 'X-Trace that does not match', request: get(SEARCH, AUTHORIZED, 'X-Trace: !!!') },
    ],
  }),
  workload('S11', 'order', 'POST of an order of 8 lines', {
    request: send('POST', '/orders', order),
    status: 201,
    check: (answer) => json(answer, placed),
    refusals: [
      { what: 'a number of another form', request: send('POST', '/orders', { ...order, number: 'ORD-1' }) },
      { what: 'an order without customer', request: send('POST', '/orders', { ...order, customer: undefined }) },
      { what: 'another currency', request: send('POST', '/orders', { ...order, currency: 'XXX' }) },
      { what: 'an sku of another form in the last line', request: withLine({ sku: 'abc' }) },
      { what: 'quantity 0 in the last line', request: withLine({ quantity: 0 }) },
      { what: 'quantity 1.5 in the last line', request: withLine({ quantity: 1.5 }) },
      { what: 'a negative price in the last line', request: withLine({ price: -1 }) },
      { what: 'a note of 201 characters in the last line', request: withLine({ note: 'n'.repeat(201) }) },
    ],
  }),
  workload('S12', 'one', 'GET of one object with 10 fields', {
    request: get('/articles/7'),
    check: (answer, strict) => jsonOfArticles(answer, strict, article),
    refusals: [
      { what: 'an id that is not an integer', request: get('/articles/x') },
      { what: 'an id that nothing has', request: get('/articles/1000'), status: 404 },
    ],
  }),
  workload('S13', 'page', 'GET of a page of 20 objects', {
    request: get('/feed'),
    check: (answer, strict) => jsonOfArticles(answer, strict, makeArticles(20)),
    warmup: 5000,
  }),
  workload('S14', 'echo', 'POST of three fields', {
    request: send('POST', '/messages', message),
    check: (answer) => json(answer, message),
    refusals: [
      { what: 'a message without text', request: send('POST', '/messages', { ...message, text: undefined }) },
      { what: 'priority 9', request: send('POST', '/messages', { ...message, priority: 9 }) },
      { what: 'malformed JSON', request: send('POST', '/messages', '{"to":') },
    ],
  }),
  workload('S15', 'update', 'PATCH of three of six fields', {
    request: send('PATCH', '/articles/7', changes),
    check: (answer, strict) => jsonOfArticles(answer, strict, { ...article, ...changes }),
    refusals: [
      { what: 'an id that is not an integer', request: send('PATCH', '/articles/x', changes) },
      { what: 'another status', request: send('PATCH', '/articles/7', { status: 'lost' }) },
      { what: 'rating 9', request: send('PATCH', '/articles/7', { rating: 9 }) },
      { what: 'an id that nothing has', request: send('PATCH', '/articles/1000', changes), status: 404 },
    ],
  }),
  workload('S16', 'secured', 'GET with a bearer token that is verified', {
    request: get('/me', `Authorization: Bearer ${token}`),
    check: (answer) => json(answer, user),
    refusals: [
      { what: 'a request without a token', request: get('/me'), status: 401 },
      { what: 'a token that nobody has', request: get('/me', 'Authorization: Bearer 000'), status: 401 },
    ],
  }),
]
