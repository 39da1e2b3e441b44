// The rows of a new database. Ids are numbers that the database gives, in the order of the rows: 1, 2, 3.
import type { Queries } from './database.ts'
import { paragraph } from './design/post.ts'
import type { Tables } from './tables.ts'

// The smallest picture there is: one transparent pixel.
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

/** Fills empty tables. */
export async function seed(db: Queries, tables: Tables): Promise<void> {
  await db.insert(tables.people).values(people)
  await db.insert(tables.tags).values(tags.map((name) => ({ name })))
  await db.insert(tables.blogs).values([...blogs, ...moreBlogs])
  await db.insert(tables.blogTags).values(blogTags)
  await db.insert(tables.posts).values([...posts, ...morePosts])
  await db.insert(tables.comments).values(comments)
}

type Row<N extends keyof Tables> = Tables[N]['$inferInsert']

/** People with the tokens they sign in with. */
const people: Row<'people'>[] = [
  {
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    website: 'https://example.com/ada',
    bio: 'Writes programs for machines that do not exist yet.',
    joined_on: '2023-12-10',
    token: 'ada-secret',
    avatar: Buffer.from(pixel, 'base64'),
  },
  { name: 'Grace Hopper', email: 'grace@example.com', joined_on: '2024-01-09', token: 'grace-secret' },
  { name: 'Mary Somerville', email: 'mary@example.com', website: 'https://example.com/mary', token: 'mary-secret' },
]

const tags = ['mathematics', 'machines', 'compilers', 'stars', 'letters', 'travel', 'music', 'maps']

/** Three blogs with stories of their own; two of them are Ada's. */
const blogs: Row<'blogs'>[] = [
  {
    handle: 'notes-on-the-engine',
    title: 'Notes on the Engine',
    kind: 'personal',
    open: true,
    rating: 4.8,
    page_views: 9_007_199_254_740_993n,
    founded_on: '1843-09-01',
    digest_at: '07:30',
    created_at: new Date('2024-01-02T09:00:00Z'),
    contact_email: 'ada@example.com',
    contact_name: 'Ada',
    links: { source: 'https://example.com/engine' },
    theme: { accent: '#7c3aed', dark: false },
    settings: { editor: { columns: 80 }, pinned: ['note-g'] },
    owner_id: 1,
  },
  {
    handle: 'compiler-diaries',
    title: 'Compiler Diaries',
    kind: 'company',
    open: false,
    rating: 4.5,
    page_views: 120_000n,
    created_at: new Date('2024-02-01T12:00:00Z'),
    theme: { accent: '#1d4ed8', dark: true },
    owner_id: 2,
  },
  {
    handle: 'letters',
    title: 'Letters to Charles',
    kind: 'personal',
    open: true,
    created_at: new Date('2024-03-01T12:00:00Z'),
    owner_id: 1,
  },
]

const subjects = ['Orreries', 'Looms', 'Comets', 'Relays', 'Tides', 'Ciphers', 'Lenses', 'Bridges', 'Clocks']

/** Nine more, to page through: some without a rating, some made at the same moment. */
const moreBlogs = subjects.map(
  (subject, i): Row<'blogs'> => ({
    handle: subject.toLowerCase(),
    title: `All about ${subject}`,
    kind: i % 3 === 0 ? 'company' : 'personal',
    open: i % 2 === 0,
    rating: i % 4 === 3 ? null : 3 + (i % 3) / 2,
    created_at: new Date(Date.UTC(2024, 3 + Math.floor(i / 2))),
    owner_id: [3, 2, 1][i % 3] as number,
  }),
)

const blogTags: Row<'blogTags'>[] = [
  ...[1, 2].map((tag_id) => ({ blog_id: 1, tag_id })),
  ...[2, 3].map((tag_id) => ({ blog_id: 2, tag_id })),
  ...moreBlogs.flatMap((_, i) => [4 + (i % 3), 7 + (i % 2)].map((tag_id) => ({ blog_id: i + 4, tag_id }))),
]

/** A few posts, one of them a draft. */
const posts: Row<'posts'>[] = [
  {
    blog_id: 1,
    slug: 'note-g',
    title: 'Note G',
    blocks: [
      paragraph('How the engine could compute the numbers of Bernoulli, step by step.'),
      { type: 'code', language: 'ts', source: 'const B = (n: number) => table(n)' },
    ],
    reading_minutes: 12.5,
    published_at: new Date('2024-01-15T08:00:00Z'),
    author_id: 1,
  },
  {
    blog_id: 1,
    slug: 'on-punched-cards',
    title: 'On punched cards',
    blocks: [paragraph('The engine weaves patterns as the loom weaves flowers and leaves.')],
    reading_minutes: 3,
    published_at: new Date('2024-02-20T08:00:00Z'),
    author_id: 1,
  },
  { blog_id: 1, slug: 'untitled', title: 'Untitled', blocks: [paragraph('…')], author_id: 1 },
  {
    blog_id: 2,
    slug: 'the-first-bug',
    title: 'The first bug',
    blocks: [
      paragraph('Found in relay 70, panel F.'),
      { type: 'image', url: 'https://example.com/moth.png', alt: 'A moth, taped into a logbook' },
    ],
    reading_minutes: 2,
    published_at: new Date('2024-02-09T15:45:00Z'),
    author_id: 2,
  },
]

/** Posts to page through, many of them in the fourth blog: three on each day, some not measured, some drafts. */
const morePosts = Array.from({ length: 56 }, (_, i): Row<'posts'> => {
  const blog = i < 24 ? 0 : 1 + (i % 8)
  return {
    blog_id: blog + 4,
    slug: `letter-${i + 1}`,
    title: `${subjects[blog]}, letter ${i + 1}`,
    blocks: [paragraph(`What there is to say about ${subjects[blog]?.toLowerCase()}.`)],
    reading_minutes: i % 5 === 0 ? null : (i % 4) + 0.5,
    published_at: i % 11 === 10 ? null : new Date(Date.UTC(2024, 4, 1 + Math.floor(i / 3))),
    author_id: [3, 2, 1][blog % 3] as number,
  }
})

/** A conversation below the first post. */
const comments: Row<'comments'>[] = [
  {
    blog_id: 1,
    post_slug: 'note-g',
    id: '6a1f5c1e-6f43-4c1b-9d4e-1f0f3a2b7c01',
    author_name: 'Charles',
    text: 'The drawings of the mill are attached.',
    written_at: new Date('2024-01-15T10:00:00Z'),
  },
  {
    blog_id: 1,
    post_slug: 'note-g',
    id: '6a1f5c1e-6f43-4c1b-9d4e-1f0f3a2b7c02',
    parent_id: '6a1f5c1e-6f43-4c1b-9d4e-1f0f3a2b7c01',
    author_name: 'Ada',
    text: 'There is an error in the third column.',
    written_at: new Date('2024-01-15T11:30:00Z'),
  },
]

/** Files by their paths below `/assets`. */
export const files: ReadonlyMap<string, { readonly type: 'text/css' | 'image/svg+xml'; readonly text: string }> =
  new Map([
    ['themes/plain.css', { type: 'text/css', text: 'body { font: 18px/1.6 serif }\n' }],
    ['themes/night/code.css', { type: 'text/css', text: 'pre { background: #111; color: #eee }\n' }],
    [
      'logo.svg',
      {
        type: 'image/svg+xml',
        text: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><circle cx=".5" cy=".5" r=".5"/></svg>\n',
      },
    ],
    ['private/plans.css', { type: 'text/css', text: '/* for editors only */\n' }],
  ])
