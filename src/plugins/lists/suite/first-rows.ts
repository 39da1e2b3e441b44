// The queries of the datastore suite for the first rows of each of several keys, with the rows that they must read.
import type { Each, Filter, OrderStep, Reference, Select } from '../query.ts'
import type { Model, Readings } from './model.ts'

const up = (reference: Reference): OrderStep => ({ reference, descending: false })
const down = (reference: Reference): OrderStep => ({ reference, descending: true })

/** Queries for the first rows of each key. */
export const firstRows = (model: Model): Readings => [...ofAuthors(model), ...ofEditors(model), ...ofEditions(model)]

function ofAuthors({ select, at, column }: Model): Readings {
  const [id, author] = [at('books', 'id'), at('books', 'author')]
  const first = (limit: number, ...keys: readonly number[]): Each => ({
    columns: [column('books', 'author')],
    keys: keys.map((key) => [key]),
    limit,
  })
  const read = (order: readonly OrderStep[], each: Each, filter?: Filter<string>): Select<string> =>
    select('books', [], { columns: [author, id], order, each, filter })
  const many = Array.from({ length: 600 }, (_, i) => i + 1)
  const some: Filter<string> = { op: '>', reference: id, value: 1 }
  return [
    [read([up(id)], first(1, 1, 2, 3)), pairs('1 1, 2 3, 3 4')],
    [read([down(id)], first(1, 99, 1, 7)), pairs('99 6, 1 2')],
    [read([up(at('books', 'pages')), up(id)], first(2, 1, 2), some), pairs('1 2, 2 3')],
    [read([up(id)], first(3)), []],
    // More keys than a statement may have parts.
    [read([down(id)], first(1, ...many)), pairs('1 2, 2 3, 3 4, 4 7, 99 6')],
  ]
}

const pairs = (text: string): number[][] => text.split(', ').map((pair) => pair.split(' ').map(Number))

function ofEditors({ select, at, column, join }: Model): Readings {
  const [id, name] = [at('books', 'id'), at('authors', 'name', 1)]
  const query = select('books', [], {
    columns: [at('books', 'editor'), id, name],
    joins: [join('authors', [at('books', 'author'), 'id'])],
    order: [down(name), up(id)],
    each: { columns: [column('books', 'editor')], keys: [[1], [2]], limit: 5 },
  })
  return [
    [
      query,
      [
        [1, 6, null],
        [1, 2, 'Ana'],
        [2, 1, 'Ana'],
      ],
    ],
  ]
}

function ofEditions({ select, at, column }: Model): Readings {
  const columns = [column('editions', 'book'), column('editions', 'issue')]
  const query = select('editions', ['book', 'issue', 'note'], {
    order: [up(at('editions', 'note'))],
    each: { columns, keys: pairs('1 2, 4 7, 4 1'), limit: 1 },
  })
  return [
    [
      query,
      [
        [1, 2, null],
        [4, 7, 'signed'],
      ],
    ],
  ]
}
