// Related lists with an order, conditions and a limit for each element: what is read of them, by how many statements.
import { application, collectionOf, endpoint, mediaType, route, t } from 'edict'
import { FieldSelector, FilteringParams, many, mapper, resource } from 'edict/mapper'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { DialectName } from '../../../src/plugins/datastores/sql/sql.ts'
import { ask, mistakesOf } from '../../support/ask.ts'
import { fill as fillTables } from '../../support/engines/fill.ts'
import { runs } from '../../support/runs.ts'
import { type Best, contents, everyBed, memoryBed, Post, type Row, type Rows, resourcesIn } from './bed.ts'

const words = fc.constantFrom('a', 'b', 'A', 'é')
const step = fc.tuple(fc.constantFrom('stars', 'text', 'by.name'), fc.boolean())
const bests = fc.record(
  {
    order: fc.array(step, { maxLength: 2 }).map((all) => all.map(([field, down]) => `${down ? '-' : ''}${field}`)),
    limit: fc.integer({ min: 1, max: 3 }),
    where: fc.constantFrom(
      { stars: { '>=': 2 } },
      { text: 'a' },
      { text: { '!=': null }, stars: [1, 2] },
      { 'by.name': ['a', 'A'] },
    ),
  },
  { requiredKeys: ['order'] },
)

const codePoints = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

function compared(a: unknown, b: unknown): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  return typeof a === 'string' ? codePoints(a, b as string) : (a as number) - (b as number)
}

/** The list that one post has by the declaration, worked out by hand. */
function expected(rows: Rows, post: number, { order, where, limit = Infinity }: Best): unknown[] {
  const nameOf = (row: Row): unknown => rows.authors.find(({ id }) => id === row['author_id'])?.['name'] ?? null
  const fieldOf = (row: Row, field: string): unknown => (field === 'by.name' ? nameOf(row) : row[field])
  const meets = (row: Row): boolean =>
    Object.entries(where ?? {}).every(([field, condition]) => {
      const value = fieldOf(row, field)
      if (Array.isArray(condition)) return condition.includes(value)
      if (typeof condition !== 'object' || condition === null) return value === condition
      return '>=' in condition ? value !== null && Number(value) >= Number(condition['>=']) : value !== null
    })
  return rows.comments
    .filter((row) => row['post_id'] === post && meets(row))
    .sort((a, b) => {
      for (const term of order) {
        const field = term.replace('-', '')
        const difference = compared(fieldOf(a, field), fieldOf(b, field))
        if (difference !== 0) return term.startsWith('-') ? -difference : difference
      }
      const ascending = Number(a['id']) - Number(b['id'])
      return order.at(-1)?.startsWith('-') ? -ascending : ascending
    })
    .slice(0, limit)
    .map(({ id }) => ({ id }))
}

const id = t.integer({ required: true })
const Part = mediaType('Part', { attributes: { id, of: t.integer(), named: t.string() } })
const Whole = mediaType('Whole', {
  attributes: {
    id: t.integer({ required: true }),
    name: t.string(),
    of: t.array(Part),
    named: t.array(Part),
  },
})

/** Tables whose columns refer to values that some of them cannot hold. */
const narrower = (dialect: DialectName): string[] => [
  `create table wholes (id bigint not null primary key, name ${dialect === 'sqlite' ? 'text' : 'varchar(60)'} not null)`,
  `create table parts (id integer not null primary key, of_id smallint, name_id ${dialect === 'sqlite' ? 'text' : 'uuid'})`,
]

const UUIDS = ['6f2dbb6c-5f27-4d2b-8d4e-111111111111', '6f2dbb6c-5f27-4d2b-8d4e-222222222222'] as const

await everyBed((bed) => {
  test('[LST-05] keys that the related column cannot hold have empty lists, with a limit and without', async () => {
    const { datastore, dialect } = bed()
    if (dialect === 'memory') return
    const keys = fc.uniqueArray(fc.constantFrom(1, 2, 32_767, 32_768, 2_147_483_648, 9_007_199_254_740_991), {
      minLength: 1,
    })
    const names = fc.constantFrom(...UUIDS, 'no uuid', 'a,b', "{'", '')
    const drawn = keys.chain((ids) => fc.tuple(fc.constant(ids), fc.array(names, { minLength: ids.length })))
    await fc.assert(
      fc.asyncProperty(drawn, fc.constantFrom(undefined, 1, 2), async ([ids, named], limit) => {
        const wholes = ids.map((one, i) => ({ id: one, name: named[i] as string }))
        const parts = [1, 2, 32_767, 1].map((of, i) => ({ id: i + 1, of_id: of, name_id: UUIDS[i % 2] as string }))
        await fillTables(datastore, { wholes, parts })
        const part = resource(datastore, Part, { table: 'parts', attributes: { of: 'of_id', named: 'name_id' } })
        const settings = { order: ['-id'], ...(limit && { limit }) } as const
        const whole = resource(datastore, Whole, {
          table: 'wholes',
          attributes: { of: many(part, { id: 'of_id' }, settings), named: many(part, { name: 'name_id' }, settings) },
        })
        const listed = (isIn: (one: (typeof parts)[number]) => boolean) =>
          parts
            .filter(isIn)
            .reverse()
            .slice(0, limit)
            .map((one) => ({ id: one.id }))
        const expected = wholes.map(({ id, name }) => ({
          id,
          of: listed((one) => one.of_id === id),
          named: listed((one) => one.name_id === name),
        }))
        const found = await whole.list({ fields: ['id', 'of.id', 'named.id'] })
        expect([...found]).toEqual(expected.sort((a, b) => a.id - b.id))
      }),
      { numRuns: runs(15, 300) },
    )
  }, 120_000)

  test('[LST-05] each element has the first related ones in their order, declared and asked for', async () => {
    const { fill, datastore } = bed()
    await fc.assert(
      fc.asyncProperty(contents(words, 12), bests, async (rows, best) => {
        await fill(rows)
        const wanted = rows.posts.map(({ id }) => ({ id, comments: expected(rows, Number(id), best) }))
        const declared = resourcesIn(datastore, { ...best, order: best.order }).posts
        const fields = ['id', 'comments.id'] as const
        expect([...(await declared.list({ fields: [...fields] }))]).toEqual(wanted)
        const { posts } = resourcesIn(datastore)
        const asked = await posts.list({ fields: [...fields], related: { comments: best as never } })
        expect([...asked]).toEqual(wanted)
      }),
      { numRuns: runs(8, 400) },
    )
  }, 120_000)

  test('[LST-05] related lists take one statement, however many elements there are', async () => {
    const { fill, statements, datastore, dialect } = bed()
    if (dialect === 'memory') return
    const ids = Array.from({ length: 30 }, (_, i) => i + 1)
    const comments = ids.map((one) => ({ id: one, post_id: one % 20, author_id: null, stars: one, text: 'a' }))
    const posts = ids.map((one) => ({ id: one, title: 'a', likes: 1, author_id: null }))
    await fill({ authors: [], posts, comments })
    const { posts: all } = resourcesIn(datastore, { order: ['-stars'], limit: 2 })
    for (const limit of [1, 20, 30])
      expect(await statements(() => all.list({ fields: ['id', 'comments.stars'], limit }))).toBe(2)
    const page = await all.list({ fields: ['id', 'comments.stars'], limit: 30 })
    expect(page[1]).toEqual({ id: 2, comments: [{ stars: 22 }, { stars: 2 }] })
    expect(page[29]).toEqual({ id: 30, comments: [] })
  })

  test('[LST-05] lists in limited lists have their own limits', async () => {
    const { fill, datastore } = bed()
    const authors = [
      { id: 1, name: 'a' },
      { id: 2, name: 'b' },
    ]
    const posts = [1, 2, 3, 4].map((one) => ({ id: one, title: 'a', likes: -one, author_id: one === 4 ? 2 : 1 }))
    const comments = [1, 2, 3, 4, 5, 6].map((one) => ({
      id: one,
      post_id: (one % 3) + 1,
      author_id: 1,
      stars: one,
      text: 'a',
    }))
    await fill({ authors, posts, comments })
    const found = await resourcesIn(datastore).authors.list({
      fields: ['id', 'posts.id', 'posts.comments.id'],
      related: { posts: { order: ['likes'], limit: 2 }, 'posts.comments': { order: ['-stars'], limit: 1 } },
    })
    expect([...found]).toEqual([
      {
        id: 1,
        posts: [
          { id: 3, comments: [{ id: 5 }] },
          { id: 2, comments: [{ id: 4 }] },
        ],
      },
      { id: 2, posts: [{ id: 4, comments: [] }] },
    ])
  })
}, narrower)

const Posts = endpoint('Posts', {
  mediaType: Post,
  actions: {
    index: {
      routing: route.get('/'),
      params: {
        fields: FieldSelector.for(Post),
        filters: FilteringParams.for(Post, { comments: {}, 'comments.stars': {} }),
      },
      responses: { ok: collectionOf(Post) },
    },
  },
})

test('[LST-05] filters know the conditions of a relation and not its limit, and documents tell of both', async () => {
  const { datastore, fill } = memoryBed()
  const all = resourcesIn(datastore, { order: ['-stars'], limit: 1, where: { stars: { '>=': 2 } } })
  const app = application({
    plugins: [mapper({ resources: all })],
    controllers: [Posts.implement({ index: async (_, { request, reply }) => reply.ok(await all.posts.list(request)) })],
  })
  await fill({
    authors: [],
    posts: [1, 2].map((one) => ({ id: one, title: 'a', likes: 1, author_id: null })),
    comments: [1, 2, 3].map((one) => ({ id: one, post_id: one === 1 ? 2 : 1, author_id: null, stars: one, text: 'a' })),
  })
  const { json: seen } = await ask(app, 'GET /posts?fields=id,comments{stars}')
  expect(seen).toEqual([
    { id: 1, comments: [{ stars: 3 }] },
    { id: 2, comments: [] },
  ])
  expect((await ask(app, 'GET /posts?fields=id&filters=comments.stars=2')).json).toEqual([{ id: 1 }])
  expect((await ask(app, 'GET /posts?fields=id&filters=comments.stars=1')).json).toEqual([])
  expect((await ask(app, 'GET /posts?fields=id&filters=comments!!')).json).toEqual([{ id: 2 }])
  const fields = app.openapi().paths['/posts']?.['get']?.['parameters']?.[0] as { readonly description?: string }
  expect(fields.description).toContain('`comments` has at most 1, in the order `-stars`.')
})

test('[LST-05] mistakes in what is asked of related lists are told', async () => {
  const { datastore } = memoryBed()
  const told = (best: object) =>
    mistakesOf(() => resourcesIn(datastore, best as never)).map(({ setting, problem }) => `${setting}: ${problem}`)
  expect(told({ order: [], limit: 0 })[0]).toMatch(/limit/)
  expect(told({ order: [], where: { stars: undefined } })[0]).toMatch(/The condition on 'stars' is undefined/)
  const boot = (best: Best) =>
    mistakesOf(() => application({ plugins: [mapper({ resources: resourcesIn(datastore, best) })], controllers: [] }))
  expect(
    boot({ order: [], where: { nothing: 1 } })
      .map(({ setting, problem }) => `${setting}: ${problem}`)
      .join(),
  ).toMatch(/must meet a condition on 'nothing', which has no column/)
  const { posts } = resourcesIn(datastore)
  await expect(posts.list({ related: { likes: {} } as never })).rejects.toThrow(
    /'likes' in 'related', which is no related list/,
  )
  await expect(posts.list({ fields: ['id'], related: { comments: {} } })).rejects.toThrow(/does not read it/)
  await expect(posts.list({ related: { comments: { limit: 0 } } })).rejects.toThrow(/related/)
})
