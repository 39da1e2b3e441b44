// The writes of SQL databases: rows are inserted one by one or together, and returned where the database can do that.
import { createContentionRefusal } from '../../query/contention.ts'
import type { Column, Count, Datastore, Filter, RawRow, Reference, Table, ColumnValues } from '../../query/query.ts'
import { toStatement } from './batch.ts'
import { DIALECTS, type SqlDialect } from './dialect.ts'
import type { StatementObservers } from './statement-observers.ts'
import { decodeNullable, getRowFormat, toSelected, getValueAt } from './sql-rows.ts'
import type { SqlClient, SqlTable } from './sql.ts'
import { writeSelect } from './statements/select.ts'
import {
  groupInsertableRows,
  getKeyColumns,
  writeInsert,
  writeInsertUnless,
  writeUpdate,
  writeUpsert,
} from './statements/write-changes.ts'

/** Gives the client for statements about a table. */
type GetTableClient = (table: Table) => SqlClient

/** Runs a statement about tables, and once more if the database had something to tell about them. */
export type RetryWithTraits = <V>(query: Partial<Count>, write: () => Promise<V>) => Promise<V>

type InsertMethods = Required<Pick<Datastore, 'insert' | 'insertMany'>>

/** The functions that add rows. */
export function createInsertMethods(about: GetTableClient, statements: StatementObservers): InsertMethods {
  const dialect = DIALECTS[statements.dialect]
  return {
    async insert(table, given) {
      const described = table as SqlTable
      const values = fillColumnDefaults(described, given, 'defaultFn')
      const writer = about(table)
      if (!dialect.supportsReturning)
        return resolveGeneratedKey(
          described,
          values,
          (await writer.execute(writeInsert(dialect, described, [values]))).insertId,
        )
      const key = listKeyReferences(described)
      const [row] = await writer.query(writeInsert(dialect, described, [values], key))
      return readReturnedKey(described, row)
    },
    async insertMany(table, given, columns) {
      const described = table as SqlTable
      const rows = given.map((one) => fillColumnDefaults(described, one, 'defaultFn'))
      const reading = getRowFormat(columns)
      if (rows.length === 0) return toSelected([], reading)
      const writer = about(table)
      const isGiven = dialect.supportsReturning || (await detectReturning(writer, statements))
      const raw = isGiven
        ? await insertReturning(writer, { dialect, table: described, rows, columns: reading.columns })
        : await insertOneByOne(writer, described, rows, reading.columns)
      return toSelected(raw, reading)
    },
  }
}

interface RowsInsert {
  readonly dialect: SqlDialect
  readonly table: SqlTable
  readonly rows: readonly ColumnValues[]
  readonly columns: readonly Reference[]
}

async function insertReturning(client: SqlClient, { dialect, table, rows, columns }: RowsInsert): Promise<readonly RawRow[]> {
  const written = groupInsertableRows(dialect, rows).map((part) => writeInsert(dialect, table, part, columns))
  const [only] = written
  const found =
    written.length === 1 && only !== undefined ? await client.query(only) : (await client.batch(written)).flat()
  if (found.length !== rows.length)
    throw new Error(`The database gave ${found.length} of ${rows.length} new rows of ${table.name}.`)
  return found
}

const listKeyReferences = (table: SqlTable): readonly Reference[] =>
  getKeyColumns(table).map((column) => ({ source: 0, column }))

// --- databases that give no rows back ---------------------------------------------------

const returningSupport = new WeakMap<StatementObservers, Promise<boolean>>()

/** Returns whether a database of this family gives back the rows that it adds: MariaDB does since 10.5, and MySQL does not. */
function detectReturning(client: SqlClient, statements: StatementObservers): Promise<boolean> {
  const known = returningSupport.get(statements)
  if (known !== undefined) return known
  const asked = client.query(toStatement('select version() as c0')).then(([row]) => {
    const [, major = '0', minor = '0'] = /(\d+)\.(\d+)\.\d+-MariaDB/i.exec(String(getValueAt(row))) ?? []
    return Number(major) > 10 || (Number(major) === 10 && Number(minor) >= 5)
  })
  returningSupport.set(statements, asked)
  asked.catch(() => returningSupport.delete(statements))
  return asked
}

/** Adds rows one by one in one transaction, and reads each by the key that it was given. */
async function insertOneByOne(
  client: SqlClient,
  table: SqlTable,
  rows: readonly ColumnValues[],
  columns: readonly Reference[],
): Promise<readonly RawRow[]> {
  const dialect = DIALECTS[client.dialect]
  const lastId = toStatement('select last_insert_id() as c0')
  const results = await client.batch(rows.flatMap((row) => [writeInsert(dialect, table, [row]), lastId]))
  const found: RawRow[] = []
  for (const [i, row] of rows.entries()) {
    const key = resolveGeneratedKey(table, row, getValueAt(results[i * 2 + 1]?.[0]))
    const filter: Filter = {
      op: 'and',
      of: Array.from(key, ([column, value]) => ({ op: '=', reference: { source: 0, column }, value })),
    }
    const query = { from: table, joins: [], filter, columns, order: [], limit: 1, offset: 0 }
    found.push(...(await client.query(writeSelect(dialect, query, columns))))
  }
  if (found.length !== rows.length) throw createContentionRefusal()
  return found
}

// --- rows given back by changes ----------------------------------------------------------

type ReturningMethods = Required<Pick<Datastore, 'updateReturning' | 'upsert'>>

/** The functions that change rows and give them back. */
export function createReturningMethods(about: GetTableClient, dialect: SqlDialect, informing: RetryWithTraits): ReturningMethods {
  return {
    async updateReturning(table, given, filter, columns) {
      const reading = getRowFormat(columns)
      const values = fillColumnDefaults(table as SqlTable, given, 'onUpdateFn')
      const write = () =>
        about(table).query(writeUpdate(dialect, { table: table as SqlTable, values, filter }, reading.columns))
      return toSelected(await informing({ from: table, filter }, write), reading)
    },
    async upsert(given, columns) {
      const reading = getRowFormat(columns)
      const table = given.table as SqlTable
      const upsert = {
        ...given,
        values: fillColumnDefaults(table, given.values, 'defaultFn'),
        changes: given.changes.size === 0 ? given.changes : fillColumnDefaults(table, given.changes, 'onUpdateFn'),
      }
      const write = () => about(table).query(writeUpsert(dialect, upsert, reading.columns))
      return toSelected(await informing({ from: table, filter: given.filter }, write), reading)
    },
  }
}

// --- upserts of databases without them ---------------------------------------------------

/** The function that adds a row where there is none: its own look for the row locks the place where it would be. */
export function createInsertUnlessMethod(
  about: GetTableClient,
  dialect: SqlDialect,
  informing: RetryWithTraits,
): Required<Pick<Datastore, 'insertUnless'>> {
  return {
    async insertUnless(table, given, filter) {
      const values = fillColumnDefaults(table as SqlTable, given, 'defaultFn')
      const write = () => about(table).execute(writeInsertUnless(dialect, table as SqlTable, values, filter))
      return (await informing({ from: table, filter }, write)).affected
    },
  }
}

// --- values and keys ---------------------------------------------------------------------

/** Adds the values that are made here for columns that have none; what is undefined is not there. */
export function fillColumnDefaults(table: SqlTable, given: ColumnValues, by: 'defaultFn' | 'onUpdateFn'): ColumnValues {
  const values = new Map<Column, unknown>()
  for (const [column, value] of given) if (value !== undefined) values.set(column, value)
  for (const column of table.columns.values()) {
    if (column[by] && !values.has(column)) values.set(column, column[by]())
  }
  return values
}

function readReturnedKey(table: SqlTable, row: RawRow | undefined): ColumnValues {
  if (!row) throw new Error(`The database gave no key for a new row of ${table.name}.`)
  return new Map(getKeyColumns(table).map((column, i) => [column, decodeNullable(column.decode, getValueAt(row, i))]))
}

function resolveGeneratedKey(table: SqlTable, values: ColumnValues, insertId: unknown): ColumnValues {
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

// The upper half of the keys that a database generates is taken for negative numbers by some clients.
const toUnsigned = (id: unknown): unknown =>
  Number(id) < 0 ? String(BigInt.asUintN(64, BigInt(id as number | string | bigint))) : id
