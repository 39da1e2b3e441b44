// Lists that clients may ask for: filters, orders, pages and fields, each written as its grammar allows.

import { clockOf, dayOf, momentOf } from '../declarations/scalars.ts'
import type { Draw } from '../draw.ts'

/** A field that lists can be filtered and ordered by. */
interface ListField {
  readonly name: string
  readonly kind: 'text' | 'choice' | 'whole' | 'number' | 'bigint' | 'boolean' | 'date' | 'time' | 'moment' | 'related'
  readonly wildcards?: boolean
  readonly values?: readonly string[]
  readonly operators?: readonly string[]
}

/** The fields that the params of a list accept. */
export interface ListKnowledge {
  readonly filters: readonly ListField[]
  readonly order: readonly string[]
  readonly by: readonly string[]
  readonly fields: readonly string[]
}

const OPERATORS = ['=', '!=', '<', '<=', '>', '>=', '!', '!!']

// Everything that a filter reads as a sign of its own is escaped once more within it.
const escaped = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)

function written({ kind, wildcards, values = [] }: ListField, operator: string, draw: Draw): string {
  if (kind === 'choice') return draw.pick(values)
  if (kind === 'whole') return String(draw.int(-5, 400))
  if (kind === 'number') return String(draw.int(-50, 400) / 4)
  if (kind === 'bigint') return draw.pick(['0', '7', '9007199254740993', '-12'])
  if (kind === 'boolean') return draw.pick(['true', 'false'])
  if (kind === 'date') return dayOf(draw)
  if (kind === 'time') return escaped(clockOf(draw))
  if (kind === 'moment') return escaped(momentOf(draw).text)
  const text = escaped(draw.text(draw.int(1, 5), 'json').replace(/[\p{Cc}]/gu, 'c'))
  if (wildcards !== true || !operator.endsWith('=') || /[<>]/.test(operator)) return text
  return draw.pick([text, `${text}*`, `*${text}`, `*${text}*`, '*'])
}

const FITTING: ReadonlyMap<string, readonly string[]> = new Map([
  ['related', ['!', '!!']],
  ['boolean', ['=', '!=', '!', '!!']],
])

function condition(fields: readonly ListField[], draw: Draw): string {
  const field = draw.pick(fields)
  const fitting = FITTING.get(field.kind) ?? OPERATORS
  const operator = draw.pick(field.operators ?? fitting)
  if (operator === '!' || operator === '!!') return `${field.name}${operator}`
  const count = operator === '=' || operator === '!=' ? draw.int(1, 3) : 1
  return `${field.name}${operator}${Array.from({ length: count }, () => written(field, operator, draw)).join(',')}`
}

function filterOf(fields: readonly ListField[], draw: Draw, depth: number): string {
  if (depth === 0 || draw.chance(0.5)) return condition(fields, draw)
  const parts = Array.from({ length: draw.int(2, 3) }, () => {
    const part = filterOf(fields, draw, depth - 1)
    return draw.chance(0.5) ? `(${part})` : part
  })
  return parts.join(draw.pick(['&', '|']))
}

/** Draws the params of a list that must be accepted. */
export function listParams(of: ListKnowledge, draw: Draw): Record<string, string> {
  const params: Record<string, string> = {}
  if (of.filters.length > 0 && draw.chance(0.6)) params['filters'] = filterOf(of.filters, draw, 2)
  if (of.fields.length > 0 && draw.chance(0.4)) {
    const some = draw.some(of.fields, 0.4)
    if (some.length > 0) params['fields'] = some.join(',')
  }
  const total = draw.chance(0.3) ? `,total_count=${draw.chance(0.5)}` : ''
  if (draw.chance(0.4)) params['pagination'] = `by=${draw.pick(of.by)},items=${draw.int(1, 9)}${total}`
  else {
    if (draw.chance(0.6)) params['pagination'] = `page=${draw.int(1, 6)},items=${draw.int(1, 9)}${total}`
    const order = draw.some(of.order, 0.25).slice(0, 4)
    if (order.length > 0) params['order'] = order.map((name) => `${draw.pick(['', '-'])}${name}`).join(',')
  }
  return params
}

/** Draws invalid params of a list. */
export function strangeParams(of: ListKnowledge, draw: Draw): Record<string, string> {
  const params = listParams(of, draw)
  const name = draw.pick(['filters', 'fields', 'pagination', 'order'])
  const text = params[name] ?? draw.text(8, 'json')
  const at = draw.int(0, text.length)
  const change = draw.int(0, 2)
  const sign = draw.pick(['&', '(', ')', '!', '*', ',', '%', '{', '}', '\0', '=', '<', '😀', '-', "'", ';'])
  const rests = ['', sign + text.slice(at), text.slice(at + 1)]
  params[name] = text.slice(0, at) + rests[change]
  return params
}

const text = (name: string, wildcards = false): ListField => ({ name, kind: 'text', wildcards })

/** The books of the library fixture. */
export const BOOKS: ListKnowledge = {
  filters: [
    { name: 'id', kind: 'whole' },
    text('title', true),
    text('subtitle', true),
    { name: 'kind', kind: 'choice', values: ['novel', 'essay', 'poems'] },
    { name: 'pages', kind: 'whole' },
    { name: 'price', kind: 'number' },
    { name: 'copies', kind: 'bigint' },
    { name: 'lent', kind: 'boolean' },
    { name: 'published_on', kind: 'date' },
    { name: 'added_at', kind: 'moment' },
    { name: 'opens_at', kind: 'time' },
    text('tags'),
    { name: 'author', kind: 'related' },
    { name: 'reviews', kind: 'related' },
    { name: 'author.id', kind: 'whole' },
    { ...text('author.name', true), operators: ['=', '!=', '!', '!!'] },
    text('author.home.city'),
    { name: 'reviews.stars', kind: 'whole' },
    text('reviews.by.name'),
  ],
  order: [
    'id',
    'title',
    'subtitle',
    'kind',
    'pages',
    'price',
    'copies',
    'lent',
    'published_on',
    'added_at',
    'author.name',
  ],
  by: ['id', 'title', 'pages', 'price', 'added_at', 'published_on', 'author.name'],
  fields: [
    'id',
    'title',
    'pages',
    'tags',
    'label',
    'shelf_mates',
    'author{name,home{city}}',
    'reviews{stars,by{name}}',
    'notes',
  ],
}

/** The blogs of the example. */
export const BLOGS: ListKnowledge = {
  filters: [
    text('handle'),
    text('title', true),
    { name: 'kind', kind: 'choice', values: ['personal', 'company'], operators: ['=', '!='] },
    text('tags'),
    { name: 'open', kind: 'boolean' },
    { name: 'rating', kind: 'number' },
    { name: 'founded_on', kind: 'date' },
    { name: 'created_at', kind: 'moment' },
    { name: 'owner.id', kind: 'whole', operators: ['='] },
    text('owner.name', true),
  ],
  order: ['id', 'handle', 'title', 'rating', 'created_at', 'owner.name'],
  by: ['id', 'handle', 'title', 'rating', 'created_at'],
  fields: ['id', 'handle', 'title', 'kind', 'tags', 'open', 'created_at', 'owner{name}'],
}
