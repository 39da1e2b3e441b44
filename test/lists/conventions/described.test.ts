// Conventions that nobody has written down: any description either does not boot, or its lists are whole and say what is so.
import { type Application, type Attribute, application, endpoint, mediaType, route, t } from 'edict'
import { client } from 'edict/client'
import { mapper, memoryDatastore, resource } from 'edict/mapper'
import { type ConventionDescription, constant, convention, optional, orEmpty, pagination } from 'edict/pagination'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Answered, askFetch, mistakesOf } from '../../support/ask.ts'
import { runs } from '../../support/runs.ts'

const Book = mediaType('Book', {
  attributes: {
    id: t.integer({ required: true }),
    title: t.string({ required: true, nullable: true }),
    year: t.integer({ required: true }),
  },
})
const TITLES = ['Emma', null, 'Ulysses', 'Emma', 'a,b=%&'] as const
const rows = Array.from({ length: 11 }, (_, i) => ({ id: i + 1, title: TITLES[i % 5] ?? null, year: 1900 + (i % 3) }))
const columns = { id: { kind: 'integer' }, title: { kind: 'text', nullable: true }, year: { kind: 'integer' } } as const
const books = resource(memoryDatastore({ books: { columns, key: ['id'], rows } }), Book, { table: 'books' })

const PARAM_ROLES = [
  'items',
  'offset',
  'page',
  'after',
  'before',
  'token',
  'count',
  'order',
  'orderWords',
  'filters',
  'filterWords',
  'filterMembers',
  'filterOperators',
  'fields',
  'fieldsOfType',
] as const
const FACTS = [
  'total',
  'more',
  'next',
  'prev',
  'first',
  'last',
  'self',
  'path',
  'nextToken',
  'prevToken',
  'items',
  'offset',
  'page',
  'pages',
] as const

const PARTS = [['offset'], ['page'], ['after'], ['after', 'before'], ['token'], ['before']] as const

/** The facts that contradict a part, mostly left out so that more descriptions boot. */
const FOREIGN: Readonly<Record<string, readonly string[]>> = {
  offset: ['nextToken', 'prevToken'],
  page: ['nextToken', 'prevToken'],
  after: ['page', 'offset', 'prevToken'],
  before: ['page', 'offset'],
  token: ['page', 'offset'],
}

// Each role has its own name, so that a test finds it again; some stand in a structure.
const named = (roles: readonly string[], isNested: boolean): object => {
  const below = roles.filter((role) => isNested && ['items', 'offset', 'page', 'after', 'before'].includes(role))
  const flat = Object.fromEntries(roles.filter((role) => !below.includes(role)).map((role) => [`p_${role}`, role]))
  return below.length === 0 ? flat : { ...flat, at: Object.fromEntries(below.map((role) => [`p_${role}`, role])) }
}

const MISSABLE: readonly string[] = ['next', 'prev', 'first', 'last', 'nextToken', 'prevToken']

// A fact that a page lacks is null, absent or empty; one that every page has cannot be.
const memberOf = (fact: string, missing: 'null' | 'none' | 'empty'): unknown => {
  if (missing === 'none' && (MISSABLE.includes(fact) || fact === 'total')) return optional(fact as 'next')
  return missing === 'empty' && MISSABLE.includes(fact) ? orEmpty(fact as 'next') : fact
}

const bodyOf = (
  facts: readonly string[],
  form: 'plain' | 'deep' | 'flat',
  missing: 'null' | 'none' | 'empty',
): object | 'elements' => {
  if (form === 'plain') return 'elements'
  const members = Object.fromEntries(facts.map((fact) => [`b_${fact}`, memberOf(fact, missing)]))
  return form === 'deep'
    ? { rows: 'elements', kind: constant('list'), meta: members }
    : { ...members, in: { rows: 'elements' } }
}

const orNone = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(of, { nil: undefined })

const described = fc
  .record({
    part: fc.constantFrom<readonly string[]>(...PARTS),
    roles: fc.subarray([...PARAM_ROLES]),
    facts: fc.subarray([...FACTS]),
    form: fc.constantFrom('plain', 'deep', 'flat'),
    missing: fc.constantFrom('null', 'none', 'empty'),
    isNested: fc.boolean(),
    isWild: fc.integer({ min: 0, max: 5 }).map((one) => one === 0),
    rest: fc.record({
      headers: orNone(fc.record({ link: fc.boolean(), total: fc.constantFrom('X-Total', 'Total') })),
      cursors: orNone(fc.constantFrom('text', 'key')),
      onExceed: orNone(fc.constantFrom('refuse', 'clamp')),
      onZero: orNone(fc.constantFrom('refuse', 'default', 'empty')),
    }),
  })
  .map(({ part, roles, facts, form, missing, isNested, isWild, rest }) => {
    const { onExceed, onZero, cursors, ...others } = rest
    const common = roles.filter((role) => isWild || ['items', 'order', 'filters', 'fields', 'count'].includes(role))
    const all: readonly string[] = [...new Set([...part, ...common])]
    const foreign = [...(FOREIGN[part.at(-1) as string] ?? []), ...(all.includes('count') ? ['total', 'pages'] : [])]
    return {
      params: named(all, isNested),
      body: bodyOf(
        isWild ? facts : facts.filter((fact) => !foreign.includes(fact)),
        form as 'plain',
        missing as 'null',
      ),
      missing,
      ...others,
      ...((isWild || all.includes('items')) && { onExceed, onZero }),
      ...((isWild || part[0] === 'after') && { cursors }),
    } as {
      readonly missing: string
      readonly params: object
      readonly body: unknown
      readonly headers?: { link: boolean; total: string }
    }
  })

const settings = fc.record({
  order: fc.constantFrom(undefined, ['year'], ['-title', 'year'], ['-id']),
  key: fc.constantFrom(undefined, ['id']),
  pageSize: fc.constantFrom(undefined, 1, 4),
  maxItems: fc.constantFrom(undefined, 4, 20),
})

const defined = <T extends object>(of: T): T =>
  Object.fromEntries(Object.entries(of).filter(([, value]) => value !== undefined)) as T

interface Made {
  readonly app: Application
  readonly definition: never
}

function make({ missing: _, ...description }: { readonly missing?: string }, of: object): Made {
  const made = convention(defined({ name: 'house', ...description }) as ConventionDescription)
  const all = { orderBy: ['title', 'year'], filterBy: { title: {}, year: {} }, fields: true, ...defined(of) }
  const list = made.for(Book, all as object) as never as {
    readonly params: object
    readonly body: Attribute
    answer(request: unknown, page: unknown): never
  }
  const definition = endpoint('Books', {
    actions: { index: { routing: route.get('/'), params: list.params, responses: { ok: list.body } } },
  } as never)
  const app = application({
    environment: 'test',
    plugins: [mapper({ resources: [books] }), pagination({ defaultPageSize: 3 })],
    controllers: [
      definition.implement({
        index: async (_: unknown, { request, reply }: never) =>
          (reply as any).ok(list.answer(request, await books.list(request))),
      } as never),
    ],
  })
  return { app, definition: definition as never }
}

/** The member of a body by its name, at any depth. */
function find(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  if (name in value) return (value as Record<string, unknown>)[name]
  return Object.values(value)
    .map((one) => (Array.isArray(one) ? undefined : find(one, name)))
    .find((one) => one !== undefined)
}

const elementsOf = ({ json }: Answered): readonly { readonly id: number }[] =>
  Array.isArray(json) ? json : (find(json, 'rows') as never)

const linkOf = (answer: Answered, rel: string): string | undefined =>
  (find(answer.json, `b_${rel}`) as string | null | undefined) ||
  new RegExp(`<([^>]*)>; rel="${rel}"`).exec(answer.headers['link'] ?? '')?.[1]

const ids = (of: readonly { readonly id: number }[]): readonly number[] => of.map(({ id }) => id)

async function walk(
  start: string,
  get: (path: string) => Promise<Answered>,
  on: (one: Answered) => string | undefined,
) {
  const seen: number[] = []
  let path: string | undefined = start
  for (let i = 0; path !== undefined; i++) {
    expect(i, `the walk from ${start} ends`).toBeLessThan(15)
    const answer: Answered = await get(path)
    expect([path, answer.status, answer.text.slice(0, 200)]).toEqual([path, 200, expect.anything()])
    seen.push(...ids(elementsOf(answer)))
    path = on(answer)
  }
  return seen
}

// The value of a missing fact, by the way in which the template names it.
const STANDS = { null: null, none: undefined, empty: '' } as const

it('[FOR-08] boots only if its lists are whole, and every fact in them is true', { timeout: 600_000 }, async () => {
  let booted = 0
  await fc.assert(
    fc.asyncProperty(described, settings, async (description, of) => {
      if (mistakesOf(() => make(description, of)).length > 0) return
      booted++
      const { app, definition } = make(description, of)
      const roles = JSON.stringify(description.params)
      const has = (role: string): boolean => roles.includes(`"${role}"`)
      const get = (path: string): Promise<Answered> => askFetch(app, `GET ${path}`)
      const first = await get('/books')
      expect([first.status, first.text]).toEqual([200, expect.not.stringContaining('undefined')])
      const order = ids(elementsOf(await get('/books')))
      const size = of.pageSize ?? Math.min(3, of.maxItems ?? 3)
      expect(order).toHaveLength(size)

      const said = (name: string): unknown => find(first.json, `b_${name}`)
      for (const [fact, value] of Object.entries({
        total: 11,
        more: true,
        items: size,
        offset: 0,
        page: 1,
        pages: Math.ceil(11 / size),
        path: '/books',
        self: '/books',
      }))
        expect([fact, said(fact)]).toEqual([fact, said(fact) === undefined ? undefined : value])
      const { total } = description.headers ?? {}
      if (total !== undefined && !has('count')) expect(first.headers[total.toLowerCase()]).toBe('11')
      if (has('count')) {
        const name = roles.includes('"at":') && /"at":\{[^}]*p_count/.test(roles) ? 'at[p_count]' : 'p_count'
        const counted = await get(`/books?${name}=true`)
        expect(counted.status).toBe(200)
        if (total !== undefined) expect(counted.headers[total.toLowerCase()]).toBe('11')
      }

      const whole = rows.map(({ id }) => id)
      const sorted = (of: readonly number[]): readonly number[] => of.toSorted((a, b) => a - b)
      if (linkOf(first, 'next') !== undefined)
        expect(sorted(await walk('/books', get, (one) => linkOf(one, 'next')))).toEqual(whole)
      for (const fact of ['prev', 'prevToken'] as const)
        if (JSON.stringify(description.body).includes(`"b_${fact}"`) && !has('count'))
          expect([fact, said(fact)]).toEqual([fact, STANDS[description.missing as 'null']])
      if (has('items')) {
        const name = /"at":\{[^}]*p_items/.test(roles) ? 'at[p_items]' : 'p_items'
        const none = await get(`/books?${name}=0`)
        const { onZero = 'refuse' } = description as { readonly onZero?: string }
        expect(none.status).toBe(onZero === 'refuse' ? 400 : 200)
        if (onZero !== 'refuse') expect(elementsOf(none)).toHaveLength(onZero === 'empty' ? 0 : size)
        if (onZero === 'empty') {
          expect([linkOf(none, 'next'), find(none.json, 'b_nextToken') || undefined]).toEqual([undefined, undefined])
          if (find(none.json, 'b_total') !== undefined) expect(find(none.json, 'b_total')).toBe(11)
        }
      }
      const last = linkOf(first, 'last')
      if (last !== undefined) expect(linkOf(await get(last), 'next')).toBeUndefined()
      if (said('nextToken') !== undefined && said('nextToken') !== '') {
        const role = has('token') ? 'token' : 'after'
        const name = new RegExp(`"at":\\{[^}]*p_${role}`).test(roles) ? `at[p_${role}]` : `p_${role}`
        const seen = await walk('/books', get, (one) => {
          const token = find(one.json, 'b_nextToken') as string | null | undefined
          return !token ? undefined : `/books?${name}=${encodeURIComponent(token)}`
        })
        expect(sorted(seen)).toEqual(whole)
      }

      const fetch = (async (input: URL, init: RequestInit) => app.fetch(new Request(input, init))) as never
      const { Books } = client({ Books: definition }, { baseUrl: 'http://books', fetch }) as never as {
        readonly Books: { readonly index: { all(): AsyncIterable<{ readonly id: number }> } }
      }
      const walked: number[] = []
      try {
        for await (const { id } of Books.index.all()) walked.push(id)
      } catch (error) {
        // A list that says nowhere how to go on cannot be walked, which the client says.
        expect(String(error)).toMatch(/CallError|link|next/)
        return
      }
      expect(sorted(walked)).toEqual(whole)
    }),
    { numRuns: runs(150, 3000) },
  )
  expect(booted).toBeGreaterThan(runs(30, 600))
})
