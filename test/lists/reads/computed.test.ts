// Orders and filters by computed attributes that have an expression of SQL; walks along them are exact.
import { application, collectionOf, endpoint, route } from 'edict'
import { computed, type Datastore, FilteringParams, mapper, resource } from 'edict/mapper'
import { OrderingParams, PaginationParams, pagination } from 'edict/pagination'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ask, mistakesOf } from '../../support/ask.ts'
import { runs } from '../../support/runs.ts'
import { contents, everyBed, memoryBed, Post, type Row } from './bed.ts'

const postsIn = (datastore: Datastore<string>, sql: boolean = true) =>
  resource(datastore, Post, {
    table: 'posts',
    attributes: {
      author: false,
      comments: false,
      score: computed(
        ['likes', 'id'],
        ({ likes, id }) => (likes === null || likes === undefined ? null : (likes * 7 + id) % 5),
        sql ? { sql: ({ likes, id }) => `(${likes} * 7 + ${id}) % 5` } : undefined,
      ),
      shout: computed(
        ['title'],
        ({ title }) => title?.toUpperCase() ?? null,
        sql ? { sql: ({ title }) => `upper(${title})` } : undefined,
      ),
    },
  })

const scoreOf = ({ likes, id }: Row): number | null => (likes === null ? null : (Number(likes) * 7 + Number(id)) % 5)
const shoutOf = ({ title }: Row): string | null => (title === null ? null : String(title).toUpperCase())
const VALUES = { score: scoreOf, shout: shoutOf }

function compared(a: number | string | null, b: number | string | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  if (a === b) return 0
  return a < b ? -1 : 1
}

const words = fc.constantFrom('a', 'b', 'A', 'ab', 'c')
const orders = fc.tuple(fc.constantFrom('score', 'shout'), fc.boolean(), fc.constantFrom('', 'score', '-shout'))

await everyBed((bed) => {
  test('[LST-07] walks by computed attributes pass over nothing and repeat nothing', async () => {
    const { fill, datastore } = bed()
    const posts = postsIn(datastore)
    await fc.assert(
      fc.asyncProperty(
        contents(words, 9),
        orders,
        fc.integer({ min: 1, max: 4 }),
        async (rows, [by, down, then], limit) => {
          await fill({ ...rows, authors: [], comments: [] })
          const order = [`${down ? '-' : ''}${by}`, ...(then.endsWith(by) || then === '' ? [] : [then])] as never[]
          const steps = (order as string[]).map((one) => [one.replace('-', ''), one.startsWith('-')] as const)
          const wanted = rows.posts.toSorted((a, b) => {
            for (const [field, descending] of steps) {
              const of = VALUES[field as 'score' | 'shout']
              const difference = compared(of(a), of(b))
              if (difference !== 0) return descending ? -difference : difference
            }
            return (Number(a['id']) - Number(b['id'])) * (steps.at(-1)?.[1] ? -1 : 1)
          })
          const seen: unknown[] = []
          for (let after: string | undefined; ; ) {
            const page = await posts.list({ order, limit, after, fields: ['id', 'score', 'shout'] })
            seen.push(...page)
            if (page.next === undefined) break
            after = page.next
          }
          expect(seen).toEqual(wanted.map((row) => ({ id: row['id'], score: scoreOf(row), shout: shoutOf(row) })))
        },
      ),
      { numRuns: runs(8, 400) },
    )
  }, 120_000)

  test('[LST-07] filters compare computed attributes', async () => {
    const { fill, datastore } = bed()
    const posts = postsIn(datastore)
    await fc.assert(
      fc.asyncProperty(contents(words, 7), fc.integer({ min: -1, max: 5 }), words, async (rows, than, text) => {
        await fill({ ...rows, authors: [], comments: [] })
        const ids = async (where: object): Promise<unknown> => (await posts.list({ where })).map(({ id }) => id)
        const fits = (test: (row: Row) => boolean): unknown => rows.posts.filter(test).map(({ id }) => id)
        const score = (row: Row): number => scoreOf(row) ?? Number.NaN
        expect(await ids({ score: { '>=': than } })).toEqual(fits((row) => score(row) >= than))
        expect(await ids({ score: [than, 2] })).toEqual(fits((row) => [than, 2].includes(score(row))))
        expect(await ids({ score: null })).toEqual(fits((row) => scoreOf(row) === null))
        expect(await ids({ shout: { '!=': text.toUpperCase() } })).toEqual(
          fits((row) => shoutOf(row) !== text.toUpperCase()),
        )
        expect(await ids({ shout: { '~=': text } })).toEqual(
          fits((row) => shoutOf(row)?.includes(text.toUpperCase()) ?? false),
        )
      }),
      { numRuns: runs(6, 300) },
    )
  }, 120_000)
})

const Posts = endpoint('Posts', {
  mediaType: Post,
  actions: {
    index: {
      routing: route.get('/'),
      params: {
        filters: FilteringParams.for(Post, { score: {} }),
        pagination: PaginationParams.for(Post, { byFields: ['score'] }),
        order: OrderingParams.for(Post, { byFields: ['score', 'shout'], enforceFor: 'all' }),
      },
      responses: { ok: collectionOf(Post) },
    },
  },
})

const bootedWith = (posts: ReturnType<typeof postsIn>) =>
  application({
    plugins: [mapper({ resources: { posts } }), pagination()],
    controllers: [Posts.implement({ index: async (_, { request, reply }) => reply.ok(await posts.list(request)) })],
  })

test('[LST-07] requests order and page by computed attributes, nothing writes them, and others are refused at boot', async () => {
  const { datastore, fill } = memoryBed()
  await fill({
    authors: [],
    comments: [],
    posts: [4, 2, 3].map((likes, i) => ({ id: i + 1, title: 'a', likes, author_id: null })),
  })
  const posts = postsIn(datastore)
  const app = bootedWith(posts)
  const first = await ask(app, 'GET /posts?order=-score&pagination=by=score,items=2')
  expect(first.json).toMatchObject(
    [
      { id: 1, score: 4 },
      { id: 3, score: 4 },
    ].reverse(),
  )
  const next = /<([^>]*)>; rel="next"/.exec(first.headers['link'] ?? '')?.[1]
  expect((await ask(app, `GET ${next}`)).json).toMatchObject([{ id: 2 }])
  expect((await ask(app, 'GET /posts?filters=score<2')).json).toMatchObject([{ id: 2, score: 1 }])
  await expect(posts.update(1, { score: 3 })).rejects.toMatchObject({ problem: { errors: [{ code: 'unwritable' }] } })
  const told = mistakesOf(() => bootedWith(postsIn(datastore, false))).map(({ problem }) => problem)
  expect(told.join()).toMatch(/requests may name 'score', which has no column/)
})
