// Filters over HTTP, in every datastore: every operator against what plain JavaScript finds in the same rows.
import { application, collectionOf, endpoint, route } from 'edict'
import { FilteringParams, mapper } from 'edict/mapper'
import { OrderingParams, PaginationParams, pagination } from 'edict/pagination'
import { expect, test } from 'vitest'
import { Author, Book } from '../../support/library/design.ts'
import { type AuthorFacts, authors, type BookFacts, compare, sorted } from '../../support/library/facts.ts'
import { everywhere, idsOf, query, type Reader } from '../../support/library/reader.ts'

type Test<E> = (element: E) => boolean

const moment = (text: string): number => Date.parse(text) * 1000

/** Values of every kind: as a filter has them, how they are written in it, and what they are compared with. */
const VALUES: readonly (readonly [keyof BookFacts, string, unknown])[] = [
  ['id', '7', 7],
  ['id', '-1', -1],
  ['id', '2147483648', 2147483648],
  ['id', '-9007199254740991', -9007199254740991],
  ['title', 'Winter', 'Winter'],
  ['title', 'winter', 'winter'],
  ['title', 'Winter ', 'Winter '],
  ['title', '', ''],
  ['title', 'A%25_%2A[x]%21', 'A%_*[x]!'],
  ['title', "it's; drop table books--", "it's; drop table books--"],
  ['title', '😀 ends', '😀 ends'],
  ['title', 'ｚ', 'ｚ'],
  ['subtitle', 'Été', 'Été'],
  ['subtitle', '', ''],
  ['pages', '0', 0],
  ['pages', '-100', -100],
  ['pages', '99999999999', 99999999999],
  ['price', '0.25', 0.25],
  ['price', '-0.25', -0.25],
  ['price', '1e300', 1e300],
  ['price', '0', 0],
  ['copies', '9007199254740981', 9007199254740981n],
  ['copies', '-9007199254740983', -9007199254740983n],
  ['copies', '9223372036854775808', 9223372036854775808n],
  ['copies', '-99999999999999999999999', -99999999999999999999999n],
  ['published_on', '2001-01-02', '2001-01-02'],
  ['published_on', '9999-12-31', '9999-12-31'],
  ['added_at', '2024-02-29T12:00:00.123Z', moment('2024-02-29T12:00:00.123Z')],
  ['added_at', '2024-02-29T14:00:00.124+02:00', moment('2024-02-29T12:00:00.124Z')],
  ['added_at', '1970-01-01T00:00:00Z', 0],
  ['opens_at', '02:30:00', '02:30:00'],
  ['opens_at', '23:59:59', '23:59:59'],
]

const COMPARISONS: readonly (readonly [string, (compared: number) => boolean])[] = [
  ['=', (compared) => compared === 0],
  ['!=', (compared) => compared !== 0],
  ['<', (compared) => compared < 0],
  ['<=', (compared) => compared <= 0],
  ['>', (compared) => compared > 0],
  ['>=', (compared) => compared >= 0],
]

const stars = (book: BookFacts): number[] => book.reviews.map((review) => review.stars)

/** Conditions that are written, and what they mean. */
const CONDITIONS: readonly (readonly [string, Test<BookFacts>])[] = [
  ['lent=true', ({ lent }) => lent],
  ['lent!=true', ({ lent }) => !lent],
  ['lent=true,false', () => true],
  ['kind=novel', ({ kind }) => kind === 'novel'],
  ['kind=novel,essay', ({ kind }) => kind === 'novel' || kind === 'essay'],
  ['kind!=novel,essay', ({ kind }) => kind === 'poems'],
  ['id=3,1,2,3,1000', ({ id }) => id <= 3],
  ['id!=1,2,99999999999', ({ id }) => id > 2],
  ['id=99999999999,-99999999999', () => false],
  ['pages=0,100', ({ pages }) => pages === 0 || pages === 100],
  ['pages!=0,100', ({ pages }) => pages !== 0 && pages !== 100],
  [
    'copies=9007199254740981,9007199254740982',
    ({ copies }) => copies === 9007199254740981n || copies === 9007199254740982n,
  ],
  // Presence.
  ['pages!', ({ pages }) => pages !== null],
  ['pages!!', ({ pages }) => pages === null],
  ['title!', () => true],
  ['title!!', () => false],
  ['author!', ({ author }) => author !== null],
  ['author!!', ({ author }) => author === null],
  ['tags!', ({ tags }) => tags.length > 0],
  ['tags!!', ({ tags }) => tags.length === 0],
  ['reviews!', ({ reviews }) => reviews.length > 0],
  ['reviews!!', ({ reviews }) => reviews.length === 0],
  ['author.home.city!', ({ author }) => typeof author?.home.city === 'string'],
  ['author.home.city!!', ({ author }) => typeof author?.home.city !== 'string'],
  // Texts in part.
  ['title=Win*', ({ title }) => title.startsWith('Win')],
  ['title=*inter', ({ title }) => title.endsWith('inter')],
  ['title=*nte*', ({ title }) => title.includes('nte')],
  ['title=win*', ({ title }) => title.startsWith('win')],
  ['title=*', () => true],
  ['title!=*', () => false],
  ['subtitle=*', ({ subtitle }) => subtitle !== null],
  ['subtitle!=*', ({ subtitle }) => subtitle === null],
  ['title!=*nte*', ({ title }) => !title.includes('nte')],
  ['subtitle!=*nte*', ({ subtitle }) => !subtitle?.includes('nte')],
  ['title=Wint*,*ｚ,冬', ({ title }) => title === 'Winter' || title === 'ｚ' || title === '冬'],
  ['title!=Wint*,*ｚ,冬', ({ title }) => title !== 'Winter' && title !== 'ｚ' && title !== '冬'],
  ['title=*%25*', ({ title }) => title.includes('%')],
  ['title=*_*', ({ title }) => title.includes('_')],
  ['title=*%2A*', ({ title }) => title.includes('*')],
  ['title=*[x]*', ({ title }) => title.includes('[x]')],
  ['title=*%21', ({ title }) => title.endsWith('!')],
  ['title=*?*', () => false],
  ['title=*\\*', () => false],
  ['title=W_nter*', () => false],
  ['title=W%25*', () => false],
  ['title=W?nter*', () => false],
  ['title=[Ww]inter*', () => false],
  ['title=*É*', ({ title }) => title.includes('É')],
  ['title=*é*', ({ title }) => title.includes('é')],
  ['title=😀*', ({ title }) => title.startsWith('😀')],
  ["title=it's;*", ({ title }) => title.startsWith("it's;")],
  // Joined.
  ['lent=true&kind=novel', ({ lent, kind }) => lent && kind === 'novel'],
  ['lent=true|kind=novel', ({ lent, kind }) => lent || kind === 'novel'],
  ['lent=true|kind=novel&pages!!', ({ lent, kind, pages }) => lent || (kind === 'novel' && pages === null)],
  ['(lent=true|kind=novel)&pages!!', ({ lent, kind, pages }) => (lent || kind === 'novel') && pages === null],
  [
    '((id<5)|(id>40&(lent=true|title=Winter)))',
    ({ id, lent, title }) => id < 5 || (id > 40 && (lent || title === 'Winter')),
  ],
  ['id>5&id<=9&id!=7', ({ id }) => [6, 8, 9].includes(id)],
  // Other resources.
  ['author.id=2', ({ author }) => author?.id === 2],
  ['author.id!=2', ({ author }) => author?.id !== 2],
  ['author.id<4', ({ author }) => author !== null && author.id < 4],
  ['author.name=Ada', ({ author }) => author?.name === 'Ada'],
  ['author.name!=Ada', ({ author }) => author?.name !== 'Ada'],
  ['author.name=A*,𝔄', ({ author }) => author?.name.startsWith('A') === true || author?.name === '𝔄'],
  ['author.name!=*a*', ({ author }) => author?.name.includes('a') !== true],
  ["author.name=O'Hara", ({ author }) => author?.name === "O'Hara"],
  ['author.home.city=oslo', ({ author }) => author?.home.city === 'oslo'],
  ['author.home.city!=oslo', ({ author }) => author?.home.city !== 'oslo'],
  ['author.home.city>=Oslo', ({ author }) => compare(author?.home.city ?? null, 'Oslo') >= 0 && !!author?.home.city],
  ['tags=sql', ({ tags }) => tags.includes('sql')],
  ['tags=sql,é', ({ tags }) => tags.includes('sql') || tags.includes('é')],
  // Some tag differs, just as some review has more stars.
  ['tags!=sql', ({ tags }) => tags.some((tag) => tag !== 'sql')],
  ['tags=sql&tags=é', ({ tags }) => tags.includes('sql') && tags.includes('é')],
  ['tags>http', ({ tags }) => tags.some((tag) => tag > 'http')],
  ['reviews.stars>=3', (book) => stars(book).some((one) => one >= 3)],
  ['reviews.stars=0,4', (book) => stars(book).some((one) => one === 0 || one === 4)],
  ['reviews.stars!=0', (book) => stars(book).some((one) => one !== 0)],
  ['reviews.by.name=Ada', ({ reviews }) => reviews.some(({ by }) => by?.name === 'Ada')],
  ['reviews.by.name!!', ({ reviews }) => reviews.some(({ by }) => by === null)],
  ['reviews.by.name!=Ada', ({ reviews }) => reviews.some(({ by }) => by?.name !== 'Ada')],
  [
    'author.name=Ada&(reviews.stars>2|tags=http)|reviews!!&pages>100',
    (book) =>
      (book.author?.name === 'Ada' && (stars(book).some((one) => one > 2) || book.tags.includes('http'))) ||
      (book.reviews.length === 0 && book.pages !== null && book.pages > 100),
  ],
]

const HOMES: readonly (readonly [string, Test<AuthorFacts>])[] = [
  ['home!', ({ home }) => home.city !== null || home.country !== null],
  ['home!!', ({ home }) => home.city === null && home.country === null],
  ['home.country!', ({ home }) => home.country !== null],
  ['home.country=NO|home.city!!', ({ home }) => home.country === 'NO' || home.city === null],
  ['home!&born_on!!', ({ home, born_on }) => (home.city !== null || home.country !== null) && born_on === null],
]

await everywhere((reader) => {
  const { books } = reader
  const filtered = (filters: string, more: Readonly<Record<string, string>> = {}) =>
    reader.ids(`/books?${query({ fields: 'id', filters, ...more })}`)
  const fitting = (holds: Test<BookFacts>): number[] => idsOf(sorted(books.filter(holds), ''))

  test.each(VALUES)('values of %s are compared with %s by every operator', async (field, written, value) => {
    for (const [operator, holds] of COMPARISONS) {
      const found = await filtered(`${field}${operator}${written}`)
      // A field without a value is neither before nor after any value, but differs from all.
      const expected = fitting((book) =>
        book[field] === null ? operator === '!=' : holds(compare(book[field], value)),
      )
      expect([operator, found]).toEqual([operator, expected])
    }
  })

  test.each(CONDITIONS)('[MAP-03] %s', async (text, holds) => {
    const expected = books.filter(holds)
    expect(await filtered(text)).toEqual(idsOf(sorted(expected, '')))
    expect(await filtered(text, { order: '-author.name,title', pagination: 'page=2,items=3' })).toEqual(
      idsOf(sorted(expected, '-author.name,title').slice(3, 6)),
    )
  })

  test.each(HOMES)('structures are there when one of their attributes is: %s', async (text, holds) => {
    const found = await reader.ids(`/authors?${query({ filters: text })}`, authorLists(reader))
    expect(found).toEqual(idsOf(authors.filter(holds)))
  })

  test('[MAP-03] no filter reaches beyond the conditions that the action sets', async () => {
    const app = authorLists(reader)
    for (const [text, holds] of [
      ['id>0|id<0', () => true],
      ['id=1|id!=1|title=*', () => true],
      ['(id=1)|(id>40)', ({ id }) => id === 1 || id > 40],
      ['author!!|author.name!=Nobody', () => true],
    ] as const satisfies readonly (readonly [string, Test<BookFacts>])[]) {
      const found = await reader.ids(`/authors/3/books?${query({ filters: text, pagination: 'by=id' })}`, app)
      expect(found).toEqual(fitting((book) => book.author?.id === 3 && book.lent && holds(book)))
    }
    const counted = await reader.ask(
      `GET /authors/3/books?${query({ filters: 'id>0|id<0', pagination: 'items=1,total_count=true' })}`,
      undefined,
      app,
    )
    expect(counted.headers['total-count']).toBe(
      String(books.filter(({ author, lent }) => author?.id === 3 && lent).length),
    )
  })
})

const Authors = endpoint('Authors', {
  mediaType: Author,
  actions: {
    index: {
      routing: route.get('/'),
      params: {
        filters: FilteringParams.for(Author, { home: {}, 'home.city': {}, 'home.country': {}, born_on: {} }),
        order: OrderingParams.for(Author),
      },
      responses: { ok: collectionOf(Author) },
    },
    books: {
      routing: route.get('/:id/books'),
      params: {
        id: Author.attributes.id,
        filters: FilteringParams.for(Book, { id: {}, title: { wildcards: true }, author: {}, 'author.name': {} }),
        pagination: PaginationParams.for(Book, { byFields: ['id'] }),
      },
      responses: { ok: collectionOf(Book) },
    },
  },
})

function authorLists({ library: { authors: writers, books } }: Reader) {
  return application({
    plugins: [mapper({ resources: [writers, books] }), pagination()],
    controllers: [
      Authors.implement({
        index: async (_, { request, reply }) => reply.ok(await writers.list(request)),
        books: async ({ id }, { request, reply }) =>
          reply.ok(await books.list(request, { 'author.id': id, lent: true })),
      }),
    ],
  })
}
