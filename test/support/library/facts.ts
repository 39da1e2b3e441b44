// The contents of the library in plain JavaScript, with which every datastore must agree.
import type { DialectName } from '../../../src/plugins/datastores/sql/sql.ts'
import { compareAscending } from '../../../src/util/compare.ts'
import * as rows from './rows.ts'

/** An author as the rows have it. */
export interface AuthorFacts {
  readonly id: number
  readonly name: string
  readonly born_on: string | null
  readonly home: { readonly city: string | null; readonly country: string | null }
}

/** A review as the rows have it. */
export interface ReviewFacts {
  readonly book_id: number
  readonly number: number
  readonly stars: number
  readonly text: string | null
  readonly by: AuthorFacts | null
}

/** A book as the rows have it, with all that belongs to it. */
export interface BookFacts {
  readonly id: number
  readonly title: string
  readonly subtitle: string | null
  readonly kind: string
  readonly pages: number | null
  readonly price: number | null
  readonly copies: bigint | null
  readonly lent: boolean
  readonly published_on: string | null
  /** In microseconds. */
  readonly added_at: number | null
  readonly opens_at: string | null
  readonly notes: unknown
  readonly author: AuthorFacts | null
  readonly tags: readonly string[]
  /** The best first. */
  readonly reviews: readonly ReviewFacts[]
}

/** The authors, by their ids. */
export const authors: readonly AuthorFacts[] = rows.authors.map(({ home_city, home_country, ...rest }) => {
  const home = { city: home_city, country: home_country }
  return { ...rest, home } as AuthorFacts
})

const authorOf = (id: unknown): AuthorFacts | null => authors.find((author) => author.id === id) ?? null

/** The reviews, in the order of their keys. */
export const reviews: readonly ReviewFacts[] = rows.reviews
  .map(({ author_id, ...rest }) => ({ ...rest, by: authorOf(author_id) }) as ReviewFacts)
  .sort((a, b) => a.book_id - b.book_id || a.number - b.number)

/** The books in a datastore: those of a server have moments with more digits, see open.ts. */
export function booksIn(dialect: DialectName | undefined): readonly BookFacts[] {
  const digits = dialect === 'postgres' || dialect === 'mysql'
  return rows.books.map(({ author_id, added_at, ...rest }) => {
    const id = rest['id'] as number
    return {
      ...rest,
      added_at: added_at === null ? null : (added_at as Date).getTime() * 1000 + (digits ? id % 7 : 0),
      author: authorOf(author_id),
      tags: tagsOf(id),
      reviews: reviews.filter(({ book_id }) => book_id === id).sort((a, b) => b.stars - a.stars || b.number - a.number),
    } as unknown as BookFacts
  })
}

function tagsOf(book: number): string[] {
  const ids = rows.bookTags.filter(({ book_id }) => book_id === book).map(({ tag_id }) => tag_id)
  return rows.tags.filter(({ id }) => ids.includes(id)).map(({ name }) => name as string)
}

/** The value of a field by its path; null where there is none. */
export function at(element: unknown, path: string): unknown {
  let value = element
  for (const step of path.split('.')) value = (value as Record<string, unknown> | null)?.[step] ?? null
  return value
}

/** Compares values as every datastore must: texts by their code points, nulls last. */
export function compare(a: unknown, b: unknown): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  // The bytes of UTF-8 have the order of the code points.
  if (typeof a === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b as string))
  return compareAscending(a as number, b as number)
}

/** Sorts by an order as requests write it, and where that decides nothing by the key, in the last direction. */
export function sorted<E>(elements: readonly E[], order: string, key: readonly string[] = ['id']): E[] {
  const asked = order.split(',').filter((term) => term !== '')
  const sign = asked.at(-1)?.startsWith('-') ? '-' : ''
  const terms = [...asked, ...key.map((name) => sign + name)]
  return [...elements].sort((a, b) => {
    for (const term of terms) {
      const field = term.replace(/^[-+]/, '')
      const compared = compare(at(a, field), at(b, field))
      if (compared !== 0) return term.startsWith('-') ? -compared : compared
    }
    return 0
  })
}
