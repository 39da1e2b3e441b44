// The snippets of docs/guide/conventions.md about related elements and errors.
import { application, controller, endpoint, mediaType, route, t } from 'edict'
import { many, mapper, memoryDatastore, one, resource } from 'edict/mapper'
import { jsonApi, odata, pagination } from 'edict/pagination'
import type { Shown } from '../../scripts/snippets.ts'
import { answers, exchange } from './support/http.ts'

const [integer, text] = [{ kind: 'integer' }, { kind: 'text' }] as const
const datastore = memoryDatastore({
  articles: {
    columns: { id: integer, title: text, author_id: integer },
    key: ['id'],
    rows: [
      { id: 1, title: 'JSON:API paints my bikeshed!', author_id: 9 },
      { id: 2, title: 'Rails is omakase', author_id: 9 },
    ],
  },
  people: { columns: { id: integer, name: text }, key: ['id'], rows: [{ id: 9, name: 'Gebhardt' }] },
  comments: {
    columns: { id: integer, body: text, article_id: integer, author_id: integer },
    key: ['id'],
    rows: [{ id: 5, body: 'First!', article_id: 1, author_id: 9 }],
  },
})
const required = true
const Person = mediaType('Person', {
  attributes: { id: t.integer({ required }), name: t.string({ required }) },
})
const Comment = mediaType('Comment', {
  attributes: { id: t.integer({ required }), body: t.string({ required }), author: Person },
})
const Article = mediaType('Article', {
  attributes: {
    id: t.integer({ required }),
    title: t.string({ required }),
    author: Person,
    comments: t.array(Comment),
  },
  views: { default: ['id', 'title'], whole: ['id', 'title', 'author', 'comments'] },
})
const people = resource(datastore, Person, { table: 'people' })
const comments = resource(datastore, Comment, {
  table: 'comments',
  attributes: { author: one(people, { author_id: 'id' }) },
})
const articles = resource(datastore, Article, {
  table: 'articles',
  attributes: { author: one(people, { author_id: 'id' }), comments: many(comments, { id: 'article_id' }) },
})

// #region include
const api = jsonApi.with({ types: { Article: 'articles', Person: 'people', Comment: 'comments' } })
const articleList = api.for(Article, { fields: true, include: ['author', 'comments.author'] })
const oneArticle = api.element(Article, { fields: true, include: ['author', 'comments.author'] })

const Articles = endpoint('Articles', {
  mediaType: Article,
  actions: {
    index: { routing: route.get('/'), params: articleList.params, responses: { ok: articleList.body } },
    show: {
      routing: route.get('/:id'),
      params: { id: t.integer(), ...oneArticle.params },
      responses: { ok: oneArticle.body, notFound: true },
    },
  },
})

const articlesController = controller(Articles, {
  index: async (_, { request, reply }) => reply.ok(articleList.answer(request, await articles.list(request))),
  async show({ id }, { request, reply }) {
    const article = await articles.find(id, request)
    return article ? reply.ok(oneArticle.answer(request, article)) : reply.notFound()
  },
})
// #endregion

// #region expand
const expandable = odata.for(Article.view('whole'), { fields: true, include: ['author', 'comments'] })
// #endregion

const Expanded = endpoint('Expanded', {
  actions: { index: { routing: route.get('/'), params: expandable.params, responses: { ok: expandable.body } } },
})
const plugins = [mapper({ resources: [articles, comments, people] }), pagination()]

// #region errors
import { jsonApiErrors } from 'edict/pagination'

const app = application({ controllers: [articlesController], plugins, encodeProblem: jsonApiErrors })
// #endregion

const expanding = application({
  environment: 'production',
  plugins,
  controllers: [
    controller(Expanded, {
      index: async (_, { request, reply }) =>
        reply.ok(expandable.answer(request, (await articles.list(request)) as never)),
    }),
  ],
})

/** The answers that the page shows. */
export const shown: Shown = {
  include: () => exchange(app, 'GET /articles/1?include=author,comments.author&fields[comments]=body,author'),
  expand: () =>
    answers(expanding, [
      'GET /expanded?$top=1',
      'GET /expanded?$top=1&$select=title&$expand=author($select=name),comments($select=body)',
    ]),
  errors: () => exchange(app, 'GET /articles?include=shelf'),
}
