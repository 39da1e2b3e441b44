// The snippets of docs/guide/writes.md.
import { application, endpoint, inherit, mediaType, route, t } from 'edict'
import { many, mapper, memoryDatastore, resource } from 'edict/mapper'
import type { Shown } from '../../scripts/snippets.ts'
import { answers } from './support/http.ts'

const tables = {
  books: {
    columns: {
      id: { kind: 'integer', generated: true },
      isbn: { kind: 'text', nullable: true },
      title: { kind: 'text' },
      year: { kind: 'integer', nullable: true },
    },
    key: ['id'],
    unique: [['isbn']],
  },
} as const
const datastore = memoryDatastore(tables)

// #region resource
const Book = mediaType('Book', {
  attributes: {
    id: t.integer({ required: true }),
    isbn: t.string({ nullable: true }),
    title: t.string({ required: true }),
    year: t.integer({ nullable: true }),
  },
})
const books = resource(datastore, Book, { table: 'books' })
// #endregion

const Books = endpoint('Books', {
  mediaType: Book,
  actions: {
    create: {
      routing: route.post('/'),
      payload: { title: inherit, year: inherit, isbn: inherit },
      responses: { created: Book },
    },
    update: {
      routing: route.patch('/:id'),
      params: { id: t.integer() },
      payload: { title: t.string(), year: inherit },
      responses: { ok: Book, notFound: true },
    },
  },
})

const controller = Books.implement({
  // #region controller
  async create(_, { request, reply }) {
    const book = await books.create(request.payload, { shown: request })
    return reply.created(book, { location: `/books/${book.id}` })
  },
  async update({ id }, { request, reply }) {
    const book = await books.update(id, request.payload, { request, shown: request })
    return book === undefined ? reply.notFound() : reply.ok(book)
  },
  // #endregion
})

const app = application({ plugins: [mapper({ resources: { books } })], controllers: [controller] })

async function manyAtOnce(): Promise<string> {
  const books = resource(memoryDatastore(tables), Book, { table: 'books' })
  const said: string[] = []
  const console = { log: (one: unknown) => said.push(JSON.stringify(one)) }
  // #region many
  const keys = await books.createMany([{ title: 'Emma' }, { title: 'Persuasion', year: 1817 }])
  console.log(keys)

  const made = await books.createMany([{ title: 'Lady Susan' }], { shown: Book })
  console.log(made)
  // #endregion
  return said.join('\n')
}

async function upserts(): Promise<string> {
  const books = resource(memoryDatastore(tables), Book, { table: 'books' })
  const said: string[] = []
  const console = { log: (one: unknown) => said.push(JSON.stringify(one)) }
  // #region upsert
  const isbn = '978-0141439587'
  console.log(await books.upsert({ isbn, title: 'Ema', year: 1815 }, { by: ['isbn'], shown: Book }))
  console.log(await books.upsert({ isbn, title: 'Emma' }, { by: ['isbn'], shown: Book }))
  // #endregion
  return said.join('\n')
}

const articleTables = {
  articles: { columns: { id: { kind: 'integer', generated: true }, title: { kind: 'text' } }, key: ['id'] },
  tags: {
    columns: { article_id: { kind: 'integer' }, place: { kind: 'integer' }, name: { kind: 'text' } },
    key: ['article_id', 'name'],
  },
} as const

async function lists(): Promise<string> {
  const datastore = memoryDatastore(articleTables)
  const said: string[] = []
  const console = { log: (one: unknown) => said.push(JSON.stringify(one)) }
  // #region lists
  const Tag = mediaType('Tag', { attributes: { article: t.integer({ required: true }), name: t.string() } })
  const Article = mediaType('Article', {
    attributes: {
      id: t.integer({ required: true }),
      title: t.string({ required: true }),
      tags: t.array(t.string(), { max: 10 }),
    },
  })
  const tags = resource(datastore, Tag, {
    table: 'tags',
    key: ['article', 'name'],
    attributes: { article: 'article_id' },
  })
  const articles = resource(datastore, Article, {
    table: 'articles',
    attributes: { tags: many(tags, { id: 'article_id' }, { value: 'name', position: 'place' }) },
  })

  const { id } = await articles.create({ title: 'Lists', tags: ['sql', 'http'] })
  await articles.update(id, { tags: { add: ['json'], remove: ['sql'] } })
  console.log(await articles.find(id))
  console.log(await articles.update(id, { title: 'Tags', tags: ['news'] }, { shown: Article }))
  // #endregion
  return said.join('\n')
}

async function conflicts(): Promise<string> {
  const body = { title: 'Emma', isbn: '978-0141439587' }
  await answers(app, [['POST /books', { body }]])
  const response = await app.fetch(
    new Request('http://localhost/books', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  )
  const { code, errors } = (await response.json()) as { code: string; errors: object }
  return `POST /books  ${JSON.stringify(body)}  →  ${response.status} ${code}\n${JSON.stringify(errors)}`
}

async function told(): Promise<string> {
  const made = await answers(app, [['POST /books', { body: { title: 'Middlemarch', year: 1871 } }]])
  const changed = await answers(app, [
    ['PATCH /books/1', { body: { year: 1872 } }],
    ['PATCH /books/9', { body: { year: 1872 } }],
  ])
  return `${made}\n${changed}`
}

/** The answers that the page shows. */
export const shown: Shown = { answers: told, many: manyAtOnce, upsert: upserts, lists, conflicts }
