// The endpoint by hand: node:http, the driver's own calls, SQL texts that are written once for each order, and the same
// checks of what comes in.
import { createServer } from 'node:http'
import { createClient } from '@libsql/client'
import postgres from 'pg'
import { answering, CONNECTIONS, engine, note, url } from './contestant.js'

const isPostgres = engine === 'postgres'
const FIELDS = new Set(['id', 'title', 'created_at'])
const KEYS = new Set(['page', 'by', 'from', 'after', 'before', 'items', 'total_count'])
const [DEFAULT_ITEMS, MAX_ITEMS, MAX_LENGTH] = [100, 100, 4096]

class Refused extends Error {}

// --- what is asked for -----------------------------------------------------------------

function parseQuery(query) {
  const sent = {}
  for (const pair of query === '' ? [] : query.split('&')) {
    const equals = pair.indexOf('=')
    const name = decoded(equals < 0 ? pair : pair.slice(0, equals))
    if (name !== 'order' && name !== 'pagination') throw new Refused(`${name} is unknown`)
    if (sent[name] !== undefined) throw new Refused(`${name} is repeated`)
    sent[name] = decoded(equals < 0 ? '' : pair.slice(equals + 1))
  }
  return sent
}

function decoded(text) {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw new Refused('broken escape')
  }
}

function parseOrder(text) {
  const order = text.split(',').map((term) => {
    const descending = term.startsWith('-')
    const field = descending || term.startsWith('+') ? term.slice(1) : term
    if (!FIELDS.has(field)) throw new Refused(`no order by ${field}`)
    return { field, descending }
  })
  if (new Set(order.map(({ field }) => field)).size < order.length) throw new Refused('a field is repeated')
  // The key decides where nothing else does.
  if (!order.some(({ field }) => field === 'id')) order.push({ field: 'id', descending: false })
  return order
}

function parsePagination(text) {
  if (text.length > MAX_LENGTH) throw new Refused('pagination is too long')
  const pairs = {}
  for (const part of text.split(',')) {
    const equals = part.indexOf('=')
    const key = part.slice(0, equals)
    if (equals < 1 || !KEYS.has(key) || pairs[key] !== undefined) throw new Refused('pagination is wrong')
    pairs[key] = part.slice(equals + 1)
  }
  const { page, by, from, after, before, items = String(DEFAULT_ITEMS), total_count: count = 'false' } = pairs
  if (!NUMBER.test(items) || Number(items) > MAX_ITEMS) throw new Refused('items is wrong')
  if (page !== undefined && !NUMBER.test(page)) throw new Refused('page is wrong')
  if (count !== 'true' && count !== 'false') throw new Refused('total_count is wrong')
  const places = [from, after, before].filter((one) => one !== undefined).length
  if (places > 1 || (page !== undefined && (places > 0 || by !== undefined))) throw new Refused('pagination is mixed')
  if (page === undefined && (by === undefined || !FIELDS.has(by))) throw new Refused('by is wrong')
  return {
    page: page === undefined ? undefined : Number(page),
    by,
    from: from === undefined ? undefined : decoded(from),
    after,
    before,
    items: Number(items),
    count: count === 'true',
    sent: pairs,
  }
}

const NUMBER = /^[1-9]\d{0,8}$/

// --- places ----------------------------------------------------------------------------

const MOMENT = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:\.\d{1,6})?(?:Z|[+-]\d\d(?::?\d\d)?)?$/

const isPlace = {
  id: (value) => Number.isSafeInteger(value) && Math.abs(value) < 2 ** 31,
  title: (value) => typeof value === 'string' && !value.includes('\0'),
  created_at: (value) => typeof value === 'string' && MOMENT.test(value),
}

const TYPED = { id: Number, created_at: moment }

function typedValue(field, text) {
  const value = TYPED[field]?.(text) ?? text
  if (!isPlace[field](value)) throw new Refused('from is wrong')
  return value
}

function moment(text) {
  const date = new Date(text)
  if (!MOMENT.test(text) || Number.isNaN(date.getTime())) throw new Refused('from is wrong')
  return date.toISOString()
}

// A place is tied to the order that it was made for.
const writePlace = (binding, values) => Buffer.from(JSON.stringify([binding, ...values])).toString('base64url')

function readPlace(text, { binding, order }) {
  let place
  try {
    place = JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    throw new Refused('this is no place')
  }
  if (!Array.isArray(place) || place.length !== order.length + 1 || place[0] !== binding)
    throw new Refused('this is no place of this list')
  const values = place.slice(1)
  if (!values.every((value, i) => isPlace[order[i].field](value))) throw new Refused('this is no place')
  return values
}

// --- SQL -------------------------------------------------------------------------------

const COLUMNS = ['id', 'title', 'kind', 'price', 'stock', 'active', 'created_at']
// The driver's own date would lose microseconds, and the place with them; without another name, the text would be sorted.
const READ = COLUMNS.map((one) => (isPostgres && one === 'created_at' ? 'cast(created_at as text) as moment' : one))
const SELECT = `select ${READ.join(', ')} from items`

/** Orders by their text, with the SQL of each kind of page. */
const lists = new Map()

function listOf(text) {
  let list = lists.get(text)
  if (list === undefined) {
    const order = parseOrder(text)
    const binding = order.map(({ field, descending }) => (descending ? '-' : '') + field).join()
    list = { order, binding, at: order.map(({ field }) => COLUMNS.indexOf(field)), texts: {} }
    for (const kind of ['page', 'start', 'from', 'after', 'before']) list.texts[kind] = sqlOf(order, kind)
    if (lists.size >= 64) lists.delete(lists.keys().next().value)
    lists.set(text, list)
  }
  return list
}

function sqlOf(order, kind) {
  const terms = order.map(({ field, descending }) => ({ field, descending: descending !== (kind === 'before') }))
  let number = 0
  const gap = () => (isPostgres ? `$${++number}` : '?')
  const sign = ({ descending }) => (descending ? '<' : '>')
  const after = ([term, ...rest]) => {
    if (rest.length === 0) return `${term.field} ${sign(term)} ${gap()}`
    return `${term.field} ${sign(term)}= ${gap()} and (${term.field} ${sign(term)} ${gap()} or (${after(rest)}))`
  }
  const [first] = terms
  let where = ''
  if (kind === 'from') where = ` where ${first.field} ${sign(first)} ${gap()}`
  else if (kind === 'after' || kind === 'before') where = ` where ${after(terms)}`
  const by = terms.map(({ field, descending }) => `${field} ${descending ? 'desc' : 'asc'}`).join(', ')
  return `${SELECT}${where} order by ${by} limit ${gap()}${kind === 'page' ? ` offset ${gap()}` : ''}`
}

/** The values of the gaps in a text for a place: each but the last twice. */
const valuesAt = (place) => place.flatMap((value, i) => (i < place.length - 1 ? [value, value] : [value]))

const client = isPostgres
  ? new postgres.Pool({ connectionString: url, max: CONNECTIONS, application_name: 'raw' })
  : createClient({ url })

async function run(text, values) {
  note(text, values)
  if (isPostgres) return (await client.query({ text, values, rowMode: 'array' })).rows
  return (await client.execute({ sql: text, args: values })).rows
}

// --- answers ---------------------------------------------------------------------------

async function list(path, query) {
  const sent = parseQuery(query)
  const page = parsePagination(sent.pagination ?? '')
  const order = listOf(sent.order ?? page.by ?? 'id')
  if (page.by !== undefined && order.order[0].field !== page.by)
    throw new Refused('by is not the first field of the order')
  const kind = kindOf(page)
  const [read, total] = await Promise.all([
    run(order.texts[kind], gapsOf(kind, page, order)),
    page.count ? countAll() : undefined,
  ])
  const more = read.length > page.items
  const rows = more ? read.slice(0, page.items) : read
  if (kind === 'before') rows.reverse()
  const begun = kind === 'page' ? page.page > 1 : kind !== 'start'
  const around = kind === 'before' ? { prev: more, next: true } : { prev: begun, next: more }
  return {
    body: JSON.stringify(rows.map(itemOf)),
    link: linkOf({ path, query, page, order, rows, around, total }),
    total,
  }
}

const KINDS = ['page', 'after', 'before', 'from']

const kindOf = (page) => KINDS.find((kind) => page[kind] !== undefined) ?? 'start'

function gapsOf(kind, page, order) {
  const values = []
  if (kind === 'after' || kind === 'before') values.push(...valuesAt(readPlace(page[kind], order)))
  else if (kind === 'from') values.push(typedValue(page.by, page.from))
  // One row more than asked for tells whether there is a next page.
  values.push(page.items + 1)
  if (kind === 'page') values.push((page.page - 1) * page.items)
  return values
}

async function countAll() {
  const [row] = await run('select count(*) from items', [])
  return Number(row[0])
}

function itemOf(row) {
  return {
    id: row[0],
    title: row[1],
    kind: row[2],
    price: row[3],
    stock: row[4],
    active: Boolean(row[5]),
    created_at: new Date(row[6]).toISOString(),
  }
}

function linkOf({ path, query, page, order, rows, around, total }) {
  const others = query.split('&').filter((pair) => pair !== '' && !pair.startsWith('pagination='))
  const { items, total_count } = page.sent
  const kept = [
    ...(items === undefined ? [] : [`items=${items}`]),
    ...(total_count ? [`total_count=${total_count}`] : []),
  ]
  const link = (relation, pairs) =>
    `<${path}?${[...others, `pagination=${encodeURIComponent([...pairs, ...kept].join())}`].join('&')}>; rel="${relation}"`
  const links =
    page.page === undefined ? placeLinks(link, page, order, { rows, around }) : pageLinks(link, page, around, total)
  return links.join(', ')
}

function pageLinks(link, { page, items }, around, total) {
  const last = total === undefined ? undefined : Math.max(1, Math.ceil(total / items))
  const links = [link('first', ['page=1'])]
  if (around.prev) links.push(link('prev', [`page=${Math.min(page - 1, last ?? page - 1)}`]))
  if (around.next) links.push(link('next', [`page=${page + 1}`]))
  if (last !== undefined) links.push(link('last', [`page=${last}`]))
  return links
}

function placeLinks(link, { by }, order, { rows, around }) {
  const place = (row) =>
    writePlace(
      order.binding,
      order.at.map((column) => row[column]),
    )
  const links = [link('first', [`by=${by}`])]
  if (around.prev && rows.length > 0) links.push(link('prev', [`by=${by}`, `before=${place(rows[0])}`]))
  if (around.next && rows.length > 0) links.push(link('next', [`by=${by}`, `after=${place(rows.at(-1))}`]))
  return links
}

const server = createServer((req, res) => {
  const mark = req.url.indexOf('?')
  const path = mark < 0 ? req.url : req.url.slice(0, mark)
  if (req.method !== 'GET' || path !== '/items') return send(res, 404, '{"error":"not found"}')
  list(path, mark < 0 ? '' : req.url.slice(mark + 1)).then(
    ({ body, link, total }) => send(res, 200, body, { link, total }),
    (error) =>
      error instanceof Refused
        ? send(res, 400, JSON.stringify({ error: error.message }))
        : send(res, 500, '{"error":"internal"}'),
  )
})

function send(res, status, text, { link, total } = {}) {
  const headers = ['Content-Type', 'application/json', 'Content-Length', String(Buffer.byteLength(text))]
  if (link !== undefined) headers.push('Link', link)
  if (total !== undefined) headers.push('Total-Count', String(total))
  res.writeHead(status, headers)
  res.end(text)
}

server.listen(0, '127.0.0.1', () => answering(server.address().port))
