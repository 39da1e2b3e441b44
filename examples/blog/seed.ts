// What is in the store when the server starts.
import { paragraph } from './design/post.ts'
import type { BlogRow, CommentRow, PersonRow, PostRow } from './store.ts'

// The smallest picture there is: one transparent pixel.
const pixel = Uint8Array.from(
  atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='),
  (character) => character.charCodeAt(0),
)

/** People with the tokens they sign in with. */
export const people = (): PersonRow[] => [
  {
    id: 1,
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    website: 'https://example.com/ada',
    bio: 'Writes programs for machines that do not exist yet.',
    joined_on: '2023-12-10',
    token: 'ada-secret',
    avatar: pixel,
  },
  {
    id: 2,
    name: 'Grace Hopper',
    email: 'grace@example.com',
    bio: null,
    joined_on: '2024-01-09',
    token: 'grace-secret',
  },
]

/** Three blogs; two of them are Ada's. */
export const blogs = (): BlogRow[] => [
  {
    id: 1,
    handle: 'notes-on-the-engine',
    title: 'Notes on the Engine',
    kind: 'personal',
    tags: ['mathematics', 'machines'],
    open: true,
    rating: 4.8,
    page_views: 9_007_199_254_740_993n,
    founded_on: '1843-09-01',
    digest_at: '07:30',
    created_at: new Date('2024-01-02T09:00:00Z'),
    contact: { email: 'ada@example.com', name: 'Ada' },
    links: { source: 'https://example.com/engine' },
    theme: { accent: '#7c3aed', dark: false },
    settings: { editor: { columns: 80 }, pinned: ['note-g'] },
    owner_id: 1,
    revision: 1,
  },
  {
    id: 2,
    handle: 'compiler-diaries',
    title: 'Compiler Diaries',
    kind: 'company',
    tags: ['compilers', 'machines'],
    open: false,
    rating: 4.5,
    page_views: 120_000n,
    digest_at: null,
    created_at: new Date('2024-02-01T12:00:00Z'),
    theme: { accent: '#1d4ed8', dark: true },
    owner_id: 2,
    revision: 1,
  },
  {
    id: 3,
    handle: 'letters',
    title: 'Letters to Charles',
    kind: 'personal',
    open: true,
    created_at: new Date('2024-03-01T12:00:00Z'),
    owner_id: 1,
    revision: 1,
  },
]

/** A few posts, one of them a draft. */
export const posts = (): PostRow[] => [
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
    revision: 1,
  },
  {
    blog_id: 1,
    slug: 'on-punched-cards',
    title: 'On punched cards',
    blocks: [paragraph('The engine weaves patterns as the loom weaves flowers and leaves.')],
    reading_minutes: 3,
    published_at: new Date('2024-02-20T08:00:00Z'),
    author_id: 1,
    revision: 1,
  },
  {
    blog_id: 1,
    slug: 'untitled',
    title: 'Untitled',
    blocks: [paragraph('…')],
    published_at: null,
    author_id: 1,
    revision: 1,
  },
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
    revision: 1,
  },
]

/** A conversation below the first post. */
export const comments = (): CommentRow[] => [
  {
    id: '6a1f5c1e-6f43-4c1b-9d4e-1f0f3a2b7c01',
    blog_id: 1,
    post_slug: 'note-g',
    author_name: 'Charles',
    text: 'The drawings of the mill are attached.',
    written_at: new Date('2024-01-15T10:00:00Z'),
    replies: [
      {
        id: '6a1f5c1e-6f43-4c1b-9d4e-1f0f3a2b7c02',
        author_name: 'Ada',
        text: 'There is an error in the third column.',
        written_at: new Date('2024-01-15T11:30:00Z'),
        replies: [],
      },
    ],
  },
]

/** Files by their paths below `/assets`. */
export const assets = (): Map<string, { readonly type: 'text/css' | 'image/svg+xml'; readonly text: string }> =>
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
