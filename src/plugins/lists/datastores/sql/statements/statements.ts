// Writes the statements that change rows: insert, update and delete.
import { type Filter, RAISED, type Values } from '../../../query.ts'
import type { Dialect } from '../dialect.ts'
import type { SqlColumn, SqlTable, Statement } from '../sql.ts'
import { writeFilter } from './filter.ts'
import { readAs, SqlWriter } from './writer.ts'

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

const returned = (column: SqlColumn, i: number): string => `${readAs(column, column.written)} as c${i}`

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
    if (values.get(column) === RAISED) writer.text += `t${scope}.${column.written} + 1`
    else bindValue(writer, column, values)
  }
  writeWhere(writer, scope, filter)
  return writer.end()
}

/** Writes the removal of rows. */
export function writeDelete(dialect: Dialect, table: SqlTable, filter: Filter): Statement {
  const writer = new SqlWriter(dialect)
  const scope = writer.scope(1)
  writer.text = `delete ${dialect.aliasedDelete ? `t${scope} ` : ''}from ${table.written} as t${scope}`
  writeWhere(writer, scope, filter)
  return writer.end()
}
