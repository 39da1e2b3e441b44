// Filters that have to be declared: parts of texts without regard to case, words, conditions on one element, long lists.
import { application, collectionOf, endpoint, route } from 'edict'
import { type Datastore, type FilterExpression, FilteringParams, mapper } from 'edict/mapper'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createContainsTest, listCaseVariants } from '../../../src/plugins/query/case-folding.ts'
import { ask, mistakesOf } from '../../support/ask.ts'
import { listRequest } from '../../support/list-request.ts'
import { runs } from '../../support/runs.ts'
import { contents, everyBed, memoryBed, Post, type Row, type Rows, resourcesIn } from './bed.ts'

const idsOf = (list: readonly { readonly id: number }[]): number[] => list.map(({ id }) => id)

// --- without regard to case -------------------------------------------------------------

const letters = fc.constantFrom(...'aAbBkKsSßẞéÉσςΣıİi.*[%_\\^$(', '\u212a', '\u017f', '\u{10400}', '\u{10428}')
const cased = fc.string({ unit: letters, maxLength: 5 })

// --- conditions on one element ------------------------------------------------------------

type Test = (row: Row, rows: Rows) => boolean

const COMPARE: Readonly<Record<string, (difference: number) => boolean>> = {
  '<': (difference) => difference < 0,
  '<=': (difference) => difference <= 0,
  '>': (difference) => difference > 0,
  '>=': (difference) => difference >= 0,
}

const value = fc.integer({ min: 1, max: 4 })
const commentConditions: fc.Arbitrary<readonly [FilterExpression, Test]> = fc.oneof(
  fc.tuple(fc.constantFrom('<', '<=', '>', '>='), value).map(([op, than]): readonly [FilterExpression, Test] => [
    { op, field: 'stars', value: than } as FilterExpression,
    ({ stars }) => {
      if (stars === null || stars === undefined) return false
      return COMPARE[op]!(Number(stars) - than)
    },
  ]),
  fc
    .constantFrom('a', 'b')
    .map((text): readonly [FilterExpression, Test] => [
      { op: '!=', field: 'text', any: [{ value: text }] },
      (row) => row['text'] !== text,
    ]),
  fc
    .constantFrom('a', 'B')
    .map((text): readonly [FilterExpression, Test] => [
      { op: '~=', field: 'by.name', texts: [text] },
      (row, rows) => createContainsTest(text)(rows.authors.find(({ id }) => id === row['author_id'])?.['name'] ?? null),
    ]),
  fc.constant<readonly [FilterExpression, Test]>([{ op: '!!', field: 'text' }, (row) => row['text'] === null]),
)

const several = fc
  .tuple(fc.array(commentConditions, { maxLength: 3 }), fc.constantFrom('and', 'or'))
  .map(([all, op]): readonly [FilterExpression, Test] => [
    { op, of: all.map(([expression]) => expression) } as FilterExpression,
    (row, rows) => (op === 'and' ? all.every(([, fits]) => fits(row, rows)) : all.some(([, fits]) => fits(row, rows))),
  ])

/** In one case only: MariaDB searches by the collation of the column, which is a binary one in these tests. */
const WORDS = ['alpha', 'beta', 'gamma', 'delta', 'zeta9']

await everyBed(
  (bed) => {
    test('[LST-06] a text contains another without regard to case, alike in every datastore', async () => {
      const { fill, datastore } = bed()
      const { posts } = resourcesIn(datastore)
      await fc.assert(
        fc.asyncProperty(contents(cased, 8), fc.array(cased, { minLength: 1, maxLength: 2 }), async (rows, texts) => {
          await fill({ ...rows, authors: [], comments: [] })
          const fits = ({ title }: Row): boolean => texts.some((text) => createContainsTest(text)(title))
          const found = await posts.list({ where: { title: { '~=': texts } }, order: ['id'] })
          expect(idsOf(found)).toEqual(rows.posts.filter(fits).map(({ id }) => id))
          const others = await posts.list({ where: { title: { '!~=': texts } }, order: ['id'] })
          expect(idsOf(others)).toEqual(rows.posts.filter((row) => !fits(row)).map(({ id }) => id))
        }),
        { numRuns: runs(12, 500) },
      )
    }, 120_000)

    test('[LST-06] any, all and none take several conditions on one element', async () => {
      const { fill, datastore } = bed()
      const { posts } = resourcesIn(datastore)
      const words = fc.constantFrom('a', 'b', 'A')
      await fc.assert(
        fc.asyncProperty(contents(words, 7), several, async (rows, [where, fits]) => {
          await fill(rows)
          const of = (post: Row) => rows.comments.filter((row) => row['post_id'] === post['id'])
          const expected = {
            any: (post: Row) => of(post).some((row) => fits(row, rows)),
            all: (post: Row) => of(post).every((row) => fits(row, rows)),
            none: (post: Row) => !of(post).some((row) => fits(row, rows)),
          }
          for (const op of ['any', 'all', 'none'] as const) {
            const request = listRequest({ filters: { op, field: 'comments', where } })
            const found = (await posts.list(request)) as readonly { readonly id: number }[]
            expect({ op, ids: idsOf(found) }).toEqual({ op, ids: rows.posts.filter(expected[op]).map(({ id }) => id) })
          }
        }),
        { numRuns: runs(12, 500) },
      )
    }, 120_000)

    test('[LST-06] a full-text search finds all words of a text, in any order', async () => {
      const { fill, datastore } = bed()
      const { posts } = resourcesIn(datastore)
      const words = fc.array(fc.constantFrom(...WORDS), { maxLength: 4 })
      await fc.assert(
        fc.asyncProperty(
          contents(
            words.map((all) => all.join(' ')),
            6,
          ),
          words,
          async (rows, wanted) => {
            await fill({ ...rows, authors: [], comments: [] })
            const fits = ({ title }: Row): boolean =>
              wanted.length > 0 && wanted.every((word) => String(title).split(' ').includes(word))
            const found = await posts.list({ where: { title: { '@=': `"${wanted.join(') + ')}` } }, order: ['id'] })
            expect(idsOf(found)).toEqual(rows.posts.filter(fits).map(({ id }) => id))
          },
        ),
        { numRuns: runs(8, 300) },
      )
    }, 120_000)

    test('[LST-06] words of clients reach databases as values only', async () => {
      const { fill, datastore } = bed()
      const { posts } = resourcesIn(datastore)
      await fill({ authors: [], comments: [], posts: [{ id: 1, title: "it's", likes: 1, author_id: null }] })
      for (const text of ["' or 1=1 --", '") or (', 'NEAR(', '*', '\\', '+-~<>', 'a:b', '{title} : x']) {
        for (const op of ['~=', '@='] as const) {
          const found = await posts.list({ where: { title: { [op]: text } } })
          expect({ op, text, length: found.length }).toEqual({ op, text, length: 0 })
        }
      }
    })

    test('[LST-06] a list of values may be as long as it was declared', async () => {
      const { fill, datastore } = bed()
      await fill({
        authors: [],
        comments: [],
        posts: [1, 2].map((id) => ({ id, title: 'a', likes: id, author_id: null })),
      })
      const app = applicationOf(datastore)
      const many = Array.from({ length: 3000 }, (_, i) => i + 2).join()
      expect((await ask(app, `GET /posts?filters=likes=${many}`)).json).toMatchObject([{ id: 2 }])
      const refused = await ask(app, `GET /posts?filters=likes=${many},1`)
      expect(refused.json.errors).toMatchObject([{ code: 'filter-values' }])
    })
  },
  (dialect) => {
    if (dialect === 'postgres') return ["create index posts_words on posts using gin (to_tsvector('simple', title))"]
    if (dialect === 'mysql') return ['create fulltext index posts_words on posts (title)']
    return [
      'create virtual table posts_fts using fts5 (title, content=posts, content_rowid=id)',
      'create trigger posts_in after insert on posts begin insert into posts_fts (rowid, title) values (new.id, new.title); end',
      "create trigger posts_out after delete on posts begin insert into posts_fts (posts_fts, rowid, title) values ('delete', old.id, old.title); end",
    ]
  },
)

function applicationOf(datastore: Datastore<string>, fields: object = FIELDS) {
  const resources = resourcesIn(datastore)
  const Posts = endpoint('Posts', {
    mediaType: Post,
    actions: {
      index: {
        routing: route.get('/'),
        params: { filters: FilteringParams.for(Post, fields as never, { maxLength: 15_000 }) },
        responses: { ok: collectionOf(Post) },
      },
    },
  })
  return application({
    plugins: [mapper({ resources })],
    controllers: [
      Posts.implement({ index: async (_, { request, reply }) => reply.ok(await resources.posts.list(request)) }),
    ],
  })
}

const FIELDS = {
  title: { operators: ['=', '~=', '!~=', '@='] },
  likes: { maxValues: 3000 },
  comments: { elements: ['any', 'none'] },
  'comments.stars': {},
  'comments.text': { operators: ['=', '~='] },
}

describe('requests', () => {
  test('[LST-06] clients write searches and conditions on one element, and documents tell of them', async () => {
    const { datastore, fill } = memoryBed()
    const app = applicationOf(datastore)
    const posts = ['Lock and key', 'LOCKS', null].map((title, i) => ({ id: i + 1, title, likes: i, author_id: null }))
    const comments = [
      { id: 1, post_id: 1, author_id: null, stars: 5, text: 'Bad' },
      { id: 2, post_id: 1, author_id: null, stars: 1, text: 'good' },
      { id: 3, post_id: 2, author_id: null, stars: 5, text: 'Good' },
    ]
    await fill({ authors: [], posts, comments })
    const found = async (filters: string): Promise<unknown> => {
      const { json, status } = await ask(app, `GET /posts?filters=${encodeURIComponent(filters)}`)
      return status === 200 ? idsOf(json) : json.errors
    }
    expect(await found('title~=lock')).toEqual([1, 2])
    expect(await found('title~=KEY,ocks')).toEqual([1, 2])
    expect(await found('title!~=key')).toEqual([2, 3])
    expect(await found('title@=Key lock')).toEqual([1])
    expect(await found('comments.stars=5&comments.text~=good')).toEqual([1, 2])
    expect(await found('comments.any(stars=5&text~=good)')).toEqual([2])
    expect(await found('comments.none(stars=5&text~=good)')).toEqual([1, 3])
    expect(await found('comments.all(stars=5)')).toMatchObject([{ code: 'filter-field' }])
    expect(await found('comments.any(likes=5)')).toMatchObject([
      { code: 'filter-field', message: expect.stringContaining('use some of stars, text') },
    ])
    expect(await found('comments.any(text~=*a)')).toMatchObject([{ code: 'filter-wildcard' }])
    expect(await found(`title~=${'a'.repeat(201)}`)).toMatchObject([{ code: 'filter-value' }])
    expect(await found('likes~=1')).toMatchObject([{ code: 'filter-operator' }])
    const schema = app.openapi().paths['/posts']?.['get']?.['parameters']?.[0] as any
    expect(schema.description).toContain('`comments.any(…)` `comments.none(…)`')
    expect(schema.description).toContain('| `likes` | `=` `!=` `<` `<=` `>` `>=` `!` `!!`, up to 3000 values |')
    expect(schema.schema.maxLength).toBe(15_000)
  })

  test('[LST-06] searches and elements that no resource has are told at boot', () => {
    const { datastore } = memoryBed()
    const told = (fields: object) => mistakesOf(() => applicationOf(datastore, fields)).map(({ problem }) => problem)
    expect(told({ 'comments.text': { operators: ['@='] } })[0]).toMatch(/names no index/)
    expect(told({ 'author.posts': { elements: ['any'] }, title: {} })).toEqual([])
    expect(told({ title: { elements: ['any'] } })[0]).toMatch(/it is no list of elements/)
    expect(told({ likes: { operators: ['~='] } })[0]).toMatch(/names ~=, but its operators are/)
    expect(told({ likes: { maxValues: 10_001 } })[0]).toMatch(/more than 10000/)
    expect(told({ likes: { elements: ['some'] } })[0]).toMatch(/elements/)
  })

  test('[LST-06] characters are alike where the regular expressions of JavaScript take them for the same', () => {
    for (let code = 1; code < 0x1_ea00; code++) {
      const character = String.fromCodePoint(code)
      const all = listCaseVariants(character)
      if (all === character) continue
      for (const other of all) expect(new RegExp(`^${character}$`, 'iu').test(other)).toBe(true)
    }
    expect([...listCaseVariants('k')].sort()).toEqual(['K', 'k', '\u212a'])
    expect(listCaseVariants('ı')).toBe('ı')
  })
})
