// The documentation of the API beyond its declarations: who answers for it, its groups, and pages of prose.
import { readFileSync } from 'node:fs'
import { docs } from 'edict/docs'

const page = (name: string): string => readFileSync(new URL(`pages/${name}.md`, import.meta.url), 'utf8')

const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 32" role="img"><rect width="32" height="32" rx="7" fill="#0f766e"/><path d="M9 9h14M9 16h14M9 23h8" stroke="#fff" stroke-width="3" stroke-linecap="round"/><text x="42" y="23" font-family="Georgia, serif" font-size="22" fill="#0f766e">Blogs</text></svg>`

/** The documentation browser, at `/api/docs`. */
export const documentation = docs({
  pages: [page('getting-started'), page('authentication'), page('errors')],
  logo: { src: picture(logo), dark: picture(logo.replace('fill="#0f766e">B', 'fill="#5eead4">B')), alt: 'Blogs' },
  favicon: picture(logo.replace('0 0 120 32', '0 0 32 32')),
  colors: { accent: { light: '#0f766e', dark: '#5eead4' } },
})

/** A picture as a URL, so that nothing has to be served for it. */
function picture(svg: string): string {
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}

/** Facts about the API for its documents. */
export const metadata = {
  title: 'Blogs',
  description: 'An example of everything that edict does: blogs, their posts, and the comments on them.',
  contact: { name: 'The authors of the example', url: 'https://example.com/blogs' },
  license: { name: 'MIT', identifier: 'MIT' },
  // Groups of the documentation, in this order; endpoints without `tags` are their own.
  tags: [
    { name: 'Blogs', description: 'Everything about **blogs**. Reading is public; writing needs a token.' },
    { name: 'Posts' },
    { name: 'Comments' },
    {
      name: 'People',
      summary: 'Authors',
      description: 'Everybody who **writes** on one of the blogs, with their pictures.',
    },
    { name: 'Subscriptions' },
    { name: 'Files', description: 'Feeds for readers, and files that themes need.' },
  ],
} as const
