// Posts. The blog in the path is looked up once, before the action: see the end of the file.
import { controller, HrefError, Responses } from 'edict'
import { Blogs } from '../design/blogs.ts'
import { paragraph } from '../design/post.ts'
import { Posts } from '../design/posts.ts'
import { blogStore, postStore } from '../store.ts'
import { authenticated, signedIn, traced } from './behaviours.ts'

/** Implements Posts. */
export const posts = controller(Posts, {
  index({ blog_id, published }, { reply }) {
    const { after, before } = published ?? {}
    const found = postStore
      .published(blog_id)
      .filter(({ published_at }) => after === undefined || Number(published_at) > after.getTime())
      .filter(({ published_at }) => before === undefined || Number(published_at) < before.getTime())
    return reply.ok(found)
  },

  archive({ blog_id, year, month }, { reply }) {
    const found = postStore
      .published(blog_id)
      .filter(({ published_at }) => published_at?.toISOString().startsWith(`${year}-${month}`))
    return reply.ok(found)
  },

  show({ blog_id, slug }, { reply, request }) {
    const post = postStore.findPublished(blog_id, slug)
    if (post === undefined) return reply.notFound(`There is no post ${slug}.`)
    const headers = { ETag: `W/"${post.revision}"` }
    // Every header of the client is in env, declared or not; only the declared ones are checked.
    if (request.env.headers['if-none-match'] === headers.ETag) return reply.notModified(undefined, { headers })
    return reply.ok(post, { headers })
  },

  create({ blog_id }, context) {
    const { request, reply, href } = context
    const { draft, ...post } = request.payload
    if (postStore.find(blog_id, post.slug)) return reply.conflict(`There is a post ${post.slug} already.`)
    const published_at = draft ? null : new Date(Date.now() + request.headers['X-Publish-Delay'] * 1000)
    postStore.add({ ...post, blog_id, published_at, author_id: signedIn(context).id })
    return reply.created(undefined, { location: href(Posts, { blog_id, slug: post.slug }) })
  },

  rewrite({ blog_id, slug }, { request, reply }) {
    const post = postStore.find(blog_id, slug)
    if (post === undefined) return reply.notFound()
    const blocks = request.payload.split(/\n{2,}/).map(paragraph)
    postStore.change(post, { blocks })
    return reply.ok({ ...post, blocks })
  },

  async illustrate({ blog_id, slug }, { request, reply }) {
    const post = postStore.find(blog_id, slug)
    if (post === undefined) return reply.notFound()
    const { image, alt } = request.payload
    postStore.change(post, { cover: { bytes: await image.bytes(), alt } })
    return reply.noContent()
  },

  cover({ blog_id, slug }, { reply }) {
    const { cover } = postStore.findPublished(blog_id, slug) ?? {}
    return cover ? reply.ok(cover.bytes) : reply.notFound('This post has no cover.')
  },

  move({ blog_id, slug }, context) {
    const { request, reply, href } = context
    const post = postStore.find(blog_id, slug)
    if (post === undefined) return reply.notFound()
    const target = blogAt(request.payload.blog)
    if (target === undefined) {
      return reply.unprocessableContent(`Name a blog by its address, such as ${Blogs.toHref({ id: blog_id })}.`)
    }
    if (target.owner_id !== signedIn(context).id) return reply.forbidden('That blog is not yours.')
    if (postStore.find(target.id, slug)) return reply.conflict(`There is a post ${slug} already.`)
    postStore.change(post, { blog_id: target.id })
    return reply.seeOther(undefined, { location: href(Posts, { blog_id: target.id, slug }) })
  },
})
  .with(authenticated)
  .with(traced)
  .before(({ request }) => {
    const { blog_id } = request.params
    if (blogStore.find(blog_id) === undefined) return new Responses.NotFound({ body: `There is no blog ${blog_id}.` })
  })
  .before({ actions: ['create', 'rewrite', 'illustrate', 'move'] }, (context) => {
    const blog = blogStore.find(context.request.params.blog_id)
    if (blog?.owner_id !== signedIn(context).id) return new Responses.Forbidden({ body: 'This blog is not yours.' })
  })

// The way back from an address to what it addresses: by the canonical path, or by a named route.
function blogAt(path: string) {
  try {
    const { id } = path.startsWith('/b/') ? Blogs.routes.short.parse(path) : Blogs.parseHref(path)
    return blogStore.find(id)
  } catch (error) {
    if (error instanceof HrefError) return undefined
    throw error
  }
}
