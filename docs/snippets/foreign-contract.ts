// The snippets of docs/guide/foreign-contract.md.
import type { Shown } from '../../scripts/snippets.ts'
import { answers, exchange } from './support/http.ts'

const articles = [
  { slug: 'first', title: 'First', tagList: ['news'], favoritesCount: 2 },
  { slug: 'second', title: 'Second', tagList: [], favoritesCount: 0 },
  { slug: 'third', title: 'Third', tagList: [], favoritesCount: 1 },
]

// #region declaration
import { endpoint, inherit, mediaType, route, t } from 'edict'
import { limitOffset } from 'edict/pagination'

const Article = mediaType('Article', {
  identifier: 'application/json',
  attributes: {
    slug: t.string({ required: true }),
    title: t.string({ required: true, min: 1, max: 100 }),
    tagList: t.array(t.string(), { required: true }),
    favoritesCount: t.integer({ required: true }),
  },
})
const One = t.object({ article: t.ref(Article, { required: true }) })
const list = limitOffset.for(Article, { key: ['slug'], body: { articles: 'elements', articlesCount: 'total' } })

const Articles = endpoint('Articles', {
  mediaType: Article,
  actions: {
    index: { routing: route.get('/'), params: list.params, responses: { ok: list.body }, ignore: ['utm_*'] },
    show: { routing: route.get('/:slug'), params: { slug: t.string() }, responses: { ok: One, notFound: true } },
    create: {
      routing: route.post('/'),
      payload: {
        article: t.object({ title: inherit, tagList: inherit({ required: false, default: [] }) }, { required: true }),
      },
      responses: { created: One },
    },
  },
})
// #endregion

// #region errors
import { problemEncoder } from 'edict'

const Failure = t.object({ errors: t.object({ body: t.array(t.string(), { required: true }) }, { required: true }) })

const encodeProblem = problemEncoder(Failure, ({ title, detail = title, errors = [] }) => ({
  body: { errors: { body: errors.length > 0 ? errors.map(({ message }) => message) : [detail] } },
}))
// #endregion

// #region application
import { application, controller } from 'edict'
import { pagination } from 'edict/pagination'

const controllers = [
  controller(Articles, {
    index: (_, { request, reply }) => reply.ok(list.answer(request, list.page(request, articles))),
    show({ slug }, { reply }) {
      const article = articles.find((one) => one.slug === slug)
      return article ? reply.ok({ article }) : reply.notFound()
    },
    create(_, { request, reply }) {
      const { title, tagList } = request.payload.article
      return reply.created({ article: { slug: title.toLowerCase(), title, tagList, favoritesCount: 0 } })
    },
  }),
]

const app = application({
  basePath: '/api',
  controllers,
  encodeProblem,
  validation: { status: 422 },
  plugins: [pagination()],
})
// #endregion

/** The answers that the page shows. */
export const shown: Shown = {
  answers: () =>
    answers(app, [
      'GET /api/articles?limit=1&offset=1&utm_source=mail',
      'GET /api/articles/first',
      ['POST /api/articles', { body: { article: { title: 'New' } } }],
    ]),
  refused: () => exchange(app, 'POST /api/articles', { body: { article: { title: '' }, draft: true } }),
}
