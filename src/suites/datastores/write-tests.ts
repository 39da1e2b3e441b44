// The write tests of the datastore suite; each test begins with new tables.
import { type ColumnValues, type Filter, INCREMENT, type Reference } from '../../plugins/mapper/index.ts'
import { createMismatchError, expectRows, expectSame, type SuiteSubject } from './expectations.ts'
import { bindFilter, bindValues } from './suite-model.ts'
import { getSampleValue, type SuiteKind, type SuiteRow, sampleColumns, sampleIds } from './suite-tables.ts'

/** Builds the tests, by their names. */
export function buildWriteTests<T>(
  kinds: readonly SuiteKind[],
): Readonly<Record<string, (subject: SuiteSubject<T>) => Promise<void>>> {
  return {
    'insert gives generated keys': testGeneratedKeys,
    'insert gives composite keys': testCompositeKeys,
    'insert refuses a key that exists, as a conflict': testConflicts,
    'findConflict names the columns of a conflict, and its row': testConflictColumns,
    'transaction keeps all that it did, or nothing': testTransactions,
    'transactions that lock a row take turns': testTurns,
    'insert refuses null where there must be a value': testMissingValues,
    'update changes exactly the rows that fit': (subject) => testUpdates(subject, kinds),
    'update counts rows that were the same before': testUnchangedRows,
    'update raises a number by one': testIncrement,
    'update and delete with exists': testExistsFilters,
    'delete removes exactly the rows that fit': testDeletes,
    'insertMany, where there is one, adds all rows or none and gives them in order': testInsertMany,
    'updateReturning, where there is one, gives exactly the rows that fit': testUpdateReturning,
    'upsert, where there is one, adds a row or changes the one that is there': testUpsert,
    'upsert, where there is one, leaves a row that does not meet its condition': testUpsertFilter,
  }
}

/** Inserts a row, given by the names of its columns. */
export function insertSuiteRow<T>(
  { datastore, tables }: SuiteSubject<T>,
  table: string,
  row: SuiteRow,
): Promise<ColumnValues> {
  return datastore.insert(tables(table), bindValues(tables(table), row))
}

const toSuiteRow = (values: ColumnValues): SuiteRow =>
  Object.fromEntries(Array.from(values, ([{ name }, value]) => [name, value]))

async function expectTable<T>(
  subject: SuiteSubject<T>,
  what: string,
  table: string,
  rows: readonly SuiteRow[],
): Promise<void> {
  const { model } = subject
  const columns = [...model.table(table).columns.keys()]
  const order = model.table(table).key.map((name) => ({ reference: model.reference(table, name), descending: false }))
  const expected = rows.map((row) => columns.map((name) => row[name] ?? null))
  await expectRows(subject, what, model.select(table, columns, { order }), expected)
}

async function testGeneratedKeys<T>(subject: SuiteSubject<T>): Promise<void> {
  const rows: SuiteRow[] = []
  for (const name of ['first', 'second', 'third']) {
    const key = toSuiteRow(await insertSuiteRow(subject, 'authors', { name }))
    expectSame('the columns of a key', 'insert', ['id'], Object.keys(key))
    if (!Number.isSafeInteger(key['id']))
      throw createMismatchError('a generated key', 'insert', 'a whole number', key['id'])
    rows.push({ ...key, name })
  }
  await expectTable(subject, 'rows with generated keys', 'authors', rows)
}

async function testCompositeKeys<T>(subject: SuiteSubject<T>): Promise<void> {
  const rows = [
    { book: 1, issue: 1, note: 'a' },
    { book: 1, issue: 2, note: null },
    { book: 2, issue: 1, note: '' },
  ]
  for (const { book, issue, note } of rows) {
    const values = note === null ? { book, issue } : { book, issue, note }
    expectSame(
      'a composite key',
      'insert',
      { book, issue },
      toSuiteRow(await insertSuiteRow(subject, 'editions', values)),
    )
  }
  await expectTable(subject, 'rows with composite keys', 'editions', rows)
}

async function expectFault<T>(
  { datastore }: SuiteSubject<T>,
  what: string,
  expected: string,
  run: () => Promise<unknown>,
) {
  let actual: unknown = 'no error'
  await run().catch((error: unknown) => {
    actual = datastore.classifyError(error) ?? `an error without a fault: ${String(error)}`
  })
  expectSame(`the fault of ${what}`, what, expected, actual)
}

async function testConflicts<T>(subject: SuiteSubject<T>): Promise<void> {
  const countries = [{ code: 'at', name: 'Austria' }]
  const editions = [{ book: 1, issue: 1, note: 'old' }]
  await insertSuiteRow(subject, 'countries', countries[0]!)
  await insertSuiteRow(subject, 'editions', editions[0]!)
  const insertAgain = () => insertSuiteRow(subject, 'countries', { code: 'at', name: 'Other' })
  await expectFault(subject, 'a key that exists', 'conflict', insertAgain)
  const insertBothAgain = () => insertSuiteRow(subject, 'editions', { book: 1, issue: 1, note: 'new' })
  await expectFault(subject, 'a composite key that exists', 'conflict', insertBothAgain)
  await expectTable(subject, 'rows after a conflict', 'countries', countries)
  await expectTable(subject, 'rows after a conflict', 'editions', editions)
}

async function testConflictColumns<T>(subject: SuiteSubject<T>): Promise<void> {
  const { datastore, tables } = subject
  await insertSuiteRow(subject, 'editions', { book: 1, issue: 1, note: 'old' })
  const table = tables('editions')
  const rows = [2, 1, 3].map((issue) => bindValues(table, { book: 1, issue, note: `n${issue}` }))
  const last = datastore.insertMany === undefined ? rows.slice(1, 2) : rows
  const insert = (): Promise<unknown> =>
    datastore.insertMany === undefined
      ? datastore.insert(table, last[0] as ColumnValues)
      : datastore.insertMany(table, last, [])
  let found: unknown = 'no error'
  await insert().catch(async (error: unknown) => {
    const conflict = await datastore.findConflict?.(error, table, last)
    const columns = conflict?.columns.map(({ name }) => name)
    found = { kind: conflict?.kind, columns, row: conflict?.row }
  })
  const expected = { kind: 'duplicate', columns: ['book', 'issue'], row: last.length === 1 ? 0 : 1 }
  expectSame('what a conflict is about', 'findConflict', expected, found)
  await expectTable(subject, 'rows after a conflict', 'editions', [{ book: 1, issue: 1, note: 'old' }])
}

async function testTransactions<T>(subject: SuiteSubject<T>): Promise<void> {
  const { datastore } = subject
  const run = (end: () => void): Promise<unknown> => {
    if (datastore.transaction === undefined)
      throw createMismatchError('transaction', 'the datastore', 'a method', undefined)
    return datastore.transaction(async (within) => {
      const inside = { ...subject, datastore: within }
      await updateRows(inside, 'countries', { name: 'Changed' }, EVERY_ROW)
      await insertSuiteRow(inside, 'countries', { code: 'fr', name: 'France' })
      await expectTable(inside, 'rows in a transaction', 'countries', [
        { code: 'at', name: 'Changed' },
        { code: 'fr', name: 'France' },
      ])
      end()
      return 'done'
    })
  }
  await insertSuiteRow(subject, 'countries', { code: 'at', name: 'Austria' })
  const planted = new Error('planted')
  const fail = (): never => {
    throw planted
  }
  const thrown: unknown = await run(fail).catch((error: unknown) => error)
  expectSame('what a failed transaction throws', 'transaction', true, thrown === planted)
  await expectTable(subject, 'rows after a failed transaction', 'countries', [{ code: 'at', name: 'Austria' }])
  expectSame('the result of a transaction', 'transaction', 'done', await run(() => undefined))
  await expectTable(subject, 'rows after a transaction', 'countries', [
    { code: 'at', name: 'Changed' },
    { code: 'fr', name: 'France' },
  ])
}

const EVERY_ROW: Filter<string> = { op: 'and', of: [] }

async function testTurns<T>(subject: SuiteSubject<T>): Promise<void> {
  const { datastore, model, tables } = subject
  await insertSuiteRow(subject, 'countries', { code: 'at', name: '' })
  const [table, name] = [tables('countries'), model.reference('countries', 'name')]
  const addLetter = async (letter: string): Promise<void> =>
    await datastore.transaction?.(async (within) => {
      const filter = bindFilter({ op: 'and', of: [] }, [table], tables)
      await (within.lock?.(table, filter) ?? within.count({ from: table, joins: [], filter }))
      const column = table.columns.get(name.column.name) as Reference['column']
      const columns = [{ source: 0, column }]
      const query = { from: table, joins: [], columns, filter, order: [], limit: undefined, offset: 0 }
      const [[text] = []] = (await within.select(query)).rows
      await within.update(table, bindValues(table, { name: `${String(text)}${letter}` }), filter)
    })
  await Promise.all(['a', 'b', 'c'].map(addLetter))
  const columns = [{ source: 0, column: table.columns.get('name') as Reference['column'] }]
  const query = { from: table, joins: [], columns, filter: undefined, order: [], limit: undefined, offset: 0 }
  const [[text] = []] = (await datastore.select(query)).rows
  expectSame('what three transactions added', 'transaction', 'abc', [...String(text)].sort().join(''))
}

async function testMissingValues<T>(subject: SuiteSubject<T>): Promise<void> {
  await expectFault(subject, 'null instead of a value', 'value', () =>
    insertSuiteRow(subject, 'authors', { name: null }),
  )
  await expectTable(subject, 'rows after a refusal', 'authors', [])
}

async function updateRows<T>(
  subject: SuiteSubject<T>,
  table: string,
  values: SuiteRow,
  filter: Filter<string>,
): Promise<number> {
  const { datastore, tables } = subject
  const bound = tables(table)
  return datastore.update(bound, bindValues(bound, values), bindFilter(filter, [bound], tables))
}

async function testUpdates<T>(subject: SuiteSubject<T>, kinds: readonly SuiteKind[]): Promise<void> {
  const { model } = subject
  const buildRow = (id: number, from: number): SuiteRow => ({
    id,
    ...Object.fromEntries(kinds.map((kind) => [sampleColumns[kind], getSampleValue(kind, from)])),
  })
  const rows = new Map([1, 2, 3].map((id) => [id, buildRow(id, id)]))
  for (const one of rows.values()) await insertSuiteRow(subject, 'samples', one)
  const reference = model.reference('samples', 'id')
  for (const from of sampleIds) {
    const { id: _, ...values } = buildRow(2, from)
    if (kinds.length === 0) break
    const filter: Filter<string> = { op: '=', reference, value: 2 }
    expectSame('the number of changed rows', filter, 1, await updateRows(subject, 'samples', values, filter))
    rows.set(2, buildRow(2, from))
    await expectTable(subject, 'rows after an update', 'samples', [...rows.values()])
  }
  const noRow: Filter<string> = { op: '>', reference, value: 3 }
  expectSame('the number of changed rows', noRow, 0, await updateRows(subject, 'samples', { id: 9 }, noRow))
  await expectTable(subject, 'rows after an update of none', 'samples', [...rows.values()])
}

const authorRows: readonly SuiteRow[] = [
  { id: 1, name: 'Ana', country: 'es' },
  { id: 2, name: 'Bert', country: null },
  { id: 3, name: 'Carl', country: 'at' },
]

async function addAuthors<T>(subject: SuiteSubject<T>): Promise<void> {
  for (const author of authorRows) await insertSuiteRow(subject, 'authors', author)
}

async function testUnchangedRows<T>(subject: SuiteSubject<T>): Promise<void> {
  await addAuthors(subject)
  const foreign: Filter<string> = { op: '!=', reference: subject.model.reference('authors', 'country'), value: 'es' }
  for (const round of ['first', 'second']) {
    const count = await updateRows(subject, 'authors', { country: 'xx', name: 'X' }, foreign)
    expectSame(`the number of rows that fit, the ${round} time`, foreign, 2, count)
    const rest = [2, 3].map((id) => ({ id, name: 'X', country: 'xx' }))
    await expectTable(subject, 'rows after an update', 'authors', [authorRows[0]!, ...rest])
  }
}

async function testIncrement<T>(subject: SuiteSubject<T>): Promise<void> {
  for (const book of [1, 2]) await insertSuiteRow(subject, 'editions', { book, issue: book * 5, note: 'a' })
  const second: Filter<string> = { op: '=', reference: subject.model.reference('editions', 'book'), value: 2 }
  const count = await updateRows(subject, 'editions', { issue: INCREMENT, note: 'b' }, second)
  expectSame('the number of raised rows', second, 1, count)
  const rows = [
    { book: 1, issue: 5, note: 'a' },
    { book: 2, issue: 11, note: 'b' },
  ]
  await expectTable(subject, 'rows after a number was raised', 'editions', rows)
}

const buildReferences = <T>({ tables }: SuiteSubject<T>, table: string, ...names: readonly string[]): Reference[] =>
  names.map((name) => ({ source: 0, column: tables(table).columns.get(name)! }))

async function testInsertMany<T>(subject: SuiteSubject<T>): Promise<void> {
  const { datastore, tables } = subject
  if (datastore.insertMany === undefined) return
  const insertMany = (table: string, rows: readonly SuiteRow[], ...names: readonly string[]) => {
    const bound = rows.map((row) => bindValues(tables(table), row))
    return datastore.insertMany!(tables(table), bound, buildReferences(subject, table, ...names))
  }
  const newRows = [
    { name: 'b', country: 'es' },
    { name: 'a' },
    { name: 'c', country: null },
    { name: 'a', country: 'at' },
  ]
  const { rows } = await insertMany('authors', newRows, 'name', 'id', 'country', 'id')
  const expected = newRows.map(({ name, country = null }, i) => [name, rows[i]?.[1], country, rows[i]?.[1]])
  expectSame('rows that were added together', newRows, expected, rows)
  const all = rows.map(([name, id, country]) => ({ id, name, country }) as SuiteRow)
  await expectTable(subject, 'rows that were added together', 'authors', all)
  expectSame('the rows of none', [], [], (await insertMany('authors', [], 'id')).rows)
  // More values than one statement takes, and a last row that conflicts.
  const count = Number.isFinite(datastore.maxValues) ? Math.floor(datastore.maxValues / 3) + 100 : 100
  const many = Array.from({ length: count }, (_, i) => ({ book: i, issue: 1, note: 'x' }))
  const insertDuplicate = () => insertMany('editions', [...many, many[0]!], 'book')
  await expectFault(subject, 'a key that is given twice', 'conflict', insertDuplicate)
  await expectTable(subject, 'rows of which one was refused', 'editions', [])
  const { rows: inserted } = await insertMany('editions', many, 'book')
  const positions = [0, count - 100, count - 1]
  const keys = positions.map((position) => inserted[position]?.[0])
  expectSame('keys of many rows', 'insertMany', [many.length, positions], [inserted.length, keys])
}

async function testUpdateReturning<T>(subject: SuiteSubject<T>): Promise<void> {
  const { datastore, tables } = subject
  if (datastore.updateReturning === undefined) return
  await addAuthors(subject)
  const table = tables('authors')
  const change = async (op: 'in' | 'not in', name: string) => {
    const filter: Filter<string> = { op, reference: subject.model.reference('authors', 'id'), values: [2, 3] }
    const bound = bindFilter(filter, [table], tables)
    const columns = buildReferences(subject, 'authors', 'id', 'name', 'country')
    const { rows } = await datastore.updateReturning!(table, bindValues(table, { name }), bound, columns)
    return [...rows].sort(([a], [b]) => Number(a) - Number(b))
  }
  const [first, second, third] = authorRows
  const renamed = [second!, third!].map(({ id, country }) => [id, 'X', country])
  expectSame('rows of a change', 'updateReturning', renamed, await change('in', 'X'))
  expectSame('rows of a change', 'updateReturning', [[1, 'Y', first!['country']]], await change('not in', 'Y'))
  await datastore.delete(table, { op: 'and', of: [] })
  expectSame('rows of a change of none', 'updateReturning', [], await change('in', 'Z'))
}

async function upsertRow<T>(subject: SuiteSubject<T>, row: SuiteRow, changes: SuiteRow, filter?: Filter<string>) {
  const { datastore, tables } = subject
  const table = tables('editions')
  const by = buildReferences(subject, 'editions', 'book', 'issue').map(({ column }) => column)
  const { rows } = await datastore.upsert!(
    {
      table,
      values: bindValues(table, row),
      by,
      changes: bindValues(table, changes),
      filter: filter && bindFilter(filter, [table], tables),
    },
    buildReferences(subject, 'editions', 'note', 'book'),
  )
  return rows
}

async function testUpsert<T>(subject: SuiteSubject<T>): Promise<void> {
  if (subject.datastore.upsert === undefined) return
  const [one, two] = [
    { book: 1, issue: 1, note: 'a' },
    { book: 1, issue: 2, note: 'b' },
  ]
  expectSame('a row that was added', one, [['a', 1]], await upsertRow(subject, one, { note: 'x' }))
  expectSame('a second row', two, [['b', 1]], await upsertRow(subject, two, { note: 'x' }))
  expectSame('a row that was changed', one, [['x', 1]], await upsertRow(subject, one, { note: 'x' }))
  expectSame('a row that was left', two, [['b', 1]], await upsertRow(subject, two, {}))
  const rows = [{ ...one, note: 'x' }, two]
  await expectTable(subject, 'rows after upserts', 'editions', rows)
}

async function testUpsertFilter<T>(subject: SuiteSubject<T>): Promise<void> {
  if (subject.datastore.upsert === undefined) return
  const row = { book: 1, issue: 1, note: 'a' }
  const mine: Filter<string> = { op: '=', reference: subject.model.reference('editions', 'note'), value: 'mine' }
  expectSame('a row that nothing stands in the way of', row, [['a', 1]], await upsertRow(subject, row, {}, mine))
  for (const changes of [{ note: 'b' }, {}])
    expectSame('a row that does not meet the condition', row, [], await upsertRow(subject, row, changes, mine))
  await expectTable(subject, 'rows after upserts', 'editions', [row])
}

function buildEditionFilter<T>({ model }: SuiteSubject<T>, note: string): Filter<string> {
  return {
    op: 'exists',
    from: model.table('editions'),
    on: [[model.reference('authors', 'id'), model.column('editions', 'book')]],
    joins: [],
    filter: { op: '=', reference: model.reference('editions', 'note'), value: note },
  }
}

async function deleteRows<T>(subject: SuiteSubject<T>, table: string, filter: Filter<string>): Promise<number> {
  const bound = subject.tables(table)
  return subject.datastore.delete(bound, bindFilter(filter, [bound], subject.tables))
}

async function testExistsFilters<T>(subject: SuiteSubject<T>): Promise<void> {
  await addAuthors(subject)
  await insertSuiteRow(subject, 'editions', { book: 2, issue: 1, note: 'change' })
  await insertSuiteRow(subject, 'editions', { book: 3, issue: 1, note: 'remove' })
  const changed = await updateRows(subject, 'authors', { name: 'Berta' }, buildEditionFilter(subject, 'change'))
  expectSame('the number of changed rows', buildEditionFilter(subject, 'change'), 1, changed)
  const removed = await deleteRows(subject, 'authors', buildEditionFilter(subject, 'remove'))
  expectSame('the number of removed rows', buildEditionFilter(subject, 'remove'), 1, removed)
  const rows = [authorRows[0]!, { ...authorRows[1]!, name: 'Berta' }]
  await expectTable(subject, 'rows after an update and a deletion', 'authors', rows)
}

async function testDeletes<T>(subject: SuiteSubject<T>): Promise<void> {
  await addAuthors(subject)
  const reference = subject.model.reference('authors', 'country')
  const steps: readonly (readonly [Filter<string>, readonly SuiteRow[]])[] = [
    [{ op: '=', reference, value: 'zz' }, authorRows],
    [{ op: 'or', of: [] }, authorRows],
    [{ op: 'like', reference, pattern: { text: '%', before: false, after: true } }, authorRows],
    [{ op: 'not in', reference, values: ['es', 'at'] }, [authorRows[0]!, authorRows[2]!]],
    [{ op: 'and', of: [] }, []],
  ]
  let before = authorRows.length
  for (const [filter, rest] of steps) {
    expectSame('the number of removed rows', filter, before - rest.length, await deleteRows(subject, 'authors', filter))
    await expectTable(subject, 'rows after a deletion', 'authors', rest)
    before = rest.length
  }
}
