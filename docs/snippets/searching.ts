// The snippets of docs/guide/searching.md.
import { application, collectionOf, endpoint, mediaType, route, t } from 'edict'
import { memoryDatastore } from 'edict/mapper'
import type { Shown } from '../../scripts/snippets.ts'

const number = { kind: 'integer' } as const
const text = { kind: 'text' } as const
const datastore = memoryDatastore({
  posts: {
    columns: { id: number, title: text, likes: number, views: number },
    key: ['id'],
    rows: [
      { id: 1, title: 'Lock and key', likes: 3, views: 30 },
      { id: 2, title: 'The LOCKSMITH', likes: 1, views: 2 },
      { id: 3, title: 'Écluses', likes: 2, views: 8 },
    ],
  },
  comments: {
    columns: { id: number, post_id: number, stars: number, text },
    key: ['id'],
    rows: [
      { id: 1, post_id: 1, stars: 5, text: 'Poor' },
      { id: 2, post_id: 1, stars: 1, text: 'Great' },
      { id: 3, post_id: 2, stars: 5, text: 'great' },
    ],
  },
})

const id = t.integer({ required: true })
const Comment = mediaType('Comment', { attributes: { id, stars: t.integer(), text: t.string() } })
const Post = mediaType('Post', {
  attributes: {
    id,
    title: t.string(),
    likes: t.integer(),
    views: t.integer(),
    rate: t.number(),
    comments: t.array(Comment),
  },
})

// #region declared
import { FilteringParams } from 'edict/mapper'

const filters = FilteringParams.for(
  Post,
  {
    id: { maxValues: 1000 },
    title: { operators: ['=', '~=', '@='] },
    comments: { elements: ['any', 'all', 'none'] },
    'comments.stars': {},
    'comments.text': { operators: ['~='] },
  },
  { maxLength: 10_000 },
)
// #endregion

// #region mapped
import { computed, many, mapper, resource } from 'edict/mapper'

const comments = resource(datastore, Comment, { table: 'comments' })
const posts = resource(datastore, Post, {
  table: 'posts',
  search: { title: { columns: ['title'] } },
  attributes: {
    comments: many(comments, { id: 'post_id' }),
    rate: computed(['likes', 'views'], ({ likes = 0, views = 1 }) => likes / views, {
      sql: ({ likes, views }) => `${likes} * 1.0 / ${views}`,
    }),
  },
})
// #endregion

const Posts = endpoint('Posts', {
  mediaType: Post,
  actions: { index: { routing: route.get('/'), params: { filters }, responses: { ok: collectionOf(Post) } } },
})
const app = application({
  plugins: [mapper({ resources: { comments, posts } })],
  controllers: [Posts.implement({ index: async (_, { request, reply }) => reply.ok(await posts.list(request)) })],
})

const ASKED = [
  'title~=lock',
  'title~=éCL',
  'title@=key lock',
  'comments.any(stars=5&text~=great)',
  'comments.none(stars=5&text~=great)',
  'comments.all(stars=5)',
]

async function asked(): Promise<string> {
  const lines = ASKED.map(async (filter) => {
    const response = await app.fetch(new Request(`http://localhost/posts?filters=${encodeURIComponent(filter)}`))
    const found = (await response.json()) as readonly { readonly title: string }[]
    return `filters=${filter.padEnd(36)}→  ${found.map(({ title }) => title).join(', ')}`
  })
  return (await Promise.all(lines)).join('\n')
}

async function plain(): Promise<string> {
  const said: unknown[] = []
  const console = { log: (one: unknown) => said.push(JSON.stringify(one)) }
  // #region plain
  const found = await posts.list({
    where: { title: { '~=': 'lock' }, comments: { any: { stars: 5, text: { '~=': 'great' } } }, rate: { '>=': 0.1 } },
    order: ['-rate'],
    fields: ['title', 'rate'],
  })
  console.log(found)
  // #endregion
  return said.join('\n')
}

/** The page shows these. */
export const shown: Shown = { asked, plain }
