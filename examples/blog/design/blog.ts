// A blog, as a media type, with an attribute of nearly every kind.
import { mediaType, t } from 'edict'
import { z } from 'zod'
import { Person } from './person.ts'

// Any Standard Schema can be an attribute; its output is what controllers get.
const Theme = z.object({
  accent: z.string().regex(/^#[0-9a-f]{6}$/, 'must be a colour like #1d4ed8'),
  dark: z.boolean(),
})

/** A blog. */
export const Blog = mediaType('Blog', {
  identifier: 'application/vnd.blog.blog+json',
  description: 'A blog, as *readers* see it.',
  attributes: {
    id: t.integer({ required: true }),
    handle: t.string({
      required: true,
      pattern: /[a-z][a-z0-9-]*/,
      max: 40,
      description: 'The name of the blog in addresses: `/blogs/@handle`.',
      example: 'notes-on-the-engine',
    }),
    title: t.string({ required: true, min: 1, max: 200 }),
    kind: t.string({ values: ['personal', 'company'] }),
    tags: t.array(t.string({ min: 1, max: 30 }), { max: 10 }),
    open: t.boolean({ description: 'Whether readers may comment.' }),
    rating: t.number({ min: 0, max: 5 }),
    page_views: t.bigint({ min: 0n, description: 'Written as text: it may outgrow what a JSON number can hold.' }),
    founded_on: t.date(),
    digest_at: t.time({ nullable: true, description: 'When the daily digest leaves; null for never.' }),
    created_at: t.dateTime({ required: true }),
    contact: t.object({ email: t.string({ required: true, format: 'email' }), name: t.string() }),
    links: t.record(t.string({ format: 'uri' }), { max: 8 }),
    theme: t.standard(Theme),
    settings: t.any({ description: 'Whatever the editor wants to remember.' }),
    owner: Person,
  },
  views: {
    summary: ['id', 'handle', 'title', 'kind', 'tags'],
    full: [
      'id',
      'handle',
      'title',
      'kind',
      'tags',
      'open',
      'rating',
      'page_views',
      'founded_on',
      'digest_at',
      'created_at',
      'contact',
      'links',
      'theme',
      'settings',
      'owner',
    ],
  },
})
