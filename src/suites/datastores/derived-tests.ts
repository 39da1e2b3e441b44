// The tests of derived columns in the datastore suite: they are read, ordered, compared, and used in cursors.
import type { ColumnKind, CursorValue, Filter, OrderStep, Select } from '../../plugins/mapper/index.ts'
import { expectSame, type SuiteSubject } from './expectations.ts'
import {
  ascendingValues,
  getSampleIndex,
  getSampleValue,
  type SuiteKind,
  sampleColumns,
  sampleIds,
} from './suite-tables.ts'

/** Tests columns that are derived from those of some kinds, if a datastore supports them. */
export async function testDerivedColumns<T>(subject: SuiteSubject<T>, kinds: readonly SuiteKind[]): Promise<void> {
  for (const kind of kinds) await testDerivedColumn(subject, kind)
}

async function testDerivedColumn<T>({ datastore, tables }: SuiteSubject<T>, kind: SuiteKind): Promise<void> {
  const from = tables('samples')
  const base = from.columns.get(sampleColumns[kind])!
  const column = datastore.derive?.('derived', kind as ColumnKind, {
    columns: [base],
    sql: ([expression]) => `coalesce(${expression}, ${expression})`,
    run: ([value]) => value,
  })
  if (column === undefined) return
  const reference = { source: 0, column }
  const id = { source: 0, column: from.columns.get('id')! }
  const columns = [id, { ...reference, forCursor: true as const }]
  const order: OrderStep[] = [reference, id].map((one) => ({ reference: one, descending: false }))
  const query: Select<T> = { from, joins: [], columns, filter: undefined, order, limit: undefined, offset: 0 }
  const readIds = async (part: Partial<Select<T>>): Promise<unknown[]> =>
    (await datastore.select({ ...query, ...part })).rows.map(([one]) => one)
  const getRank = (one: number): number => getSampleIndex(kind, one) ?? 1000
  const sorted = sampleIds.toSorted((a, b) => getRank(a) - getRank(b) || a - b)
  const all = await datastore.select(query)
  expectSame(`a derived column (${kind}): order`, query, sorted, await readIds({}))
  for (const [i, one] of sorted.entries()) {
    if (i % 3 > 0) continue
    const cursorValues = JSON.parse(JSON.stringify([all.cursorValue(i, 1), all.cursorValue(i, 0)])) as CursorValue[]
    const after = cursorValues.map((cursorValue) => ({ cursorValue }))
    expectSame(
      `a derived column (${kind}): after a cursor`,
      one,
      sorted.slice(i + 1, i + 4),
      await readIds({ after, limit: 3 }),
    )
  }
  expectSame(
    `a derived column (${kind}): value`,
    query,
    String(getSampleValue(kind, sorted[0]!)),
    String(all.rows[0]?.[1]),
  )
  await testDerivedComparisons(kind, async (filter) => readIds({ filter: { ...filter, reference } as Filter<T> }))
}

async function testDerivedComparisons(kind: SuiteKind, readIds: (filter: object) => Promise<unknown[]>): Promise<void> {
  for (const [index, value] of ascendingValues[kind]!.entries()) {
    const wanted = sampleIds.filter((one) => (getSampleIndex(kind, one) ?? -1) >= index)
    const found = (await readIds({ op: '>=', value })).toSorted((a, b) => Number(a) - Number(b))
    expectSame(`a derived column (${kind}): comparison`, value, wanted, found)
  }
}
