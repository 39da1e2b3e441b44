import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ColumnKind, ColumnValues, Datastore, Filter } from '../../query/query.ts'
import { type MemoryTable, memoryDatastore } from './memory.ts'

const column = (datastore: Datastore<string>, table: string, name: string) => datastore.table(table).columns.get(name)!
const createStore = (kind: ColumnKind, ...values: unknown[]): Datastore<string> =>
  memoryDatastore({
    t: {
      columns: { id: { kind: 'integer', generated: true }, v: { kind, nullable: true } },
      key: ['id'],
      rows: values.map((v) => ({ v })),
    },
  })

async function selectAll(datastore: Datastore<string>, filter?: Filter<string>, descending = false) {
  const table = datastore.table('t')
  const reference = { source: 0, column: column(datastore, 't', 'v') }
  const order = [{ reference, descending }]
  return datastore.select({ from: table, joins: [], filter, columns: [reference], order, limit: undefined, offset: 0 })
}

const toColumnValues = (datastore: Datastore<string>, row: Record<string, unknown>): ColumnValues =>
  new Map(Object.entries(row).map(([name, value]) => [column(datastore, 't', name), value]))

async function getFault(datastore: Datastore<string>, row: Record<string, unknown>) {
  try {
    await datastore.insert(datastore.table('t'), toColumnValues(datastore, row))
    return 'no error'
  } catch (error) {
    return datastore.classifyError(error)
  }
}

describe('values', () => {
  test('are copied in and out', async () => {
    const date = new Date(0)
    const dates = createStore('dateTime', date)
    date.setTime(1)
    const first = await selectAll(dates)
    ;(first.rows[0]![0] as Date).setTime(2)
    expect((await selectAll(dates)).rows).toEqual([[new Date(0)]])
    expect(first.cursorValue(0, 0)).toBe('1970-01-01T00:00:00.000Z')

    const structure = { a: [1] }
    const structures = createStore('json', structure)
    structure.a.push(2)
    ;((await selectAll(structures)).rows[0]![0] as typeof structure).a.push(3)
    expect((await selectAll(structures)).rows).toEqual([[{ a: [1] }]])

    const bytes = Uint8Array.of(1, 255)
    const several = createStore('bytes', bytes)
    bytes[0] = 9
    const read = await selectAll(several)
    expect(read.rows).toEqual([[Uint8Array.of(1, 255)]])
    expect(read.cursorValue(0, 0)).toBe('01ff')
  })

  test('have an order of their own: decimals by their exact numbers, texts by code points, nulls last', async () => {
    const decimals = ['10', '9.5', '-1.25', '-1.5', '0.1', '12345678901234567890.1', '12345678901234567890.2', null]
    expect((await selectAll(createStore('decimal', ...decimals))).rows.flat()).toEqual([
      '-1.5',
      '-1.25',
      '0.1',
      '9.5',
      '10',
      '12345678901234567890.1',
      '12345678901234567890.2',
      null,
    ])
    const texts = ['\u{1f600}', '\uffee', 'z', 'Z', null]
    expect((await selectAll(createStore('text', ...texts), undefined, true)).rows.flat()).toEqual([
      null,
      '\u{1f600}',
      '\uffee',
      'z',
      'Z',
    ])
    const bytes = [Uint8Array.of(2), Uint8Array.of(1, 1), Uint8Array.of(1)]
    expect((await selectAll(createStore('bytes', ...bytes))).rows.flat().map(String)).toEqual(['1', '1,1', '2'])
  })

  test('two decimals are compared as whole numbers of the smallest part would be', async () => {
    const parts = fc.tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.integer({ min: 0, max: 12 }))
    const formatDecimal = (part: bigint, zeros: number): string => {
      const digits = String(part < 0n ? -part : part).padStart(7, '0')
      return `${part < 0n ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}${'0'.repeat(zeros)}`
    }
    await fc.assert(
      fc.asyncProperty(parts, parts, async ([a, zerosA], [b, zerosB]) => {
        const datastore = createStore('decimal', formatDecimal(a, zerosA))
        const reference = { source: 0, column: column(datastore, 't', 'v') }
        const count = (filter: Filter<string>) => datastore.count({ from: datastore.table('t'), joins: [], filter })
        expect(await count({ op: '<', reference, value: formatDecimal(b, zerosB) })).toBe(a < b ? 1 : 0)
        expect(await count({ op: '=', reference, value: formatDecimal(b, zerosB) })).toBe(a === b ? 1 : 0)
        expect(await count({ op: '=', reference, cursorValue: formatDecimal(a, zerosB) })).toBe(1)
      }),
    )
  })
})

describe('places', () => {
  const cases: [ColumnKind, unknown, string | number | boolean][] = [
    ['text', 'é', 'é'],
    ['integer', -3, -3],
    ['bigint', 2n ** 63n, '9223372036854775808'],
    ['number', 0.1, 0.1],
    ['decimal', '-01.50', '-1.5'],
    ['decimal', '-0.00', '0'],
    ['decimal', '100', '100'],
    ['boolean', false, false],
    ['date', '2024-02-29', '2024-02-29'],
    ['dateTime', new Date(1), '1970-01-01T00:00:00.001Z'],
    ['time', '23:59:59.5', '23:59:59.5'],
    ['json', { a: 1 }, '{"a":1}'],
    ['bytes', Uint8Array.of(0, 16), '0010'],
  ]
  test.each(cases)('of the kind %s: %s', async (kind, value, cursorValue) => {
    const datastore = createStore(kind, value)
    const reference = { source: 0, column: column(datastore, 't', 'v') }
    expect((await selectAll(datastore)).cursorValue(0, 0)).toBe(cursorValue)
    expect(reference.column.isCursorValue(cursorValue)).toBe(true)
    expect((await selectAll(datastore, { op: '=', reference, cursorValue })).rows).toHaveLength(1)
    expect((await selectAll(datastore, { op: '>', reference, cursorValue })).rows).toHaveLength(0)
  })

  test.each<[ColumnKind, unknown]>([
    ['text', 1],
    ['integer', 1.5],
    ['bigint', '1.5'],
    ['number', '1'],
    ['decimal', '1e5'],
    ['boolean', 0],
    ['date', 'tomorrow'],
    ['dateTime', '1970-01-01'],
    ['time', ''],
    ['json', '{'],
    ['bytes', 'f'],
    ['text', null],
    ['other', {}],
  ])('of the kind %s never are %s', (kind, value) => {
    expect(column(createStore(kind), 't', 'v').isCursorValue(value)).toBe(false)
  })
})

describe('new rows', () => {
  const declared: MemoryTable = {
    columns: {
      id: { kind: 'bigint', generated: true },
      name: { kind: 'text' },
      state: { kind: 'text', default: 'new' },
      made: { kind: 'dateTime', default: () => new Date(5) },
    },
    key: ['id'],
  }

  test('get numbers and defaults, and never the number of another row', async () => {
    const datastore = memoryDatastore({ t: { ...declared, rows: [{ id: 7n, name: 'a' }] } })
    const table = datastore.table('t')
    const key = await datastore.insert(table, toColumnValues(datastore, { name: 'b' }))
    expect([...key]).toEqual([[column(datastore, 't', 'id'), 8n]])
    const columns = [...table.columns.values()].map((column) => ({ source: 0, column }))
    const read = await datastore.select({
      from: table,
      joins: [],
      filter: undefined,
      columns,
      order: [],
      limit: 1,
      offset: 1,
    })
    expect(read.rows).toEqual([[8n, 'b', 'new', new Date(5)]])
    expect(Array.from(table.columns.values(), ({ optional }) => optional)).toEqual([true, false, true, true])
  })

  test('are refused for a reason', async () => {
    const datastore = memoryDatastore({ t: { ...declared, rows: [{ id: 7n, name: 'a' }] } })
    expect(await getFault(datastore, { id: 7n, name: 'b' })).toBe('conflict')
    expect(await getFault(datastore, {})).toBe('value')
    expect(await getFault(datastore, { name: 1 })).toBe('value')
    expect(await getFault(datastore, { name: 'b' })).toBe('no error')
    expect(datastore.classifyError(new Error('of somebody else'))).toBeUndefined()
    expect(await datastore.count({ from: datastore.table('t'), joins: [], filter: undefined })).toBe(2)
  })

  test('have keys that equal each other as their values do', async () => {
    const datastore = memoryDatastore({ t: { columns: { v: { kind: 'decimal' } }, key: ['v'], rows: [{ v: '1.5' }] } })
    expect(await getFault(datastore, { v: '1.50' })).toBe('conflict')
  })
})

test('a number that a change has given to a row is not generated again, unless it changed none', async () => {
  const store = createStore('text', 'a', 'b')
  const table = store.table('t')
  const [id, v] = ['id', 'v'].map((name) => ({ source: 0, column: column(store, 't', name) }))
  const insertNew = async (): Promise<unknown> => [
    ...(await store.insert(table, toColumnValues(store, { v: 'new' }))).values(),
  ]
  const change = (value: string, to: number) =>
    store.update(table, new Map([[id!.column, to]]), { op: '=', reference: v!, value })
  expect([await change('none', 70), await insertNew()]).toEqual([0, [3]])
  expect([await change('b', 70), await insertNew()]).toEqual([1, [71]])
  expect([await change('a', 5), await insertNew()]).toEqual([1, [72]])
})

test('a change that would break a unique set changes none', async () => {
  const store = memoryDatastore({
    t: {
      columns: { id: { kind: 'integer' }, v: { kind: 'text', nullable: true } },
      key: ['id'],
      unique: [['v']],
      rows: [
        { id: 1, v: 'a' },
        { id: 2, v: null },
        { id: 3, v: null },
      ],
    },
  })
  const table = store.table('t')
  const changed = store.update(table, toColumnValues(store, { v: 'a' }), { op: 'and', of: [] })
  expect(await changed.catch((error: unknown) => store.classifyError(error))).toBe('conflict')
  expect((await selectAll(store)).rows).toEqual([['a'], [null], [null]])
  expect(await store.update(table, toColumnValues(store, { v: null }), { op: 'and', of: [] })).toBe(3)
})

test('a change that would make two rows of one key changes none', async () => {
  const datastore = createStore('text', 'a', 'b', 'c')
  const reference = { source: 0, column: column(datastore, 't', 'v') }
  const change = datastore.update(datastore.table('t'), toColumnValues(datastore, { id: 3, v: 'x' }), {
    op: '!=',
    reference,
    value: 'c',
  })
  await expect(change).rejects.toSatisfy((error) => datastore.classifyError(error) === 'conflict')
  expect((await selectAll(datastore)).rows).toEqual([['a'], ['b'], ['c']])
})

test('tables are joined by equal values, also of different kinds', async () => {
  const columns = { a: { kind: 'integer' }, b: { kind: 'decimal', nullable: true } } as const
  const datastore = memoryDatastore({
    t: {
      columns,
      key: ['a'],
      rows: [
        { a: 1, b: '2.0' },
        { a: 2, b: null },
        { a: 3, b: '9' },
      ],
    },
    big: { columns: { n: { kind: 'bigint' } }, key: ['n'], rows: [{ n: 1n }, { n: 3n }] },
    exact: { columns: { n: { kind: 'decimal' } }, key: ['n'], rows: [{ n: '2' }] },
  })
  const [from, big, exact] = ['t', 'big', 'exact'].map((name) => datastore.table(name))
  const [a, b] = ['a', 'b'].map((name) => ({ source: 0, column: column(datastore, 't', name) }))
  const [n, m] = [column(datastore, 'big', 'n'), column(datastore, 'exact', 'n')]
  const { rows } = await datastore.select({
    from: from!,
    joins: [
      { table: big!, on: [[a!, n]] },
      { table: exact!, on: [[b!, m]] },
    ],
    filter: undefined,
    columns: [a!, { source: 1, column: n }, { source: 2, column: m }],
    order: [],
    limit: undefined,
    offset: 0,
  })
  expect(rows).toEqual([
    [1, 1n, '2'],
    [2, null, null],
    [3, 3n, null],
  ])
})

test('mistakes in declarations are told', () => {
  expect(() => memoryDatastore({}).table('toString')).toThrow("There is no table 'toString'")
  expect(() => memoryDatastore({ t: { columns: {}, key: ['id'] } })).toThrow("names 'id', which is no column of it")
  expect(() => memoryDatastore({ t: { columns: {}, key: [], rows: [{ id: 1 }] } })).toThrow("has no column 'id'")
})
