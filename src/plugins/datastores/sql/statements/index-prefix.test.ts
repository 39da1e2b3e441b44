import { describe, expect, test } from 'vitest'
import { DIALECTS } from '../dialect.ts'
import type { SqlColumn, SqlFilter, SqlIndex, SqlOrderStep, SqlSelect, SqlTable } from '../sql.ts'
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
const step = (text: string): SqlOrderStep => ({
  reference: of(text.replace('-', '')),
  descending: text.startsWith('-'),
})
const equal = (name: string, value: unknown, source = 0): SqlFilter => ({ op: '=', reference: of(name, source), value })
const index = (text: string, sqlName = text.replaceAll(/\W+/g, '_')): SqlIndex => ({
  sqlName,
  columns: text
    .split(' ')
    .map((one) => ({ column: step(one).reference.column as SqlColumn, descending: step(one).descending })),
})

const KEY = index('id', 'PRIMARY')

/** Returns the order, the prefix, the filter and the index hint of a query that uses an index prefix. */
function usePrefix(indexes: readonly SqlIndex[], order: string, filter: SqlFilter | undefined, hasCursor = true) {
  const from: SqlTable = { name: 't', source: 't', sqlName: 't', columns, key: ['id'], indexes }
  const query: SqlSelect = {
    ...{ from, joins: [], columns: [], filter, order: order.split(' ').map(step), limit: 5, offset: 0 },
    after: hasCursor ? [] : undefined,
  }
  const { query: prefixed, prefix } = useIndexPrefix(DIALECTS.mysql, query)
  const steps = prefixed.order
    .map(({ reference, descending }) => (descending ? '-' : '') + reference.column.name)
    .join(' ')
  return [
    steps,
    prefix.map((one) => ('value' in one ? one.value : one.cursorValue)),
    prefixed.filter,
    (prefixed.from as SqlTable).indexHint,
  ]
}

const formatHint = (name: string): string => ` force index (${name})`

describe('a filter leads an order', () => {
  test('where an index has its column in front, in the direction of the order', () => {
    const list = [KEY, index('part size id')]
    expect(usePrefix(list, 'size id', equal('part', 3))).toEqual([
      'part size id',
      [3],
      undefined,
      formatHint('part_size_id'),
    ])
    expect(usePrefix(list, '-size -id', equal('part', 3))).toEqual([
      '-part -size -id',
      [3],
      undefined,
      formatHint('part_size_id'),
    ])
    expect(usePrefix([KEY, index('-part size id')], 'size id', equal('part', 3))[0]).toBe('-part size id')
  })

  test('with several columns as the index has them, and keeps other conditions', () => {
    const list = [KEY, index('part size id'), index('lang part size id')]
    const more: SqlFilter = { op: '>', reference: of('note'), value: 1 }
    const filter: SqlFilter = { op: 'and', of: [equal('part', 3), { op: 'and', of: [more, equal('lang', 4)] }] }
    expect(usePrefix(list, 'size id', filter)).toEqual([
      'lang part size id',
      [4, 3],
      more,
      formatHint('lang_part_size_id'),
    ])
  })

  test('[LST-11] MariaDB sorted where a scope and a client compared one column with the same value', () => {
    const list = [KEY, index('part size id')]
    const twice = (other: unknown): SqlFilter => ({ op: 'and', of: [equal('part', 3), equal('part', other)] })
    expect(usePrefix(list, 'size id', twice(3))).toEqual(['part size id', [3], undefined, formatHint('part_size_id')])
    expect(usePrefix(list, 'size id', twice(4))).toEqual(['part size id', [4], equal('part', 3), undefined])
  })

  test('only for a whole order, of the same table, with a value that the column can hold', () => {
    const list = [KEY, index('part size id')]
    const unchanged = ['size id', [], equal('part', 3), undefined]
    expect(usePrefix([KEY, index('part lang size id')], 'size id', equal('part', 3))).toEqual(unchanged)
    expect(usePrefix([KEY, index('part size -id')], 'size id', equal('part', 3))).toEqual(unchanged)
    expect(usePrefix([KEY, index('part size')], 'size id', equal('part', 3))).toEqual(unchanged)
    for (const filter of [equal('part', 100), equal('part', null), equal('part', 3, 1)])
      expect(usePrefix(list, 'size id', filter)).toEqual(['size id', [], filter, undefined])
  })
})

describe('the planner of MariaDB has no choice', () => {
  const note: SqlFilter = { op: 'not null', reference: of('note') }
  const sizeIndex = index('size id')

  test('where an index has all of a list', () => {
    for (const hasCursor of [true, false]) {
      expect(usePrefix([KEY, sizeIndex], 'size id', undefined, hasCursor)[3]).toBe(formatHint('size_id'))
      expect(usePrefix([KEY], 'id', undefined, hasCursor)[3]).toBe(formatHint('PRIMARY'))
    }
  })

  test('where another index only begins as the order does', () => {
    expect(usePrefix([KEY, sizeIndex, index('size note id')], 'size id', note)[3]).toBe(formatHint('size_id'))
    const range: SqlFilter = { op: '>', reference: of('size'), value: 1 }
    expect(usePrefix([KEY, sizeIndex, index('size note id')], 'size id', range)[3]).toBe(formatHint('size_id'))
  })

  test('unless an index could find the rows of a condition', () => {
    expect(usePrefix([KEY, sizeIndex, index('size note id'), index('note id')], 'size id', note)[3]).toBeUndefined()
    expect(usePrefix([KEY, sizeIndex], 'size id', equal('id', 4))[3]).toBeUndefined()
    const pinned = [KEY, sizeIndex, index('size note id'), index('part id')]
    expect(usePrefix(pinned, 'size id', equal('part', 3))[3]).toBeUndefined()
    const either: SqlFilter = { op: 'or', of: [note, equal('part', 3)] }
    expect(usePrefix([KEY, sizeIndex, index('size note id')], 'size id', either)[3]).toBeUndefined()
    expect(usePrefix([KEY, sizeIndex], 'size id', note)[3]).toBeUndefined()
  })
})

test('other databases need not be led where nothing tempts them', () => {
  const from: SqlTable = { name: 't', source: 't', sqlName: 't', columns, key: ['id'], indexes: [index('part id')] }
  const query: SqlSelect = {
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
  const isNull = (name: string, source = 0): SqlFilter => ({ op: 'null', reference: of(name, source) })

  /** Returns the remaining steps of an order, and the cursor after which it continues. */
  function dropTerms(dialect: 'mysql' | 'sqlite' | 'postgres', filter: SqlFilter, after?: SqlSelect['after']) {
    const from: SqlTable = { name: 't', source: 't', sqlName: 't', columns, key: ['id'], indexes: [] }
    const query: SqlSelect = {
      ...{ from, joins: [], columns: [], filter, order: ['-note', 'id'].map(step), limit: 5, offset: 0, after },
    }
    const reduced = dropConstantTerms(DIALECTS[dialect], query)
    return [reduced.order.map(({ reference }) => reference.column.name).join(' '), reduced.after]
  }

  test('[LST-11] goes without it where nulls are first, and so does a cursor', () => {
    const both: SqlFilter = { op: 'and', of: [isNull('note'), equal('part', 3)] }
    for (const dialect of ['mysql', 'sqlite'] as const) {
      expect(dropTerms(dialect, both)).toEqual(['id', undefined])
      expect(dropTerms(dialect, both, [{ cursorValue: null }, { cursorValue: 4 }])).toEqual([
        'id',
        [{ cursorValue: 4 }],
      ])
      expect(dropTerms(dialect, equal('note', 3), [{ cursorValue: 3 }, { cursorValue: 4 }])).toEqual([
        'id',
        [{ cursorValue: 4 }],
      ])
    }
  })

  test('keeps it for PostgreSQL, for a column of another table, and behind a cursor that has a value there', () => {
    expect(dropTerms('postgres', isNull('note'))[0]).toBe('note id')
    expect(dropTerms('mysql', isNull('note', 1))[0]).toBe('note id')
    expect(dropTerms('mysql', { op: 'or', of: [isNull('note'), equal('part', 3)] })[0]).toBe('note id')
    const cursor = [{ cursorValue: 7 }, { cursorValue: 4 }]
    expect(dropTerms('mysql', isNull('note'), cursor)).toEqual(['note id', cursor])
    expect(dropTerms('sqlite', equal('note', 3), cursor)).toEqual(['note id', cursor])
    const nullCursor = [{ cursorValue: null }, { cursorValue: 4 }]
    expect(dropTerms('sqlite', equal('note', 3), nullCursor)).toEqual(['note id', nullCursor])
  })
})
