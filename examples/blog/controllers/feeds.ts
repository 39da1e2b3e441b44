// Feeds: the response that stands ready is replaced, and a returned string becomes its body.
import { controller, Responses } from 'edict'
import { Blogs } from '../design/blogs.ts'
import { Feeds } from '../design/feeds.ts'
import { blogStore, postStore } from '../store.ts'

/** Implements Feeds. */
export const feeds = controller(Feeds, {
  show({ id }, context) {
    const blog = blogStore.find(id)
    if (blog === undefined) return context.reply.notFound()
    context.response = new Responses.Ok({ headers: { 'Cache-Control': 'max-age=600' } })
    return `<feed xmlns="http://www.w3.org/2005/Atom">
  <id>urn:blog:${blog.id}</id>
  <title>${escaped(blog.title)}</title>
  <link href="https://example.com${Blogs.routes.handle.expand({ handle: blog.handle })}"/>
${postStore
  .published(id)
  .map((post) => `  <entry><title>${escaped(post.title)}</title></entry>\n`)
  .join('')}</feed>
`
  },
})

const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
