// Data that the handlers of the common shapes look up, the same for every contestant.
import { makeArticles } from '../articles.js'

/** Articles by their numbers, for `one` and `update`. */
export const articlesById = new Map(makeArticles().map((article) => [article.id, article]))

/** The articles of `page`. */
export const feed = makeArticles(20)

/** The caller of a token, for `secured`. */
export const users = new Map([
  ['9b1f6a3e5c', { id: 17, name: 'Ada Lovelace', roles: ['author', 'editor'] }],
  ['0d4c2b7f88', { id: 18, name: 'Alan Turing', roles: ['author'] }],
])

/**
 * The projection of an article by hand, for those who check no answers.
 * @param {import('../articles.js').Article} article
 */
export function projected(article) {
  return {
    id: article.id,
    title: article.title,
    slug: article.slug,
    status: article.status,
    rating: article.rating,
    views: article.views,
    published: article.published,
    created_at: article.created_at.toISOString(),
    author: { id: article.author.id, name: article.author.name },
    tags: article.tags,
  }
}

/**
 * Whom the header Authorization knows, for those without an own way to read a bearer token.
 * @param {string} [authorization]
 */
export function userOf(authorization = '') {
  return authorization.startsWith('Bearer ') ? users.get(authorization.slice(7)) : undefined
}
