// The datastore that all SQL databases share: it writes statements, runs them through a client, and reads what comes back.
import type { Column, Datastore, Reference, Select, Selected, Values } from '../query.ts'
import type { RawRow, SqlClient, SqlColumn, SqlTable } from './sql.ts'
import { DIALECTS } from './sql-dialect.ts'
import { sqlFault } from './sql-fault.ts'
import { placeOf } from './sql-place.ts'
import { keyColumns, writeCount, writeDelete, writeInsert, writeSelect, writeUpdate } from './sql-statements.ts'

/** Makes a datastore of a client and of what is known of its tables. */
export function sqlDatastore<T>(client: SqlClient, describe: (source: T) => SqlTable<T>): Datastore<T> {
  const dialect = DIALECTS[client.dialect]
  const tables = new Map<T, SqlTable<T>>()
  const store: Datastore<T> = {
    table(source) {
      const known = tables.get(source)
      if (known) return known
      const table = describe(source)
      tables.set(source, table)
      return table
    },
    async select(query) {
      const { columns, places } = distinct(query.columns)
      return selected(await client.query(writeSelect(dialect, query as Select, columns)), columns, places)
    },
    async count(query) {
      const [row] = await client.query(writeCount(dialect, query))
      return Number(firstOf(row))
    },
    async insert(table, given) {
      const described = table as SqlTable<T>
      const values = completed(described, given, 'initial')
      const statement = writeInsert(dialect, described, values)
      if (!dialect.returning) return generatedKey(described, values, (await client.execute(statement)).insertId)
      if (table.key.length > 0) return returnedKey(described, (await client.query(statement))[0])
      await client.execute(statement)
      return new Map()
    },
    async update(table, given, filter) {
      const values = given.size === 0 ? given : completed(table as SqlTable<T>, given, 'renewed')
      if (values.size === 0) return store.count({ from: table, joins: [], filter })
      return (await client.execute(writeUpdate(dialect, table as SqlTable<T>, values, filter))).affected
    },
    async delete(table, filter) {
      return (await client.execute(writeDelete(dialect, table as SqlTable<T>, filter))).affected
    },
    maxValues: dialect.maxValues,
    fault: sqlFault,
  }
  return store
}

/** Gives every column once, and where each of the wanted ones is among them. */
function distinct(wanted: readonly Reference[]): { columns: readonly Reference[]; places: readonly number[] } {
  const columns: Reference[] = []
  const places = wanted.map((reference) => {
    const known = columns.findIndex((other) => other.column === reference.column && other.source === reference.source)
    return known === -1 ? columns.push(reference) - 1 : known
  })
  return { columns, places }
}

function selected(raw: readonly RawRow[], columns: readonly Reference[], places: readonly number[]): Selected {
  const described = places.map((place) => (columns[place] as Reference).column as SqlColumn)
  const at = keysOf(raw[0], places)
  const rows: unknown[][] = new Array(raw.length)
  for (let r = 0; r < raw.length; r++) {
    const given = raw[r] as RawRow
    const row: unknown[] = new Array(at.length)
    for (let i = 0; i < at.length; i++) row[i] = decoded(described[i] as SqlColumn, given[at[i] as never])
    rows[r] = row
  }
  return { rows, place: (row, column) => placeOf(raw[row]?.[at[column] as never]) }
}

/** Where the values of columns stand in each row. */
function keysOf(row: RawRow | undefined, places: readonly number[]): readonly (number | string)[] {
  return row === undefined || Array.isArray(row) ? places : places.map((place) => `c${place}`)
}

const firstOf = (row: RawRow | undefined, at = 0): unknown =>
  row === undefined ? undefined : Array.isArray(row) ? row[at] : Object.values(row)[at]

const decoded = (column: SqlColumn, raw: unknown): unknown =>
  raw === null || raw === undefined ? null : column.decode(raw)

/** Adds the values that are made here for columns that have none; what is undefined is not there. */
function completed(table: SqlTable, given: Values, by: 'initial' | 'renewed'): Values {
  const values = new Map<Column, unknown>()
  for (const [column, value] of given) if (value !== undefined) values.set(column, value)
  for (const column of table.columns.values()) {
    if (column[by] && !values.has(column)) values.set(column, column[by]())
  }
  return values
}

function returnedKey(table: SqlTable, row: RawRow | undefined): Values {
  if (!row) throw new Error(`The database gave no key for a new row of ${table.name}.`)
  return new Map(keyColumns(table).map((column, i) => [column, decoded(column, firstOf(row, i))]))
}

function generatedKey(table: SqlTable, values: Values, insertId: unknown): Values {
  const columns = keyColumns(table)
  const missing = columns.filter((column) => values.get(column) === null || values.get(column) === undefined)
  const isKnown = missing.length === 0 || (missing.length === 1 && insertId !== undefined && Number(insertId) !== 0)
  if (!isKnown) throw new Error(`The database gave no key for a new row of ${table.name}.`)
  return new Map(
    columns.map((column) => [column, missing.includes(column) ? column.decode(insertId) : values.get(column)]),
  )
}
