// How lists are counted: exactly, by the statistics of the database, or not at all; documents say which.
import { application, collectionOf, endpoint, route } from 'edict'
import { type Datastore, mapper, resource } from 'edict/mapper'
import { PaginationParams, pagination } from 'edict/pagination'
import { describe, expect, test } from 'vitest'
import { ask } from '../../support/ask.ts'
import { everyBed, memoryBed, Post } from './bed.ts'

const ABSENT = { author: false, comments: false, score: false, shout: false } as const

const postsIn = (datastore: Datastore<string>) => resource(datastore, Post, { table: 'posts', attributes: ABSENT })

const rows = Array.from({ length: 40 }, (_, i) => ({ id: i + 1, title: 'a', likes: i % 4, author_id: i % 2 }))
const ALL = { authors: [], comments: [], posts: rows }

await everyBed((bed) => {
  test('[LST-12] a count is exact, or what the database expects without reading the rows', async () => {
    const { fill, datastore, dialect } = bed()
    await fill(ALL)
    const posts = postsIn(datastore)
    expect((await posts.list({ count: true, limit: 1 })).total).toBe(40)
    expect((await posts.list({ limit: 1 })).total).toBeUndefined()
    const sent: string[] = []
    const stop = datastore.observe?.(({ text }) => {
      sent.push(text)
      return undefined
    })
    const all = await posts.list({ count: 'estimated', limit: 1 })
    const some = await posts.list({ where: { likes: 1 }, count: 'estimated', limit: 1 })
    stop?.()
    for (const { total } of [all, some]) expect(Number.isSafeInteger(total)).toBe(true)
    const hasStatistics = dialect === 'postgres' || dialect === 'mysql'
    expect(sent.filter((text) => text.startsWith('explain'))).toHaveLength(hasStatistics ? 2 : 0)
    expect(sent.filter((text) => text.includes('count(*)'))).toHaveLength(dialect === 'sqlite' ? 2 : 0)
    if (!hasStatistics) expect([all.total, some.total]).toEqual([40, 10])
    // A condition that nothing meets, joins and bound values are explained as well.
    expect((await posts.list({ where: { likes: [] }, count: 'estimated', limit: 1 })).total).toBeLessThanOrEqual(1)
  })

  test('[LST-12] within a scope nothing is estimated, since statistics know the rows of others', async () => {
    const { fill, datastore } = bed()
    await fill(ALL)
    const posts = resource(datastore, Post, {
      table: 'posts',
      scope: ({ author }: { readonly author: number }) => ({ author_id: author }),
      attributes: ABSENT,
    })
    expect((await posts.within({ author: 1 }).list({ count: 'estimated', limit: 1 })).total).toBe(20)
  })
})

describe('requests', () => {
  const paged = async (count: 'exact' | 'estimated' | 'none' | undefined, byPlugin: boolean) => {
    const { datastore, fill } = memoryBed()
    await fill(ALL)
    const posts = postsIn({ ...datastore, estimate: async () => 1234 })
    const Posts = endpoint('Posts', {
      mediaType: Post,
      actions: {
        index: {
          routing: route.get('/'),
          params: {
            pagination: PaginationParams.for(Post, { byFields: ['id'], ...(!byPlugin && count && { count }) }),
          },
          responses: { ok: collectionOf(Post) },
        },
      },
    })
    return application({
      plugins: [mapper({ resources: { posts } }), pagination(byPlugin && count !== undefined ? { count } : {})],
      controllers: [Posts.implement({ index: async (_, { request, reply }) => reply.ok(await posts.list(request)) })],
    })
  }

  const noteOf = (app: Awaited<ReturnType<typeof paged>>): string =>
    (app.openapi().paths['/posts']?.['get']?.['parameters']?.[0] as { readonly description?: string } | undefined)
      ?.description ?? ''

  test.each([false, true])(
    '[LST-12] the declaration decides, and documents say which (by the plugin: %s)',
    async (byPlugin) => {
      const exact = await paged('exact', byPlugin)
      const counted = await ask(exact, 'GET /posts?pagination=page=2,items=10,total_count=true')
      expect(counted.headers['total-count']).toBe('40')
      expect(counted.headers['link']).toContain('rel="last"')
      expect(noteOf(exact)).not.toMatch(/estimate|refused/)

      const estimated = await paged('estimated', byPlugin)
      const about = await ask(estimated, 'GET /posts?pagination=page=2,items=10,total_count=true')
      expect(about.headers['total-count']).toBe('1234')
      expect(about.headers['link']).not.toContain('rel="last"')
      expect(about.headers['link']).toContain('rel="next"')
      expect(noteOf(estimated)).toContain('| `total_count` | `true` for the header `Total-Count` with an estimate |')

      const none = await paged('none', byPlugin)
      const refused = await ask(none, 'GET /posts?pagination=total_count=true')
      expect(refused.json.errors).toMatchObject([{ code: 'pagination-disallowed' }])
      expect((await ask(none, 'GET /posts?pagination=total_count=false')).status).toBe(200)
      expect(noteOf(none)).not.toContain('total_count')
    },
  )
})
