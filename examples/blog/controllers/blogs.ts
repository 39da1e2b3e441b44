// Blogs: an object of functions, one for each action. Params, payload, headers and replies have their declared types.
import { eq } from 'drizzle-orm'
import { controller, Responses } from 'edict'
import { drizzleDatastore } from 'edict/mapper/drizzle'
import { Blogs } from '../design/blogs.ts'
import { paragraph } from '../design/post.ts'
import { Throttled } from '../design/responses.ts'
import { blogRow, publishedPosts, setTags } from '../queries.ts'
import type { Store } from '../resources.ts'
import { traced } from './behaviours.ts'

const MOST_BLOGS = 6

/** Implements Blogs. */
export const blogs = (store: Store) => {
  const { db, tables, people, blogs, posts } = store
  return (
    controller(Blogs, {
      // Pagination, order, filters and fields of the request become one query, and one more for all tags together.
      index: async (_, { request, reply }) => reply.ok(await blogs.list(request)),

      async show({ id }, { request, reply }) {
        const [blog, row] = await Promise.all([blogs.find(id, request), blogRow(store, id)])
        if (blog === undefined || row === undefined) return reply.notFound(`There is no blog ${id}.`)
        return reply.ok(blog, { headers: { ETag: etag(row) } })
      },

      async find({ handle }, { request, reply }) {
        const blog = await blogs.find({ handle }, request)
        return blog ? reply.ok(blog) : reply.notFound(`There is no blog @${handle}.`)
      },

      async create({ dry_run }, { principal: owner, request, reply, href }) {
        const { welcome, tags = [], ...sent } = request.payload
        if (await blogs.find({ handle: sent.handle })) return reply.conflict(`The handle ${sent.handle} is taken.`)
        if ((await db.$count(tables.blogs, eq(tables.blogs.owner_id, owner.id))) >= MOST_BLOGS) {
          // A response of the application's own, made from its class.
          return new Throttled({ body: `${MOST_BLOGS} blogs are enough.`, headers: { 'Retry-After': '86400' } })
        }
        const blog = { ...sent, created_at: new Date() }
        if (dry_run) return reply.ok({ ...blog, tags, id: 0 })
        // A blog with its tags and its first post, or none of them.
        const id = await db.transaction(async (tx) => {
          const datastore = drizzleDatastore(tx)
          // A related person is set by its key.
          const { id } = (await blogs.withDatastore(datastore).create({ ...blog, owner })) as { id: number }
          await setTags(tx, tables, id, tags)
          if (welcome) await posts.withDatastore(datastore).create(greeting(id, blog.title, owner))
          return id
        })
        // Blogs.toHref({ id }) is /blogs/13; href adds what only the running application knows: /api/v1.0/blogs/13.
        return new Responses.Created({ location: href(Blogs, { id }) })
      },

      async update({ id, dry_run }, { request, reply }) {
        const blog = await blogRow(store, id)
        if (blog === undefined) return reply.notFound()
        const expected = request.headers['If-Match']
        if (expected !== undefined && expected !== etag(blog)) return reply.preconditionFailed('Somebody was faster.')
        if (dry_run) return reply.noContent()
        // Only what was sent is in the payload, so that nothing else is overwritten.
        const { tags, ...changes } = request.payload
        await db.transaction(async (tx) => {
          await blogs.withDatastore(drizzleDatastore(tx)).update(id, changes)
          if (tags) await setTags(tx, tables, id, tags)
        })
        return reply.noContent()
      },

      async transfer({ id, dry_run }, { request, reply }) {
        const { email } = request.payload
        const owner = await people.find({ email })
        if (owner === undefined) return reply.unprocessableContent(`Nobody here has the address ${email}.`)
        if (!dry_run) await blogs.update(id, { owner })
        return reply.noContent()
      },

      async remove({ id, dry_run }, { reply }) {
        if (!dry_run) await blogs.delete(id)
        return reply.noContent()
      },

      async export({ id }, { reply }) {
        const blog = await blogRow(store, id)
        return blog ? reply.ok(lines(blog.title, await publishedPosts(store, id))) : reply.notFound()
      },
    })
      .with(traced)
      // Runs for these actions only, after the validation: the params are there, and have their types.
      .before({ actions: ['update', 'transfer', 'remove'] }, async ({ principal, request }) => {
        const blog = await blogRow(store, request.params.id)
        if (blog === undefined) return new Responses.NotFound()
        if (blog.owner_id !== principal.id) return new Responses.Forbidden({ body: 'This blog is not yours.' })
      })
      .after({ actions: ['show', 'find'] }, ({ response }) => {
        if (response.status === 200) response.headers['Cache-Control'] = 'max-age=60'
      })
  )
}

const greeting = (blog_id: number, title: string, author: { readonly id: number }) => ({
  blog_id,
  slug: 'welcome',
  title: 'Welcome',
  blocks: [paragraph(`Welcome to ${title}.`)],
  published_at: new Date(),
  author,
})

const etag = (blog: { readonly revision: number }) => `"${blog.revision.toString(16)}"`

// A body that is made while it is sent: whatever can be iterated, text or bytes.
async function* lines(title: string, posts: Iterable<{ readonly slug: string; readonly title: string }>) {
  yield `${JSON.stringify({ blog: title })}\n`
  for (const post of posts) yield `${JSON.stringify({ post: post.slug, title: post.title })}\n`
}
