// The writes of SQL databases: rows are inserted one by one or together, and returned where the database can do that.
import { outrun } from '../../faults.ts'
import type { Column, Count, Datastore, Filter, RawRow, Reference, Table, Values } from '../../query.ts'
import { command } from './batch.ts'
import { DIALECTS, type Dialect } from './dialect.ts'
import type { Statements } from './observing.ts'
import { decoded, readingOf, selectedRows, valueIn } from './rows.ts'
import type { SqlClient, SqlTable } from './sql.ts'
import { writeSelect } from './statements/select.ts'
import {
  insertable,
  keyColumns,
  writeInsert,
  writeInsertUnless,
  writeUpdate,
  writeUpsert,
} from './statements/statements.ts'

/** Gives the client for statements about a table. */
type About = (table: Table) => SqlClient

/** Runs a statement about tables, and once more if the database had something to tell about them. */
export type Informing = <V>(query: Partial<Count>, write: () => Promise<V>) => Promise<V>

type Insertion = Required<Pick<Datastore, 'insert' | 'insertMany'>>

/** The functions that add rows. */
export function insertion(about: About, statements: Statements): Insertion {
  const dialect = DIALECTS[statements.dialect]
  return {
    async insert(table, given) {
      const described = table as SqlTable
      const values = completed(described, given, 'initial')
      const writer = about(table)
      if (!dialect.returning)
        return generatedKey(
          described,
          values,
          (await writer.execute(writeInsert(dialect, described, [values]))).insertId,
        )
      const key = keyReferences(described)
      const [row] = await writer.query(writeInsert(dialect, described, [values], key))
      return returnedKey(described, row)
    },
    async insertMany(table, given, columns) {
      const described = table as SqlTable
      const rows = given.map((one) => completed(described, one, 'initial'))
      const reading = readingOf(columns)
      if (rows.length === 0) return selectedRows([], reading)
      const writer = about(table)
      const isGiven = dialect.returning || (await givesRows(writer, statements))
      const raw = isGiven
        ? await addedRows(writer, { dialect, table: described, rows, columns: reading.columns })
        : await rowsOfKeys(writer, described, rows, reading.columns)
      return selectedRows(raw, reading)
    },
  }
}

interface Addition {
  readonly dialect: Dialect
  readonly table: SqlTable
  readonly rows: readonly Values[]
  readonly columns: readonly Reference[]
}

async function addedRows(client: SqlClient, { dialect, table, rows, columns }: Addition): Promise<readonly RawRow[]> {
  const written = insertable(dialect, rows).map((part) => writeInsert(dialect, table, part, columns))
  const [only] = written
  const found =
    written.length === 1 && only !== undefined ? await client.query(only) : (await client.batch(written)).flat()
  if (found.length !== rows.length)
    throw new Error(`The database gave ${found.length} of ${rows.length} new rows of ${table.name}.`)
  return found
}

const keyReferences = (table: SqlTable): readonly Reference[] =>
  keyColumns(table).map((column) => ({ source: 0, column }))

// --- databases that give no rows back ---------------------------------------------------

const giving = new WeakMap<Statements, Promise<boolean>>()

/** Returns whether a database of this family gives back the rows that it adds: MariaDB does since 10.5, and MySQL does not. */
function givesRows(client: SqlClient, statements: Statements): Promise<boolean> {
  const known = giving.get(statements)
  if (known !== undefined) return known
  const asked = client.query(command('select version() as c0')).then(([row]) => {
    const [, major = '0', minor = '0'] = /(\d+)\.(\d+)\.\d+-MariaDB/i.exec(String(valueIn(row))) ?? []
    return Number(major) > 10 || (Number(major) === 10 && Number(minor) >= 5)
  })
  giving.set(statements, asked)
  asked.catch(() => giving.delete(statements))
  return asked
}

/** Adds rows one by one in one transaction, and reads each by the key that it was given. */
async function rowsOfKeys(
  client: SqlClient,
  table: SqlTable,
  rows: readonly Values[],
  columns: readonly Reference[],
): Promise<readonly RawRow[]> {
  const dialect = DIALECTS[client.dialect]
  const lastId = command('select last_insert_id() as c0')
  const results = await client.batch(rows.flatMap((row) => [writeInsert(dialect, table, [row]), lastId]))
  const found: RawRow[] = []
  for (const [i, row] of rows.entries()) {
    const key = generatedKey(table, row, valueIn(results[i * 2 + 1]?.[0]))
    const filter: Filter = {
      op: 'and',
      of: Array.from(key, ([column, value]) => ({ op: '=', reference: { source: 0, column }, value })),
    }
    const query = { from: table, joins: [], filter, columns, order: [], limit: 1, offset: 0 }
    found.push(...(await client.query(writeSelect(dialect, query, columns))))
  }
  if (found.length !== rows.length) throw outrun()
  return found
}

// --- rows given back by changes ----------------------------------------------------------

type Returning = Required<Pick<Datastore, 'updateReturning' | 'upsert'>>

/** The functions that change rows and give them back. */
export function returning(about: About, dialect: Dialect, informing: Informing): Returning {
  return {
    async updateReturning(table, given, filter, columns) {
      const reading = readingOf(columns)
      const values = completed(table as SqlTable, given, 'renewed')
      const write = () =>
        about(table).query(writeUpdate(dialect, { table: table as SqlTable, values, filter }, reading.columns))
      return selectedRows(await informing({ from: table, filter }, write), reading)
    },
    async upsert(given, columns) {
      const reading = readingOf(columns)
      const table = given.table as SqlTable
      const upsert = {
        ...given,
        values: completed(table, given.values, 'initial'),
        changes: given.changes.size === 0 ? given.changes : completed(table, given.changes, 'renewed'),
      }
      const write = () => about(table).query(writeUpsert(dialect, upsert, reading.columns))
      return selectedRows(await informing({ from: table, filter: given.filter }, write), reading)
    },
  }
}

// --- upserts of databases without them ---------------------------------------------------

/** The function that adds a row where there is none: its own look for the row locks the place where it would be. */
export function conditionalInsertion(
  about: About,
  dialect: Dialect,
  informing: Informing,
): Required<Pick<Datastore, 'insertUnless'>> {
  return {
    async insertUnless(table, given, filter) {
      const values = completed(table as SqlTable, given, 'initial')
      const write = () => about(table).execute(writeInsertUnless(dialect, table as SqlTable, values, filter))
      return (await informing({ from: table, filter }, write)).affected
    },
  }
}

// --- values and keys ---------------------------------------------------------------------

/** Adds the values that are made here for columns that have none; what is undefined is not there. */
export function completed(table: SqlTable, given: Values, by: 'initial' | 'renewed'): Values {
  const values = new Map<Column, unknown>()
  for (const [column, value] of given) if (value !== undefined) values.set(column, value)
  for (const column of table.columns.values()) {
    if (column[by] && !values.has(column)) values.set(column, column[by]())
  }
  return values
}

function returnedKey(table: SqlTable, row: RawRow | undefined): Values {
  if (!row) throw new Error(`The database gave no key for a new row of ${table.name}.`)
  return new Map(keyColumns(table).map((column, i) => [column, decoded(column.decode, valueIn(row, i))]))
}

function generatedKey(table: SqlTable, values: Values, insertId: unknown): Values {
  const columns = keyColumns(table)
  const missing = columns.filter((column) => values.get(column) === null || values.get(column) === undefined)
  const isKnown = missing.length === 0 || (missing.length === 1 && insertId !== undefined && Number(insertId) !== 0)
  if (!isKnown) throw new Error(`The database gave no key for a new row of ${table.name}.`)
  return new Map(
    columns.map((column) => [
      column,
      missing.includes(column) ? column.decode(unsigned(insertId)) : values.get(column),
    ]),
  )
}

// The upper half of the keys that a database generates is taken for negative numbers by some clients.
const unsigned = (id: unknown): unknown =>
  Number(id) < 0 ? String(BigInt.asUintN(64, BigInt(id as number | string | bigint))) : id
