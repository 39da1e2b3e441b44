// The large shapes by hand, without any validation.
import { send } from '../by-hand.js'
import { books, countRows, received } from './data.js'

const json = (res, value) => send(res, 200, 'application/json', JSON.stringify(value))

/** Answers a GET of one of the shapes, and tells whether it is one. */
export function getLarge(res, url) {
  if (url === '/books') json(res, books)
  else if (url.startsWith('/products?')) products(res, url.slice(10))
  else return false
  return true
}

function products(res, query) {
  const found = { brands: [] }
  for (const [name, value] of new URLSearchParams(query)) {
    if (name === 'brands') found.brands.push(value)
    else if (value === 'true' || value === 'false') found[name] = value === 'true'
    else found[name] = Number.isNaN(Number(value)) ? value : Number(value)
  }
  json(res, found)
}

/** The functions of bodies, by their paths. */
export const postLarge = new Map([
  ['/companies', (res, body) => json(res, body)],
  ['/forms', (res) => json(res, received)],
  ['/rows', (res, body) => json(res, countRows(body.rows))],
  ['/payments', (res, body) => json(res, { id: 1, ...body })],
])
