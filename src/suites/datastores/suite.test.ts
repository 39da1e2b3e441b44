import { afterAll, describe, expect, test } from 'vitest'
import { memoryDatastore } from '../../plugins/datastores/memory/memory.ts'
import type {
  Aggregate,
  Column,
  ColumnValues,
  CursorValue,
  Datastore,
  Filter,
  Reference,
  Select,
  Table,
} from '../../plugins/query/query.ts'
import { datastoreSuite, type SuiteHarness } from './suite.ts'
import { toMemoryTable } from './suite-tables.ts'

type Store = Datastore<string>
type ChangeStore = (datastore: Store) => Partial<Store>

function createHarness(change: ChangeStore = () => ({})): Omit<SuiteHarness<string>, 'test' | 'afterAll'> {
  return {
    open: async (tables) => {
      const original = memoryDatastore(Object.fromEntries(tables.map((table) => [table.name, toMemoryTable(table)])))
      return { datastore: { ...original, ...change(original) }, table: (name) => name, close: async () => undefined }
    },
  }
}

describe('the memory datastore', () => datastoreSuite({ test, afterAll, ...createHarness() }))

/** Runs the suite for a changed datastore and returns the messages of the failed tests, by their names. */
async function runSuite(change: ChangeStore): Promise<Map<string, string>> {
  const [tests, ends]: [[string, () => Promise<void>][], (() => Promise<void>)[]] = [[], []]
  datastoreSuite({
    test: (name, run) => tests.push([name, run]),
    afterAll: (run) => ends.push(run),
    ...createHarness(change),
  })
  const failed = new Map<string, string>()
  for (const [name, run] of tests) await run().catch((error: unknown) => failed.set(name, String(error)))
  for (const end of ends) await end().catch(() => undefined)
  return failed
}

/** Changes every filter in a filter, the inner ones first. */
function mapFilter(filter: Filter<string>, change: (filter: Filter<string>) => Filter<string>): Filter<string> {
  if (filter.op === 'and' || filter.op === 'or')
    return change({ ...filter, of: filter.of.map((one) => mapFilter(one, change)) })
  return change('from' in filter ? { ...filter, filter: mapFilter(filter.filter, change) } : filter)
}

/** Changes a datastore so that it interprets filters differently. */
const changeFilters =
  (change: (filter: Filter<string>) => Filter<string>): ChangeStore =>
  (original) => ({
    select: (query) => original.select({ ...query, filter: query.filter && mapFilter(query.filter, change) }),
    count: (query) => original.count({ ...query, filter: query.filter && mapFilter(query.filter, change) }),
    update: (table, values, filter) => original.update(table, values, mapFilter(filter, change)),
    delete: (table, filter) => original.delete(table, mapFilter(filter, change)),
  })

const changeSelects =
  (change: (query: Select<string>) => Select<string>): ChangeStore =>
  (original) => ({ select: (query) => original.select(change(query)) })

const changeAggregates = (change: (aggregate: Aggregate<string>) => Aggregate<string>): ChangeStore =>
  changeSelects((query) => ({
    ...query,
    joins: query.joins.map((join) =>
      join.aggregate === undefined ? join : { ...join, aggregate: change(join.aggregate) },
    ),
  }))

/** Changes a datastore so that it reads values differently. */
const changeReadValues =
  (change: (value: unknown, column: Column) => unknown): ChangeStore =>
  (original) => ({
    select: async (query) => {
      const read = await original.select(query)
      const rows = read.rows.map((row) => row.map((value, i) => change(value, query.columns[i]!.column)))
      return { ...read, rows }
    },
  })

const changeCursorValues =
  (change: (cursorValue: CursorValue, column: Column) => CursorValue): ChangeStore =>
  (original) => ({
    select: async (query) => {
      const read = await original.select(query)
      return {
        ...read,
        cursorValue: (row, column) => change(read.cursorValue(row, column), query.columns[column]!.column),
      }
    },
  })

/** Changes a datastore so that it stores values differently. */
const changeStoredValues =
  (change: (value: unknown, column: Column) => unknown): ChangeStore =>
  (original) => {
    const changeAll = (values: ColumnValues) =>
      new Map(Array.from(values, ([column, value]) => [column, change(value, column)]))
    return {
      insert: (table, values) => original.insert(table, changeAll(values)),
      update: (table, values, filter) => original.update(table, changeAll(values), filter),
    }
  }

const changeColumns =
  (change: (column: Column) => Partial<Column>): ChangeStore =>
  (original) => {
    const known = new Map<string, Table<string>>()
    const describeTable = (name: string): Table<string> => {
      const table = original.table(name)
      const changed = Array.from(table.columns, ([at, column]) => [at, { ...column, ...change(column) }] as const)
      return { ...table, columns: new Map(changed) }
    }
    return { table: (name) => known.get(name) ?? known.set(name, describeTable(name)).get(name)! }
  }

const any: Filter<string> = { op: 'and', of: [] }
const none: Filter<string> = { op: 'or', of: [] }
const and = (...of: Filter<string>[]): Filter<string> => ({ op: 'and', of })
const notNull = (reference: Reference): Filter<string> => ({ op: 'not null', reference })

function ignoreCase(filter: Filter<string>): Filter<string> {
  if (filter.op !== 'like') return filter
  const { text } = filter.pattern
  const of = [text, text.toLowerCase(), text.toUpperCase()].map((one) => {
    return { ...filter, pattern: { ...filter.pattern, text: one } }
  })
  return { op: 'or', of }
}

// Sorts the result again, by the same order with nulls at the other end.
const nullsFirst: ChangeStore = (original) => ({
  select: async (query) => {
    const nulls = { ...query, limit: undefined, offset: 0, columns: query.order.map(({ reference }) => reference) }
    const all = await original.select({ ...nulls, columns: [...nulls.columns, ...query.columns] })
    const count = query.order.length
    const [first] = query.order
    const rank = (row: readonly unknown[]) => (row[0] === null ? -1 : 1) * (first?.descending ? -1 : 1)
    const sorted = count === 0 ? all.rows : all.rows.toSorted((a, b) => rank(a) - rank(b))
    const part = sorted.slice(query.offset, query.limit === undefined ? undefined : query.offset + query.limit)
    return { ...(await original.select(query)), rows: part.map((row) => row.slice(count)) }
  },
})

const roundDecimal = (cursorValue: CursorValue, { kind }: Column): CursorValue =>
  kind === 'decimal' ? String(Number(cursorValue)) : cursorValue
const isText = ({ kind }: Column): boolean => kind === 'text'

const broken: Readonly<Record<string, readonly [ChangeStore, inTest: RegExp]>> = {
  'puts nulls first': [nullsFirst, /^integer: orders$/],
  'drops nulls at !=': [
    changeFilters((one) => (one.op === '!=' ? and(notNull(one.reference), one) : one)),
    /^text: comparisons with values$/,
  ],
  'drops nulls at not in': [
    changeFilters((one) => (one.op === 'not in' ? and(notNull(one.reference), one) : one)),
    /^text: in and not in$/,
  ],
  'drops nulls at not like': [
    changeFilters((one) => (one.op === 'not like' ? and(notNull(one.reference), one) : one)),
    /^like and not like$/,
  ],
  'ignores case at like': [changeFilters(ignoreCase), /^like and not like$/],
  'takes % for a wildcard': [
    changeFilters((one) => (one.op === 'like' && one.pattern.text === '%' ? notNull(one.reference) : one)),
    /^like and not like$/,
  ],
  'takes < for <=': [
    changeFilters((one) => (one.op === '<' ? { ...one, op: '<=' } : one)),
    /^date: comparisons with values$/,
  ],
  'takes in [] for everything': [
    changeFilters((one) => (one.op === 'in' && one.values.length === 0 ? any : one)),
    /^boolean: in and not in$/,
  ],
  'takes no alternative for everything': [
    changeFilters((one) => (one.op === 'or' && one.of.length === 0 ? any : one)),
    /^and, or, and none of them$/,
  ],
  'takes no condition for nothing': [
    changeFilters((one) => (one.op === 'and' && one.of.length === 0 ? none : one)),
    /^and, or, and none of them$/,
  ],
  'loses digits of cursor values': [changeCursorValues(roundDecimal), /^decimal: comparisons with cursors$/],
  'loses milliseconds of cursor values': [
    changeCursorValues((cursorValue, { kind }) =>
      kind === 'dateTime' && cursorValue ? `${String(cursorValue).slice(0, 20)}000Z` : cursorValue,
    ),
    /^dateTime: comparisons with cursors$/,
  ],
  'gives cursor values that JSON cannot carry': [
    changeCursorValues((cursorValue, { kind }) =>
      kind === 'bigint' && cursorValue !== null ? (BigInt(cursorValue) as never) : cursorValue,
    ),
    /^bigint: comparisons with cursors$/,
  ],
  'does not know its own cursor values': [
    changeColumns(() => ({ isCursorValue: () => false })),
    /^time: comparisons with cursors$/,
  ],
  'takes anything for a cursor value': [
    changeColumns(() => ({ isCursorValue: () => true })),
    /^time: comparisons with cursors$/,
  ],
  'reads one row too many': [
    changeSelects((query) => ({ ...query, limit: query.limit === undefined ? undefined : query.limit + 1 })),
    /^parts of lists$/,
  ],
  'takes the limit 0 for none': [
    changeSelects((query) => ({ ...query, limit: query.limit || undefined })),
    /^parts of lists$/,
  ],
  'begins at the first row': [changeSelects((query) => ({ ...query, offset: 0 })), /^parts of lists$/],
  'forgets the second step of an order': [
    changeSelects((query) => ({ ...query, order: query.order.slice(0, 1) })),
    /^integer: orders$/,
  ],
  'loses rows in joins': [
    changeSelects((query) => ({
      ...query,
      filter: and(
        query.filter ?? any,
        ...query.joins.map(
          ({ on }, i): Filter<string> => ({ op: 'not null', reference: { source: i + 1, column: on[0]![1] } }),
        ),
      ),
    })),
    /^joins, also those that find nothing$/,
  ],
  'ignores the conditions of joins': [
    changeSelects((query) => ({ ...query, joins: query.joins.map(({ table, on }) => ({ table, on })) })),
    /^joins of rows that meet a condition$/,
  ],
  'ignores the conditions of aggregates': [
    changeAggregates((aggregate) => ({ ...aggregate, filter: undefined })),
    /^values of all rows that match$/,
  ],
  'gives a value to rows that a join has not found': [
    changeAggregates((aggregate) => ({ ...aggregate, owner: undefined })),
    /^values of all rows that match$/,
  ],
  'takes the least value for the greatest': [
    changeAggregates((aggregate) => ({
      ...aggregate,
      operation: aggregate.operation === 'max' ? 'min' : aggregate.operation,
    })),
    /^values of all rows that match$/,
  ],
  'reads equal values again': [
    changeSelects((query) => ({ ...query, distinct: undefined })),
    /^values that are read once$/,
  ],
  'ignores the filter of exists': [
    changeFilters((one) => ('from' in one ? { ...one, filter: any } : one)),
    /^exists and/,
  ],
  'takes not exists for exists': [
    changeFilters((one) => ('from' in one ? { ...one, op: 'exists' } : one)),
    /^exists and/,
  ],
  'ignores the columns of exists': [changeFilters((one) => ('from' in one ? { ...one, on: [] } : one)), /^exists and/],
  'counts everything': [
    (original) => ({ count: (query) => original.count({ ...query, filter: undefined }) }),
    /^and, or, and none of them$/,
  ],
  'reads booleans as numbers': [
    changeReadValues((value) => (typeof value === 'boolean' ? Number(value) : value)),
    /^boolean: values come back/,
  ],
  'reads big integers as doubles': [
    changeReadValues((value) => (typeof value === 'bigint' ? BigInt(Number(value)) : value)),
    /^bigint: values come back/,
  ],
  'reads decimals as doubles': [
    changeReadValues((value, { kind }) => (kind === 'decimal' && value !== null ? String(Number(value)) : value)),
    /^decimal: values come back/,
  ],
  'reads structures as text': [
    changeReadValues((value, { kind }) => (kind === 'json' && value !== null ? JSON.stringify(value) : value)),
    /^json: values come back/,
  ],
  'reads moments of another time zone': [
    changeReadValues((value) => (value instanceof Date ? new Date(value.getTime() + 3_600_000) : value)),
    /^dateTime: values come back/,
  ],
  'reads undefined for null': [changeReadValues((value) => value ?? undefined), /^text: values come back/],
  'composes letters': [
    changeStoredValues((value, column) => (isText(column) ? (value as string | null)?.normalize('NFC') : value)),
    /^text: values come back/,
  ],
  'trims texts': [
    changeStoredValues((value, column) => (isText(column) ? (value as string | null)?.trimEnd() : value)),
    /^text: values come back/,
  ],
  'stores null for the empty text': [
    changeStoredValues((value, column) => (column.name === 'label' && value === '' ? null : value)),
    /^text: values come back/,
  ],
  'describes everything as nullable': [changeColumns(() => ({ nullable: true })), /^describes its tables$/],
  'describes everything as optional': [changeColumns(() => ({ optional: true })), /^describes its tables$/],
  'describes decimals as texts': [
    changeColumns(({ kind }) => (kind === 'decimal' ? { kind: 'text' } : {})),
    /^describes its tables$/,
  ],
  'describes the first column of a key only': [
    (original) => ({ table: (name) => ({ ...original.table(name), key: original.table(name).key.slice(0, 1) }) }),
    /^describes its tables$/,
  ],
  'gives no keys': [
    (original) => ({ insert: async (table, values) => original.insert(table, values).then(() => new Map()) }),
    /^insert gives generated keys$/,
  ],
  'gives the row in place of the key': [
    (original) => ({ insert: async (table, values) => original.insert(table, values).then(() => values) }),
    /^insert gives composite keys$/,
  ],
  'knows no conflict': [
    (original) => ({ classifyError: (e) => (original.classifyError(e) === 'value' ? 'value' : undefined) }),
    /as a conflict$/,
  ],
  'knows nothing but conflicts': [() => ({ classifyError: () => 'conflict' }), /^insert refuses null/],
  'overwrites rows': [
    (original) => ({
      insert: async (table, values) => {
        const key = table.key.flatMap((name): Filter<string>[] => {
          const column = table.columns.get(name)!
          const value = values.get(column)
          return value === undefined ? [none] : [{ op: '=', reference: { source: 0, column }, value }]
        })
        await original.delete(table, and(...key))
        return original.insert(table, values)
      },
    }),
    /^insert refuses a key that exists/,
  ],
  'counts only rows that became others': [
    (original) => ({
      update: async (table, values, filter) => {
        const same = Array.from(
          values,
          ([column, value]): Filter<string> => ({ op: '=', reference: { source: 0, column }, value }),
        )
        const before = await original.count({ from: table, joins: [], filter: and(filter, ...same) })
        return (await original.update(table, values, filter)) - before
      },
    }),
    /^update counts rows that were the same before$/,
  ],
  'changes every row': [
    (original) => ({
      update: async (table, values, filter) => {
        const count = await original.count({ from: table, joins: [], filter })
        if (count > 0 && !Array.from(values.keys()).some(({ name }) => name === 'id'))
          await original.update(table, values, any)
        return count
      },
    }),
    /^update changes exactly the rows that fit$/,
  ],
  'adds the rows before one that is refused': [
    (original) => ({
      insertMany: async (table, rows, columns) => {
        for (const row of rows) await original.insert(table, row)
        const order = columns.map((reference) => ({ reference, descending: false }))
        return original.select({
          from: table,
          joins: [],
          filter: undefined,
          columns,
          order,
          limit: undefined,
          offset: 0,
        })
      },
    }),
    /^insertMany, where there is one/,
  ],
  'gives added rows in another order': [
    (original) => ({
      insertMany: async (table, rows, columns) => {
        const selected = await original.insertMany!(table, rows, columns)
        return { ...selected, rows: [...selected.rows].reverse() }
      },
    }),
    /^insertMany, where there is one/,
  ],
  'gives rows that were not changed': [
    (original) => ({
      updateReturning: async (table, changes, filter, columns) => {
        await original.update(table, changes, filter)
        return original.select({ from: table, joins: [], filter: any, columns, order: [], limit: undefined, offset: 0 })
      },
    }),
    /^updateReturning, where there is one/,
  ],
  'puts a row in place of one that it must leave': [
    (original) => ({ upsert: (upsert, columns) => original.upsert!({ ...upsert, filter: undefined }, columns) }),
    /^upsert, where there is one, leaves/,
  ],
  'changes rows to what new ones would be': [
    (original) => ({ upsert: (upsert, columns) => original.upsert!({ ...upsert, changes: upsert.values }, columns) }),
    /^upsert, where there is one, adds/,
  ],
  'removes every row': [(original) => ({ delete: (table) => original.delete(table, any) }), /^delete removes exactly/],
  'does not count what it removes': [
    (original) => ({ delete: async (table, filter) => (await original.delete(table, filter)) && 1 }),
    /^delete removes exactly/,
  ],
}

describe('a datastore is caught that', () => {
  test.each(Object.entries(broken))('%s', async (_, [change, inTest]) => {
    const failed = await runSuite(change)
    expect([...failed.keys()].filter((name) => inTest.test(name))).not.toEqual([])
  })
})

test('a failure names the case, the query, and both results', async () => {
  const failed = await runSuite(changeSelects((query) => ({ ...query, limit: query.limit === 3 ? 2 : query.limit })))
  expect(failed.get('parts of lists')).toBe(
    'Error: parts of lists\n' +
      'query:    {"from":"books","joins":[],"columns":[{"source":0,"column":"id"}],"order":[' +
      '{"reference":{"source":0,"column":"pages"},"descending":false},' +
      '{"reference":{"source":0,"column":"id"},"descending":true}],"limit":3,"offset":0}\n' +
      'expected: [[7],[5],[3]]\n' +
      'actual:   [[7],[5]]',
  )
  expect(failed.get('300 random queries')).toMatch(/^Error: random query \d+ of the seed 1\nquery: /)
})
