import { describe, expect, test } from 'vitest'
import type { Filter, OrderStep, Select } from '../../../query/query.ts'
import { DIALECTS } from '../dialect.ts'
import type { SqlColumn, SqlIndex, SqlTable } from '../sql.ts'
import { dropConstantTerms, useIndexPrefix } from './index-prefix.ts'

const columns = new Map(
  ['id', 'part', 'lang', 'size', 'note'].map((name): [string, SqlColumn] => [
    name,
    {
      ...{ name, sqlName: name, kind: 'integer', nullable: name === 'note', optional: false, range: [0n, 99n] },
      ...{ isCursorValue: () => true, encode: (value) => value, decode: (raw) => raw },
    },
  ]),
)
const of = (name: string, source = 0) => ({ source, column: columns.get(name) as SqlColumn })
const step = (text: string): OrderStep => ({ reference: of(text.replace('-', '')), descending: text.startsWith('-') })
const equal = (name: string, value: unknown, source = 0): Filter => ({ op: '=', reference: of(name, source), value })
const index = (text: string, written = text.replaceAll(/\W+/g, '_')): SqlIndex => ({
  sqlName: written,
  columns: text
    .split(' ')
    .map((one) => ({ column: step(one).reference.column as SqlColumn, descending: step(one).descending })),
})

const KEY = index('id', 'PRIMARY')

/** The condition that leads a query, and the rest of its filter. */
function led(indexes: readonly SqlIndex[], order: string, filter: Filter | undefined, placed = true) {
  const from: SqlTable = { name: 't', source: 't', sqlName: 't', columns, key: ['id'], indexes }
  const query: Select = {
    ...{ from, joins: [], columns: [], filter, order: order.split(' ').map(step), limit: 5, offset: 0 },
    after: placed ? [] : undefined,
  }
  const { query: made, prefix: tied } = useIndexPrefix(DIALECTS.mysql, query)
  const steps = made.order.map(({ reference, descending }) => (descending ? '-' : '') + reference.column.name).join(' ')
  return [
    steps,
    tied.map((one) => ('value' in one ? one.value : one.cursorValue)),
    made.filter,
    (made.from as SqlTable).indexHint,
  ]
}

const forced = (name: string): string => ` force index (${name})`

describe('a filter leads an order', () => {
  test('where an index has its column in front, in the direction of the order', () => {
    const list = [KEY, index('part size id')]
    expect(led(list, 'size id', equal('part', 3))).toEqual(['part size id', [3], undefined, forced('part_size_id')])
    expect(led(list, '-size -id', equal('part', 3))).toEqual([
      '-part -size -id',
      [3],
      undefined,
      forced('part_size_id'),
    ])
    expect(led([KEY, index('-part size id')], 'size id', equal('part', 3))[0]).toBe('-part size id')
  })

  test('with several columns as the index has them, and keeps other conditions', () => {
    const list = [KEY, index('part size id'), index('lang part size id')]
    const more: Filter = { op: '>', reference: of('note'), value: 1 }
    const filter: Filter = { op: 'and', of: [equal('part', 3), { op: 'and', of: [more, equal('lang', 4)] }] }
    expect(led(list, 'size id', filter)).toEqual(['lang part size id', [4, 3], more, forced('lang_part_size_id')])
  })

  test('[LST-11] MariaDB sorted where a scope and a client compared one column with the same value', () => {
    const list = [KEY, index('part size id')]
    const twice = (other: unknown): Filter => ({ op: 'and', of: [equal('part', 3), equal('part', other)] })
    expect(led(list, 'size id', twice(3))).toEqual(['part size id', [3], undefined, forced('part_size_id')])
    expect(led(list, 'size id', twice(4))).toEqual(['part size id', [4], equal('part', 3), undefined])
  })

  test('only for a whole order, of the same table, with a value that the column can hold', () => {
    const list = [KEY, index('part size id')]
    const unled = ['size id', [], equal('part', 3), undefined]
    expect(led([KEY, index('part lang size id')], 'size id', equal('part', 3))).toEqual(unled)
    expect(led([KEY, index('part size -id')], 'size id', equal('part', 3))).toEqual(unled)
    expect(led([KEY, index('part size')], 'size id', equal('part', 3))).toEqual(unled)
    for (const filter of [equal('part', 100), equal('part', null), equal('part', 3, 1)])
      expect(led(list, 'size id', filter)).toEqual(['size id', [], filter, undefined])
  })
})

describe('the planner of MariaDB has no choice', () => {
  const note: Filter = { op: 'not null', reference: of('note') }
  const own = index('size id')

  test('where an index has all of a list', () => {
    for (const placed of [true, false]) {
      expect(led([KEY, own], 'size id', undefined, placed)[3]).toBe(forced('size_id'))
      expect(led([KEY], 'id', undefined, placed)[3]).toBe(forced('PRIMARY'))
    }
  })

  test('where another index only begins as the order does', () => {
    expect(led([KEY, own, index('size note id')], 'size id', note)[3]).toBe(forced('size_id'))
    const range: Filter = { op: '>', reference: of('size'), value: 1 }
    expect(led([KEY, own, index('size note id')], 'size id', range)[3]).toBe(forced('size_id'))
  })

  test('unless an index could find the rows of a condition', () => {
    expect(led([KEY, own, index('size note id'), index('note id')], 'size id', note)[3]).toBeUndefined()
    expect(led([KEY, own], 'size id', equal('id', 4))[3]).toBeUndefined()
    const either: Filter = { op: 'or', of: [note, equal('part', 3)] }
    expect(led([KEY, own, index('size note id')], 'size id', either)[3]).toBeUndefined()
    expect(led([KEY, own], 'size id', note)[3]).toBeUndefined()
  })
})

test('other databases need not be led where nothing tempts them', () => {
  const from: SqlTable = { name: 't', source: 't', sqlName: 't', columns, key: ['id'], indexes: [index('part id')] }
  const query: Select = {
    from,
    joins: [],
    columns: [],
    filter: equal('part', 3),
    order: [step('id')],
    limit: 5,
    offset: 0,
  }
  expect(useIndexPrefix(DIALECTS.postgres, query)).toEqual({ query, prefix: [] })
})

describe('an order by a column that a filter settles', () => {
  const isNull = (name: string, source = 0): Filter => ({ op: 'null', reference: of(name, source) })

  /** The steps that are left of an order, and the place behind which it goes on. */
  function left(dialect: 'mysql' | 'sqlite' | 'postgres', filter: Filter, after?: Select['after']) {
    const from: SqlTable = { name: 't', source: 't', sqlName: 't', columns, key: ['id'], indexes: [] }
    const query: Select = {
      ...{ from, joins: [], columns: [], filter, order: ['-note', 'id'].map(step), limit: 5, offset: 0, after },
    }
    const made = dropConstantTerms(DIALECTS[dialect], query)
    return [made.order.map(({ reference }) => reference.column.name).join(' '), made.after]
  }

  test('[LST-11] goes without it where nulls are first, and so does a place', () => {
    const both: Filter = { op: 'and', of: [isNull('note'), equal('part', 3)] }
    for (const dialect of ['mysql', 'sqlite'] as const) {
      expect(left(dialect, both)).toEqual(['id', undefined])
      expect(left(dialect, both, [{ cursorValue: null }, { cursorValue: 4 }])).toEqual(['id', [{ cursorValue: 4 }]])
      expect(left(dialect, equal('note', 3), [{ cursorValue: 3 }, { cursorValue: 4 }])).toEqual([
        'id',
        [{ cursorValue: 4 }],
      ])
    }
  })

  test('keeps it for PostgreSQL, for a column of another table, and behind a place that has a value there', () => {
    expect(left('postgres', isNull('note'))[0]).toBe('note id')
    expect(left('mysql', isNull('note', 1))[0]).toBe('note id')
    expect(left('mysql', { op: 'or', of: [isNull('note'), equal('part', 3)] })[0]).toBe('note id')
    const place = [{ cursorValue: 7 }, { cursorValue: 4 }]
    expect(left('mysql', isNull('note'), place)).toEqual(['note id', place])
    expect(left('sqlite', equal('note', 3), place)).toEqual(['note id', place])
    const none = [{ cursorValue: null }, { cursorValue: 4 }]
    expect(left('sqlite', equal('note', 3), none)).toEqual(['note id', none])
  })
})
