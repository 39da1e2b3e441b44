// Blogs: an object of functions, one for each action. Params, payload, headers and replies have their declared types.
import { controller, Responses } from 'edict'
import { Blogs } from '../design/blogs.ts'
import { paragraph } from '../design/post.ts'
import { Throttled } from '../design/responses.ts'
import { blogStore, peopleStore, postStore } from '../store.ts'
import { authenticated, signedIn, traced } from './behaviours.ts'

const MOST_BLOGS = 3

/** Implements Blogs. */
export const blogs = controller(Blogs, {
  index({ kind, tags = [], owner }, { reply }) {
    const found = blogStore
      .list()
      .filter((blog) => kind === undefined || blog.kind === kind)
      .filter((blog) => tags.every((tag) => blog.tags?.includes(tag)))
      .filter((blog) => owner?.id === undefined || blog.owner_id === owner.id)
      .filter((blog) => owner?.name === undefined || blog.owner?.name === owner.name)
    return reply.ok(found)
  },

  show({ id }, { reply }) {
    const blog = blogStore.find(id)
    if (blog === undefined) return reply.notFound(`There is no blog ${id}.`)
    return reply.ok(blog, { headers: { ETag: etag(blog) } })
  },

  find({ handle }, { reply }) {
    const blog = blogStore.byHandle(handle)
    return blog ? reply.ok(blog) : reply.notFound(`There is no blog @${handle}.`)
  },

  create({ dry_run }, context) {
    const { request, reply, href } = context
    const { welcome, ...blog } = request.payload
    const owner = signedIn(context)
    if (blogStore.byHandle(blog.handle)) return reply.conflict(`The handle ${blog.handle} is taken.`)
    if (blogStore.list().filter((one) => one.owner_id === owner.id).length >= MOST_BLOGS) {
      // A response of the application's own, made from its class.
      return new Throttled({ body: `${MOST_BLOGS} blogs are enough.`, headers: { 'Retry-After': '86400' } })
    }
    if (dry_run) return reply.ok({ ...blog, id: 0, created_at: new Date() })
    const { id } = blogStore.add({ ...blog, owner_id: owner.id })
    if (welcome) postStore.add(greeting(id, blog.title, owner.id))
    // Blogs.toHref({ id }) is /blogs/4; href adds what only the running application knows: /api/v1.0/blogs/4.
    return new Responses.Created({ location: href(Blogs, { id }) })
  },

  update({ id, dry_run }, { request, reply }) {
    const blog = blogStore.find(id)
    if (blog === undefined) return reply.notFound()
    const expected = request.headers['If-Match']
    if (expected !== undefined && expected !== etag(blog)) return reply.preconditionFailed('Somebody was faster.')
    // Only what was sent is in the payload, so that nothing else is overwritten.
    if (!dry_run) blogStore.change(id, request.payload)
    return reply.noContent()
  },

  transfer({ id, dry_run }, { request, reply }) {
    const { email } = request.payload
    const owner = peopleStore.byEmail(email)
    if (owner === undefined) return reply.unprocessableContent(`Nobody here has the address ${email}.`)
    if (!dry_run) blogStore.change(id, { owner_id: owner.id })
    return reply.noContent()
  },

  remove({ id, dry_run }, { reply }) {
    if (!dry_run) blogStore.remove(id)
    return reply.noContent()
  },

  export({ id }, { reply }) {
    const blog = blogStore.find(id)
    return blog ? reply.ok(lines(blog.title, postStore.published(id))) : reply.notFound()
  },
})
  .with(authenticated)
  .with(traced)
  // Runs for these actions only, after the validation: the params are there, and have their types.
  .before({ actions: ['update', 'transfer', 'remove'] }, (context) => {
    const blog = blogStore.find(context.request.params.id)
    if (blog === undefined) return new Responses.NotFound()
    if (blog.owner_id !== signedIn(context).id) return new Responses.Forbidden({ body: 'This blog is not yours.' })
  })
  .after({ actions: ['show', 'find'] }, ({ response }) => {
    if (response.status === 200) response.headers['Cache-Control'] = 'max-age=60'
  })

const greeting = (blog_id: number, title: string, author_id: number) => ({
  blog_id,
  slug: 'welcome',
  title: 'Welcome',
  blocks: [paragraph(`Welcome to ${title}.`)],
  published_at: new Date(),
  author_id,
})

const etag = (blog: { readonly revision: number }) => `"${blog.revision.toString(16)}"`

// A body that is made while it is sent: whatever can be iterated, text or bytes.
async function* lines(title: string, posts: Iterable<{ readonly slug: string; readonly title: string }>) {
  yield `${JSON.stringify({ blog: title })}\n`
  for (const post of posts) yield `${JSON.stringify({ post: post.slug, title: post.title })}\n`
}
