// Two versions of the same figures, each with its own controller.
import { controller } from 'edict'
import { StatsV1, StatsV2 } from '../design/stats.ts'
import { blogStore, postStore } from '../store.ts'

function figures() {
  const blogs = blogStore.list()
  const tags: Record<string, number> = {}
  for (const tag of blogs.flatMap((blog) => blog.tags ?? [])) tags[tag] = (tags[tag] ?? 0) + 1
  const page_views = blogs.reduce((sum, blog) => sum + (blog.page_views ?? 0n), 0n)
  return { blogs: blogs.length, posts: postStore.count(), page_views, tags }
}

/** Implements version 1.0 of Stats. */
export const statsV1 = controller(StatsV1, {
  show(_, { response }) {
    const { blogs, posts, page_views } = figures()
    // The response that stands ready can be changed and returned.
    response.body = `blogs,posts,page_views\n${blogs},${posts},${page_views}\n`
    return response
  },
})

/** Implements version 2.0 of Stats. */
export const statsV2 = controller(StatsV2, { show: (_, { reply }) => reply.ok(figures()) })
