// Feeds: the response that stands ready is replaced, and a returned string becomes its body.
import { controller, Responses } from 'edict'
import { Blogs } from '../design/blogs.ts'
import { Feeds } from '../design/feeds.ts'
import { blogRow, publishedPosts } from '../queries.ts'
import type { Store } from '../resources.ts'

/** Implements Feeds. */
export const feeds = (store: Store) =>
  controller(Feeds, {
    async show({ id }, context) {
      const blog = await blogRow(store, id)
      if (blog === undefined) return context.reply.notFound()
      const posts = await publishedPosts(store, id)
      context.response = new Responses.Ok({ headers: { 'Cache-Control': 'max-age=600' } })
      return `<feed xmlns="http://www.w3.org/2005/Atom">
  <id>urn:blog:${blog.id}</id>
  <title>${escaped(blog.title)}</title>
  <link href="https://example.com${Blogs.routes.handle.expand({ handle: blog.handle })}"/>
${posts.map((post) => `  <entry><title>${escaped(post.title)}</title></entry>\n`).join('')}</feed>
`
    },
  })

const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
