// A post, as a media type: its body is a list of blocks, each of one of three shapes.
import { mediaType, t } from 'edict'
import { Person } from './person.ts'

// One of several structures; the attribute `type` says which.
const Block = t.union('type', {
  text: { text: t.string({ required: true, max: 20_000 }) },
  code: { language: t.string({ values: ['sh', 'sql', 'ts'] }), source: t.string({ required: true, max: 20_000 }) },
  image: { url: t.string({ required: true, format: 'uri' }), alt: t.string({ required: true }) },
})

/** A post of a blog. */
export const Post = mediaType('Post', {
  identifier: 'application/vnd.blog.post+json',
  attributes: {
    blog_id: t.integer({ required: true }),
    slug: t.string({ required: true, pattern: /[a-z0-9]+(?:-[a-z0-9]+)*/, max: 80 }),
    title: t.string({ required: true, min: 1, max: 200 }),
    blocks: t.array(Block, { max: 100 }),
    reading_minutes: t.number({ min: 0 }),
    published_at: t.dateTime({ nullable: true, description: 'Null for a draft.' }),
    // Another media type, as one of its views shows it.
    author: Person.view('card'),
  },
  views: {
    // Declared, because the implied default would leave the author out: it is a media type of its own.
    default: ['blog_id', 'slug', 'title', 'blocks', 'reading_minutes', 'published_at', 'author'],
    teaser: ['slug', 'title', 'reading_minutes', 'published_at'],
  },
})

/** A post without its text, for clients that ask for it in `Accept`. */
export const PostOutline = mediaType('PostOutline', {
  identifier: 'application/vnd.blog.outline+json',
  attributes: { slug: t.string({ required: true }), title: t.string({ required: true }) },
})

/** A paragraph of a post, as the simplest kind of block. */
export const paragraph = (text: string) => ({ type: 'text' as const, text })
