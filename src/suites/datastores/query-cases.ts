// The queries of the datastore suite with fixed results: conditions, pages, joins and `exists`.
import type { Exists, Filter, OrderStep, Reference, Select } from '../../plugins/mapper/index.ts'
import { buildPerKeyCases } from './per-key-cases.ts'
import type { ExpectedRows, QueryCases, SuiteModel } from './suite-model.ts'

const orderAscending = (reference: Reference): OrderStep => ({ reference, descending: false })
const orderDescending = (reference: Reference): OrderStep => ({ reference, descending: true })

/** Builds the queries, by their subject. */
export function buildQueryCases(model: SuiteModel): Readonly<Record<string, QueryCases>> {
  return {
    'and, or, and none of them': buildConditionCases(model),
    'parts of lists': buildPageCases(model),
    'joins, also those that find nothing': buildJoinCases(model),
    'joins of rows that meet a condition': buildFilteredJoinCases(model),
    'joins of joins': buildDeepJoinCases(model),
    'exists and not exists': buildExistsCases(model),
    'the first rows of each key': buildPerKeyCases(model),
  }
}

const toIdRows = (...numbers: readonly number[]): ExpectedRows => numbers.map((id) => [id])

function selectBooks({ select, reference: at }: SuiteModel, filter: Filter<string>): Select<string> {
  return select('books', ['id'], { filter, order: [orderAscending(at('books', 'id'))] })
}

function buildConditionCases(model: SuiteModel): QueryCases {
  const pages = model.reference('books', 'pages')
  const [long, unknown, early]: readonly Filter<string>[] = [
    { op: '>=', reference: pages, value: 30 },
    { op: 'null', reference: pages },
    { op: '<', reference: model.reference('books', 'id'), value: 4 },
  ] as const
  const and = (...of: Filter<string>[]): Filter<string> => ({ op: 'and', of })
  const or = (...of: Filter<string>[]): Filter<string> => ({ op: 'or', of })
  return [
    [selectBooks(model, and()), toIdRows(1, 2, 3, 4, 5, 6, 7)],
    [selectBooks(model, or()), []],
    [selectBooks(model, and(long!)), toIdRows(1, 3, 4)],
    [selectBooks(model, or(unknown!)), toIdRows(2, 6)],
    [selectBooks(model, and(long!, early!)), toIdRows(1, 3)],
    [selectBooks(model, or(long!, unknown!)), toIdRows(1, 2, 3, 4, 6)],
    [selectBooks(model, and(or(long!, unknown!), early!)), toIdRows(1, 2, 3)],
    [selectBooks(model, or(and(long!, early!), unknown!)), toIdRows(1, 2, 3, 6)],
    [selectBooks(model, or(unknown!, and(early!, or(long!, and())))), toIdRows(1, 2, 3, 6)],
    [selectBooks(model, and(early!, or())), []],
    [selectBooks(model, or(early!, and())), toIdRows(1, 2, 3, 4, 5, 6, 7)],
    [selectBooks(model, and(and(), and(or(early!, or()), and()))), toIdRows(1, 2, 3)],
  ]
}

function buildPageCases({ select, reference: at }: SuiteModel): QueryCases {
  const order = [orderAscending(at('books', 'pages')), orderDescending(at('books', 'id'))]
  const selectPage = (limit: number | undefined, offset: number) => select('books', ['id'], { order, limit, offset })
  return [
    [selectPage(undefined, 0), toIdRows(7, 5, 3, 4, 1, 6, 2)],
    [selectPage(3, 0), toIdRows(7, 5, 3)],
    [selectPage(3, 2), toIdRows(3, 4, 1)],
    [selectPage(3, 6), toIdRows(2)],
    [selectPage(3, 7), []],
    [selectPage(undefined, 5), toIdRows(6, 2)],
    [selectPage(1, 0), toIdRows(7)],
    [selectPage(0, 0), []],
    [selectPage(100, 4), toIdRows(1, 6, 2)],
    [
      select('books', ['id', 'pages', 'id'], { order, limit: 2, offset: 4 }),
      [
        [1, 100, 1],
        [6, null, 6],
      ],
    ],
  ]
}

function buildJoinCases(model: SuiteModel): QueryCases {
  const { select, reference: at, join } = model
  const author = join('authors', [at('books', 'author'), 'id'])
  const editor = join('authors', [at('books', 'editor'), 'id'])
  const [name, editorName] = [at('authors', 'name', 1), at('authors', 'name', 2)]
  const id = at('books', 'id')
  const columns = [id, name]
  const nameFilter = (op: '=' | '!=', value: string) => ({ op, reference: name, value }) as Filter<string>
  return [
    [
      select('books', [], { columns, joins: [author], order: [orderAscending(id)] }),
      [
        [1, 'Ana'],
        [2, 'Ana'],
        [3, 'Bert'],
        [4, 'ana'],
        [5, null],
        [6, null],
        [7, 'Zoë'],
      ],
    ],
    [
      select('books', ['id'], { joins: [author], filter: nameFilter('=', 'Ana'), order: [orderAscending(id)] }),
      toIdRows(1, 2),
    ],
    [
      select('books', ['id'], { joins: [author], filter: nameFilter('!=', 'Ana'), order: [orderAscending(id)] }),
      toIdRows(3, 4, 5, 6, 7),
    ],
    [
      select('books', ['id'], {
        joins: [author],
        filter: { op: 'null', reference: name },
        order: [orderDescending(id)],
      }),
      toIdRows(6, 5),
    ],
    [
      select('books', ['id'], { joins: [author], order: [orderAscending(name), orderAscending(id)] }),
      toIdRows(1, 2, 3, 7, 4, 5, 6),
    ],
    [
      select('books', ['id'], { joins: [author], order: [orderDescending(name), orderAscending(id)] }),
      toIdRows(5, 6, 4, 7, 3, 1, 2),
    ],
    [
      select('books', [], {
        columns: [id, name, editorName],
        joins: [author, editor],
        order: [orderAscending(editorName), orderAscending(id)],
      }),
      [
        ...[
          [2, 'Ana', 'Ana'],
          [6, null, 'Ana'],
          [1, 'Ana', 'Bert'],
          [7, 'Zoë', 'Lost'],
          [4, 'ana', 'Zoë'],
        ],
        ...[
          [3, 'Bert', null],
          [5, null, null],
        ],
      ],
    ],
  ]
}

function buildFilteredJoinCases({ select, reference: at, join, table, column }: SuiteModel): QueryCases {
  const id = at('books', 'id')
  const name = at('authors', 'name', 1)
  const author = join('authors', [at('books', 'author'), 'id'])
  const where: Filter<string> = { op: 'in', reference: name, values: ['Ana', 'Zoë'] }
  const hasName: Filter<string> = { op: 'not null', reference: name }
  const columns = [id, name]
  const namedRows = [
    [1, 'Ana'],
    [2, 'Ana'],
    [7, 'Zoë'],
  ]
  const isEditor: Filter<string> = {
    op: 'exists',
    from: table('books'),
    on: [[at('authors', 'id', 1), column('books', 'editor')]],
    joins: [],
    filter: { op: 'and', of: [] },
  }
  return [
    [
      select('books', [], { columns, joins: [{ ...author, where }], order: [orderAscending(id)] }),
      [...namedRows.slice(0, 2), [3, null], [4, null], [5, null], [6, null], ...namedRows.slice(2)],
    ],
    [
      select('books', [], { columns, joins: [{ ...author, where }], filter: hasName, order: [orderAscending(id)] }),
      namedRows,
    ],
    [
      select('books', [], { columns, joins: [{ ...author, where: isEditor }], order: [orderAscending(id)], limit: 3 }),
      [
        [1, 'Ana'],
        [2, 'Ana'],
        [3, 'Bert'],
      ],
    ],
  ]
}

function buildDeepJoinCases({ select, reference: at, join }: SuiteModel): QueryCases {
  const author = join('authors', [at('books', 'author'), 'id'])
  const country = join('countries', [at('authors', 'country', 1), 'code'])
  const name = at('countries', 'name', 2)
  const id = at('books', 'id')
  const book = join('books', [at('editions', 'book'), 'id'])
  const writer = join('authors', [at('books', 'author', 1), 'id'])
  const [note, of] = [at('editions', 'note'), at('editions', 'book')]
  return [
    [
      select('books', [], {
        columns: [id, name, at('countries', 'code', 2)],
        joins: [author, country],
        order: [orderAscending(id)],
      }),
      [
        ...[
          [1, 'España', 'es'],
          [2, 'España', 'es'],
          [3, 'Austria', 'at'],
          [4, null, null],
        ],
        ...[
          [5, null, null],
          [6, null, null],
          [7, null, 'xx'],
        ],
      ],
    ],
    [
      select('books', ['id'], { joins: [author, country], order: [orderAscending(name), orderDescending(id)] }),
      toIdRows(3, 2, 1, 7, 6, 5, 4),
    ],
    [
      select('editions', [], {
        columns: [of, at('authors', 'name', 2), note],
        joins: [book, writer],
        filter: { op: '!=', reference: note, value: 'first' },
        order: [orderDescending(of)],
      }),
      [
        [99, null, 'lost'],
        [4, 'ana', 'signed'],
        [1, 'Ana', null],
      ],
    ],
  ]
}

function buildExistsCases(model: SuiteModel): QueryCases {
  const { select, reference: at, join, column, table } = model
  const any: Filter<string> = { op: 'and', of: [] }
  const buildExists = (outer: Reference, from: string, to: string, filter: Filter<string> = any) =>
    ({ op: 'exists', from: table(from), on: [[outer, column(from, to)]], joins: [], filter }) as const
  const negate = (condition: Exists<string>): Exists<string> => ({ ...condition, op: 'not exists' })
  const [author, book] = [at('authors', 'id'), at('books', 'id')]
  const buildWritesFilter = (filter?: Filter<string>) => buildExists(author, 'books', 'author', filter)
  const selectAuthors = (filter: Filter<string>) =>
    select('authors', ['id'], { filter, order: [orderAscending(author)] })
  const byCountry = join('authors', [at('books', 'author'), 'id'])
  const from: Filter<string> = { op: '=', reference: at('authors', 'country', 1), value: 'es' }
  const signed: Filter<string> = { op: '=', reference: at('editions', 'note'), value: 'signed' }
  return [
    [selectAuthors(buildWritesFilter()), toIdRows(1, 2, 3, 4)],
    [selectAuthors(buildWritesFilter({ op: '=', reference: at('books', 'pages'), value: 100 })), toIdRows(1, 3)],
    [selectAuthors(buildWritesFilter({ op: 'null', reference: at('books', 'pages') })), toIdRows(1)],
    [selectAuthors(buildWritesFilter({ op: '!=', reference: at('books', 'pages'), value: 100 })), toIdRows(1, 2, 4)],
    [
      selectAuthors({ op: 'and', of: [buildWritesFilter(), buildExists(author, 'books', 'editor')] }),
      toIdRows(1, 2, 4),
    ],
    [
      selectAuthors({
        op: 'or',
        of: [buildWritesFilter({ op: 'or', of: [] }), buildExists(author, 'books', 'editor')],
      }),
      toIdRows(1, 2, 4, 5),
    ],
    [selectAuthors(negate(buildWritesFilter())), toIdRows(5)],
    [
      selectAuthors(negate(buildWritesFilter({ op: '!=', reference: at('books', 'pages'), value: 100 }))),
      toIdRows(3, 5),
    ],
    [selectAuthors(buildWritesFilter(negate(buildExists(book, 'editions', 'book')))), toIdRows(2, 4)],
    [selectAuthors(negate(buildWritesFilter(negate(buildExists(book, 'editions', 'book'))))), toIdRows(1, 3, 5)],
    // A null reference finds nothing.
    [selectBooks(model, negate(buildExists(at('books', 'author'), 'authors', 'id'))), toIdRows(5, 6)],
    // Inside the condition, source 0 is its own table, even if that is the same as outside.
    [
      selectBooks(model, buildExists(book, 'books', 'author', { op: '>', reference: at('books', 'id'), value: 2 })),
      toIdRows(2, 3, 4),
    ],
    [selectBooks(model, buildExists(book, 'editions', 'book', signed)), toIdRows(4)],
    [selectAuthors(buildWritesFilter(buildExists(book, 'editions', 'book', signed))), toIdRows(3)],
    [
      select('editions', ['book', 'issue'], {
        filter: { ...buildExists(at('editions', 'book'), 'books', 'id', from), joins: [byCountry] },
        order: [orderAscending(at('editions', 'book')), orderDescending(at('editions', 'issue'))],
      }),
      [
        [1, 2],
        [1, 1],
        [2, 1],
      ],
    ],
    [
      select('books', ['id'], {
        joins: [join('authors', [at('books', 'author'), 'id'])],
        filter: buildExists(at('authors', 'country', 1), 'countries', 'code'),
        order: [orderAscending(book)],
      }),
      toIdRows(1, 2, 3, 7),
    ],
  ]
}
