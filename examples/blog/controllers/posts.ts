// Posts. The blog in the path is looked up once, before the action: see the end of the file.
import { and, eq } from 'drizzle-orm'
import { controller, HrefError, Responses } from 'edict'
import { Blogs } from '../design/blogs.ts'
import { paragraph } from '../design/post.ts'
import { Posts } from '../design/posts.ts'
import { blogRow, publishedPost } from '../queries.ts'
import type { Store } from '../resources.ts'
import { traced } from './behaviours.ts'

/** Implements Posts. */
export const posts = (store: Store) => {
  const { db, tables, posts } = store
  return controller(Posts, {
    async index({ blog_id, slugs, published = {} }, { request, reply }) {
      const { after, before } = published
      // A condition that the client cannot change: it is added to the client's filters.
      const found = await posts.list(request, {
        blog_id,
        ...(slugs && { slug: slugs }),
        published_at: { '<=': new Date(), ...(after && { '>': after }), ...(before && { '<': before }) },
      })
      return reply.ok(found)
    },

    async archive({ blog_id, year, month }, { request, reply }) {
      const first = new Date(`${year}-${month}-01T00:00:00Z`)
      const next = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1))
      const published_at = { '>=': first, '<': next, '<=': new Date() }
      return reply.ok(await posts.list(request, { blog_id, published_at }))
    },

    async show({ blog_id, slug }, { reply, request }) {
      const row = await publishedPost(store, blog_id, slug)
      const post = row && (await posts.find({ blog_id, slug }, request))
      if (post === undefined) return reply.notFound(`There is no post ${slug}.`)
      const headers = { ETag: `W/"${row?.revision}"` }
      // Every header of the client is in env, declared or not; only the declared ones are checked.
      if (request.env.headers['if-none-match'] === headers.ETag) return reply.notModified(undefined, { headers })
      return reply.ok(post, { headers })
    },

    async create({ blog_id }, { principal: author, request, reply, href }) {
      const { draft, ...post } = request.payload
      const { slug } = post
      if (await posts.find({ blog_id, slug })) return reply.conflict(`There is a post ${slug} already.`)
      const published_at = draft ? null : new Date(Date.now() + request.headers['X-Publish-Delay'] * 1000)
      await posts.create({ ...post, blog_id, published_at, author })
      return reply.created(undefined, { location: href(Posts, { blog_id, slug }) })
    },

    async rewrite({ blog_id, slug }, { request, reply }) {
      await posts.update({ blog_id, slug }, { blocks: request.payload.split(/\n{2,}/).map(paragraph) })
      const post = await posts.find({ blog_id, slug }, request)
      return post ? reply.ok(post) : reply.notFound()
    },

    async illustrate({ blog_id, slug }, { request, reply }) {
      const { image, alt } = request.payload
      const cover = Buffer.from(await image.bytes())
      const changed = await db
        .update(tables.posts)
        .set({ cover, cover_alt: alt })
        .where(and(eq(tables.posts.blog_id, blog_id), eq(tables.posts.slug, slug)))
        .returning({ slug: tables.posts.slug })
      return changed.length > 0 ? reply.noContent() : reply.notFound()
    },

    async cover({ blog_id, slug }, { reply }) {
      const { cover } = (await publishedPost(store, blog_id, slug)) ?? {}
      return cover ? reply.ok(cover) : reply.notFound('This post has no cover.')
    },

    async move({ blog_id, slug }, { principal, request, reply, href }) {
      const target = await blogAt(store, request.payload.blog)
      if (target === undefined) {
        return reply.unprocessableContent(`Name a blog by its address, such as ${Blogs.toHref({ id: blog_id })}.`)
      }
      if (target.owner_id !== principal.id) return reply.forbidden('That blog is not yours.')
      if (await posts.find({ blog_id: target.id, slug })) return reply.conflict(`There is a post ${slug} already.`)
      const moved = await posts.update({ blog_id, slug }, { blog_id: target.id }, { rekey: true })
      if (!moved) return reply.notFound()
      return reply.seeOther(undefined, { location: href(Posts, { blog_id: target.id, slug }) })
    },
  })
    .with(traced)
    .before(async (context) => {
      const { blog_id } = context.request.params
      const blog = await blogRow(store, blog_id)
      if (blog === undefined) return new Responses.NotFound({ body: `There is no blog ${blog_id}.` })
      context.state['blog'] = blog
    })
    .before({ actions: ['create', 'rewrite', 'illustrate', 'move'] }, ({ principal, state }) => {
      const { owner_id } = state['blog'] as { owner_id: number }
      if (owner_id !== principal.id) return new Responses.Forbidden({ body: 'This blog is not yours.' })
    })
}

// The way back from an address to what it addresses: by the canonical path, or by a named route.
function blogAt(store: Store, path: string) {
  try {
    const { id } = path.startsWith('/b/') ? Blogs.routes.short.parse(path) : Blogs.parseHref(path)
    return blogRow(store, id)
  } catch (error) {
    if (error instanceof HrefError) return undefined
    throw error
  }
}
