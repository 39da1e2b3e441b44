// How a client of each convention asks for a list and goes on with it, written from the convention and not from our code.
import type { Answered } from '../../support/ask.ts'
import type { Content, Kind, Row, Value } from '../walks/contents.ts'
import { type Condition, KINDS, textOf, valueAt, wordOf } from '../walks/filters.ts'
import type { Term } from '../walks/oracle.ts'
import type { Walk, WalkedPage } from '../walks/walk.ts'
import { BASE_URL, ODATA_ITEMS, STRIPE_ORDERS } from './design.ts'

/** A convention as its clients speak it. */
export interface Spoken {
  readonly name: string
  /** Whether it has places, so that walks are exact while the list changes. */
  readonly exact: boolean
  /** Whether an element that names a place has to be there still. */
  readonly needsElement?: boolean
  /** Whether a client can go back. */
  readonly back: boolean
  /** The walk that the convention can ask for. */
  fitted(walk: Walk, content: Content): Walk
  /** The request that a walk begins with. */
  start(content: Content, walk: Walk): string
  /** The elements of an answer, and the links to its neighbours. */
  page(answer: Answered, path: string): WalkedPage
}

const query = (path: string, pairs: Readonly<Record<string, string | number | undefined>>): string => {
  const given = Object.entries(pairs).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(value)}`],
  )
  return `${path}?${given.join('&')}`
}

const signed = (order: readonly Term[]): string =>
  order.map(({ field, descending }) => (descending ? '-' : '') + field).join()

const worded = (order: readonly Term[]): string =>
  order.map(({ field, descending }) => (descending ? `${field} desc` : field)).join(', ')

/** The same path with some params replaced; undefined takes one away. */
function replaced(path: string, params: Readonly<Record<string, string | number | undefined>>): string {
  const url = new URL(path, 'http://list')
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined) url.searchParams.delete(name)
    else url.searchParams.set(name, String(value))
  }
  return url.pathname + url.search
}

const asked = (path: string, name: string): number => Number(new URL(path, 'http://list').searchParams.get(name))

function linksFrom(links: Readonly<Record<string, string | null | undefined>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(links).flatMap(([name, link]) => (typeof link === 'string' && link !== '' ? [[name, link]] : [])),
  )
}

const anyWalk = (walk: Walk): Walk => ({ ...walk, mode: 'page', fields: undefined, others: '' })

const limitOffset: Spoken = {
  name: 'limit-offset',
  exact: false,
  back: true,
  fitted: (walk) => ({ ...anyWalk(walk), total: true }),
  start: ({ table }, { order, filter, items }) =>
    query(`/${table}/limit-offset`, { limit: items, offset: 0, sort: signed(order), filter: filter && textOf(filter) }),
  page({ json }, path) {
    const [limit, offset] = [asked(path, 'limit'), asked(path, 'offset')]
    const { articles, articlesCount: total } = json
    return {
      elements: articles,
      total,
      links: linksFrom({
        next: offset + limit < total ? replaced(path, { offset: offset + limit }) : null,
        prev: offset > 0 ? replaced(path, { offset: offset - limit }) : null,
        first: replaced(path, { offset: 0 }),
      }),
    }
  },
}

const pageNumbers: Spoken = {
  name: 'page-numbers',
  exact: false,
  back: true,
  fitted: (walk) => ({ ...anyWalk(walk), total: true }),
  start: ({ table }, { order, filter, items }) =>
    query(`/${table}/page-numbers`, { per_page: items, sort: signed(order), filter: filter && textOf(filter) }),
  page({ json, headers }) {
    const found = [...(headers['link'] ?? '').matchAll(/<([^>]*)>; rel="(\w+)"/g)]
    const links = Object.fromEntries(found.map(([, url, rel]) => [rel as string, url as string]))
    return { elements: json, total: Number(headers['x-total-count']), links: linksFrom(links) }
  },
}

const aip: Spoken = {
  name: 'aip',
  exact: true,
  back: false,
  fitted: (walk) => ({ ...anyWalk(walk), total: false, filter: walk.filter && sayable(walk.filter) }),
  start: ({ table }, { order, filter, items }) =>
    query(`/${table}/aip`, { page_size: items, order_by: worded(order), filter: filter && inWords(filter) }),
  page: ({ json }, path) => ({
    elements: json.items,
    total: undefined,
    links: linksFrom({ next: json.next_page_token && replaced(path, { page_token: json.next_page_token }) }),
  }),
}

const cursors: Spoken = {
  name: 'cursors',
  exact: true,
  back: true,
  fitted: (walk) => ({ ...anyWalk(walk), total: false }),
  start: ({ table }, { order, filter, items }) =>
    query(`/${table}/cursors`, { limit: items, sort: signed(order), filter: filter && textOf(filter) }),
  page: ({ json }, path) => ({
    elements: json.items,
    total: undefined,
    links: linksFrom({
      next: json.next_cursor && replaced(path, { cursor: json.next_cursor }),
      prev: json.prev_cursor && replaced(path, { cursor: json.prev_cursor }),
      first: replaced(path, { cursor: undefined }),
    }),
  }),
}

const github: Spoken = {
  name: 'github',
  exact: false,
  back: true,
  fitted: (walk) => ({ ...anyWalk(walk), total: true, filter: undefined, order: walk.order.slice(0, 1) }),
  start: ({ table }, { order: [term], items }) =>
    query(`/${table}/github`, {
      per_page: items,
      page: 0,
      sort: term?.field,
      direction: term && (term.descending ? 'desc' : 'asc'),
    }),
  page: (answer, path) => {
    const { links, ...page } = pageNumbers.page(answer, path)
    return { ...page, links: new Map([...links].map(([name, link]) => [name, toPath(link)])) }
  },
}

/** The path of an absolute link. */
function toPath(link: string): string {
  if (!link.startsWith(`${BASE_URL}/`)) throw new Error(`${link} is no absolute link`)
  return link.slice(BASE_URL.length)
}

const slack: Spoken = {
  name: 'slack',
  exact: true,
  back: false,
  fitted: (walk) => ({ ...anyWalk(walk), total: false, filter: undefined, order: termsOf(['word', '-size']) }),
  start: ({ table }, { items }) => `/${table}/slack?limit=${items}&cursor=`,
  page: ({ json }, path) => ({
    elements: json.items,
    total: undefined,
    links: linksFrom({
      next: json.response_metadata.next_cursor && replaced(path, { cursor: json.response_metadata.next_cursor }),
    }),
  }),
}

const relay: Spoken = {
  name: 'relay',
  exact: true,
  back: true,
  fitted: (walk) => ({ ...anyWalk(walk), total: false, filter: undefined }),
  start: ({ table }, { order, items }) => query(`/${table}/relay`, { first: items, orderBy: signed(order) }),
  page: ({ json: { edges, pageInfo } }, path) => {
    const size = asked(path, path.includes('last=') ? 'last' : 'first')
    const none = { first: undefined, last: undefined, after: undefined, before: undefined }
    const [head, tail] = [edges[0]?.cursor ?? null, edges.at(-1)?.cursor ?? null]
    if (pageInfo.startCursor !== head || pageInfo.endCursor !== tail) throw new Error('the ends have other cursors')
    return {
      elements: edges.map(({ node }: { readonly node: unknown }) => node),
      total: undefined,
      links: linksFrom({
        next: tail !== null && pageInfo.hasNextPage ? replaced(path, { ...none, first: size, after: tail }) : null,
        prev: head !== null && pageInfo.hasPreviousPage ? replaced(path, { ...none, last: size, before: head }) : null,
        first: replaced(path, { ...none, first: size }),
      }),
    }
  },
}

const elasticsearch: Spoken = {
  name: 'elasticsearch',
  // Places are exact; the number of all hits is not that of the ones that a walk found.
  exact: true,
  back: false,
  fitted: (walk) => ({ ...anyWalk(walk), total: true, filter: walk.filter && sayable(walk.filter) }),
  start: ({ table }, { order, filter, items }) =>
    query(`/${table}/elasticsearch`, { size: items, sort: coloned(order), q: filter && inTerms(filter) }),
  page: ({ json: { hits } }, path) => {
    const values = hits.hits.at(-1)?.sort
    const isLast = hits.hits.length < asked(path, 'size')
    return {
      elements: hits.hits.map(({ _source }: { readonly _source: unknown }) => _source),
      total: hits.total.value,
      links: linksFrom({ next: isLast ? null : replaced(path, { search_after: JSON.stringify(values) }) }),
    }
  },
}

const coloned = (order: readonly Term[]): string =>
  order.map(({ field, descending }) => (descending ? `${field}:desc` : field)).join()

const inOData = (name: 'odata' | 'graph'): Spoken => ({
  name,
  exact: name === 'graph',
  back: false,
  fitted: (walk) => ({
    ...anyWalk(walk),
    ...(name === 'odata' && { items: ODATA_ITEMS }),
    total: walk.items % 2 === 0,
    filter: walk.filter && sayable(walk.filter),
  }),
  start: ({ table }, { order, filter, items, total }) =>
    query(`/${table}/${name}`, {
      ...(name === 'graph' && { $top: items }),
      $count: total ? 'true' : 'false',
      $orderby: worded(order),
      $filter: filter && inComparisons(filter),
    }),
  page: ({ json }) => {
    const next = json['@odata.nextLink']
    return {
      elements: json.value,
      total: json['@odata.count'],
      links: linksFrom({ next: next === undefined || name === 'odata' ? next : toPath(next) }),
    }
  },
})

const jsonApi = (name: 'json-api' | 'json-api-pages'): Spoken => ({
  name,
  exact: name === 'json-api',
  back: true,
  fitted: (walk, content) => ({
    ...anyWalk(walk),
    total: name === 'json-api-pages',
    filter: walk.filter && memberFilter(content, walk),
  }),
  start({ table }, { order, filter, items }) {
    const begin = query(`/${table}/${name}`, { 'page[size]': items, sort: signed(order) })
    if (filter === undefined || !('matches' in filter)) return begin
    const kind = KINDS[filter.field] as Kind
    const values = filter.matches.map((value) => wordOf(value as Value, kind))
    // A value with a comma stands alone; commas between values are the same in both forms.
    const isList = values.every((value) => !value.includes(','))
    if (isList) return `${begin}&filter[${filter.field}]=${encodeURIComponent(values.join())}`
    return begin + values.map((value) => `&filter[${filter.field}][]=${encodeURIComponent(value)}`).join('')
  },
  page: ({ json }) => ({
    elements: json.data.map(flat),
    total: json.meta?.total,
    links: linksFrom(json.links),
  }),
})

/** An element of JSON:API as its media type has it. */
function flat({ id, attributes }: { readonly id: string; readonly attributes: object }): unknown {
  const comma = id.lastIndexOf(',')
  const key = comma < 0 ? { number: Number(id) } : { section: id.slice(0, comma), number: Number(id.slice(comma + 1)) }
  return { ...attributes, ...key }
}

const MEMBERS = ['section', 'number', 'word', 'count', 'size', 'flag', 'day', 'owner.rank']

function memberFilter(content: Content, { items }: Walk): Condition | undefined {
  const field = MEMBERS[items % MEMBERS.length] as string
  const values = content.items.slice(0, 3).map((row: Row) => valueAt(content, row, field))
  const matches = [...new Set(values)].filter((value): value is Value => value !== null && value !== '')
  return matches.length === 0 ? undefined : { op: '=', field, matches }
}

const stripe = (name: keyof typeof STRIPE_ORDERS): Spoken => ({
  name: `stripe-${name}`,
  exact: true,
  needsElement: name !== 'key',
  back: true,
  fitted: (walk) => ({ ...anyWalk(walk), total: false, filter: undefined, order: termsOf(STRIPE_ORDERS[name]) }),
  start: (_, { items }) => query(`/singles/stripe-${name}`, { limit: items }),
  page({ json }, path) {
    const { data, has_more: more } = json
    const [first, last] = [data[0]?.number, data.at(-1)?.number]
    const backwards = path.includes('ending_before')
    const begun = backwards || path.includes('starting_after')
    const after = { starting_after: last, ending_before: undefined }
    const before = { starting_after: undefined, ending_before: first }
    const some = data.length > 0
    return {
      elements: data,
      total: undefined,
      links: linksFrom({
        next: some && (backwards || more) ? replaced(path, after) : null,
        prev: some && (backwards ? more : begun) ? replaced(path, before) : null,
        first: replaced(path, { starting_after: undefined, ending_before: undefined }),
      }),
    }
  },
})

const termsOf = (order: readonly string[]): readonly Term[] =>
  order.map((term) => ({ field: term.replace(/^-/, ''), descending: term.startsWith('-') }))

/** All conventions. */
export const SPOKEN: readonly Spoken[] = [
  limitOffset,
  pageNumbers,
  aip,
  cursors,
  github,
  slack,
  relay,
  elasticsearch,
  inOData('odata'),
  inOData('graph'),
  jsonApi('json-api'),
  jsonApi('json-api-pages'),
  stripe('key'),
  stripe('word'),
  stripe('size'),
  stripe('moment'),
]

// --- filters in words ----------------------------------------------------------------------

// Of several related elements each comparison may mean another one: AIP has no list of values that one of them differs from.
function sayable(condition: Condition): Condition {
  if ('of' in condition) return { ...condition, of: condition.of.map(sayable) }
  const isSplit = condition.op === '!=' && condition.field.startsWith('marks')
  return isSplit && 'matches' in condition ? { ...condition, matches: condition.matches.slice(0, 1) } : condition
}

/** Writes a filter as AIP-160 has it. */
function inWords(condition: Condition): string {
  if ('of' in condition) return `(${condition.of.map(inWords).join(condition.op === '&' ? ' AND ' : ' OR ')})`
  const { op, field } = condition
  if (!('matches' in condition)) return op === '!' ? `${field}:*` : `${field} = null`
  const kind = KINDS[field] as Kind
  const each = condition.matches.map((match) => {
    if (typeof match !== 'object') return `${field} ${op} "${escaped(wordOf(match, kind))}"`
    const { part, before, after } = match
    return part === ''
      ? `${field} ${op} "*"`
      : `${field} ${op} "${before ? '*' : ''}${escaped(part)}${after ? '*' : ''}"`
  })
  return `(${each.join(op === '!=' ? ' AND ' : ' OR ')})`
}

const escaped = (text: string): string => text.replace(/[\\"*]/g, '\\$&')

// --- query strings -------------------------------------------------------------------------

/** Writes a filter as a query string of Elasticsearch. */
function inTerms(condition: Condition): string {
  if ('of' in condition) return `(${condition.of.map(inTerms).join(condition.op === '&' ? ' AND ' : ' || ')})`
  const { op, field } = condition
  if (!('matches' in condition)) return op === '!' ? `_exists_:${field}` : `NOT _exists_:${field}`
  const kind = KINDS[field] as Kind
  const [start, comparator] = [op === '!=' ? `NOT ${field}:` : `${field}:`, op === '=' || op === '!=' ? '' : op]
  const each = condition.matches.map((match) => {
    if (typeof match !== 'object') return `${start}${comparator}"${wordOf(match, kind).replace(/[\\"]/g, '\\$&')}"`
    const { part, before, after } = match
    return part === ''
      ? `${start}*`
      : `${start}${before ? '*' : ''}${part.replace(/[^\p{L}\p{N}]/gu, '\\$&')}${after ? '*' : ''}`
  })
  return `(${each.join(op === '!=' ? ' AND ' : ' OR ')})`
}

// --- filters of OData ----------------------------------------------------------------------

const COMPARATORS: Readonly<Record<string, string>> = {
  '=': 'eq',
  '!=': 'ne',
  '<': 'lt',
  '<=': 'le',
  '>': 'gt',
  '>=': 'ge',
}

/** Writes a filter as OData has it. */
function inComparisons(condition: Condition): string {
  if ('of' in condition) return `(${condition.of.map(inComparisons).join(condition.op === '&' ? ' and ' : ' or ')})`
  const { op, field } = condition
  const path = field.replaceAll('.', '/')
  if (!('matches' in condition)) return `${path} ${op === '!' ? 'ne' : 'eq'} null`
  const kind = KINDS[field] as Kind
  const each = condition.matches.map((match) => {
    if (typeof match !== 'object') return `${path} ${COMPARATORS[op]} ${quoted(wordOf(match, kind))}`
    const { part, before, after } = match
    if (!before && !after) return `${path} ${COMPARATORS[op]} ${quoted(part)}`
    const ending = before ? 'endswith' : 'startswith'
    const name = before && after ? 'contains' : ending
    return `${op === '!=' ? 'not ' : ''}${name}(${path},${quoted(part)})`
  })
  return `(${each.join(op === '!=' ? ' and ' : ' or ')})`
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`
