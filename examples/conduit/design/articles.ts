// Articles, their lists, who likes them, and their tags.
import { endpoint, inherit, mediaType, route, t } from 'edict'
import { limitOffset } from 'edict/pagination'
import { Token, User } from './users.ts'

const text = (max: number) => t.string({ required: true, min: 1, max })

/** That a user likes an article. */
export const Favorite = mediaType('Favorite', {
  attributes: { articleId: t.integer({ required: true }), userId: t.integer({ required: true }) },
})

/** An article; no view shows `id` and `favoritedBy`. */
export const Article = mediaType('Article', {
  identifier: 'application/json',
  attributes: {
    id: t.integer({ required: true }),
    slug: t.string({ required: true }),
    title: text(200),
    description: text(1000),
    body: text(100_000),
    tagList: t.array(t.string({ min: 1, max: 50 }), { required: true, max: 20 }),
    createdAt: t.dateTime({ required: true }),
    updatedAt: t.dateTime({ required: true }),
    favorited: t.boolean({ required: true }),
    favoritesCount: t.integer({ required: true }),
    author: t.ref(User, { required: true }),
    favoritedBy: t.array(User),
  },
  views: { default: { except: ['id', 'favoritedBy'] }, preview: { except: ['id', 'favoritedBy', 'body'] } },
})

const one = t.object({ article: t.ref(Article, { required: true }) })
const sent = { required: true } as const
const optional = inherit({ required: false })
const params = { slug: t.string() }

/** The lists of articles: the newest first, without their bodies. */
export const articleList = limitOffset.for(Article.view('preview'), {
  order: ['-id'],
  body: { articles: 'elements', articlesCount: 'total' },
})

export const Articles = endpoint('Articles', {
  mediaType: Article,
  actionDefaults: { security: Token },
  actions: {
    index: {
      routing: route.get('/'),
      params: { ...articleList.params, tag: t.string(), author: t.string(), favorited: t.string() },
      security: [Token, 'none'],
      responses: { ok: articleList.body },
    },
    feed: { routing: route.get('/feed'), params: articleList.params, responses: { ok: articleList.body } },
    show: { routing: route.get('/:slug'), params, security: [Token, 'none'], responses: { ok: one, notFound: true } },
    create: {
      routing: route.post('/'),
      payload: { article: t.object({ title: inherit, description: inherit, body: inherit, tagList: optional }, sent) },
      responses: { created: one },
    },
    update: {
      routing: route.put('/:slug'),
      params,
      payload: {
        article: t.object({ title: optional, description: optional, body: optional, tagList: optional }, sent),
      },
      responses: { ok: one, notFound: true, forbidden: true },
    },
    delete: {
      routing: route.delete('/:slug'),
      params,
      responses: { noContent: true, notFound: true, forbidden: true },
    },
    favorite: { routing: route.post('/:slug/favorite'), params, responses: { ok: one, notFound: true } },
    unfavorite: { routing: route.delete('/:slug/favorite'), params, responses: { ok: one, notFound: true } },
  },
})

const tags = t.object({ tags: t.array(t.string(), { required: true }) })

export const Tags = endpoint('Tags', { actions: { index: { routing: route.get('/'), responses: { ok: tags } } } })
