// The snippets of docs/guide/plain-lists.md.
import { mediaType, t } from 'edict'
import { memoryDatastore, one, optional } from 'edict/mapper'
import type { Shown } from '../../scripts/snippets.ts'

const datastore = memoryDatastore({
  authors: {
    columns: { id: { kind: 'integer' }, name: { kind: 'text' } },
    key: ['id'],
    rows: [
      { id: 1, name: 'George Eliot' },
      { id: 2, name: 'James Joyce' },
    ],
  },
  books: {
    columns: {
      id: { kind: 'integer' },
      title: { kind: 'text' },
      year: { kind: 'integer', nullable: true },
      author_id: { kind: 'integer', nullable: true },
    },
    key: ['id'],
    rows: [
      { id: 1, title: 'Adam Bede', year: 1859, author_id: 1 },
      { id: 2, title: 'Middlemarch', year: 1871, author_id: 1 },
      { id: 3, title: 'Dubliners', year: 1914, author_id: 2 },
      { id: 4, title: 'Ulysses', year: 1922, author_id: 2 },
    ],
  },
})

// #region resource
import { resource } from 'edict/mapper'

const id = t.integer({ required: true })
const Author = mediaType('Author', { attributes: { id, name: t.string({ required: true }) } })
const Book = mediaType('Book', {
  attributes: { id, title: t.string({ required: true }), year: t.integer(), author: Author },
})
const authors = resource(datastore, Author, { table: 'authors' })
const books = resource(datastore, Book, { table: 'books', attributes: { author: one(authors, { author_id: 'id' }) } })
// #endregion

async function pages(): Promise<string> {
  const said: unknown[] = []
  const console = { log: (...all: unknown[]) => said.push(all.map((one) => JSON.stringify(one)).join(' ')) }
  // #region pages
  const page = await books.list({
    where: { year: { '>=': 1860 } },
    order: ['-year'],
    fields: ['title', 'author.name'],
    limit: 2,
    count: true,
  })
  console.log(page) // an array of { title, author: { name } }
  console.log(page.total)

  const rest = await books.list({
    where: { year: { '>=': 1860 } },
    order: ['-year'],
    fields: ['title'],
    limit: 2,
    after: page.next,
  })
  console.log(rest, rest.next)
  // #endregion
  return said.join('\n')
}

async function refused(): Promise<string> {
  const asked = [{ params: {} }, { limit: -1 }, { order: ['rating'] }, { after: 'x' }]
  const told = asked.map(async (query) => `${JSON.stringify(query).padEnd(22)}  →  ${await problem(query)}`)
  return (await Promise.all(told)).join('\n')
}

const problem = (query: object): Promise<string> =>
  books.list(query as never).then(
    () => 'nothing',
    (error: Error) => `${error.name}: ${error.message}`,
  )

async function maybe(): Promise<string> {
  const said: unknown[] = []
  const console = { log: (...all: unknown[]) => said.push(all.map((one) => JSON.stringify(one)).join(' ')) }
  // #region optional
  const search = (from?: number, title?: string) =>
    books.list({ where: { year: { '>=': optional(from) }, title: optional(title) }, fields: ['title'] })
  console.log(await search(1910))
  console.log(await search(undefined, 'Middlemarch'))
  // #endregion
  return said.join('\n')
}

/** The answers that the page shows. */
export const shown: Shown = { pages, optional: maybe, refused }
