// Tests that Drizzle on every engine returns the same results as the memory datastore.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Opened, openDrizzle, World } from '../../../../test/support/engines/drizzle.ts'
import { startMariadb } from '../../../../test/support/engines/mariadb.ts'
import { startPostgres } from '../../../../test/support/engines/postgres.ts'
import { startSqlite } from '../../../../test/support/engines/sqlite.ts'
import type { Filter } from '../../query/query.ts'
import { memoryDatastore } from '../memory/memory.ts'
import { drizzleDatastore } from './drizzle.ts'

const engines = await Promise.all([startSqlite(), startPostgres(), startMariadb()])

const SAMPLES = {
  ratio: [0.1, -1.5, 3.25, 16_777_216, 1e-10],
  exact: [0.1, 0.30000000000000004, -5e-300, 1e300],
  title: ['a', 'A', 'ab%', 'a_b', 'ä', '', '*[x]?', "it's", 'z\\', '!'],
  score: [-2147483648, -1, 0, 1, 2, 2147483647],
  price: ['0.00001', '1.50000', '-3.00000', '1234567.12345'],
  flag: [true, false],
  day: ['2024-02-29', '1970-01-01', '2031-12-31'],
  moment: [new Date(0), new Date(1_700_000_000_123), new Date(1_700_000_000_124)],
  at: ['00:00:00', '23:59:59'],
} as const
const compared = Object.keys(SAMPLES) as (keyof typeof SAMPLES)[]

const createMemoryDatastore = () =>
  memoryDatastore({
    people: { columns: { id: { kind: 'integer', generated: true }, name: { kind: 'text' } }, key: ['id'] },
    posts: {
      columns: {
        id: { kind: 'integer', generated: true },
        author: { kind: 'integer', nullable: true },
        title: { kind: 'text', nullable: true },
        score: { kind: 'integer', nullable: true },
        price: { kind: 'decimal', nullable: true },
        ratio: { kind: 'number', nullable: true },
        exact: { kind: 'number', nullable: true },
        flag: { kind: 'boolean', nullable: true },
        day: { kind: 'date', nullable: true },
        moment: { kind: 'dateTime', nullable: true },
        at: { kind: 'time', nullable: true },
      },
      key: ['id'],
    },
    tags: { columns: { post: { kind: 'integer' }, tag: { kind: 'text' } }, key: ['post', 'tag'] },
  })

type Tree = (world: World) => Filter<any>

const reference = fc.constantFrom(...compared)
const operator = fc.constantFrom('=', '<', '<=', '>', '>=', '!=' as const)

const leaf: fc.Arbitrary<Tree> = fc.oneof(
  reference.chain((name) =>
    fc.record({ op: operator, value: fc.constantFrom<unknown>(...SAMPLES[name]) }).map(
      ({ op, value }): Tree =>
        (w) =>
          ({ op, reference: w.of('posts', name), value }) as Filter,
    ),
  ),
  reference.chain((name) =>
    fc.record({ op: fc.constantFrom('in', 'not in'), values: fc.subarray<unknown>([...SAMPLES[name], null]) }).map(
      ({ op, values }): Tree =>
        (w) =>
          ({ op, reference: w.of('posts', name), values }) as Filter,
    ),
  ),
  fc.record({ op: operator, value: fc.constantFrom(1.5, 99_999_999_999, -99_999_999_999, 10n ** 30n) }).map(
    ({ op, value }): Tree =>
      (w) =>
        ({ op, reference: w.of('posts', 'score'), value }) as Filter,
  ),
  fc
    .record({
      op: fc.constantFrom('like', 'not like'),
      text: fc.constantFrom('a', 'A', '%', '_', '*', '?', '[', ']', '', '\\', '!', "'", 'b'),
      before: fc.boolean(),
      after: fc.boolean(),
    })
    .map(
      ({ op, ...pattern }): Tree =>
        (w) =>
          ({ op, reference: w.of('posts', 'title'), pattern }) as Filter,
    ),
  fc.record({ op: fc.constantFrom('null', 'not null'), name: fc.constantFrom('author', ...compared) }).map(
    ({ op, name }): Tree =>
      (w) =>
        ({ op, reference: w.of('posts', name) }) as Filter,
  ),
  fc.record({ op: fc.constantFrom('=', '!=', '<', 'null', 'not null'), value: fc.constantFrom('Ann', 'Bob', 'x') }).map(
    ({ op, value }): Tree =>
      (w) =>
        ({ op, reference: w.of('people', 'name', 1), value }) as Filter,
  ),
  fc.constantFrom('one', 'two', undefined).map(
    (tag): Tree =>
      (w) => ({
        op: 'exists',
        from: w.table('tags'),
        on: [[w.of('posts', 'id'), w.column('tags', 'post')]],
        joins: [],
        filter: tag ? { op: '=', reference: w.of('tags', 'tag'), value: tag } : { op: 'and', of: [] },
      }),
  ),
)

const tree: fc.Arbitrary<Tree> = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc.record({ op: fc.constantFrom('and', 'or'), of: fc.array(tie('tree'), { maxLength: 3 }) }).map(
      ({ op, of }): Tree =>
        (w) =>
          ({ op, of: of.map((one) => one(w)) }) as Filter,
    ),
  ),
})).tree

const pick = (of: readonly unknown[], i: number): unknown => of[i % (of.length + 1)] ?? null

const posts = Array.from({ length: 24 }, (_, i) => ({
  author: [1, 2, null][i % 3],
  ...Object.fromEntries(compared.map((name, n) => [name, pick(SAMPLES[name], i * (n + 1) + n)])),
}))

async function fill(world: World): Promise<void> {
  for (const name of ['Ann', 'Bob']) await world.insert('people', { name })
  for (const post of posts) await world.insert('posts', post)
  for (const [post, tag] of [
    [1, 'one'],
    [1, 'two'],
    [5, 'two'],
    [8, 'three'],
  ])
    await world.insert('tags', { post, tag })
}

for (const need of engines) {
  need.describe((engine) => {
    let opened: Opened
    let world: World
    const model = new World(createMemoryDatastore(), { people: 'people', posts: 'posts', tags: 'tags' })

    beforeAll(async () => {
      opened = await openDrizzle(engine)
      world = new World(drizzleDatastore(opened.database), opened.tables)
      await fill(world)
      await fill(model)
    }, 60_000)
    afterAll(() => opened.close())

    test('finds, counts and orders the rows that the memory datastore does', async () => {
      const order = fc.array(fc.record({ name: fc.constantFrom(...compared, 'who'), descending: fc.boolean() }), {
        maxLength: 2,
      })
      await fc.assert(
        fc.asyncProperty(
          tree,
          order,
          fc.nat(5),
          fc.option(fc.nat(9), { nil: undefined }),
          async (filter, steps, offset, limit) => {
            const runQuery = async (w: World) => {
              const joins = [w.author()]
              const names = [...compared, 'id']
              const who = w.of('people', 'name', 1)
              const result = await w.select('posts', [...names, who, who, 'id'], {
                joins,
                filter: filter(w),
                order: [...steps, { name: 'id', descending: false }].map(({ name, descending }) => ({
                  reference: name === 'who' ? who : w.of('posts', name),
                  descending,
                })),
                offset,
                limit,
              })
              const count = await w.store.count({ from: w.table('posts'), joins, filter: filter(w) })
              return { rows: result.rows, count }
            }
            expect(normalize(await runQuery(world))).toEqual(normalize(await runQuery(model)))
          },
        ),
        { numRuns: 150 },
      )
    }, 60_000)
  })
}

// Decimals of SQLite have only the zeros that the number needs.
function normalize({ rows, count }: { rows: readonly (readonly unknown[])[]; count: number }) {
  const price = compared.indexOf('price')
  const at = compared.indexOf('at')
  return {
    count,
    rows: rows.map((row) =>
      row.map((value, i) => {
        if (value === null) return value
        if (i === price) return Number(value)
        return i === at ? String(value).slice(0, 8) : value
      }),
    ),
  }
}
