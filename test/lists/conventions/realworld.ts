// The lists of RealWorld's contract, with resources only: limit and offset, an envelope, and fields that depend on the viewer.
import { application, controller, endpoint, mediaType, route, t } from 'edict'
import { computed, many, mapper, memoryDatastore, one, resource } from 'edict/mapper'
import { limitOffset, pagination } from 'edict/pagination'

const id = t.integer({ required: true })

const Follow = mediaType('Follow', { attributes: { id, follower_id: t.integer() } })

const Profile = mediaType('Profile', {
  attributes: {
    username: t.string({ required: true }),
    bio: t.string({ nullable: true }),
    following: t.boolean({ required: true }),
    follows: t.array(Follow),
  },
  views: { default: ['username', 'bio', 'following'] },
})

const Like = mediaType('Like', { attributes: { id, user: Profile } })

const Article = mediaType('Article', {
  attributes: {
    slug: t.string({ required: true }),
    title: t.string({ required: true }),
    createdAt: t.dateTime({ required: true }),
    tagList: t.array(t.string(), { required: true }),
    favorited: t.boolean({ required: true }),
    favoritesCount: t.integer({ required: true }),
    author: Profile,
    likes: t.array(Like),
    ownLikes: t.array(Like),
  },
  views: { default: ['slug', 'title', 'createdAt', 'tagList', 'favorited', 'favoritesCount', 'author'] },
})

const articleList = limitOffset.for(Article, {
  order: ['-createdAt'],
  key: ['slug'],
  pageSize: 20,
  body: { articles: 'elements', articlesCount: 'total' },
})

export const Articles = endpoint('Articles', {
  actions: {
    index: {
      routing: route.get('/'),
      headers: { 'x-viewer': t.integer() },
      params: { ...articleList.params, tag: t.string(), author: t.string(), favorited: t.string() },
      responses: { ok: articleList.body },
    },
  },
})

const integer = { kind: 'integer' } as const
const text = { kind: 'text' } as const

const datastore = memoryDatastore({
  users: {
    columns: { id: integer, username: text, bio: { ...text, nullable: true } },
    key: ['id'],
    unique: [['username']],
    rows: [
      { id: 1, username: 'ann', bio: null },
      { id: 2, username: 'bob', bio: 'Writes.' },
    ],
  },
  follows: {
    columns: { id: integer, follower_id: integer, followed_id: integer },
    key: ['id'],
    rows: [{ id: 1, follower_id: 1, followed_id: 2 }],
  },
  articles: {
    columns: { slug: text, title: text, created_at: { kind: 'dateTime' }, author_id: integer },
    key: ['slug'],
    rows: [1, 2, 3, 4, 5].map((number) => ({
      slug: `a-${number}`,
      title: `Article ${number}`,
      created_at: new Date(Date.UTC(2026, 0, number)),
      author_id: 1 + (number % 2),
    })),
  },
  likes: {
    columns: { id: integer, slug: text, user_id: integer },
    key: ['id'],
    rows: [
      { id: 1, slug: 'a-5', user_id: 1 },
      { id: 2, slug: 'a-4', user_id: 2 },
      { id: 3, slug: 'a-5', user_id: 2 },
    ],
  },
  tags: {
    columns: { id: integer, slug: text, name: text },
    key: ['id'],
    rows: [
      { id: 1, slug: 'a-5', name: 'news' },
      { id: 2, slug: 'a-2', name: 'news' },
      { id: 3, slug: 'a-2', name: 'sport' },
    ],
  },
})

/** The id of the reader; 0 without one. */
interface Viewing {
  readonly viewer: number
}

const Tag = mediaType('Tag', { attributes: { id, name: t.string() } })
const tags = resource(datastore, Tag, { table: 'tags' })
const follows = resource(datastore, Follow, {
  table: 'follows',
  scope: ({ viewer }: Viewing) => ({ follower_id: viewer }),
})
const users = resource(datastore, Profile, {
  table: 'users',
  key: ['username'],
  attributes: {
    follows: many(follows, { id: 'followed_id' }),
    following: computed(['follows'], ({ follows: own = [] }) => own.length > 0),
  },
})
const user = one(users, { user_id: 'id' })
const likes = resource(datastore, Like, { table: 'likes', attributes: { user } })
const ownLikes = resource(datastore, Like, {
  table: 'likes',
  scope: ({ viewer }: Viewing) => ({ user_id: viewer }),
  attributes: { user },
})
const articles = resource(datastore, Article, {
  table: 'articles',
  attributes: {
    createdAt: 'created_at',
    author: one(users, { author_id: 'id' }),
    tagList: many(tags, { slug: 'slug' }, { value: 'name' }),
    likes: many(likes, { slug: 'slug' }),
    ownLikes: many(ownLikes, { slug: 'slug' }),
    favorited: computed(['ownLikes'], ({ ownLikes: own = [] }) => own.length > 0),
    favoritesCount: computed(['likes'], ({ likes: all = [] }) => all.length),
  },
})

const articlesController = controller(Articles, {
  async index({ tag, author, favorited }, { request, reply }) {
    const seen = articles.within({ viewer: request.headers['x-viewer'] ?? 0 })
    const page = await seen.list(request, {
      ...(tag !== undefined && { tagList: tag as never }),
      ...(author !== undefined && { 'author.username': author }),
      ...(favorited !== undefined && { 'likes.user.username': favorited }),
    })
    return reply.ok(articleList.answer(request, page))
  },
})

export const app = application({
  environment: 'test',
  plugins: [mapper({ resources: { tags, follows, users, likes, ownLikes, articles } }), pagination({ maxItems: 100 })],
  controllers: [articlesController],
})
