import { afterAll, describe, expect, test } from 'vitest'
import { memoryDatastore } from '../../plugins/datastores/memory/memory.ts'
import type { Column, Datastore, Filter, CursorValue, Reference, Select, Table, ColumnValues } from '../../plugins/query/query.ts'
import { datastoreSuite, type SuiteHarness } from './suite.ts'
import { toMemoryTable } from './suite-tables.ts'

type Store = Datastore<string>
type Break = (datastore: Store) => Partial<Store>

function harness(change: Break = () => ({})): Omit<SuiteHarness<string>, 'test' | 'afterAll'> {
  return {
    open: async (tables) => {
      const whole = memoryDatastore(Object.fromEntries(tables.map((table) => [table.name, toMemoryTable(table)])))
      return { datastore: { ...whole, ...change(whole) }, table: (name) => name, close: async () => undefined }
    },
  }
}

describe('the memory datastore', () => datastoreSuite({ test, afterAll, ...harness() }))

/** Runs the suite for a datastore and gives the messages of the tests that fail, by their names. */
async function failures(change: Break): Promise<Map<string, string>> {
  const [tests, ends]: [[string, () => Promise<void>][], (() => Promise<void>)[]] = [[], []]
  datastoreSuite({
    test: (name, run) => tests.push([name, run]),
    afterAll: (run) => ends.push(run),
    ...harness(change),
  })
  const failed = new Map<string, string>()
  for (const [name, run] of tests) await run().catch((error: unknown) => failed.set(name, String(error)))
  for (const end of ends) await end().catch(() => undefined)
  return failed
}

/** Changes every filter of a query, the inner ones first. */
function mapped(filter: Filter<string>, change: (filter: Filter<string>) => Filter<string>): Filter<string> {
  if (filter.op === 'and' || filter.op === 'or')
    return change({ ...filter, of: filter.of.map((one) => mapped(one, change)) })
  return change('from' in filter ? { ...filter, filter: mapped(filter.filter, change) } : filter)
}

/** A datastore that understands filters differently. */
const filters =
  (change: (filter: Filter<string>) => Filter<string>): Break =>
  (whole) => ({
    select: (query) => whole.select({ ...query, filter: query.filter && mapped(query.filter, change) }),
    count: (query) => whole.count({ ...query, filter: query.filter && mapped(query.filter, change) }),
    update: (table, values, filter) => whole.update(table, values, mapped(filter, change)),
    delete: (table, filter) => whole.delete(table, mapped(filter, change)),
  })

const selects =
  (change: (query: Select<string>) => Select<string>): Break =>
  (whole) => ({ select: (query) => whole.select(change(query)) })

/** A datastore that reads values differently. */
const values =
  (change: (value: unknown, column: Column) => unknown): Break =>
  (whole) => ({
    select: async (query) => {
      const read = await whole.select(query)
      const rows = read.rows.map((row) => row.map((value, i) => change(value, query.columns[i]!.column)))
      return { ...read, rows }
    },
  })

const places =
  (change: (place: CursorValue, column: Column) => CursorValue): Break =>
  (whole) => ({
    select: async (query) => {
      const read = await whole.select(query)
      return { ...read, cursorValue: (row, column) => change(read.cursorValue(row, column), query.columns[column]!.column) }
    },
  })

/** A datastore that stores values differently. */
const stores =
  (change: (value: unknown, column: Column) => unknown): Break =>
  (whole) => {
    const all = (given: ColumnValues) => new Map(Array.from(given, ([column, value]) => [column, change(value, column)]))
    return {
      insert: (table, given) => whole.insert(table, all(given)),
      update: (table, given, filter) => whole.update(table, all(given), filter),
    }
  }

const columns =
  (change: (column: Column) => Partial<Column>): Break =>
  (whole) => {
    const known = new Map<string, Table<string>>()
    const described = (name: string): Table<string> => {
      const table = whole.table(name)
      const changed = Array.from(table.columns, ([at, column]) => [at, { ...column, ...change(column) }] as const)
      return { ...table, columns: new Map(changed) }
    }
    return { table: (name) => known.get(name) ?? known.set(name, described(name)).get(name)! }
  }

const any: Filter<string> = { op: 'and', of: [] }
const none: Filter<string> = { op: 'or', of: [] }
const and = (...of: Filter<string>[]): Filter<string> => ({ op: 'and', of })
const valued = (reference: Reference): Filter<string> => ({ op: 'not null', reference })

function eitherCase(filter: Filter<string>): Filter<string> {
  if (filter.op !== 'like') return filter
  const { text } = filter.pattern
  const of = [text, text.toLowerCase(), text.toUpperCase()].map((one) => {
    return { ...filter, pattern: { ...filter.pattern, text: one } }
  })
  return { op: 'or', of }
}

// Sorts what was read once more, by the same order with nulls at its other end.
const nullsFirst: Break = (whole) => ({
  select: async (query) => {
    const nulls = { ...query, limit: undefined, offset: 0, columns: query.order.map(({ reference }) => reference) }
    const all = await whole.select({ ...nulls, columns: [...nulls.columns, ...query.columns] })
    const count = query.order.length
    const [first] = query.order
    const rank = (row: readonly unknown[]) => (row[0] === null ? -1 : 1) * (first?.descending ? -1 : 1)
    const sorted = count === 0 ? all.rows : all.rows.toSorted((a, b) => rank(a) - rank(b))
    const part = sorted.slice(query.offset, query.limit === undefined ? undefined : query.offset + query.limit)
    return { ...(await whole.select(query)), rows: part.map((row) => row.slice(count)) }
  },
})

const lossy = (place: CursorValue, { kind }: Column): CursorValue => (kind === 'decimal' ? String(Number(place)) : place)
const isText = ({ kind }: Column): boolean => kind === 'text'

const broken: Readonly<Record<string, readonly [Break, inTest: RegExp]>> = {
  'puts nulls first': [nullsFirst, /^integer: orders$/],
  'drops nulls at !=': [
    filters((one) => (one.op === '!=' ? and(valued(one.reference), one) : one)),
    /^text: comparisons with values$/,
  ],
  'drops nulls at not in': [
    filters((one) => (one.op === 'not in' ? and(valued(one.reference), one) : one)),
    /^text: in and not in$/,
  ],
  'drops nulls at not like': [
    filters((one) => (one.op === 'not like' ? and(valued(one.reference), one) : one)),
    /^like and not like$/,
  ],
  'ignores case at like': [filters(eitherCase), /^like and not like$/],
  'takes % for a wildcard': [
    filters((one) => (one.op === 'like' && one.pattern.text === '%' ? valued(one.reference) : one)),
    /^like and not like$/,
  ],
  'takes < for <=': [
    filters((one) => (one.op === '<' ? { ...one, op: '<=' } : one)),
    /^date: comparisons with values$/,
  ],
  'takes in [] for everything': [
    filters((one) => (one.op === 'in' && one.values.length === 0 ? any : one)),
    /^boolean: in and not in$/,
  ],
  'takes no alternative for everything': [
    filters((one) => (one.op === 'or' && one.of.length === 0 ? any : one)),
    /^and, or, and none of them$/,
  ],
  'takes no condition for nothing': [
    filters((one) => (one.op === 'and' && one.of.length === 0 ? none : one)),
    /^and, or, and none of them$/,
  ],
  'loses digits of places': [places(lossy), /^decimal: comparisons with places$/],
  'loses milliseconds of places': [
    places((place, { kind }) => (kind === 'dateTime' && place ? `${String(place).slice(0, 20)}000Z` : place)),
    /^dateTime: comparisons with places$/,
  ],
  'gives places that JSON cannot carry': [
    places((place, { kind }) => (kind === 'bigint' && place !== null ? (BigInt(place) as never) : place)),
    /^bigint: comparisons with places$/,
  ],
  'does not know its own places': [columns(() => ({ isCursorValue: () => false })), /^time: comparisons with places$/],
  'takes anything for a place': [columns(() => ({ isCursorValue: () => true })), /^time: comparisons with places$/],
  'reads one row too many': [
    selects((query) => ({ ...query, limit: query.limit === undefined ? undefined : query.limit + 1 })),
    /^parts of lists$/,
  ],
  'takes the limit 0 for none': [
    selects((query) => ({ ...query, limit: query.limit || undefined })),
    /^parts of lists$/,
  ],
  'begins at the first row': [selects((query) => ({ ...query, offset: 0 })), /^parts of lists$/],
  'forgets the second step of an order': [
    selects((query) => ({ ...query, order: query.order.slice(0, 1) })),
    /^integer: orders$/,
  ],
  'loses rows in joins': [
    selects((query) => ({
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
    selects((query) => ({ ...query, joins: query.joins.map(({ table, on }) => ({ table, on })) })),
    /^joins of rows that meet a condition$/,
  ],
  'ignores the filter of exists': [filters((one) => ('from' in one ? { ...one, filter: any } : one)), /^exists and/],
  'takes not exists for exists': [filters((one) => ('from' in one ? { ...one, op: 'exists' } : one)), /^exists and/],
  'ignores the columns of exists': [filters((one) => ('from' in one ? { ...one, on: [] } : one)), /^exists and/],
  'counts everything': [
    (whole) => ({ count: (query) => whole.count({ ...query, filter: undefined }) }),
    /^and, or, and none of them$/,
  ],
  'reads booleans as numbers': [
    values((value) => (typeof value === 'boolean' ? Number(value) : value)),
    /^boolean: values come back/,
  ],
  'reads big integers as doubles': [
    values((value) => (typeof value === 'bigint' ? BigInt(Number(value)) : value)),
    /^bigint: values come back/,
  ],
  'reads decimals as doubles': [
    values((value, { kind }) => (kind === 'decimal' && value !== null ? String(Number(value)) : value)),
    /^decimal: values come back/,
  ],
  'reads structures as text': [
    values((value, { kind }) => (kind === 'json' && value !== null ? JSON.stringify(value) : value)),
    /^json: values come back/,
  ],
  'reads moments of another time zone': [
    values((value) => (value instanceof Date ? new Date(value.getTime() + 3_600_000) : value)),
    /^dateTime: values come back/,
  ],
  'reads undefined for null': [values((value) => value ?? undefined), /^text: values come back/],
  'composes letters': [
    stores((value, column) => (isText(column) ? (value as string | null)?.normalize('NFC') : value)),
    /^text: values come back/,
  ],
  'trims texts': [
    stores((value, column) => (isText(column) ? (value as string | null)?.trimEnd() : value)),
    /^text: values come back/,
  ],
  'stores null for the empty text': [
    stores((value, column) => (column.name === 'label' && value === '' ? null : value)),
    /^text: values come back/,
  ],
  'describes everything as nullable': [columns(() => ({ nullable: true })), /^describes its tables$/],
  'describes everything as optional': [columns(() => ({ optional: true })), /^describes its tables$/],
  'describes decimals as texts': [
    columns(({ kind }) => (kind === 'decimal' ? { kind: 'text' } : {})),
    /^describes its tables$/,
  ],
  'describes the first column of a key only': [
    (whole) => ({ table: (name) => ({ ...whole.table(name), key: whole.table(name).key.slice(0, 1) }) }),
    /^describes its tables$/,
  ],
  'gives no keys': [
    (whole) => ({ insert: async (table, given) => whole.insert(table, given).then(() => new Map()) }),
    /^insert gives generated keys$/,
  ],
  'gives the row in place of the key': [
    (whole) => ({ insert: async (table, given) => whole.insert(table, given).then(() => given) }),
    /^insert gives composite keys$/,
  ],
  'knows no conflict': [
    (whole) => ({ fault: (e) => (whole.fault(e) === 'value' ? 'value' : undefined) }),
    /as a conflict$/,
  ],
  'knows nothing but conflicts': [() => ({ fault: () => 'conflict' }), /^insert refuses null/],
  'overwrites rows': [
    (whole) => ({
      insert: async (table, given) => {
        const key = table.key.flatMap((name): Filter<string>[] => {
          const column = table.columns.get(name)!
          const value = given.get(column)
          return value === undefined ? [none] : [{ op: '=', reference: { source: 0, column }, value }]
        })
        await whole.delete(table, and(...key))
        return whole.insert(table, given)
      },
    }),
    /^insert refuses a key that exists/,
  ],
  'counts only rows that became others': [
    (whole) => ({
      update: async (table, given, filter) => {
        const same = Array.from(
          given,
          ([column, value]): Filter<string> => ({ op: '=', reference: { source: 0, column }, value }),
        )
        const before = await whole.count({ from: table, joins: [], filter: and(filter, ...same) })
        return (await whole.update(table, given, filter)) - before
      },
    }),
    /^update counts rows that were the same before$/,
  ],
  'changes every row': [
    (whole) => ({
      update: async (table, given, filter) => {
        const count = await whole.count({ from: table, joins: [], filter })
        if (count > 0 && !Array.from(given.keys()).some(({ name }) => name === 'id'))
          await whole.update(table, given, any)
        return count
      },
    }),
    /^update changes exactly the rows that fit$/,
  ],
  'adds the rows before one that is refused': [
    (whole) => ({
      insertMany: async (table, rows, columns) => {
        for (const row of rows) await whole.insert(table, row)
        const order = columns.map((reference) => ({ reference, descending: false }))
        return whole.select({ from: table, joins: [], filter: undefined, columns, order, limit: undefined, offset: 0 })
      },
    }),
    /^insertMany, where there is one/,
  ],
  'gives added rows in another order': [
    (whole) => ({
      insertMany: async (table, rows, columns) => {
        const selected = await whole.insertMany!(table, rows, columns)
        return { ...selected, rows: [...selected.rows].reverse() }
      },
    }),
    /^insertMany, where there is one/,
  ],
  'gives rows that were not changed': [
    (whole) => ({
      updateReturning: async (table, given, filter, columns) => {
        await whole.update(table, given, filter)
        return whole.select({ from: table, joins: [], filter: any, columns, order: [], limit: undefined, offset: 0 })
      },
    }),
    /^updateReturning, where there is one/,
  ],
  'puts a row in place of one that it must leave': [
    (whole) => ({ upsert: (upsert, columns) => whole.upsert!({ ...upsert, filter: undefined }, columns) }),
    /^upsert, where there is one, leaves/,
  ],
  'changes rows to what new ones would be': [
    (whole) => ({ upsert: (upsert, columns) => whole.upsert!({ ...upsert, changes: upsert.values }, columns) }),
    /^upsert, where there is one, adds/,
  ],
  'removes every row': [(whole) => ({ delete: (table) => whole.delete(table, any) }), /^delete removes exactly/],
  'does not count what it removes': [
    (whole) => ({ delete: async (table, filter) => (await whole.delete(table, filter)) && 1 }),
    /^delete removes exactly/,
  ],
}

describe('a datastore is caught that', () => {
  test.each(Object.entries(broken))('%s', async (_, [change, inTest]) => {
    const failed = await failures(change)
    expect([...failed.keys()].filter((name) => inTest.test(name))).not.toEqual([])
  })
})

test('a failure names the case, the query, and both results', async () => {
  const failed = await failures(selects((query) => ({ ...query, limit: query.limit === 3 ? 2 : query.limit })))
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
