// The tests of aggregates and of distinct values in the datastore suite: they are read, ordered, compared, counted, and used in
// cursors as the memory datastore does it.
import type {
  Aggregate,
  AggregateOperation,
  Column,
  ColumnKind,
  CursorValue,
  Datastore,
  Filter,
  Join,
  Reference,
  Select,
} from '../../plugins/mapper/index.ts'
import { expectEqualRows, expectSame, type SuiteSubject } from './expectations.ts'
import type { Tables } from './suite-model.ts'
import { ascendingValues, type SuiteKind, sampleColumns } from './suite-tables.ts'

/** A datastore and its tables: the tested one, or that of the model. */
interface Store<T> {
  readonly datastore: Datastore<T>
  readonly tables: Tables<T>
}

/** A query with the value of an aggregate, written for any datastore. */
type BuildQuery = <T>(store: Store<T>) => AggregateQuery<T>

interface AggregateQuery<T> {
  readonly query: Select<T>
  readonly value: Reference
}

/** Tests values of all matching rows, if a datastore supports them. */
export async function testAggregates<T>(subject: SuiteSubject<T>, kinds: readonly SuiteKind[]): Promise<void> {
  if (subject.datastore.aggregate === undefined) return
  for (const [name, build] of Object.entries(buildAggregateQueries(kinds))) await testAggregate(subject, name, build)
}

/** Tests values that are read once, if a datastore supports them. */
export async function testDistinctValues<T>(
  { datastore, tables, model }: SuiteSubject<T>,
  kinds: readonly SuiteKind[],
): Promise<void> {
  if (datastore.selectsDistinct !== true) return
  for (const kind of kinds.filter((one) => ascendingValues[one] !== undefined))
    for (const descending of [false, true])
      for (const limit of [undefined, 2]) {
        const build = <U>(table: Tables<U>): Select<U> => {
          const from = table('samples')
          const reference = { source: 0, column: from.columns.get(sampleColumns[kind])! }
          const order = [{ reference, descending }]
          const filter: Filter<U> = { op: 'not null', reference }
          return { from, joins: [], filter, columns: [reference], order, limit, offset: 0, distinct: true }
        }
        const wanted = (await model.datastore.select(build(model.table))).rows
        const query = build(tables)
        expectEqualRows(`distinct values (${kind})`, query, wanted, (await datastore.select(query)).rows)
      }
}

async function testAggregate<T>(subject: SuiteSubject<T>, name: string, build: BuildQuery): Promise<void> {
  const { datastore, tables, model } = subject
  const known = build({ datastore: model.datastore, tables: model.table })
  const tested = build({ datastore, tables })
  const what = `an aggregate (${name})`
  const expectBoth = async (
    more: string,
    part: (of: AggregateQuery<never>) => Partial<Select<never>>,
  ): Promise<void> => {
    const wanted = await model.datastore.select({ ...known.query, ...(part(known as never) as object) })
    const found = await datastore.select({ ...tested.query, ...(part(tested as never) as object) })
    expectEqualRows(`${what}: ${more}`, tested.query, wanted.rows, found.rows)
  }
  await expectBoth('value', () => ({}))
  if (tested.value.column.unorderedReason !== undefined) return
  for (const descending of [false, true]) {
    const orderOf = ({ value, query }: AggregateQuery<never>) => [{ reference: value, descending }, ...query.order]
    await expectBoth('order', (one) => ({ order: orderOf(one) }))
    await testCursors(subject, { what, known, tested, order: (one) => orderOf(one as never) })
  }
  const values = (await model.datastore.select(known.query)).rows.map((row) => row.at(-1))
  for (const value of new Set(values)) {
    for (const op of value === null ? (['null', 'not null'] as const) : (['=', '!=', '<', '>='] as const)) {
      const filterBy = (of: AggregateQuery<never>): Filter<never> =>
        (value === null ? { op, reference: of.value } : { op, reference: of.value, value }) as Filter<never>
      await expectBoth(`filter ${op}`, (one) => ({ filter: filterBy(one) }))
      const { from, joins } = tested.query
      const counted = await datastore.count({ from, joins, filter: filterBy(tested as never) as Filter<T> })
      const exact = await model.datastore.count({ ...known.query, filter: filterBy(known as never) as Filter<string> })
      expectSame(`${what}: count with ${op}`, tested.query, exact, counted)
    }
  }
}

interface CursorTest<T> {
  readonly what: string
  readonly known: AggregateQuery<string>
  readonly tested: AggregateQuery<T>
  order<U>(of: AggregateQuery<U>): Select['order']
}

async function testCursors<T>(
  { datastore, model }: SuiteSubject<T>,
  { what, known, tested, order }: CursorTest<T>,
): Promise<void> {
  const steps = order(tested)
  const columns = steps.map(({ reference }) => ({ ...reference, forCursor: true as const }))
  const all = await datastore.select({ ...tested.query, order: steps, columns })
  const wanted = (await model.datastore.select({ ...known.query, order: order(known) })).rows
  for (let row = 0; row < all.rows.length; row += 2) {
    const cursor = JSON.parse(JSON.stringify(steps.map((_, i) => all.cursorValue(row, i)))) as CursorValue[]
    const after = cursor.map((cursorValue) => ({ cursorValue }))
    const { rows } = await datastore.select({ ...tested.query, order: steps, after, limit: 3 })
    expectEqualRows(`${what}: after a cursor`, tested.query, wanted.slice(row + 1, row + 4), rows)
  }
}

/** The parts of an aggregate that differ between the queries. */
interface AggregateParts<T> {
  readonly operation: AggregateOperation
  readonly kind: ColumnKind
  readonly of?: Reference
  readonly joins?: readonly Join<T>[]
  readonly filter?: Filter<T>
  readonly owner?: Reference
}

/** Builds the column of an aggregate, and the aggregate itself. */
function describe<T>({ datastore }: Store<T>, { operation, kind, of, joins = [], filter, owner }: AggregateParts<T>) {
  const described = datastore.aggregate?.('aggregate', { operation, kind, of: of?.column })
  const aggregate: Aggregate<T> = { operation, kind, of, joins, filter, ...(owner && { owner }) }
  // A value of a row that a join has not found is null.
  const column = owner === undefined ? described! : (Object.create(described!, { nullable: { value: true } }) as Column)
  return { column, aggregate }
}

function buildAggregateQueries(kinds: readonly SuiteKind[]): Readonly<Record<string, BuildQuery>> {
  const ordered = kinds.filter((kind) => ascendingValues[kind] !== undefined)
  const extremes = ordered.flatMap((kind) =>
    (['min', 'max'] as const).map((operation): [string, BuildQuery] => [
      `${operation} of ${kind}`,
      (store) => queryExtreme(store, operation, kind),
    ]),
  )
  return {
    count: (store) => queryBooks(store, { operation: 'count', kind: 'integer' }),
    exists: (store) => queryBooks(store, { operation: 'exists', kind: 'boolean' }),
    'sum of integer': (store) => queryBooks(store, { operation: 'sum', kind: 'integer', of: pages(store) }),
    'least text': (store) => queryBooks(store, { operation: 'min', kind: 'text', of: title(store) }),
    'count with a condition': (store) =>
      queryBooks(store, {
        operation: 'count',
        kind: 'integer',
        filter: { op: '!=', reference: pages(store), value: 100 },
      }),
    'sum of joined rows': (store) => {
      const editor: Join<never> = {
        table: store.tables('authors') as never,
        on: [[at(store, 'books', 'editor'), at(store, 'authors', 'id').column]],
      }
      return queryBooks(store, {
        operation: 'max',
        kind: 'text',
        of: at(store, 'authors', 'name', 1),
        joins: [editor] as never,
        filter: { op: 'not null', reference: at(store, 'authors', 'id', 1) },
      })
    },
    'count of rows of a joined row': queryBooksOfAuthor,
    ...Object.fromEntries(extremes),
  }
}

const at = <T>({ tables }: Store<T>, table: string, column: string, source = 0): Reference => ({
  source,
  column: tables(table).columns.get(column)!,
})
const pages = <T>(store: Store<T>): Reference => at(store, 'books', 'pages')
const title = <T>(store: Store<T>): Reference => at(store, 'books', 'title')

/** Queries the authors with a value of their books. */
function queryBooks<T>(store: Store<T>, parts: AggregateParts<T>): AggregateQuery<T> {
  const { column, aggregate } = describe(store, parts)
  const id = at(store, 'authors', 'id')
  const value = { source: 1, column }
  const join: Join<T> = {
    table: store.tables('books'),
    on: [[id, at(store, 'books', 'author').column]],
    aggregate,
  }
  return { query: buildSelect(store, 'authors', [join], [id, value]), value }
}

/** Queries the books with the number of those by the same author; a book without an author has none. */
function queryBooksOfAuthor<T>(store: Store<T>): AggregateQuery<T> {
  const author = at(store, 'authors', 'id', 1)
  const { column, aggregate } = describe(store, { operation: 'count', kind: 'integer', owner: author })
  const joins: readonly Join<T>[] = [
    { table: store.tables('authors'), on: [[at(store, 'books', 'author'), author.column]] },
    { table: store.tables('books'), on: [[author, at(store, 'books', 'author').column]], aggregate },
  ]
  const value = { source: 2, column }
  return { query: buildSelect(store, 'books', joins, [at(store, 'books', 'id'), value]), value }
}

/** Queries the samples with the least or greatest value of a kind among those with the same text. */
function queryExtreme<T>(store: Store<T>, operation: 'min' | 'max', kind: SuiteKind): AggregateQuery<T> {
  const of = at(store, 'samples', sampleColumns[kind])
  const { column, aggregate } = describe(store, { operation, kind: of.column.kind, of })
  const text = at(store, 'samples', sampleColumns.text)
  const join: Join<T> = { table: store.tables('samples'), on: [[text, text.column]], aggregate }
  const value = { source: 1, column }
  return { query: buildSelect(store, 'samples', [join], [at(store, 'samples', 'id'), value]), value }
}

function buildSelect<T>(
  { tables }: Store<T>,
  from: string,
  joins: readonly Join<T>[],
  columns: readonly Reference[],
): Select<T> {
  const [id] = columns as [Reference]
  return {
    from: tables(from),
    joins,
    columns,
    filter: undefined,
    order: [{ reference: id, descending: false }],
    limit: undefined,
    offset: 0,
  }
}
