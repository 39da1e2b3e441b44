// The tool `indexes` for lists in other conventions: their own order counts, also where no param can name another.
import { application, endpoint, mediaType, route, t } from 'edict'
import { mapper, memoryDatastore, resource } from 'edict/mapper'
import { limitOffset, pageNumbers, pagination, stripe } from 'edict/pagination'
import { expect, test } from 'vitest'
import type { IndexesReport } from '../../../src/plugins/mapper/indexes/report.ts'

const Book = mediaType('Book', {
  attributes: { id: t.integer({ required: true }), title: t.string(), year: t.integer({ nullable: true }) },
})
const whole = { kind: 'integer', nullable: false } as const
const datastore = memoryDatastore({
  books: {
    key: ['id'],
    columns: { id: whole, title: { kind: 'text', nullable: true }, year: { ...whole, nullable: true } },
  },
})
const books = resource(datastore, Book, { table: 'books' })

test('[LST-11] the order of a list counts, whether or not clients may name another', async () => {
  const lists = {
    newest: stripe.for(Book, { order: ['-year'] }),
    plain: stripe.for(Book),
    named: limitOffset.for(Book, { order: ['-year', 'title'], orderBy: ['title'] }),
    numbered: pageNumbers.for(Book, { orderBy: ['title', 'year'] }),
  }
  const actions = Object.fromEntries(
    Object.entries(lists).map(([name, { params, body }]) => [
      name,
      { routing: route.get(`/${name}`), params, responses: { ok: body } },
    ]),
  )
  const Books = endpoint('Books', { actions: actions as never })
  const app = application({
    plugins: [mapper({ resources: { books } }), pagination()],
    controllers: [Books.implement(Object.fromEntries(Object.keys(lists).map((name) => [name, () => ''])) as never)],
  })
  const report = (await app.tools['indexes']!()) as IndexesReport
  const ordersOf = (name: string) =>
    report.lists.filter(({ origin: place }) => place === `Books.${name}`).map(({ order }) => order)
  expect(Object.fromEntries(Object.keys(lists).map((name) => [name, ordersOf(name)]))).toEqual({
    newest: ['-year'],
    plain: [''],
    named: ['-year,title', 'title'],
    numbered: ['', 'title', 'year'],
  })
})
