// Walks along the links of a list, as laws: every element once, in the order that an independent comparator gives.
import { application, collectionOf, endpoint, mediaType, route, t } from 'edict'
import { OrderingParams, PaginationParams, paginate, pagination } from 'edict/pagination'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ask } from '../support/ask.ts'

const Row = mediaType('Row', {
  attributes: {
    id: t.integer({ required: true }),
    part: t.string({ required: true }),
    text: t.string({ nullable: true }),
    number: t.number({ nullable: true }),
    big: t.bigint({ nullable: true }),
    at: t.dateTime({ nullable: true }),
    day: t.date({ nullable: true }),
    flag: t.boolean({ nullable: true }),
    below: t.object({ text: t.string({ nullable: true }) }),
  },
})
interface Row {
  readonly id: number
  readonly part: string
  readonly text?: string | null
  readonly number?: number | null
  readonly big?: bigint | null
  readonly at?: Date | string | null
  readonly day?: string | null
  readonly flag?: boolean | null
  readonly below?: { readonly text?: string | null }
}
const FIELDS = ['id', 'part', 'text', 'number', 'big', 'at', 'day', 'flag', 'below.text'] as const
type Field = (typeof FIELDS)[number]

const params = {
  pagination: PaginationParams.for(Row, { key: ['part', 'id'] }),
  order: OrderingParams.for(Row),
  a: t.array(t.string()),
  'x y&': t.string(),
}
const Rows = endpoint('Rows', {
  actions: { index: { routing: route.get('/'), params, responses: { ok: collectionOf(Row) } } },
})
let rows: readonly Row[] = []
const app = application({
  plugins: [pagination()],
  controllers: [Rows.implement({ index: (_, { request, reply }) => reply.ok(paginate(request, rows) as never) })],
})

// --- the order, written again -----------------------------------------------------------

type Direction = 'asc' | 'desc'
type Order = readonly (readonly [Field, Direction])[]

function valueIn(row: Row, field: Field): string | number | bigint | null {
  const value = field === 'below.text' ? row.below?.text : row[field]
  if (value === undefined || value === null) return null
  if (field === 'at') return new Date(value as Date | string).getTime()
  return typeof value === 'boolean' ? Number(value) : (value as string | number | bigint)
}

function ascending(a: string | number | bigint, b: string | number | bigint): number {
  // Bytes of UTF-8 have the order of code points.
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b))
  if (a === b) return 0
  return a < b ? -1 : 1
}

function sortedRows(list: readonly Row[], order: Order): Row[] {
  const last = order.at(-1)?.[1] ?? 'asc'
  const whole: Order = [...order, ['part', last], ['id', last]]
  return list.toSorted((one, other) => {
    for (const [field, direction] of whole) {
      const [a, b] = [valueIn(one, field), valueIn(other, field)]
      const up = a === null || b === null ? Number(a === null) - Number(b === null) : ascending(a, b)
      if (up !== 0) return direction === 'asc' ? up : -up
    }
    return 0
  })
}

// --- generated lists --------------------------------------------------------------------

const few = <T>(...values: T[]): fc.Arbitrary<T | null | undefined> =>
  fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...values) }, fc.constantFrom(null, undefined))
const texts = fc.oneof(
  few('', 'a', 'A', 'a,b', 'a=b', 'é', 'é', '\uffff', '\ue000', '😀', '😁', 'a😀', '%', '+', ' ', '"', '\\', '中'),
  fc.string({ unit: 'grapheme', maxLength: 3 }).filter((text) => !text.includes('\0')),
)
const moments = few<Date | string>(
  new Date(0),
  new Date(-1),
  new Date(1),
  '1970-01-01T01:00:00+01:00',
  '1969-12-31T23:59:59.999Z',
  new Date('9999-12-31T23:59:59.999Z'),
)
const lists: fc.Arbitrary<Row[]> = fc.uniqueArray(
  fc
    .record({
      id: fc.integer({ min: -4, max: 4 }),
      part: fc.constantFrom('', 'p', 'q', '😀', '\uffff'),
      text: texts,
      number: few(-1.5, -1, 0, -0, 1e-9, 2, 1e300, -1e300),
      big: few(-(10n ** 30n), -1n, 0n, 9n, 10n, 10n ** 30n),
      at: moments,
      day: few('0001-01-01', '1999-12-31', '2000-01-01'),
      flag: few(true, false),
      below: fc.option(fc.record({ text: texts }), { nil: undefined }),
    })
    .map((row) => Object.fromEntries(Object.entries(row).filter(present)) as unknown as Row),
  { maxLength: 18, selector: ({ part, id }) => `${part} ${id}` },
)
const present = ([, value]: [string, unknown]): boolean => value !== undefined
const orders: fc.Arbitrary<Order> = fc
  .uniqueArray(fc.constantFrom(...FIELDS), { minLength: 1, maxLength: 3 })
  .chain((fields) => fc.tuple(...fields.map((field) => fc.tuple(fc.constant(field), directions))))
const directions = fc.constantFrom<Direction>('asc', 'desc')
const extras = fc.constantFrom('', 'a=1&a=2', 'x%20y%26=', 'a=&a=%2C%26', 'x+y%26=%F0%9F%98%80+%2B', 'a=%25')

// --- walking ----------------------------------------------------------------------------

const LINK = /<(\/[!#-;=?-[\]_a-z~]*)>; rel="(first|prev|next|last)"(?:, (?=<)|$)/y

function linksIn(text: string): Record<string, string> {
  const links: Record<string, string> = {}
  LINK.lastIndex = 0
  for (let read = 0; read < text.length; read = LINK.lastIndex) {
    const [, target, relation] = LINK.exec(text) ?? expect.fail(`not a Link: ${text}`)
    expect(links).not.toHaveProperty(relation as string)
    links[relation as string] = target as string
  }
  return links
}

interface Visited {
  readonly keys: readonly string[]
  readonly links: Record<string, string>
}

const keyOf = ({ part, id }: { part: string; id: number }): string => `${part} ${id}`

async function visit(path: string): Promise<Visited> {
  const answer = await app.fetch(new Request(`http://x${path}`))
  const text = await answer.text()
  expect(answer.status, `${path} ${text}`).toBe(200)
  return { keys: JSON.parse(text).map(keyOf), links: linksIn(answer.headers.get('Link') ?? '') }
}

const withoutPagination = (path: string): string[] =>
  (path.split('?')[1] ?? '').split('&').filter((pair) => pair !== '' && !pair.startsWith('pagination='))

/** Follows a relation to its end; the pages in the sequence they were seen. */
async function walk(start: string, relation: 'next' | 'prev', most: number): Promise<Visited[]> {
  const pages: Visited[] = []
  for (let path: string | undefined = start; path !== undefined; ) {
    const page: Visited = await visit(path)
    for (const link of Object.values(page.links)) expect(withoutPagination(link)).toEqual(withoutPagination(start))
    pages.push(page)
    if (pages.length > most) expect.fail('the walk does not end')
    path = page.links[relation]
  }
  return pages
}

const written = (order: Order): string =>
  order.map(([field, direction], i) => `${direction === 'desc' ? '-' : ['', '%2B', '+'][i % 3]}${field}`).join(',')

interface Walking {
  readonly order: Order
  readonly items: number
  readonly mode: string
  readonly extra: string
}

async function checkWalks(list: readonly Row[], { order, items, mode, extra }: Walking): Promise<void> {
  rows = list
  const paging = mode === 'page' ? `page=1,items=${items}` : `by=${order[0]?.[0]},items=${items}`
  const query = [extra, `order=${written(order)}`, `pagination=${encodeURIComponent(paging)}`]
  const start = `/rows?${query.filter((pair) => pair !== '').join('&')}`
  const expected = sortedRows(list, order).map(keyOf)
  const most = Math.ceil(list.length / items) + 1
  const there = await walk(start, 'next', most)
  expect(there.flatMap(({ keys }) => keys)).toEqual(expected)
  expect(there.every(({ keys }, i) => keys.length === items || i === there.length - 1)).toBe(true)
  const end = there.length === 1 ? start : (there.at(-2)?.links['next'] as string)
  const back = await walk(end, 'prev', most)
  expect(back.toReversed().flatMap(({ keys }) => keys)).toEqual(expected)
}

describe('walks', () => {
  it.each(['cursor', 'page'])(
    '[PGN-14] [PGN-15] [ORD-02] a %s walk along next, and back along prev, has every element once',
    async (mode) => {
      const law = fc.asyncProperty(lists, orders, fc.integer({ min: 1, max: 7 }), extras, (list, order, items, extra) =>
        checkWalks(list, { order, items, mode, extra }),
      )
      await fc.assert(law, { numRuns: 160 })
    },
    30_000,
  )

  it('[PGN-14] the same over a socket', async () => {
    rows = Array.from({ length: 7 }, (_, i) => ({ id: i, part: '', text: i % 3 === 0 ? null : '😀,' }))
    const seen: string[] = []
    let path: string | undefined = '/rows?pagination=by=text,items=2&order=-text,id'
    while (path !== undefined) {
      const answer = await ask(app, `GET ${path}`)
      seen.push(...answer.json.map(({ id }: Row) => id))
      path = linksIn(answer.headers['link'] ?? '')['next']
    }
    expect(seen).toEqual([0, 3, 6, 1, 2, 4, 5])
  })

  it('[PGN-14] values that are written in two ways have one place', async () => {
    rows = [
      { id: 1, part: '', at: '2024-01-01T01:00:00+01:00' },
      { id: 2, part: '', at: new Date('2024-01-01T00:00:00Z') },
      { id: 3, part: '', at: '2023-12-31T23:30:00-01:00' },
    ]
    const pages = await walk('/rows?pagination=by=at,items=1', 'next', 4)
    expect(pages.flatMap(({ keys }) => keys)).toEqual([' 1', ' 2', ' 3'])
  })

  it('[PGN-14] values that do not fit their attribute count as null', async () => {
    const odd = application({
      plugins: [pagination()],
      validateResponses: 'off',
      controllers: [
        Rows.implement({
          index: (_, { request, reply }) => {
            const page = paginate(request, [
              { id: 1, part: '', number: Number.NaN },
              { id: 2, part: '', number: 5 },
              { id: 3, part: '', number: Number.NaN },
              { id: 4, part: '', number: 1 },
            ])
            for (const row of page) delete (row as { number?: number }).number
            return reply.ok(page)
          },
        }),
      ],
    })
    const seen: number[] = []
    let path: string | undefined = '/rows?pagination=by=number,items=1'
    while (path !== undefined) {
      const answer: Response = await odd.fetch(new Request(`http://x${path}`))
      const links = linksIn(answer.headers.get('Link') ?? '')
      seen.push(...((await answer.json()) as Row[]).map(({ id }) => id))
      path = links['next']
    }
    expect(seen).toEqual([4, 2, 1, 3])
  })
})

describe('a list that changes during the walk', () => {
  const changes = fc.array(
    fc.record({ drop: fc.array(fc.nat({ max: 40 }), { maxLength: 4 }), gain: fc.array(fc.nat(), { maxLength: 4 }) }),
    { minLength: 12, maxLength: 12 },
  )

  it('[PGN-14] never repeats an element, and misses none that was there throughout', async () => {
    const check = async (steps: { drop: number[]; gain: number[] }[], items: number, relation: 'next' | 'prev') => {
      const first: Row[] = Array.from({ length: 30 }, (_, i) => ({ id: i, part: 'old', number: i % 5 }))
      rows = first
      const begin = await visit(`/rows?order=number,-id&pagination=by=number,items=${items}`)
      let path: string | undefined = relation === 'next' ? begin.links['next'] : undefined
      const seen: string[] = relation === 'next' ? [...begin.keys] : []
      if (relation === 'prev')
        path = (await walk('/rows?order=number,-id&pagination=by=number,items=29', 'next', 3)).at(-1)?.links['prev']
      if (relation === 'prev')
        seen.push(
          ...sortedRows(first, [
            ['number', 'asc'],
            ['id', 'desc'],
          ])
            .slice(-1)
            .map(keyOf),
        )
      const gone = new Set<string>()
      let made = 100
      for (let turn = 0; path !== undefined && turn < 60; turn++) {
        const { drop = [], gain = [] } = steps[turn] ?? {}
        const dropped = new Set(drop.map((index) => rows[index % Math.max(1, rows.length)]))
        for (const row of dropped) if (row !== undefined) gone.add(keyOf(row))
        rows = rows.filter((row) => !dropped.has(row))
        rows = [...rows, ...gain.map((n) => ({ id: made++, part: 'new', number: n % 5 }))]
        const page: Visited = await visit(path)
        seen.push(...page.keys)
        path = page.links[relation]
      }
      expect(new Set(seen).size).toBe(seen.length)
      const throughout = first.map(keyOf).filter((key) => !gone.has(key))
      expect(throughout.filter((key) => !seen.includes(key))).toEqual([])
    }
    const law = fc.asyncProperty(changes, fc.integer({ min: 1, max: 6 }), fc.constantFrom('next', 'prev'), check)
    await fc.assert(law, { numRuns: 80 })
  }, 30_000)
})
