// The read tests of the datastore suite: descriptions, queries with fixed results, and patterns.
import { createContainsTest } from '../../plugins/mapper/extend.ts'
import type { Pattern } from '../../plugins/mapper/index.ts'
import { expectCount, expectRows, expectSame, type SuiteSubject } from './expectations.ts'
import { bindCount, type QueryCases } from './suite-model.ts'
import { ascendingValues, buildSuiteRows, type SuiteTable } from './suite-tables.ts'

/** Tests the descriptions of a datastore's tables. */
export async function testDescriptions<T>(
  { datastore, tables }: SuiteSubject<T>,
  expected: readonly SuiteTable[],
  source: (name: string) => T,
): Promise<void> {
  for (const { name, columns, key } of expected) {
    const table = tables(name)
    expectSame('the key', name, key, table.key)
    if (table.source !== source(name)) throw new Error(`The description of the table '${name}' has another source`)
    const described = Array.from(table.columns, ([at, column]) => {
      return { at, name: column.name, kind: column.kind, nullable: column.nullable, optional: column.optional }
    })
    const expectedColumns = columns.map((column) => {
      const { kind, nullable, generated } = column
      return { at: column.name, name: column.name, kind, nullable, optional: nullable || generated }
    })
    const sortColumns = (list: typeof described) => list.toSorted((a, b) => (a.at < b.at ? -1 : 1))
    expectSame('the columns', name, sortColumns(expectedColumns), sortColumns(described))
  }
  if (!(datastore.maxValues >= 100)) throw new Error(`maxValues must be 100 at least, not ${datastore.maxValues}`)
  expectSame(
    'the fault of an error that is not its own',
    undefined,
    undefined,
    datastore.classifyError(new Error('other')),
  )
  expectSame('the fault of what is no error', undefined, undefined, datastore.classifyError(undefined))
}

/** Throws if a query does not read or count the expected rows. */
export async function expectCases<T>(subject: SuiteSubject<T>, what: string, cases: QueryCases): Promise<void> {
  for (const [query, rows] of cases) {
    await expectRows(subject, what, query, rows)
    const isPart = query.limit !== undefined || query.offset > 0 || query.perKey !== undefined
    if (!isPart) await expectCount(subject, what, query, rows.length)
  }
}

const ODD_TEXTS = ['%%', 'a%', '__', 'B', '\\%', 'b"', "'", '\u0301', '*', '?', '[', '.', 'zz']

/** Tests patterns with texts that contain the special characters of databases' patterns. */
export async function testPatterns<T>(subject: SuiteSubject<T>): Promise<void> {
  const { model } = subject
  const [id, reference] = [model.reference('samples', 'id'), model.reference('samples', 'label')]
  const order = [{ reference: id, descending: false }]
  const samples = buildSuiteRows(['text'])['samples']!
  for (const text of [...(ascendingValues.text as string[]), ...ODD_TEXTS]) {
    for (const [before, after] of [
      [false, false],
      [false, true],
      [true, false],
      [true, true],
    ] as const) {
      const pattern = { text, before, after }
      for (const op of ['like', 'not like'] as const) {
        const query = model.select('samples', ['id'], { filter: { op, reference, pattern }, order })
        const wanted = samples.filter(({ label }) => isMatch(label, pattern) === (op === 'like'))
        await expectRows(
          subject,
          op,
          query,
          wanted.map((row) => [row['id']]),
        )
      }
    }
  }
}

const CONTAINED_TEXTS = [
  '',
  'a',
  'A',
  'AB',
  'aXb',
  'É',
  'e\u0301',
  'SS',
  'ß',
  'ẞ',
  '[A]',
  '%',
  '_',
  '\\',
  '.',
  '^a',
  'a\u0000',
  '\u{1f600}A',
]

/** Tests case-insensitive substrings. */
export async function testContains<T>(subject: SuiteSubject<T>): Promise<void> {
  const { model } = subject
  const [id, reference] = [model.reference('samples', 'id'), model.reference('samples', 'label')]
  const order = [{ reference: id, descending: false }]
  const samples = buildSuiteRows(['text'])['samples']!
  for (const text of CONTAINED_TEXTS) {
    const contains = createContainsTest(text)
    for (const op of ['contains', 'not contains'] as const) {
      const query = model.select('samples', ['id'], { filter: { op, reference, text }, order })
      const wanted = samples.filter(({ label }) => contains(label) === (op === 'contains'))
      const rows = wanted.map((row) => [row['id']])
      await expectRows(subject, op, query, rows)
    }
  }
}

function isMatch(label: unknown, { text, before, after }: Pattern): boolean {
  if (typeof label !== 'string') return false
  if (!before && !after) return label === text
  if (!before) return label.startsWith(text)
  return after ? label.includes(text) : label.endsWith(text)
}

/** Tests that an estimate is a number of rows, if a datastore has estimates. */
export async function testEstimates<T>({ datastore, tables, model }: SuiteSubject<T>): Promise<void> {
  const { estimate } = datastore
  if (estimate === undefined) return
  const reference = model.reference('books', 'pages')
  const filtered = model.select('books', [], { filter: { op: '>', reference, value: 10 } })
  for (const query of [model.select('books', []), filtered]) {
    const found = await estimate(bindCount(query, tables))
    expectSame('an estimate that is a number of rows', query, true, Number.isSafeInteger(found) && found >= 0)
  }
}
