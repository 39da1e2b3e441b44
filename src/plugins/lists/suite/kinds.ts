// The part of the datastore suite about values: every operator, every order and every place of one kind of column.
import type { Comparison, Filter, Place, Select } from '../query.ts'
import { expectCount, expectEqual, expectRows, type Subject, unmet } from './check.ts'
import { bindSelect } from './model.ts'
import { ascending, type SuiteKind, sampleColumns, sampleIds, sampleIndex, sampleValue } from './tables.ts'

const comparisons: Readonly<Record<Comparison, (difference: number) => boolean>> = {
  '=': (difference) => difference === 0,
  '<': (difference) => difference < 0,
  '<=': (difference) => difference <= 0,
  '>': (difference) => difference > 0,
  '>=': (difference) => difference >= 0,
}
const operators = Object.keys(comparisons) as readonly Comparison[]

type Having = (index: number | undefined) => boolean

/** Checks one kind, as one test for each concern. */
export function kindTests<T>(kind: SuiteKind): Readonly<Record<string, (subject: Subject<T>) => Promise<void>>> {
  const common = {
    [`${kind}: values come back as they were written`]: (subject: Subject<T>) => roundTrip(kind, subject),
    [`${kind}: null and not null`]: (subject: Subject<T>) => nulls(kind, subject),
  }
  if (ascending[kind] === undefined) return common
  return {
    ...common,
    [`${kind}: comparisons with values`]: (subject) => comparisonsWithValues(kind, subject),
    [`${kind}: comparisons with places`]: (subject) => comparisonsWithPlaces(kind, subject),
    [`${kind}: in and not in`]: (subject) => lists(kind, subject),
    [`${kind}: orders`]: (subject) => orders(kind, subject),
  }
}

async function roundTrip<T>(kind: SuiteKind, subject: Subject<T>): Promise<void> {
  const query = samplesById(kind, subject)
  const values = sampleIds.map((id) => [id, sampleValue(kind, id)])
  await expectRows(subject, `values of the kind ${kind}`, query, values)
}

function samplesById<T>(kind: SuiteKind, { model }: Subject<T>): Select<string> {
  const order = [{ reference: model.at('samples', 'id'), descending: false }]
  return model.select('samples', ['id', sampleColumns[kind]], { order })
}

async function expectSamples<T>(
  subject: Subject<T>,
  kind: SuiteKind,
  filter: Filter<string>,
  isWanted: Having,
): Promise<void> {
  const what = `${filter.op}${'place' in filter ? ' a place' : ''} (${kind})`
  const wanted = sampleIds.filter((id) => isWanted(sampleIndex(kind, id)))
  const { model } = subject
  const order = [{ reference: model.at('samples', 'id'), descending: false }]
  const query = model.select('samples', ['id'], { filter, order })
  const ids = wanted.map((id) => [id])
  await expectRows(subject, what, query, ids)
}

async function nulls<T>(kind: SuiteKind, subject: Subject<T>): Promise<void> {
  const reference = subject.model.at('samples', sampleColumns[kind])
  await expectSamples(subject, kind, { op: 'null', reference }, (index) => index === undefined)
  await expectSamples(subject, kind, { op: 'not null', reference }, (index) => index !== undefined)
}

async function comparisonsWithValues<T>(kind: SuiteKind, subject: Subject<T>): Promise<void> {
  const reference = subject.model.at('samples', sampleColumns[kind])
  for (const [at, value] of ascending[kind]!.entries()) {
    for (const op of operators) {
      const isWanted: Having = (index) => index !== undefined && comparisons[op](index - at)
      await expectSamples(subject, kind, { op, reference, value }, isWanted)
    }
    const isOther: Having = (index) => index !== at
    await expectSamples(subject, kind, { op: '!=', reference, value }, isOther)
  }
}

async function comparisonsWithPlaces<T>(kind: SuiteKind, subject: Subject<T>): Promise<void> {
  const reference = subject.model.at('samples', sampleColumns[kind])
  for (const [at, place] of await placesOf(kind, subject)) {
    for (const op of operators) {
      const isWanted: Having = (index) => index !== undefined && comparisons[op](index - at)
      await expectSamples(subject, kind, { op, reference, place }, isWanted)
    }
  }
}

/** The place of each value, by its number among them; it must survive JSON, as links carry it. */
async function placesOf<T>(kind: SuiteKind, subject: Subject<T>): Promise<ReadonlyMap<number, Place>> {
  const query = bindSelect(samplesById(kind, subject), subject.tables)
  const read = await subject.datastore.select(query)
  const { column } = query.columns[1]!
  const places = new Map<number, Place>()
  for (const [row, id] of sampleIds.entries()) {
    const [index, place] = [sampleIndex(kind, id), read.place(row, 1)]
    const sent: unknown = place === undefined ? undefined : JSON.parse(JSON.stringify(place))
    expectEqual(`a place that JSON can carry (${kind})`, query, place, sent)
    if (index === undefined) expectEqual(`the place of null (${kind})`, query, null, place)
    else if (place === null) throw unmet(`the place of a value (${kind})`, query, sampleValue(kind, id), place)
    else if (!column.isPlace(place)) throw unmet(`isPlace of its own place (${kind})`, query, true, place)
    else places.set(index, sent as Place)
  }
  for (const strange of [{}, [], undefined]) {
    expectEqual(`isPlace of what is no place (${kind})`, strange, false, column.isPlace(strange))
  }
  return places
}

async function lists<T>(kind: SuiteKind, subject: Subject<T>): Promise<void> {
  const reference = subject.model.at('samples', sampleColumns[kind])
  const all = ascending[kind]!
  const some: readonly (readonly number[])[] = [[], [0], [all.length - 1, 0], [1, 1, 0], [...all.keys()]]
  for (const indexes of some) {
    const values = indexes.map((index) => all[index])
    const has: Having = (index) => index !== undefined && indexes.includes(index)
    const hasNot: Having = (index) => !has(index)
    await expectSamples(subject, kind, { op: 'in', reference, values }, has)
    await expectSamples(subject, kind, { op: 'not in', reference, values }, hasNot)
  }
}

async function orders<T>(kind: SuiteKind, subject: Subject<T>): Promise<void> {
  const { model } = subject
  const [reference, id] = [model.at('samples', sampleColumns[kind]), model.at('samples', 'id')]
  const rank = (sample: number): number => sampleIndex(kind, sample) ?? Number.POSITIVE_INFINITY
  // Two ranks may both be infinite, and have no difference then.
  const compare = (a: number, b: number): number => (rank(a) === rank(b) ? 0 : rank(a) - rank(b))
  for (const [descending, then] of [
    [false, false],
    [false, true],
    [true, false],
    [true, true],
  ] as const) {
    const order = [
      { reference, descending },
      { reference: id, descending: then },
    ]
    const sorted = sampleIds.toSorted((a, b) => compare(a, b) * (descending ? -1 : 1) || (a - b) * (then ? -1 : 1))
    const query = model.select('samples', ['id'], { order })
    const rows = sorted.map((sample) => [sample])
    const what = `order, ${descending ? 'descending' : 'ascending'} (${kind})`
    await expectRows(subject, what, query, rows)
    const part = { ...query, offset: 3, limit: 5 }
    await expectRows(subject, `${what}, a part`, part, rows.slice(3, 8))
    await expectCount(subject, what, query, rows.length)
    await parts(kind, subject, { ...query, columns: [id, reference] }, sorted)
  }
}

/** Checks what comes after each row of an order, given by its places, by its values, and by the first of them alone. */
async function parts<T>(
  kind: SuiteKind,
  subject: Subject<T>,
  query: Select<string>,
  sorted: readonly number[],
): Promise<void> {
  const read = await subject.datastore.select(bindSelect(query, subject.tables))
  const rowsOf = (ids: readonly number[]) => ids.map((id) => [id, sampleValue(kind, id)])
  for (const [i, id] of sorted.entries()) {
    const sent = JSON.parse(JSON.stringify([read.place(i, 1), read.place(i, 0)])) as Place[]
    const after = sent.map((place) => ({ place }))
    const rest = sorted.slice(i + 1)
    await expectRows(subject, `after a place (${kind})`, { ...query, after, limit: 3 }, rowsOf(rest.slice(0, 3)))
    if (i % 3 !== 0) continue
    const value = { value: sampleValue(kind, id) }
    const valued = { ...query, after: [value, { value: id }], offset: 1 }
    await expectRows(subject, `after the values of a row (${kind})`, valued, rowsOf(rest.slice(1)))
    const untied = rest.filter((other) => sampleIndex(kind, other) !== sampleIndex(kind, id))
    await expectRows(
      subject,
      `after a value alone (${kind})`,
      { ...query, after: [value], limit: 4 },
      rowsOf(untied.slice(0, 4)),
    )
  }
}
