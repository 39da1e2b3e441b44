// The datastore suite: tests for your own datastore, with any test runner.
import type { Datastore, Table } from '../../plugins/mapper/index.ts'
import { testAggregates, testDistinctValues } from './aggregate-tests.ts'
import { testDerivedColumns } from './derived-tests.ts'
import { expectCount, expectRows, type SuiteSubject } from './expectations.ts'
import { buildKindTests } from './kind-tests.ts'
import { buildQueryCases } from './query-cases.ts'
import { generateQueries } from './random-queries.ts'
import { expectCases, testContains, testDescriptions, testEstimates, testPatterns } from './read-tests.ts'
import { createSuiteModel, type SuiteModel } from './suite-model.ts'
import { buildSuiteRows, buildSuiteTables, type SuiteKind, type SuiteTable, suiteKinds } from './suite-tables.ts'
import { testUnfitConditions, testUnfitWrites } from './unfit.ts'
import { buildWriteTests, insertSuiteRow } from './write-tests.ts'

export { type SuiteColumn, type SuiteKind, type SuiteTable, suiteKinds } from './suite-tables.ts'

/** A datastore with the tables of the suite. */
export interface SuiteStore<T> {
  readonly datastore: Datastore<T>
  /** Returns the source by which the datastore's users identify a table. */
  table(name: string): T
  close(): Promise<void>
}

/** The test runner and the tested datastore, as the suite uses them. */
export interface SuiteHarness<T> {
  /** Registers a test: `test` or `it` of the runner. */
  test(name: string, run: () => Promise<void>): void
  /** Registers a function that runs after all tests: `afterAll` or `after` of the runner. */
  afterAll(run: () => Promise<void>): void
  /**
   * Creates empty tables; generated columns must also accept values. Texts have up to 40 characters and compare by code
   * points; `integer` has 32 bits, `bigint` 64, `number` is a double, `decimal` has 20 digits, 4 of them after the point, and
   * `dateTime` has milliseconds.
   */
  open(tables: readonly SuiteTable[]): Promise<SuiteStore<T>>
  /** The kinds of columns that the datastore has, by default all; text and integer are always required. */
  readonly kinds?: readonly SuiteKind[]
  /** The number of random queries that are compared with the memory datastore, by default 300. */
  readonly queries?: number
  /** The seed of the random queries; a failure names the seed that repeats it. */
  readonly seed?: number
}

interface OpenedStore<T> {
  readonly subject: SuiteSubject<T>
  readonly store: SuiteStore<T>
}

/** Registers tests that a datastore must pass to be used with the mapper. */
export function datastoreSuite<T>(harness: SuiteHarness<T>): void {
  const { kinds = suiteKinds, queries = 300, seed = 1 } = harness
  const tables = buildSuiteTables(kinds)
  const rows = buildSuiteRows(kinds)
  const model = createSuiteModel(tables, rows)
  let shared: Promise<OpenedStore<T>> | undefined
  // Read tests share one set of tables.
  const registerReadTest = (name: string, run: (opened: OpenedStore<T>) => Promise<void>): void =>
    harness.test(name, async () => {
      shared ??= openFilledStore(harness, tables, model, rows)
      await run(await shared)
    })
  harness.afterAll(async () => {
    await (await shared)?.store.close()
  })

  for (const [name, run] of Object.entries(buildReadTests<T>({ ...harness, kinds, queries, seed }, model)))
    registerReadTest(name, run)
  const writeTests = {
    ...buildWriteTests<T>(kinds),
    'update and delete leave all rows where a value is none that its column can have': (subject: SuiteSubject<T>) =>
      testUnfitWrites(subject, kinds),
  }
  for (const [name, run] of Object.entries(writeTests)) {
    harness.test(name, async () => {
      const { subject, store } = await openStore(harness, tables, createSuiteModel(tables, {}))
      try {
        await run(subject)
      } finally {
        await store.close()
      }
    })
  }
}

type ReadTests<T> = Readonly<Record<string, (opened: OpenedStore<T>) => Promise<void>>>

/** The kinds of derived columns that every datastore supports. */
const DERIVED_KINDS: readonly SuiteKind[] = ['text', 'integer', 'number', 'boolean']

function buildReadTests<T>(
  { kinds, queries, seed }: Required<Pick<SuiteHarness<T>, 'kinds' | 'queries' | 'seed'>>,
  model: SuiteModel,
): ReadTests<T> {
  const [tables, rows] = [buildSuiteTables(kinds), buildSuiteRows(kinds)]
  const tests: Record<string, (opened: OpenedStore<T>) => Promise<void>> = {
    'describes its tables': ({ subject, store }) => testDescriptions(subject, tables, (name) => store.table(name)),
  }
  for (const kind of kinds)
    for (const [name, run] of Object.entries(buildKindTests<T>(kind))) tests[name] = ({ subject }) => run(subject)
  tests['like and not like'] = ({ subject }) => testPatterns(subject)
  tests['contains and not contains'] = ({ subject }) => testContains(subject)
  tests['columns that are worked out from others'] = ({ subject }) =>
    testDerivedColumns(
      subject,
      kinds.filter((kind) => DERIVED_KINDS.includes(kind)),
    )
  tests['values of all rows that match'] = ({ subject }) => testAggregates(subject, kinds)
  tests['values that are read once'] = ({ subject }) => testDistinctValues(subject, kinds)
  tests['conditions with values that their column cannot have'] = ({ subject }) => testUnfitConditions(subject, kinds)
  tests['estimates'] = ({ subject }) => testEstimates(subject)
  for (const [name, cases] of Object.entries(buildQueryCases(model)))
    tests[name] = ({ subject }) => expectCases(subject, name, cases)
  tests[`${queries} random queries`] = ({ subject }) => testRandomQueries(subject, rows, queries, seed)
  return tests
}

async function openStore<T>(
  harness: SuiteHarness<T>,
  suiteTables: readonly SuiteTable[],
  model: SuiteModel,
): Promise<OpenedStore<T>> {
  const store = await harness.open(suiteTables)
  const { datastore } = store
  const cached = new Map<string, Table<T>>()
  const tables = (name: string): Table<T> => {
    const table = cached.get(name) ?? datastore.table(store.table(name))
    cached.set(name, table)
    return table
  }
  return { store, subject: { model, datastore, tables } }
}

async function openFilledStore<T>(
  harness: SuiteHarness<T>,
  tables: readonly SuiteTable[],
  model: SuiteModel,
  rows: ReturnType<typeof buildSuiteRows>,
): Promise<OpenedStore<T>> {
  const opened = await openStore(harness, tables, model)
  for (const { name } of tables) for (const row of rows[name] ?? []) await insertSuiteRow(opened.subject, name, row)
  return opened
}

async function testRandomQueries<T>(
  subject: SuiteSubject<T>,
  rows: ReturnType<typeof buildSuiteRows>,
  count: number,
  seed: number,
): Promise<void> {
  const queries = generateQueries(subject.model, rows, seed)
  for (let number = 1; number <= count; number++) {
    const query = queries.next().value
    const what = `random query ${number} of the seed ${seed}`
    await expectRows(subject, what, query, (await subject.model.datastore.select(query)).rows)
    await expectCount(subject, what, query, await subject.model.datastore.count(query))
  }
}
