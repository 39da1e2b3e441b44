// Bounds of what a query string may ask of a list: as much as allowed is taken, one more is refused by name.
import { type Attribute, application, collectionOf, endpoint, mediaType, route, t } from 'edict'
import { FieldSelector, FilteringParams, mapper } from 'edict/mapper'
import { OrderingParams, PaginationParams, paginate, pagination } from 'edict/pagination'
import { expect, it } from 'vitest'
import { askFetch } from '../../support/ask.ts'

const numbered = (count: number): string[] => Array.from({ length: count }, (_, i) => `f${i}`)
const Wide = mediaType('Wide', {
  attributes: {
    id: t.integer({ required: true }),
    title: t.string(),
    size: t.integer(),
    below: t.ref((): Attribute => Wide),
    ...Object.fromEntries(numbered(205).map((name) => [name, t.integer()])),
  },
})
const operators = ['=', '!=', '~='] as const
const Wides = endpoint('Wides', {
  actions: {
    index: {
      routing: route.get('/'),
      params: {
        fields: FieldSelector.for(Wide),
        filters: FilteringParams.for(Wide, { title: { operators }, size: {}, id: { maxValues: 150 } }),
        order: OrderingParams.for(Wide),
        pagination: PaginationParams.for(Wide, { maxItems: 30 }),
      },
      responses: { ok: collectionOf(Wide) },
    },
    short: {
      routing: route.get('/short'),
      params: { filters: FilteringParams.for(Wide, { title: { operators } }, { maxLength: 20 }) },
      responses: { ok: t.any() },
    },
  },
})
const all = [{ id: 1 }]
const app = application({
  plugins: [mapper(), pagination()],
  controllers: [
    Wides.implement({
      index: (_, { request, reply }) => reply.ok(paginate(request, all as never[])),
      short: (_, { reply }) => reply.ok([]),
    }),
  ],
})

const condition = (count: number): string => Array(count).fill('size=1').join('|')
const values = (field: string, count: number): string => `${field}=${Array(count).fill('1').join(',')}`
const nested = (depth: number): string => `${'('.repeat(depth)}size=1${')'.repeat(depth)}`
const deep = (depth: number): string => `${'below{'.repeat(depth)}id${'}'.repeat(depth)}`
const text = (length: number): string => `title=${'x'.repeat(length - 6)}`
const long = (length: number): string => 'x'.repeat(length)

/** A path and its param, what is sent for a number, the greatest one that is allowed, and the code of what is beyond. */
const BOUNDS: readonly (readonly [asked: string, (count: number) => string, most: number, code: string])[] = [
  ['?filters', text, 4096, 'max-length'],
  ['/short?filters', text, 20, 'max-length'],
  ['?filters', condition, 100, 'filter-conditions'],
  ['?filters', (count) => values('size', count), 100, 'filter-values'],
  ['?filters', (count) => values('id', count), 150, 'filter-values'],
  ['?filters', nested, 8, 'depth'],
  ['?filters', (count) => `title~=${'x'.repeat(count)}`, 200, 'filter-value'],
  ['?order', (count) => numbered(count).join(','), 16, 'order-fields'],
  ['?order', long, 4096, 'max-length'],
  ['?fields', (count) => numbered(count).join(','), 200, 'fields-names'],
  ['?fields', deep, 8, 'depth'],
  ['?fields', long, 4096, 'max-length'],
  ['?pagination', (count) => `items=${count}`, 30, 'pagination-items'],
  ['?pagination', (count) => `by=id,from=${'9'.repeat(count - 11)}`, 4096, 'max-length'],
]

it.each(BOUNDS)('%s: one less, as many as allowed, and one more (%#)', async (asked, written, most, code) => {
  const codes = await Promise.all(
    [most - 1, most, most + 1].map(async (count) => {
      const { json } = await askFetch(app, `GET /wides${asked}=${encodeURIComponent(written(count))}`)
      return (json.errors ?? []).some((one: { code: string }) => one.code === code)
    }),
  )
  expect(codes).toEqual([false, false, true])
})
