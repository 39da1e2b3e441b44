// Two versions of the same figures, each with its own controller.
import { count, eq, sql } from 'drizzle-orm'
import { controller } from 'edict'
import { StatsV1, StatsV2 } from '../design/stats.ts'
import type { Store } from '../resources.ts'

async function figures({ db, tables }: Store) {
  const { blogs, posts, tags, blogTags } = tables
  // As text, because no client has whole numbers of this size.
  const [views] = await db.select({ sum: sql<string>`cast(sum(${blogs.page_views}) as text)` }).from(blogs)
  const used = await db
    .select({ name: tags.name, blogs: count() })
    .from(blogTags)
    .innerJoin(tags, eq(tags.id, blogTags.tag_id))
    .groupBy(tags.name)
  return {
    blogs: await db.$count(blogs),
    posts: await db.$count(posts),
    page_views: BigInt(views?.sum ?? 0),
    tags: Object.fromEntries(used.map((tag) => [tag.name, tag.blogs])),
  }
}

/** Implements version 1.0 of Stats. */
export const statsV1 = (store: Store) =>
  controller(StatsV1, {
    async show(_, { response }) {
      const { blogs, posts, page_views } = await figures(store)
      // The response that stands ready can be changed and returned.
      response.body = `blogs,posts,page_views\n${blogs},${posts},${page_views}\n`
      return response
    },
  })

/** Implements version 2.0 of Stats. */
export const statsV2 = (store: Store) =>
  controller(StatsV2, { show: async (_, { reply }) => reply.ok(await figures(store)) })
