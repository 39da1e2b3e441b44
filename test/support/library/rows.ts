// The rows of the library: ties, nulls, negative numbers, texts of several alphabets.

/** A row, by the names of its columns. */
export type Row = Readonly<Record<string, unknown>>

const cities = ['Łódź', 'Oslo', null, 'oslo', '東京', 'Ærøskøbing']

export const authors: readonly Row[] = Array.from({ length: 9 }, (_, i) => ({
  id: i + 1,
  name: ['Ada', 'Émile', 'Zoë', 'ada', 'Ngũgĩ', 'Ada', '𝔄', 'Øystein', "O'Hara"][i],
  born_on: i % 3 === 0 ? null : `19${10 + i}-0${i}-1${i}`,
  home_city: cities[i % 6] ?? null,
  home_country: i % 4 === 0 ? null : 'NO',
}))

const titles = ['Winter', 'Été', 'winter', 'A%_*[x]!', '', '冬', '😀 ends', 'Winter', "it's; drop table books--", 'ｚ']

export const books: readonly Row[] = Array.from({ length: 47 }, (_, i) => ({
  id: ((i * 29) % 47) + 1,
  title: titles[i % 10],
  subtitle: i % 4 === 0 ? null : titles[(i + 3) % 10],
  kind: ['novel', 'essay', 'poems'][i % 3],
  pages: i % 5 === 0 ? null : (i % 6) * 100 - 200,
  price: i % 7 === 0 ? null : (i % 4) / 4 - 0.25,
  copies: i % 6 === 0 ? null : BigInt(`${i % 3 === 0 ? '-' : ''}90071992547409${80 + (i % 5)}`),
  lent: i % 2 === 0,
  published_on: i % 8 === 0 ? null : `200${i % 4}-01-0${(i % 3) + 1}`,
  added_at: i % 9 === 0 ? null : new Date(Date.UTC(2024, 1, 29, 12, 0, 0, 123 + (i % 2))),
  opens_at: i % 3 === 0 ? null : `0${i % 5}:30:00`,
  notes: i % 10 === 0 ? null : { shelf: i, words: ['a', 'b'] },
  author_id: i % 11 === 0 ? null : (i % 9) + 1,
}))

export const reviews: readonly Row[] = Array.from({ length: 60 }, (_, i) => ({
  book_id: (i % 20) + 1,
  number: Math.floor(i / 20) + 1,
  stars: i % 5,
  text: i % 4 === 0 ? null : `Review ${i % 7}`,
  author_id: i % 6 === 0 ? null : (i % 9) + 1,
}))

export const tags: readonly Row[] = ['sql', 'http', 'types', 'é'].map((name, i) => ({ id: i + 1, name }))

export const bookTags: readonly Row[] = books.flatMap((book, i) =>
  tags.filter((_, at) => (i + at) % 3 === 0).map((tag) => ({ book_id: book['id'], tag_id: tag['id'] })),
)
