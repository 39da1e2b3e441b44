// Articles, their lists, and who likes them.
import { endpoint, mediaType, route, t } from 'edict'
import { limitOffset } from 'edict/pagination'
import { Token } from './security.ts'
import { User } from './users.ts'

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
const { title, description, body, tagList } = Article.attributes

const params = { slug: t.string() }

/** The lists of articles: the newest first, without their bodies. */
export const articleList = limitOffset.for(Article.view('preview'), {
  order: ['-id'],
  body: { articles: 'elements', articlesCount: 'total' },
})

/** Articles. */
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
      payload: {
        article: t.object(
          { title, description, body, tagList: t.ref(tagList, { required: false }) },
          { required: true },
        ),
      },
      responses: { created: one },
    },
    update: {
      routing: route.put('/:slug'),
      params,
      payload: {
        article: t.object(
          {
            title: t.ref(title, { required: false }),
            description: t.ref(description, { required: false }),
            body: t.ref(body, { required: false }),
            tagList: t.ref(tagList, { required: false }),
          },
          { required: true },
        ),
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

/** The tags of all articles. */
export const Tags = endpoint('Tags', {
  actions: {
    index: {
      routing: route.get('/'),
      responses: { ok: t.object({ tags: t.array(t.string(), { required: true }) }) },
    },
  },
})
