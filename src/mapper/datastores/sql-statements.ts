// Writes whole statements: select, count, insert, update and delete.
import type { Count, Filter, Reference, Select, Values } from '../query.ts'
import type { SqlColumn, SqlTable, Statement } from './sql.ts'
import { DIALECTS, type Dialect } from './sql-dialect.ts'
import { noteFilter, writeFilter } from './sql-filter.ts'
import { completeNeeded, expression, isNullable, SqlWriter } from './sql-writer.ts'

/** Writes a query for rows; `columns` are read as c0, c1 and so on. */
export function writeSelect(dialect: Dialect, query: Select, columns: readonly Reference[]): Statement {
  const writer = new SqlWriter(dialect)
  const { order } = query
  const scope = writer.scope(query.joins.length + 1)
  writer.text = headOf(columns, scope)
  writeSource(writer, scope, query, columns, order)
  for (let i = 0; i < order.length; i++) {
    const { reference, descending, noNulls } = order[i] as Select['order'][number]
    writer.text += i === 0 ? ' order by ' : ', '
    writer.text += dialect.order(expression(scope, reference), descending, noNulls !== true && isNullable(reference))
  }
  writer.text += dialect.page(query.limit, query.offset)
  return writer.end()
}

// The longest part of most queries, and the same for the same columns.
const heads = new WeakMap<readonly Reference[], string>()

function headOf(columns: readonly Reference[], scope: number): string {
  let head = heads.get(columns)
  if (head === undefined) {
    const written = columns.map(
      (reference, i) => `${read(reference.column as SqlColumn, expression(scope, reference))} as c${i}`,
    )
    head = `select ${columns.length === 0 ? '1 as c0' : written.join(', ')}`
    heads.set(columns, head)
  }
  return head
}

const read = (column: SqlColumn, written: string): string => (column.read ? column.read(written) : written)

/** Writes a query for the number of rows. */
export function writeCount(dialect: Dialect, query: Count): Statement {
  const writer = new SqlWriter(dialect)
  writer.text = 'select count(*) as c0'
  writeSource(writer, writer.scope(query.joins.length + 1), query, [], [])
  return writer.end()
}

function writeSource(
  writer: SqlWriter,
  scope: number,
  { from, joins, filter }: Count,
  columns: readonly Reference[],
  order: Select['order'],
): void {
  const needed: boolean[] = []
  if (joins.length > 0) {
    for (const { source } of columns) needed[source] = true
    for (const { reference } of order) needed[reference.source] = true
    if (filter) noteFilter(filter, needed)
    completeNeeded(needed, joins)
  }
  writer.from(scope, from, joins, needed)
  if (filter) writeWhere(writer, scope, filter)
}

function writeWhere(writer: SqlWriter, scope: number, filter: Filter): void {
  writer.text += ' where '
  writeFilter(writer, scope, filter)
}

/** Writes the insertion of a row; it gives the key as c0, c1 and so on where the database can. */
export function writeInsert(dialect: Dialect, table: SqlTable, values: Values): Statement {
  const writer = new SqlWriter(dialect)
  writer.text = `insert into ${table.written}`
  if (values.size === 0) writer.text += dialect.defaults
  else {
    const columns = [...values.keys()] as SqlColumn[]
    writer.text += ` (${columns.map((column) => column.written).join(', ')}) values (`
    for (let i = 0; i < columns.length; i++) {
      if (i > 0) writer.text += ', '
      bindValue(writer, columns[i] as SqlColumn, values)
    }
    writer.text += ')'
  }
  if (dialect.returning && table.key.length > 0)
    writer.text += ` returning ${keyColumns(table).map(returned).join(', ')}`
  return writer.end()
}

const returned = (column: SqlColumn, i: number): string => `${read(column, column.written)} as c${i}`

/** Gives the columns of a table's key. */
export function keyColumns(table: SqlTable): readonly SqlColumn[] {
  return table.key.map((name) => table.columns.get(name) as SqlColumn)
}

function bindValue(writer: SqlWriter, column: SqlColumn, values: Values): void {
  const value = values.get(column)
  if (value === null || value === undefined) writer.bind(null)
  else writer.value(column, column.encode(value))
}

/** Writes a change of rows. */
export function writeUpdate(dialect: Dialect, table: SqlTable, values: Values, filter: Filter): Statement {
  const writer = new SqlWriter(dialect)
  const scope = writer.scope(1)
  writer.text = `update ${table.written} as t${scope} set `
  let first = true
  for (const column of values.keys() as Iterable<SqlColumn>) {
    writer.text += `${first ? '' : ', '}${column.written} = `
    first = false
    bindValue(writer, column, values)
  }
  writeWhere(writer, scope, filter)
  return writer.end()
}

/** Writes the removal of rows. */
export function writeDelete(dialect: Dialect, table: SqlTable, filter: Filter): Statement {
  const writer = new SqlWriter(dialect)
  const scope = writer.scope(1)
  // Not every version of MySQL and MariaDB has an alias in the form for one table.
  writer.text = `delete ${dialect === DIALECTS.mysql ? `t${scope} ` : ''}from ${table.written} as t${scope}`
  writeWhere(writer, scope, filter)
  return writer.end()
}
