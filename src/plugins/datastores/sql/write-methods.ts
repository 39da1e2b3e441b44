// The writes of SQL databases: insert rows one by one or together, and return them if the database supports it.
import { createContentionRefusal } from '../../query/contention.ts'
import type { Datastore, RawRow } from '../../query/query.ts'
import { toStatement } from './batch.ts'
import { DIALECTS, type SqlDialect } from './dialect.ts'
import type {
  SqlClient,
  SqlColumn,
  SqlColumnValues,
  SqlCount,
  SqlFilter,
  SqlReference,
  SqlTable,
  SqlUpsert,
} from './sql.ts'
import { decodeNullable, getRowFormat, getValueAt, toSelected } from './sql-rows.ts'
import type { StatementObservers } from './statement-observers.ts'
import { writeSelect } from './statements/select.ts'
import {
  getKeyColumns,
  groupInsertableRows,
  writeInsert,
  writeInsertUnless,
  writeUpdate,
  writeUpsert,
} from './statements/write-changes.ts'

/** Returns the client for statements about a table. */
type GetTableClient = (table: SqlTable) => SqlClient

/** Runs a statement about tables, and repeats it once if the database refused it for a trait of a column. */
export type RetryWithTraits = <V>(query: Partial<SqlCount>, write: () => Promise<V>) => Promise<V>

type InsertMethods = Required<Pick<Datastore, 'insert' | 'insertMany'>>

/** Creates the functions that insert rows. */
export function createInsertMethods(getTableClient: GetTableClient, statements: StatementObservers): InsertMethods {
  const dialect = DIALECTS[statements.dialect]
  return {
    async insert(table: SqlTable, values: SqlColumnValues) {
      const allValues = fillColumnDefaults(table, values, 'defaultFn')
      const writer = getTableClient(table)
      if (!dialect.supportsReturning)
        return resolveGeneratedKey(
          table,
          allValues,
          (await writer.execute(writeInsert(dialect, table, [allValues]))).insertId,
        )
      const key = listKeyReferences(table)
      const [row] = await writer.query(writeInsert(dialect, table, [allValues], key))
      return readReturnedKey(table, row)
    },
    async insertMany(table: SqlTable, newRows: readonly SqlColumnValues[], columns: readonly SqlReference[]) {
      const rows = newRows.map((one) => fillColumnDefaults(table, one, 'defaultFn'))
      const format = getRowFormat(columns)
      if (rows.length === 0) return toSelected([], format)
      const writer = getTableClient(table)
      const canReturn = dialect.supportsReturning || (await detectReturning(writer, statements))
      const raw = canReturn
        ? await insertReturning(writer, { dialect, table, rows, columns: format.columns })
        : await insertOneByOne(writer, table, rows, format.columns)
      return toSelected(raw, format)
    },
  }
}

interface RowsInsert {
  readonly dialect: SqlDialect
  readonly table: SqlTable
  readonly rows: readonly SqlColumnValues[]
  readonly columns: readonly SqlReference[]
}

async function insertReturning(
  client: SqlClient,
  { dialect, table, rows, columns }: RowsInsert,
): Promise<readonly RawRow[]> {
  const statements = groupInsertableRows(dialect, rows).map((part) => writeInsert(dialect, table, part, columns))
  const [only] = statements
  const found =
    statements.length === 1 && only !== undefined ? await client.query(only) : (await client.batch(statements)).flat()
  if (found.length !== rows.length)
    throw new Error(`The database gave ${found.length} of ${rows.length} new rows of ${table.name}.`)
  return found
}

const listKeyReferences = (table: SqlTable): readonly SqlReference[] =>
  getKeyColumns(table).map((column) => ({ source: 0, column }))

// --- databases without `returning` --------------------------------------------------------

const returningSupport = new WeakMap<StatementObservers, Promise<boolean>>()

/** Returns whether the database supports `insert … returning`: MariaDB does since 10.5, MySQL does not. */
function detectReturning(client: SqlClient, statements: StatementObservers): Promise<boolean> {
  const known = returningSupport.get(statements)
  if (known !== undefined) return known
  const supported = client.query(toStatement('select version() as c0')).then(([row]) => {
    const [, major = '0', minor = '0'] = /(\d+)\.(\d+)\.\d+-MariaDB/i.exec(String(getValueAt(row))) ?? []
    return Number(major) > 10 || (Number(major) === 10 && Number(minor) >= 5)
  })
  returningSupport.set(statements, supported)
  supported.catch(() => returningSupport.delete(statements))
  return supported
}

/** Inserts rows one by one in one transaction, and reads each by its generated key. */
async function insertOneByOne(
  client: SqlClient,
  table: SqlTable,
  rows: readonly SqlColumnValues[],
  columns: readonly SqlReference[],
): Promise<readonly RawRow[]> {
  const dialect = DIALECTS[client.dialect]
  const lastId = toStatement('select last_insert_id() as c0')
  const results = await client.batch(rows.flatMap((row) => [writeInsert(dialect, table, [row]), lastId]))
  const found: RawRow[] = []
  for (const [i, row] of rows.entries()) {
    const key = resolveGeneratedKey(table, row, getValueAt(results[i * 2 + 1]?.[0]))
    const filter: SqlFilter = {
      op: 'and',
      of: Array.from(key, ([column, value]) => ({ op: '=', reference: { source: 0, column }, value })),
    }
    const query = { from: table, joins: [], filter, columns, order: [], limit: 1, offset: 0 }
    found.push(...(await client.query(writeSelect(dialect, query, columns))))
  }
  if (found.length !== rows.length) throw createContentionRefusal()
  return found
}

// --- changed rows that are returned ---------------------------------------------------------

type ReturningMethods = Required<Pick<Datastore, 'updateReturning' | 'upsert'>>

/** Creates the functions that change rows and return them. */
export function createReturningMethods(
  getTableClient: GetTableClient,
  dialect: SqlDialect,
  retryWithTraits: RetryWithTraits,
): ReturningMethods {
  return {
    async updateReturning(
      table: SqlTable,
      changes: SqlColumnValues,
      filter: SqlFilter,
      columns: readonly SqlReference[],
    ) {
      const format = getRowFormat(columns)
      const values = fillColumnDefaults(table, changes, 'onUpdateFn')
      const write = () => getTableClient(table).query(writeUpdate(dialect, { table, values, filter }, format.columns))
      return toSelected(await retryWithTraits({ from: table, filter }, write), format)
    },
    async upsert(upsert: SqlUpsert, columns: readonly SqlReference[]) {
      const format = getRowFormat(columns)
      const { table } = upsert
      const filled = {
        ...upsert,
        values: fillColumnDefaults(table, upsert.values, 'defaultFn'),
        changes: upsert.changes.size === 0 ? upsert.changes : fillColumnDefaults(table, upsert.changes, 'onUpdateFn'),
      }
      const write = () => getTableClient(table).query(writeUpsert(dialect, filled, format.columns))
      return toSelected(await retryWithTraits({ from: table, filter: upsert.filter }, write), format)
    },
  }
}

// --- databases without `on conflict` --------------------------------------------------------

/** Creates the function that inserts a row if there is none: its own `not exists` locks the gap where the row would be. */
export function createInsertUnlessMethod(
  getTableClient: GetTableClient,
  dialect: SqlDialect,
  retryWithTraits: RetryWithTraits,
): Required<Pick<Datastore, 'insertUnless'>> {
  return {
    async insertUnless(table: SqlTable, row: SqlColumnValues, filter: SqlFilter) {
      const values = fillColumnDefaults(table, row, 'defaultFn')
      const write = () => getTableClient(table).execute(writeInsertUnless(dialect, table, values, filter))
      return (await retryWithTraits({ from: table, filter }, write)).affected
    },
  }
}

// --- values and keys ---------------------------------------------------------------------

/** Adds the values that `defaultFn` or `onUpdateFn` generates for columns without one; undefined counts as no value. */
export function fillColumnDefaults(
  table: SqlTable,
  row: SqlColumnValues,
  by: 'defaultFn' | 'onUpdateFn',
): SqlColumnValues {
  const values = new Map<SqlColumn, unknown>()
  for (const [column, value] of row) if (value !== undefined) values.set(column, value)
  for (const column of table.columns.values()) {
    if (column[by] && !values.has(column)) values.set(column, column[by]())
  }
  return values
}

function readReturnedKey(table: SqlTable, row: RawRow | undefined): SqlColumnValues {
  if (!row) throw new Error(`The database gave no key for a new row of ${table.name}.`)
  return new Map(getKeyColumns(table).map((column, i) => [column, decodeNullable(column.decode, getValueAt(row, i))]))
}

function resolveGeneratedKey(table: SqlTable, values: SqlColumnValues, insertId: unknown): SqlColumnValues {
  const columns = getKeyColumns(table)
  const missing = columns.filter((column) => values.get(column) === null || values.get(column) === undefined)
  const isKnown = missing.length === 0 || (missing.length === 1 && insertId !== undefined && Number(insertId) !== 0)
  if (!isKnown) throw new Error(`The database gave no key for a new row of ${table.name}.`)
  return new Map(
    columns.map((column) => [
      column,
      missing.includes(column) ? column.decode(toUnsigned(insertId)) : values.get(column),
    ]),
  )
}

// Some clients return the upper half of the unsigned generated keys as negative numbers.
const toUnsigned = (id: unknown): unknown =>
  Number(id) < 0 ? String(BigInt.asUintN(64, BigInt(id as number | string | bigint))) : id
