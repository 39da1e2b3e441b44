// The tests of values in the datastore suite: every operator, every order and every cursor value of one kind of column.
import type { Comparison, CursorValue, Filter, Select } from '../../plugins/mapper/index.ts'
import { createMismatchError, expectCount, expectRows, expectSame, type SuiteSubject } from './expectations.ts'
import { bindSelect } from './suite-model.ts'
import {
  ascendingValues,
  getSampleIndex,
  getSampleValue,
  type SuiteKind,
  sampleColumns,
  sampleIds,
} from './suite-tables.ts'

const comparisons: Readonly<Record<Comparison, (difference: number) => boolean>> = {
  '=': (difference) => difference === 0,
  '<': (difference) => difference < 0,
  '<=': (difference) => difference <= 0,
  '>': (difference) => difference > 0,
  '>=': (difference) => difference >= 0,
}
const operators = Object.keys(comparisons) as readonly Comparison[]

type IndexTest = (index: number | undefined) => boolean

/** Builds the tests of one kind, one for each concern. */
export function buildKindTests<T>(
  kind: SuiteKind,
): Readonly<Record<string, (subject: SuiteSubject<T>) => Promise<void>>> {
  const common = {
    [`${kind}: values come back as they were written`]: (subject: SuiteSubject<T>) => testRoundTrip(kind, subject),
    [`${kind}: null and not null`]: (subject: SuiteSubject<T>) => testNulls(kind, subject),
  }
  if (ascendingValues[kind] === undefined) return common
  return {
    ...common,
    [`${kind}: comparisons with values`]: (subject) => testValueComparisons(kind, subject),
    [`${kind}: comparisons with cursors`]: (subject) => testCursorComparisons(kind, subject),
    [`${kind}: in and not in`]: (subject) => testInLists(kind, subject),
    [`${kind}: orders`]: (subject) => testOrders(kind, subject),
  }
}

async function testRoundTrip<T>(kind: SuiteKind, subject: SuiteSubject<T>): Promise<void> {
  const query = selectSamples(kind, subject)
  const values = sampleIds.map((id) => [id, getSampleValue(kind, id)])
  await expectRows(subject, `values of the kind ${kind}`, query, values)
}

function selectSamples<T>(kind: SuiteKind, { model }: SuiteSubject<T>): Select<string> {
  const order = [{ reference: model.reference('samples', 'id'), descending: false }]
  return model.select('samples', ['id', sampleColumns[kind]], { order })
}

async function expectSamples<T>(
  subject: SuiteSubject<T>,
  kind: SuiteKind,
  filter: Filter<string>,
  isWanted: IndexTest,
): Promise<void> {
  const what = `${filter.op}${'cursorValue' in filter ? ' a cursor value' : ''} (${kind})`
  const wanted = sampleIds.filter((id) => isWanted(getSampleIndex(kind, id)))
  const { model } = subject
  const order = [{ reference: model.reference('samples', 'id'), descending: false }]
  const query = model.select('samples', ['id'], { filter, order })
  const ids = wanted.map((id) => [id])
  await expectRows(subject, what, query, ids)
}

async function testNulls<T>(kind: SuiteKind, subject: SuiteSubject<T>): Promise<void> {
  const reference = subject.model.reference('samples', sampleColumns[kind])
  await expectSamples(subject, kind, { op: 'null', reference }, (index) => index === undefined)
  await expectSamples(subject, kind, { op: 'not null', reference }, (index) => index !== undefined)
}

async function testValueComparisons<T>(kind: SuiteKind, subject: SuiteSubject<T>): Promise<void> {
  const reference = subject.model.reference('samples', sampleColumns[kind])
  for (const [position, value] of ascendingValues[kind]!.entries()) {
    for (const op of operators) {
      const isWanted: IndexTest = (index) => index !== undefined && comparisons[op](index - position)
      await expectSamples(subject, kind, { op, reference, value }, isWanted)
    }
    const isOther: IndexTest = (index) => index !== position
    await expectSamples(subject, kind, { op: '!=', reference, value }, isOther)
  }
}

async function testCursorComparisons<T>(kind: SuiteKind, subject: SuiteSubject<T>): Promise<void> {
  const reference = subject.model.reference('samples', sampleColumns[kind])
  for (const [position, cursorValue] of await readCursorValues(kind, subject)) {
    for (const op of operators) {
      const isWanted: IndexTest = (index) => index !== undefined && comparisons[op](index - position)
      await expectSamples(subject, kind, { op, reference, cursorValue }, isWanted)
    }
  }
}

/** Reads the cursor value of each value, by its index; it must survive JSON, since links carry it. */
async function readCursorValues<T>(
  kind: SuiteKind,
  subject: SuiteSubject<T>,
): Promise<ReadonlyMap<number, CursorValue>> {
  const query = bindSelect(selectSamples(kind, subject), subject.tables)
  const read = await subject.datastore.select(query)
  const { column } = query.columns[1]!
  const cursorValues = new Map<number, CursorValue>()
  for (const [row, id] of sampleIds.entries()) {
    const [index, cursorValue] = [getSampleIndex(kind, id), read.cursorValue(row, 1)]
    const sent: unknown = cursorValue === undefined ? undefined : JSON.parse(JSON.stringify(cursorValue))
    expectSame(`a cursor value that JSON can carry (${kind})`, query, cursorValue, sent)
    if (index === undefined) expectSame(`the cursor value of null (${kind})`, query, null, cursorValue)
    else if (cursorValue === null)
      throw createMismatchError(`the cursor value of a value (${kind})`, query, getSampleValue(kind, id), cursorValue)
    else if (!column.isCursorValue(cursorValue))
      throw createMismatchError(`isCursorValue of its own value (${kind})`, query, true, cursorValue)
    else cursorValues.set(index, sent as CursorValue)
  }
  for (const invalid of [{}, [], undefined]) {
    expectSame(`isCursorValue of another value (${kind})`, invalid, false, column.isCursorValue(invalid))
  }
  return cursorValues
}

async function testInLists<T>(kind: SuiteKind, subject: SuiteSubject<T>): Promise<void> {
  const reference = subject.model.reference('samples', sampleColumns[kind])
  const all = ascendingValues[kind]!
  const some: readonly (readonly number[])[] = [[], [0], [all.length - 1, 0], [1, 1, 0], [...all.keys()]]
  for (const indexes of some) {
    const values = indexes.map((index) => all[index])
    const isIncluded: IndexTest = (index) => index !== undefined && indexes.includes(index)
    const isExcluded: IndexTest = (index) => !isIncluded(index)
    await expectSamples(subject, kind, { op: 'in', reference, values }, isIncluded)
    await expectSamples(subject, kind, { op: 'not in', reference, values }, isExcluded)
  }
}

async function testOrders<T>(kind: SuiteKind, subject: SuiteSubject<T>): Promise<void> {
  const { model } = subject
  const [reference, id] = [model.reference('samples', sampleColumns[kind]), model.reference('samples', 'id')]
  const getRank = (sample: number): number => getSampleIndex(kind, sample) ?? Number.POSITIVE_INFINITY
  // Two ranks may both be infinite: their difference is not a number.
  const compare = (a: number, b: number): number => (getRank(a) === getRank(b) ? 0 : getRank(a) - getRank(b))
  for (const [descending, idDescending] of [
    [false, false],
    [false, true],
    [true, false],
    [true, true],
  ] as const) {
    const order = [
      { reference, descending },
      { reference: id, descending: idDescending },
    ]
    const sorted = sampleIds.toSorted(
      (a, b) => compare(a, b) * (descending ? -1 : 1) || (a - b) * (idDescending ? -1 : 1),
    )
    const query = model.select('samples', ['id'], { order })
    const rows = sorted.map((sample) => [sample])
    const what = `order, ${descending ? 'descending' : 'ascending'} (${kind})`
    await expectRows(subject, what, query, rows)
    const part = { ...query, offset: 3, limit: 5 }
    await expectRows(subject, `${what}, a part`, part, rows.slice(3, 8))
    await expectCount(subject, what, query, rows.length)
    await testPages(kind, subject, { ...query, columns: [id, reference] }, sorted)
  }
}

/** Tests the rows after each row of an order, given by its cursor values, by its values, and by the first value alone. */
async function testPages<T>(
  kind: SuiteKind,
  subject: SuiteSubject<T>,
  query: Select<string>,
  sorted: readonly number[],
): Promise<void> {
  const read = await subject.datastore.select(bindSelect(query, subject.tables))
  const buildRows = (ids: readonly number[]) => ids.map((id) => [id, getSampleValue(kind, id)])
  for (const [i, id] of sorted.entries()) {
    const sent = JSON.parse(JSON.stringify([read.cursorValue(i, 1), read.cursorValue(i, 0)])) as CursorValue[]
    const after = sent.map((cursorValue) => ({ cursorValue }))
    const rest = sorted.slice(i + 1)
    await expectRows(subject, `after a cursor (${kind})`, { ...query, after, limit: 3 }, buildRows(rest.slice(0, 3)))
    if (i % 3 !== 0) continue
    const value = { value: getSampleValue(kind, id) }
    const afterValues = { ...query, after: [value, { value: id }], offset: 1 }
    await expectRows(subject, `after the values of a row (${kind})`, afterValues, buildRows(rest.slice(1)))
    const distinct = rest.filter((other) => getSampleIndex(kind, other) !== getSampleIndex(kind, id))
    await expectRows(
      subject,
      `after a value alone (${kind})`,
      { ...query, after: [value], limit: 4 },
      buildRows(distinct.slice(0, 4)),
    )
  }
}
