// An application of several tenants: scopes by a column that no attribute shows, by alternatives, and through a relation.
import { application, collectionOf, endpoint, type MediaType, mediaType, route, t } from 'edict'
import {
  type AnyResource,
  type Datastore,
  FieldSelector,
  FilteringParams,
  many,
  mapper,
  one,
  resource,
} from 'edict/mapper'
import { OrderingParams, PaginationParams, pagination } from 'edict/pagination'

const id = t.integer({ required: true })

const Country = mediaType('Country', {
  attributes: {
    id,
    name: t.string({ nullable: true }),
    get authors() {
      return t.array(Author)
    },
    get first() {
      return t.array(Author)
    },
  },
})

const Author = mediaType('Author', {
  attributes: {
    id,
    name: t.string({ nullable: true }),
    get boss() {
      return t.ref(Author, { nullable: true })
    },
    country: t.ref(Country, { nullable: true }),
    get books() {
      return t.array(Book)
    },
  },
})

const Book = mediaType('Book', {
  attributes: {
    id,
    title: t.string({ nullable: true }),
    shared: t.integer({ nullable: true }),
    author: t.ref(Author, { nullable: true }),
    get reviews() {
      return t.array(Review)
    },
    get best() {
      return t.array(Review)
    },
    tags: t.array(t.string()),
  },
})

const Review = mediaType('Review', {
  attributes: {
    id,
    stars: t.integer({ nullable: true }),
    book_id: t.integer({ nullable: true }),
    book: t.ref(Book, { nullable: true }),
  },
})

const Tag = mediaType('Tag', { attributes: { id, name: t.string(), books: t.array(Book), few: t.array(Book) } })

/** The columns of all tables; all are whole numbers, but for names. */
export const TABLES = {
  countries: ['id', 'name'],
  authors: ['id', 'name', 'boss_id', 'country_id', 'tenant_id', 'gone'],
  books: ['id', 'title', 'shared', 'author_id', 'tenant_id'],
  reviews: ['id', 'stars', 'book_id'],
  tags: ['id', 'name'],
  book_tags: ['id', 'book_id', 'tag_id'],
} as const

export type TableName = keyof typeof TABLES
export type Row = Readonly<Record<string, string | number | null>>
export type Rows = Readonly<Record<TableName, readonly Row[]>>

/** Whether values of a column are texts. */
export const isText = (column: string): boolean => column === 'name' || column === 'title'

/** The rows that a tenant may see. */
export function seenBy(tenant: number, rows: Rows): Rows {
  const books = rows.books.filter((row) => row['tenant_id'] === tenant || row['shared'] === 1)
  const own = new Set(books.flatMap((row) => (row['tenant_id'] === tenant ? [row['id']] : [])))
  return {
    ...rows,
    authors: rows.authors.filter((row) => row['tenant_id'] === tenant && row['gone'] === null),
    books,
    reviews: rows.reviews.filter((row) => own.has(row['book_id'] as number)),
  }
}

interface Caller {
  readonly tenant: number
}

/** The resources, with scopes or without. */
function resourcesIn(datastore: Datastore<string>, isScoped: boolean): Record<string, AnyResource> {
  const found = (name: string) => () => all[name] as AnyResource
  const scope = <F>(given: F): { scope: F } => (isScoped ? { scope: given } : {}) as { scope: F }
  const countries = resource(datastore, Country, {
    table: 'countries',
    attributes: {
      authors: many(found('authors'), { id: 'country_id' }),
      first: many(found('authors'), { id: 'country_id' }, { where: { 'books.title': ['a', 'b'] }, limit: 1 }),
    },
  })
  const authors = resource(datastore, Author, {
    table: 'authors',
    ...scope(({ tenant }: Caller) => ({ tenant_id: tenant, gone: null })),
    attributes: {
      boss: one(found('authors'), { boss_id: 'id' }),
      country: one(countries, { country_id: 'id' }),
      books: many(found('books'), { id: 'author_id' }),
    },
  })
  const books = resource(datastore, Book, {
    table: 'books',
    ...scope(({ tenant }: Caller) => [{ tenant_id: tenant }, { shared: 1 }]),
    attributes: {
      author: one(authors, { author_id: 'id' }),
      reviews: many(found('reviews'), { id: 'book_id' }),
      best: many(found('reviews'), { id: 'book_id' }, { order: ['-stars', 'book.author.name'], limit: 2 }),
      tags: many(
        found('tags'),
        { id: 'book_id' },
        { value: 'name', through: { table: 'book_tags', on: { tag_id: 'id' } } },
      ),
    },
  })
  const reviews = resource(datastore, Review, {
    table: 'reviews',
    ...scope(({ tenant }: Caller) => ({ 'book.tenant_id': tenant })),
    attributes: { book: one(books, { book_id: 'id' }) },
  })
  const tags = resource(datastore, Tag, {
    table: 'tags',
    attributes: {
      books: many(books, { id: 'tag_id' }, { through: { table: 'book_tags', on: { book_id: 'id' } } }),
      few: many(
        books,
        { id: 'tag_id' },
        {
          order: ['-title'],
          where: { 'author.name': { '!=': null } },
          limit: 1,
          through: { table: 'book_tags', on: { book_id: 'id' } },
        },
      ),
    },
  })
  const all: Record<string, AnyResource> = { countries, authors, books, reviews, tags }
  return all
}

const key = t.object({ id: t.integer() }, { nullable: true })
const PAYLOADS = {
  Country: { id: t.integer(), name: t.string({ nullable: true }) },
  Author: { id: t.integer(), name: t.string({ nullable: true }), boss: key, country: key },
  Book: {
    id: t.integer(),
    title: t.string({ nullable: true }),
    shared: t.integer({ nullable: true }),
    author: key,
  },
  Review: { id: t.integer(), stars: t.integer({ nullable: true }), book_id: t.integer({ nullable: true }), book: key },
  Tag: { id: t.integer(), name: t.string() },
}

/** The fields that lists go by, also behind relations in both directions. */
export const FIELDS = {
  Country: [
    'id',
    'name',
    'authors',
    'authors.id',
    'authors.name',
    'authors.books.title',
    'authors.books',
    'first',
    'first.name',
  ],
  Author: ['id', 'name', 'boss.id', 'boss.name', 'country.name', 'books', 'books.id', 'books.shared', 'boss'],
  Book: ['id', 'title', 'shared', 'author.id', 'author.name', 'author.boss.name', 'reviews', 'reviews.stars', 'tags'],
  Review: ['id', 'stars', 'book_id', 'book.id', 'book.title', 'book.author.name', 'book'],
  Tag: ['id', 'name', 'books', 'books.id', 'books.title', 'books.author.name', 'few.title'],
} as const

export type Kind = keyof typeof FIELDS

/** The fields of which an element has one value. */
export const SINGLE = {
  Country: ['id', 'name'],
  Author: ['id', 'name', 'boss.id', 'boss.name', 'country.name'],
  Book: ['id', 'title', 'shared', 'author.id', 'author.name', 'author.boss.name'],
  Review: ['id', 'stars', 'book_id', 'book.id', 'book.title', 'book.author.name'],
  Tag: ['id', 'name'],
} as const

const TYPES = { Country, Author, Book, Review, Tag } as unknown as Record<Kind, MediaType>

/** An application in which the header Tenant says who asks. */
export function applicationOf(datastore: Datastore<string>, isScoped: boolean) {
  const resources = resourcesIn(datastore, isScoped)
  const byKind = { Country: 'countries', Author: 'authors', Book: 'books', Review: 'reviews', Tag: 'tags' } as const
  const controllers = (Object.keys(byKind) as Kind[]).map((kind) => {
    const definition = endpointOf(kind) as any
    const within = (request: any): any => (resources[byKind[kind]] as any).within({ tenant: request.headers.Tenant })
    return definition.implement({
      index: async (_: any, { request, reply }: any) => reply.ok(await within(request).list(request)),
      show: async ({ id }: any, { request, reply }: any) => {
        const found = await within(request).find(id, request)
        return found ? reply.ok(found) : reply.notFound()
      },
      create: async (_: any, { request, reply }: any) => {
        const { id } = await within(request).create(request.payload)
        return reply.created(undefined, { location: `/${id}` })
      },
      createMany: async (_: any, { request, reply }: any) =>
        reply.ok(await within(request).createMany(request.payload.items, { shown: request })),
      change: async ({ id }: any, { request, reply }: any) => {
        const changed = await within(request).update(id, request.payload, { shown: request })
        return changed === undefined ? reply.notFound() : reply.ok(changed)
      },
      put: async (_: any, { request, reply }: any) =>
        reply.ok(await within(request).upsert(request.payload, { shown: request })),
      update: async ({ id }: any, { request, reply }: any) =>
        (await within(request).update(id, request.payload)) ? reply.noContent() : reply.notFound(),
      delete: async ({ id }: any, { request, reply }: any) =>
        (await within(request).delete(id)) ? reply.noContent() : reply.notFound(),
    })
  })
  const logger = { debug() {}, info() {}, warn() {}, error: (...said: unknown[]) => console.error(...said) }
  return application({ logger, plugins: [mapper({ resources }), pagination({ maxItems: 100 })], controllers })
}

const LISTS = ['authors', 'books', 'reviews', 'first']

/** How a field may be filtered: all that there is. */
function settingsOf(field: string): object {
  const last = field.split('.').at(-1) as string
  if (LISTS.includes(last)) return { elements: ['any', 'all', 'none'] }
  return isText(last) ? { operators: ['=', '!=', '<', '>=', '!', '!!', '~=', '!~='] } : {}
}

function endpointOf(kind: Kind) {
  const type = TYPES[kind]
  const named = FIELDS[kind] as readonly string[]
  const single = SINGLE[kind] as unknown as readonly never[]
  const params = { id: t.integer() }
  const fields = FieldSelector.for(type)
  return endpoint(kind, {
    actionDefaults: { headers: { Tenant: t.integer({ required: true }) } },
    actions: {
      index: {
        routing: route.get('/'),
        params: {
          fields,
          filters: FilteringParams.for(
            type,
            Object.fromEntries(named.map((field) => [field, settingsOf(field)])) as never,
          ),
          pagination: PaginationParams.for(type, { byFields: single }),
          order: OrderingParams.for(type, { byFields: single, enforceFor: 'all' }),
        },
        responses: { ok: collectionOf(type) },
      },
      show: { routing: route.get('/:id'), params: { ...params, fields }, responses: { ok: type, notFound: true } },
      createMany: {
        routing: route.post('/many'),
        params: { fields },
        payload: { items: t.array(t.object(PAYLOADS[kind] as never)) },
        responses: { ok: collectionOf(type) },
      },
      change: {
        routing: route.patch('/:id/shown'),
        params: { ...params, fields },
        payload: PAYLOADS[kind],
        responses: { ok: type, notFound: true },
      },
      put: { routing: route.put('/'), params: { fields }, payload: PAYLOADS[kind], responses: { ok: type } },
      create: { routing: route.post('/'), payload: PAYLOADS[kind], responses: { created: true } },
      update: {
        routing: route.patch('/:id'),
        params,
        payload: PAYLOADS[kind],
        responses: { noContent: true, notFound: true },
      },
      delete: { routing: route.delete('/:id'), params, responses: { noContent: true, notFound: true } },
    },
  } as never)
}
