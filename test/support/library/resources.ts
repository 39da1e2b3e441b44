// The library's resources, in whatever datastore; and its application.
import { application, controller, type Logger, type Plugin } from 'edict'
import { computed, computedBatch, type Datastore, many, mapper, one, resource } from 'edict/mapper'
import { type PaginationOptions, pagination } from 'edict/pagination'
import { Author, Book, Books, Review, Reviews, Tag } from './design.ts'

/** The tables as a datastore names them. */
export interface Tables<T> {
  readonly authors: T
  readonly books: T
  readonly reviews: T
  readonly tags: T
  readonly book_tags: T
}

export type Library = ReturnType<typeof libraryIn>

/** Maps the library to a datastore. */
export function libraryIn<T>(datastore: Datastore<T>, tables: Tables<T>) {
  const authors = resource(datastore, Author, {
    table: tables.authors,
    attributes: { home: { city: 'home_city', country: 'home_country' } },
  })
  const tags = resource(datastore, Tag, { table: tables.tags })
  const reviews = resource(datastore, Review, {
    table: tables.reviews,
    attributes: { by: one(authors, { author_id: 'id' }) },
  })
  const books = resource(datastore, Book, {
    table: tables.books,
    attributes: {
      author: one(authors, { author_id: 'id' }),
      tags: many(
        tags,
        { id: 'book_id' },
        { value: 'name', through: { table: tables.book_tags, on: { tag_id: 'id' } } },
      ),
      reviews: many(() => reviews, { id: 'book_id' }, { order: ['-stars'] }),
      label: computed(['id', 'title'], ({ id, title }) => `${id}: ${title}`),
      shelf_mates: computedBatch(['author'], (all) =>
        all.map(({ author }) => all.filter((other) => other.author?.id === author?.id).length),
      ),
    },
  })
  return { authors, tags, reviews, books }
}

/** The same library in another datastore: a transaction. */
export function libraryUsing({ authors, tags, reviews, books }: Library, datastore: Datastore<never>): Library {
  const within = datastore as Datastore<unknown>
  return {
    authors: authors.withDatastore(within),
    tags: tags.withDatastore(within),
    reviews: reviews.withDatastore(within),
    books: books.withDatastore(within),
  }
}

/** The application that serves a library. */
export function applicationOf(
  { books, reviews, authors, tags }: Library,
  options: PaginationOptions = {},
  logger?: Logger,
  plugins: readonly Plugin[] = [],
) {
  return application({
    ...(logger !== undefined && { logger }),
    environment: 'test',
    plugins: [mapper({ resources: { books, reviews, authors, tags } }), pagination(options), ...plugins],
    controllers: [
      controller(Books, {
        index: async (_, { request, reply }) => reply.ok(await books.list(request)),
        cards: async (_, { request, reply }) => reply.ok(await books.list(request)),
        async show({ id }, { request, reply }) {
          const book = await books.find(id, request)
          return book ? reply.ok(book) : reply.notFound()
        },
        async create(_, { request, reply }) {
          const { id } = await books.create(request.payload)
          return reply.created(undefined, { location: `/books/${id}` })
        },
        update: async ({ id }, { request, reply }) =>
          (await books.update(id, request.payload)) ? reply.noContent() : reply.notFound(),
        remove: async ({ id }, { reply }) => ((await books.delete(id)) ? reply.noContent() : reply.notFound()),
      }),
      controller(Reviews, { index: async (_, { request, reply }) => reply.ok(await reviews.list(request)) }),
    ],
  })
}
