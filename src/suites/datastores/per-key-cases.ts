// The queries of the datastore suite for the first rows of each of several keys, with their expected rows.
import type { Filter, OrderStep, PerKeyLimit, Reference, Select } from '../../plugins/mapper/index.ts'
import type { QueryCases, SuiteModel } from './suite-model.ts'

const orderAscending = (reference: Reference): OrderStep => ({ reference, descending: false })
const orderDescending = (reference: Reference): OrderStep => ({ reference, descending: true })

/** Builds the queries for the first rows of each key. */
export const buildPerKeyCases = (model: SuiteModel): QueryCases => [
  ...buildAuthorCases(model),
  ...buildEditorCases(model),
  ...buildEditionCases(model),
]

function buildAuthorCases({ select, reference: at, column }: SuiteModel): QueryCases {
  const [id, author] = [at('books', 'id'), at('books', 'author')]
  const limitPerKey = (limit: number, ...keys: readonly number[]): PerKeyLimit => ({
    columns: [column('books', 'author')],
    keys: keys.map((key) => [key]),
    limit,
  })
  const selectBooks = (order: readonly OrderStep[], perKey: PerKeyLimit, filter?: Filter<string>): Select<string> =>
    select('books', [], { columns: [author, id], order, perKey, filter })
  const many = Array.from({ length: 600 }, (_, i) => i + 1)
  const afterFirst: Filter<string> = { op: '>', reference: id, value: 1 }
  return [
    [selectBooks([orderAscending(id)], limitPerKey(1, 1, 2, 3)), parsePairs('1 1, 2 3, 3 4')],
    [selectBooks([orderDescending(id)], limitPerKey(1, 99, 1, 7)), parsePairs('99 6, 1 2')],
    [
      selectBooks([orderAscending(at('books', 'pages')), orderAscending(id)], limitPerKey(2, 1, 2), afterFirst),
      parsePairs('1 2, 2 3'),
    ],
    [selectBooks([orderAscending(id)], limitPerKey(3)), []],
    // More keys than a union may have parts.
    [selectBooks([orderDescending(id)], limitPerKey(1, ...many)), parsePairs('1 2, 2 3, 3 4, 4 7, 99 6')],
  ]
}

const parsePairs = (text: string): number[][] => text.split(', ').map((pair) => pair.split(' ').map(Number))

function buildEditorCases({ select, reference: at, column, join }: SuiteModel): QueryCases {
  const [id, name] = [at('books', 'id'), at('authors', 'name', 1)]
  const query = select('books', [], {
    columns: [at('books', 'editor'), id, name],
    joins: [join('authors', [at('books', 'author'), 'id'])],
    order: [orderDescending(name), orderAscending(id)],
    perKey: { columns: [column('books', 'editor')], keys: [[1], [2]], limit: 5 },
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

function buildEditionCases({ select, reference: at, column }: SuiteModel): QueryCases {
  const columns = [column('editions', 'book'), column('editions', 'issue')]
  const query = select('editions', ['book', 'issue', 'note'], {
    order: [orderAscending(at('editions', 'note'))],
    perKey: { columns, keys: parsePairs('1 2, 4 7, 4 1'), limit: 1 },
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
