// The articles of the list workload: made once at start, the same for every contestant, each with a field that must not leave.

const STATUSES = ['draft', 'review', 'published']
const WORDS = ['rivers', 'bridges', 'harbours', 'maps', 'songs', 'winters', 'markets', 'letters', 'gardens', 'engines']
const START = Date.UTC(2024, 0, 1)

/**
 * An article as a store holds it: `secret` is declared nowhere.
 * @typedef {object} Article
 * @property {number} id
 * @property {string} title
 * @property {string} slug
 * @property {'draft' | 'review' | 'published'} status
 * @property {number} rating
 * @property {number} views
 * @property {boolean} published
 * @property {Date} created_at
 * @property {{ id: number, name: string }} author
 * @property {string[]} tags
 * @property {string} secret
 */

/**
 * A hundred articles, or as many as are asked for.
 * @param {number} [count]
 * @returns {Article[]}
 */
export function makeArticles(count = 100) {
  return Array.from({ length: count }, (_, i) => article(i))
}

/** @param {number} i */
function article(i) {
  const word = (/** @type {number} */ step) => WORDS[(i * step + step) % WORDS.length]
  return {
    id: i + 1,
    title: `About ${word(1)} and "${word(3)}", part ${i + 1}`,
    slug: `about-${word(1)}-and-${word(3)}-${i + 1}`,
    status: STATUSES[i % STATUSES.length],
    rating: ((i * 37) % 50) / 10,
    views: (i * 7919) % 100_000,
    published: i % STATUSES.length === 2,
    created_at: new Date(START + i * 86_413_007),
    author: { id: (i % 9) + 1, name: `Zoë ${word(7)} ${(i % 9) + 1}` },
    tags: [word(1), word(3), word(7)].slice(0, (i % 3) + 1),
    secret: `key-${i * 104_729}`,
  }
}
