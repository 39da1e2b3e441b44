// What the handlers of the common shapes look up, the same for every contestant.
import { makeArticles } from '../articles.js'

/** Articles by their numbers, for `one` and `update`. */
export const articlesById = new Map(makeArticles().map((article) => [article.id, article]))

/** The articles of `page`. */
export const feed = makeArticles(20)

/** Who sends a token, for `secured`. */
export const users = new Map([
  ['9b1f6a3e5c', { id: 17, name: 'Ada Lovelace', roles: ['author', 'editor'] }],
  ['0d4c2b7f88', { id: 18, name: 'Alan Turing', roles: ['author'] }],
])
