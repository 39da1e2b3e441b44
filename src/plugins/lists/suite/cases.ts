// The queries of the datastore suite whose results are written down: conditions, parts of lists, joins and `exists`.
import type { Exists, Filter, OrderStep, Reference, Select } from '../query.ts'
import { firstRows } from './first-rows.ts'
import type { Model, Readings, Rows } from './model.ts'

const up = (reference: Reference): OrderStep => ({ reference, descending: false })
const down = (reference: Reference): OrderStep => ({ reference, descending: true })

/** The queries by what they are about. */
export function readings(model: Model): Readonly<Record<string, Readings>> {
  return {
    'and, or, and none of them': conditions(model),
    'parts of lists': parts(model),
    'joins, also those that find nothing': joins(model),
    'joins of rows that meet a condition': conditionedJoins(model),
    'joins of joins': deepJoins(model),
    'exists and not exists': existing(model),
    'the first rows of each key': firstRows(model),
  }
}

const ids = (...numbers: readonly number[]): Rows => numbers.map((id) => [id])

function books({ select, at }: Model, filter: Filter<string>): Select<string> {
  return select('books', ['id'], { filter, order: [up(at('books', 'id'))] })
}

function conditions(model: Model): Readings {
  const pages = model.at('books', 'pages')
  const [long, unknown, early]: readonly Filter<string>[] = [
    { op: '>=', reference: pages, value: 30 },
    { op: 'null', reference: pages },
    { op: '<', reference: model.at('books', 'id'), value: 4 },
  ] as const
  const and = (...of: Filter<string>[]): Filter<string> => ({ op: 'and', of })
  const or = (...of: Filter<string>[]): Filter<string> => ({ op: 'or', of })
  return [
    [books(model, and()), ids(1, 2, 3, 4, 5, 6, 7)],
    [books(model, or()), []],
    [books(model, and(long!)), ids(1, 3, 4)],
    [books(model, or(unknown!)), ids(2, 6)],
    [books(model, and(long!, early!)), ids(1, 3)],
    [books(model, or(long!, unknown!)), ids(1, 2, 3, 4, 6)],
    [books(model, and(or(long!, unknown!), early!)), ids(1, 2, 3)],
    [books(model, or(and(long!, early!), unknown!)), ids(1, 2, 3, 6)],
    [books(model, or(unknown!, and(early!, or(long!, and())))), ids(1, 2, 3, 6)],
    [books(model, and(early!, or())), []],
    [books(model, or(early!, and())), ids(1, 2, 3, 4, 5, 6, 7)],
    [books(model, and(and(), and(or(early!, or()), and()))), ids(1, 2, 3)],
  ]
}

function parts({ select, at }: Model): Readings {
  const order = [up(at('books', 'pages')), down(at('books', 'id'))]
  const part = (limit: number | undefined, offset: number) => select('books', ['id'], { order, limit, offset })
  return [
    [part(undefined, 0), ids(7, 5, 3, 4, 1, 6, 2)],
    [part(3, 0), ids(7, 5, 3)],
    [part(3, 2), ids(3, 4, 1)],
    [part(3, 6), ids(2)],
    [part(3, 7), []],
    [part(undefined, 5), ids(6, 2)],
    [part(1, 0), ids(7)],
    [part(0, 0), []],
    [part(100, 4), ids(1, 6, 2)],
    [
      select('books', ['id', 'pages', 'id'], { order, limit: 2, offset: 4 }),
      [
        [1, 100, 1],
        [6, null, 6],
      ],
    ],
  ]
}

function joins(model: Model): Readings {
  const { select, at, join } = model
  const author = join('authors', [at('books', 'author'), 'id'])
  const editor = join('authors', [at('books', 'editor'), 'id'])
  const [name, editorName] = [at('authors', 'name', 1), at('authors', 'name', 2)]
  const id = at('books', 'id')
  const columns = [id, name]
  const named = (op: '=' | '!=', value: string) => ({ op, reference: name, value }) as Filter<string>
  return [
    [
      select('books', [], { columns, joins: [author], order: [up(id)] }),
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
    [select('books', ['id'], { joins: [author], filter: named('=', 'Ana'), order: [up(id)] }), ids(1, 2)],
    [select('books', ['id'], { joins: [author], filter: named('!=', 'Ana'), order: [up(id)] }), ids(3, 4, 5, 6, 7)],
    [
      select('books', ['id'], { joins: [author], filter: { op: 'null', reference: name }, order: [down(id)] }),
      ids(6, 5),
    ],
    [select('books', ['id'], { joins: [author], order: [up(name), up(id)] }), ids(1, 2, 3, 7, 4, 5, 6)],
    [select('books', ['id'], { joins: [author], order: [down(name), up(id)] }), ids(5, 6, 4, 7, 3, 1, 2)],
    [
      select('books', [], {
        columns: [id, name, editorName],
        joins: [author, editor],
        order: [up(editorName), up(id)],
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

function conditionedJoins({ select, at, join, table, column }: Model): Readings {
  const id = at('books', 'id')
  const name = at('authors', 'name', 1)
  const author = join('authors', [at('books', 'author'), 'id'])
  const where: Filter<string> = { op: 'in', reference: name, values: ['Ana', 'Zoë'] }
  const isNamed: Filter<string> = { op: 'not null', reference: name }
  const columns = [id, name]
  const named = [
    [1, 'Ana'],
    [2, 'Ana'],
    [7, 'Zoë'],
  ]
  const written: Filter<string> = {
    op: 'exists',
    from: table('books'),
    on: [[at('authors', 'id', 1), column('books', 'editor')]],
    joins: [],
    filter: { op: 'and', of: [] },
  }
  return [
    [
      select('books', [], { columns, joins: [{ ...author, where }], order: [up(id)] }),
      [...named.slice(0, 2), [3, null], [4, null], [5, null], [6, null], ...named.slice(2)],
    ],
    [select('books', [], { columns, joins: [{ ...author, where }], filter: isNamed, order: [up(id)] }), named],
    [
      select('books', [], { columns, joins: [{ ...author, where: written }], order: [up(id)], limit: 3 }),
      [
        [1, 'Ana'],
        [2, 'Ana'],
        [3, 'Bert'],
      ],
    ],
  ]
}

function deepJoins({ select, at, join }: Model): Readings {
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
        order: [up(id)],
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
    [select('books', ['id'], { joins: [author, country], order: [up(name), down(id)] }), ids(3, 2, 1, 7, 6, 5, 4)],
    [
      select('editions', [], {
        columns: [of, at('authors', 'name', 2), note],
        joins: [book, writer],
        filter: { op: '!=', reference: note, value: 'first' },
        order: [down(of)],
      }),
      [
        [99, null, 'lost'],
        [4, 'ana', 'signed'],
        [1, 'Ana', null],
      ],
    ],
  ]
}

function existing(model: Model): Readings {
  const { select, at, join, column, table } = model
  const any: Filter<string> = { op: 'and', of: [] }
  const has = (outer: Reference, from: string, to: string, filter: Filter<string> = any) =>
    ({ op: 'exists', from: table(from), on: [[outer, column(from, to)]], joins: [], filter }) as const
  const not = (condition: Exists<string>): Exists<string> => ({ ...condition, op: 'not exists' })
  const [author, book] = [at('authors', 'id'), at('books', 'id')]
  const writes = (filter?: Filter<string>) => has(author, 'books', 'author', filter)
  const authors = (filter: Filter<string>) => select('authors', ['id'], { filter, order: [up(author)] })
  const byCountry = join('authors', [at('books', 'author'), 'id'])
  const from: Filter<string> = { op: '=', reference: at('authors', 'country', 1), value: 'es' }
  const signed: Filter<string> = { op: '=', reference: at('editions', 'note'), value: 'signed' }
  return [
    [authors(writes()), ids(1, 2, 3, 4)],
    [authors(writes({ op: '=', reference: at('books', 'pages'), value: 100 })), ids(1, 3)],
    [authors(writes({ op: 'null', reference: at('books', 'pages') })), ids(1)],
    [authors(writes({ op: '!=', reference: at('books', 'pages'), value: 100 })), ids(1, 2, 4)],
    [authors({ op: 'and', of: [writes(), has(author, 'books', 'editor')] }), ids(1, 2, 4)],
    [authors({ op: 'or', of: [writes({ op: 'or', of: [] }), has(author, 'books', 'editor')] }), ids(1, 2, 4, 5)],
    [authors(not(writes())), ids(5)],
    [authors(not(writes({ op: '!=', reference: at('books', 'pages'), value: 100 }))), ids(3, 5)],
    [authors(writes(not(has(book, 'editions', 'book')))), ids(2, 4)],
    [authors(not(writes(not(has(book, 'editions', 'book'))))), ids(1, 3, 5)],
    // A reference without a value finds nothing.
    [books(model, not(has(at('books', 'author'), 'authors', 'id'))), ids(5, 6)],
    // Inside, 0 is the table of the condition itself, also when it is the same one.
    [books(model, has(book, 'books', 'author', { op: '>', reference: at('books', 'id'), value: 2 })), ids(2, 3, 4)],
    [books(model, has(book, 'editions', 'book', signed)), ids(4)],
    [authors(writes(has(book, 'editions', 'book', signed))), ids(3)],
    [
      select('editions', ['book', 'issue'], {
        filter: { ...has(at('editions', 'book'), 'books', 'id', from), joins: [byCountry] },
        order: [up(at('editions', 'book')), down(at('editions', 'issue'))],
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
        filter: has(at('authors', 'country', 1), 'countries', 'code'),
        order: [up(book)],
      }),
      ids(1, 2, 3, 7),
    ],
  ]
}
