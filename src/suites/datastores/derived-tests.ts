// The part of the datastore suite about columns that are worked out from others: read, ordered, compared, and their places.
import type { ColumnKind, Filter, OrderStep, CursorValue, Select } from '../../plugins/query/query.ts'
import { expectSame, type SuiteSubject } from './expectations.ts'
import { ascendingValues, type SuiteKind, sampleColumns, sampleIds, getSampleIndex, getSampleValue } from './suite-tables.ts'

/** Checks columns that are worked out from those of some kinds, where a datastore has such columns. */
export async function testDerivedColumns<T>(subject: SuiteSubject<T>, kinds: readonly SuiteKind[]): Promise<void> {
  for (const kind of kinds) await testDerivedColumn(subject, kind)
}

async function testDerivedColumn<T>({ datastore, tables }: SuiteSubject<T>, kind: SuiteKind): Promise<void> {
  const from = tables('samples')
  const base = from.columns.get(sampleColumns[kind])!
  const column = datastore.derive?.('derived', kind as ColumnKind, {
    columns: [base],
    sql: ([written]) => `coalesce(${written}, ${written})`,
    run: ([value]) => value,
  })
  if (column === undefined) return
  const reference = { source: 0, column }
  const id = { source: 0, column: from.columns.get('id')! }
  const columns = [id, { ...reference, forCursor: true as const }]
  const order: OrderStep[] = [reference, id].map((one) => ({ reference: one, descending: false }))
  const query: Select<T> = { from, joins: [], columns, filter: undefined, order, limit: undefined, offset: 0 }
  const idsOf = async (part: Partial<Select<T>>): Promise<unknown[]> =>
    (await datastore.select({ ...query, ...part })).rows.map(([one]) => one)
  const rank = (one: number): number => getSampleIndex(kind, one) ?? 1000
  const sorted = sampleIds.toSorted((a, b) => rank(a) - rank(b) || a - b)
  const all = await datastore.select(query)
  expectSame(`a derived column (${kind}): order`, query, sorted, await idsOf({}))
  for (const [i, one] of sorted.entries()) {
    if (i % 3 > 0) continue
    const places = JSON.parse(JSON.stringify([all.cursorValue(i, 1), all.cursorValue(i, 0)])) as CursorValue[]
    const after = places.map((cursorValue) => ({ cursorValue }))
    expectSame(
      `a derived column (${kind}): after a place`,
      one,
      sorted.slice(i + 1, i + 4),
      await idsOf({ after, limit: 3 }),
    )
  }
  expectSame(
    `a derived column (${kind}): value`,
    query,
    String(getSampleValue(kind, sorted[0]!)),
    String(all.rows[0]?.[1]),
  )
  await testDerivedComparisons(kind, async (filter) => idsOf({ filter: { ...filter, reference } as Filter<T> }))
}

async function testDerivedComparisons(kind: SuiteKind, idsOf: (filter: object) => Promise<unknown[]>): Promise<void> {
  for (const [at, value] of ascendingValues[kind]!.entries()) {
    const wanted = sampleIds.filter((one) => (getSampleIndex(kind, one) ?? -1) >= at)
    const found = (await idsOf({ op: '>=', value })).toSorted((a, b) => Number(a) - Number(b))
    expectSame(`a derived column (${kind}): comparison`, value, wanted, found)
  }
}
