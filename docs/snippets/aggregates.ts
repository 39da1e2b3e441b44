// The snippets of docs/guide/aggregates.md.
import { mediaType, t } from 'edict'
import { memoryDatastore } from 'edict/mapper'
import type { Shown } from '../../scripts/snippets.ts'

const number = { kind: 'integer' } as const
const datastore = memoryDatastore({
  articles: {
    columns: { id: number, title: { kind: 'text' } },
    key: ['id'],
    rows: [
      { id: 1, title: 'Locks' },
      { id: 2, title: 'Keys' },
      { id: 3, title: 'Doors' },
    ],
  },
  favorites: {
    columns: { article_id: number, user_id: number },
    key: ['article_id', 'user_id'],
    rows: [
      { article_id: 1, user_id: 7 },
      { article_id: 2, user_id: 7 },
      { article_id: 2, user_id: 8 },
    ],
  },
  comments: {
    columns: { id: number, article_id: number, stars: number },
    key: ['id'],
    rows: [
      { id: 1, article_id: 1, stars: 5 },
      { id: 2, article_id: 2, stars: 3 },
      { id: 3, article_id: 2, stars: 4 },
    ],
  },
  tags: {
    columns: { id: number, article_id: number, name: { kind: 'text' } },
    key: ['id'],
    rows: ['iron', 'brass', 'iron'].map((name, i) => ({ id: i + 1, article_id: i + 1, name })),
  },
})
const id = t.integer({ required: true })
const Comment = mediaType('Comment', { attributes: { id, article_id: id, stars: t.integer() } })
const Favorite = mediaType('Favorite', { attributes: { article_id: id, user_id: id } })
const Tag = mediaType('Tag', { attributes: { id, article_id: id, name: t.string({ required: true }) } })

// #region declared
import { computed, count, exists, many, max, resource, sum } from 'edict/mapper'

const Article = mediaType('Article', {
  attributes: {
    id,
    title: t.string(),
    favoritesCount: t.integer({ required: true }),
    favorited: t.boolean({ required: true }),
    starsSum: t.integer({ required: true }),
    best: t.integer({ nullable: true }),
    isPraised: t.boolean(),
    tags: t.array(t.string()),
  },
})
interface Context {
  readonly principal?: { readonly id: number }
}

const comments = resource(datastore, Comment, { table: 'comments' })
const favorites = resource(datastore, Favorite, { table: 'favorites' })
const tags = resource(datastore, Tag, { table: 'tags' })
const ofArticle = many(comments, { id: 'article_id' })
const articles = resource(datastore, Article, {
  table: 'articles',
  attributes: {
    favoritesCount: count(many(favorites, { id: 'article_id' })),
    favorited: exists(
      many(
        favorites,
        { id: 'article_id' },
        { where: ({ principal }: Context) => principal !== undefined && { user_id: principal.id } },
      ),
    ),
    starsSum: sum(ofArticle, 'stars'),
    best: max(ofArticle, 'stars'),
    isPraised: computed(['favorited', 'best'], ({ favorited, best }) => favorited && (best ?? 0) > 3),
    tags: many(tags, { id: 'article_id' }, { value: 'name' }),
  },
})
// #endregion

const context: Context = { principal: { id: 8 } }

async function listed(): Promise<string> {
  const said: unknown[] = []
  const console = { log: (...all: unknown[]) => said.push(all.map((one) => JSON.stringify(one)).join(' ')) }
  // #region listed
  const page = await articles.within(context).list({
    where: { starsSum: { '>': 0 } },
    order: ['-favoritesCount'],
    fields: ['title', 'favoritesCount', 'favorited', 'starsSum', 'best'],
  })
  console.log(page)
  // #endregion
  return said.join('\n')
}

async function distinct(): Promise<string> {
  const said: unknown[] = []
  const console = { log: (...all: unknown[]) => said.push(all.map((one) => JSON.stringify(one)).join(' ')) }
  // #region distinct
  const names = await articles.within(context).distinct('tags') // string[]
  console.log(names)
  console.log(await comments.distinct('stars', { where: { article_id: 2 }, descending: true, limit: 1 }))
  // #endregion
  return said.join('\n')
}

/** The page shows these. */
export const shown: Shown = { listed, distinct }
