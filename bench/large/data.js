// What the large shapes send and serve, made once at start and the same for every contestant.

const ROLES = ['engineer', 'designer', 'analyst', 'manager']
const CITIES = ['London', 'Zürich', 'Kraków', 'Porto']
const many = (/** @type {number} */ count, /** @type {(i: number) => object} */ make) =>
  Array.from({ length: count }, (_, i) => make(i))

/** A company with its units, their teams and members: about 20 kB of JSON, seven steps deep. */
export const company = {
  name: 'Bridges & Sons',
  founded: 1871,
  units: many(4, (u) => ({
    name: `Unit ${u + 1}`,
    budget: 125_000.5 + u,
    teams: many(4, (t) => ({
      name: `Team ${u + 1}.${t + 1}`,
      remote: t % 2 === 0,
      lead: {
        id: u * 10 + t + 1,
        name: 'Ada Lovelace',
        contact: {
          email: `lead${u}${t}@example.com`,
          phone: '+44 20 7946 0958',
          address: { street: `${t + 1} St James Square`, city: CITIES[t], zip: 'SW1Y 4JH', country: 'GB' },
        },
      },
      members: many(11, (m) => ({
        id: u * 100 + t * 10 + m + 1,
        name: `Member ${u}${t}${m}`,
        role: ROLES[m % ROLES.length],
        active: m % 3 !== 0,
        skills: ['maps', 'songs', 'rivers'].slice(0, (m % 3) + 1),
      })),
    })),
  })),
}

/** A form of forty flat fields. */
export const form = {
  title: 'Ms',
  first_name: 'Ada',
  middle_name: 'King',
  last_name: 'Lovelace',
  email: 'ada@example.com',
  phone: '+44 20 7946 0958',
  street: '12 St James Square',
  house: '12a',
  city: 'London',
  zip: 'SW1Y 4JH',
  region: 'Greater London',
  country: 'GB',
  nationality: 'GB',
  language: 'en',
  occupation: 'analyst',
  employer: 'Bridges & Sons',
  iban: 'GB33BUKB20201555555555',
  bank: 'Bank of Bridges',
  tax_number: 'QQ123456C',
  comment: 'Please write to me before noon, and only on days without rain.',
  age: 36,
  children: 3,
  dependants: 4,
  years_employed: 12,
  rooms: 7,
  floor: 2,
  cars: 1,
  pets: 0,
  income: 5210.75,
  rent: 1250.5,
  savings: 31_000.25,
  debts: 0.5,
  rating: 4.5,
  height: 1.66,
  married: true,
  owner: false,
  smoker: false,
  newsletter: true,
  terms: true,
  plan: 'premium',
}

/** Two hundred rows of an import. */
export const rows = many(200, (i) => ({
  sku: `ABC-${1000 + i}`,
  quantity: (i % 50) + 1,
  price: 2.5 + i,
  ...(i % 4 === 0 ? { note: `shelf ${i}` } : {}),
}))

/** A payment: its method is one of three structures, each of its parts one of two. */
export const payment = {
  reference: 'INV-2026-000815',
  amount: 250.75,
  currency: 'EUR',
  method: { kind: 'card', number: '4111111111111111', expires: '2029-08', holder: 'Ada Lovelace' },
  parts: many(6, (i) =>
    i % 2 === 0
      ? { kind: 'share', account: `A-${i}`, percent: 10 + i }
      : { kind: 'fixed', account: `A-${i}`, amount: 5.5 },
  ),
}

/** Thirty books with their authors and reviews; the `secret` of each, and the `email` of those who reviewed, are declared nowhere. */
export const books = many(30, (i) => ({
  id: i + 1,
  title: `About "rivers", volume ${i + 1}`,
  pages: 100 + i,
  published_at: new Date(Date.UTC(2024, 0, 1) + i * 86_413_007),
  author: { id: (i % 7) + 1, name: `Zoë ${i % 7}`, country: 'GB' },
  reviews: many(3, (r) => ({
    id: i * 10 + r,
    rating: (r % 5) + 1,
    text: `Read it twice, the ${r + 1}th time by the river.`,
    reviewer: { id: r + 1, name: `Reader ${r}`, email: `reader${r}@example.com` },
  })),
  secret: `key-${i}`,
}))

/**
 * The projection of a book by hand, for those who check no answers.
 * @param {typeof books[number]} book
 */
export function projectBook({ id, title, pages, published_at, author, reviews }) {
  return {
    id,
    title,
    pages,
    published_at: published_at.toISOString(),
    author: { id: author.id, name: author.name, country: author.country },
    reviews: reviews.map(projectReview),
  }
}

/** @param {{ id: number, rating: number, text: string, reviewer: { id: number, name: string } }} review */
function projectReview({ id, rating, text, reviewer }) {
  return { id, rating, text, reviewer: { id: reviewer.id, name: reviewer.name } }
}

/** What a bulk body is answered with. */
export function countRows(given) {
  let total = 0
  for (const { quantity } of given) total += quantity
  return { accepted: given.length, total }
}

/** What a form is answered with. */
export const received = { id: 1, status: 'received' }
