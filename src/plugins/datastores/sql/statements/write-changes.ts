// Writes the statements that change rows: insert, update and delete.
import { INCREMENT } from '../../../query/query.ts'
import type { SqlDialect } from '../dialect.ts'
import type { SqlColumn, SqlColumnValues, SqlFilter, SqlReference, SqlTable, SqlUpsert, Statement } from '../sql.ts'
import { formatSelected, SqlWriter } from './sql-writer.ts'
import { writeSqlFilter } from './write-filter.ts'

function writeCondition(writer: SqlWriter, scope: number, filter: SqlFilter): void {
  writer.text += ' where '
  writeSqlFilter(writer, scope, filter)
}

/** Writes the insertion of rows; it returns `columns` of each, if given, as c0, c1 and so on. */
export function writeInsert(
  dialect: SqlDialect,
  table: SqlTable,
  rows: readonly SqlColumnValues[],
  columns?: readonly SqlReference[],
): Statement {
  const writer = new SqlWriter(dialect)
  writer.text = `insert into ${table.sqlName}`
  writeInsertedRows(writer, rows)
  writeReturning(writer, columns)
  return writer.finish()
}

/** Writes the insertion of a row unless some row meets a condition. */
export function writeInsertUnless(
  dialect: SqlDialect,
  table: SqlTable,
  values: SqlColumnValues,
  filter: SqlFilter,
): Statement {
  const writer = new SqlWriter(dialect)
  const columns = listColumns([values])
  writer.text = `insert into ${table.sqlName} (${columns.map((column) => column.sqlName).join(', ')}) select `
  for (let i = 0; i < columns.length; i++) {
    if (i > 0) writer.text += ', '
    writeValue(writer, columns[i] as SqlColumn, values)
  }
  const scope = writer.reserveAliases(1)
  writer.text += ` from dual where not exists (select 1 from ${table.sqlName} as t${scope}`
  writeCondition(writer, scope, filter)
  writer.text += ')'
  return writer.finish()
}

/** Writes the insertion of a row, or the update of the existing one. */
export function writeUpsert(
  dialect: SqlDialect,
  { table, values, by, changes, filter }: SqlUpsert,
  columns: readonly SqlReference[],
): Statement {
  const writer = new SqlWriter(dialect)
  const scope = writer.reserveAliases(1)
  writer.text = `insert into ${table.sqlName} as t${scope}`
  writeInsertedRows(writer, [values])
  const [first, ...more] = by.map((column) => column.sqlName)
  writer.text += ` on conflict (${[first, ...more].join(', ')}) do update set `
  // Without any changes, an update to the same value still returns the row.
  if (changes.size === 0) writer.text += `${first} = t${scope}.${first}`
  else writeAssignments(writer, scope, changes)
  if (filter !== undefined) writeCondition(writer, scope, filter)
  writeReturning(writer, columns)
  return writer.finish()
}

function writeInsertedRows(writer: SqlWriter, rows: readonly SqlColumnValues[]): void {
  const columns = listColumns(rows)
  if (columns.length === 0) {
    writer.text += writer.dialect.insertDefaultsSql
    return
  }
  writer.text += ` (${columns.map((column) => column.sqlName).join(', ')}) values `
  for (let row = 0; row < rows.length; row++) {
    const values = rows[row] as SqlColumnValues
    writer.text += row === 0 ? '(' : ', ('
    for (let i = 0; i < columns.length; i++) {
      if (i > 0) writer.text += ', '
      const column = columns[i] as SqlColumn
      if (values.has(column)) writeValue(writer, column, values)
      else writer.text += 'default'
    }
    writer.text += ')'
  }
}

/** Returns the columns that some of the rows have values for. */
const listColumns = (rows: readonly SqlColumnValues[]): readonly SqlColumn[] =>
  [...new Set(rows.flatMap((values) => [...values.keys()]))] as SqlColumn[]

/** Groups rows that one statement can insert. */
export function groupInsertableRows(
  dialect: SqlDialect,
  rows: readonly SqlColumnValues[],
): readonly (readonly SqlColumnValues[])[] {
  const parts: SqlColumnValues[][] = []
  let currentColumns: readonly SqlColumn[] = []
  for (const row of rows) {
    const part = parts.at(-1)
    const columns =
      part === undefined || hasOnlyColumns(currentColumns, row)
        ? currentColumns
        : listColumns([new Map(currentColumns.map(toEmptyEntry)), row])
    const hasSameColumns = dialect.supportsInlineDefaults
      ? true
      : columns.length === currentColumns.length && row.size === currentColumns.length
    const fits = part !== undefined && columns.length > 0 && (part.length + 1) * columns.length <= dialect.maxValues
    if (fits && hasSameColumns) {
      part.push(row)
      currentColumns = columns
    } else {
      parts.push([row])
      currentColumns = listColumns([row])
    }
  }
  return parts
}

const toEmptyEntry = (column: SqlColumn) => [column, undefined] as const

const hasOnlyColumns = (known: readonly SqlColumn[], row: SqlColumnValues): boolean => {
  if (row.size > known.length) return false
  let found = 0
  for (const column of known) if (row.has(column)) found++
  return found === row.size
}

function writeReturning(writer: SqlWriter, columns: readonly SqlReference[] | undefined): void {
  if (columns === undefined) return
  const expressions = columns.map(({ column, forCursor }, i) => {
    const sqlColumn = column as SqlColumn
    return `${formatSelected(sqlColumn, sqlColumn.sqlName, forCursor)} as c${i}`
  })
  writer.text += ` returning ${expressions.length === 0 ? '1 as c0' : expressions.join(', ')}`
}

/** Returns the columns of a table's key. */
export function getKeyColumns(table: SqlTable): readonly SqlColumn[] {
  return table.key.map((name) => table.columns.get(name) as SqlColumn)
}

function writeValue(writer: SqlWriter, column: SqlColumn, values: SqlColumnValues): void {
  const value = values.get(column)
  if (value === null || value === undefined) writer.bind(null)
  else writer.bindValue(column, column.encode(value))
}

/** An update of rows. */
interface RowUpdate {
  readonly table: SqlTable
  readonly values: SqlColumnValues
  readonly filter: SqlFilter
}

/** Writes an update of rows; it returns `columns` of each, if given. */
export function writeUpdate(
  dialect: SqlDialect,
  { table, values, filter }: RowUpdate,
  columns?: readonly SqlReference[],
): Statement {
  const writer = new SqlWriter(dialect)
  const scope = writer.reserveAliases(1)
  writer.text = `update ${table.sqlName} as t${scope} set `
  writeAssignments(writer, scope, values)
  writeCondition(writer, scope, filter)
  writeReturning(writer, columns)
  return writer.finish()
}

function writeAssignments(writer: SqlWriter, scope: number, values: SqlColumnValues): void {
  let first = true
  for (const column of values.keys() as Iterable<SqlColumn>) {
    writer.text += `${first ? '' : ', '}${column.sqlName} = `
    first = false
    if (values.get(column) === INCREMENT) writer.text += `t${scope}.${column.sqlName} + 1`
    else writeValue(writer, column, values)
  }
}

/** Writes the deletion of rows. */
export function writeDelete(dialect: SqlDialect, table: SqlTable, filter: SqlFilter): Statement {
  const writer = new SqlWriter(dialect)
  const scope = writer.reserveAliases(1)
  writer.text = `delete ${dialect.aliasedDelete ? `t${scope} ` : ''}from ${table.sqlName} as t${scope}`
  writeCondition(writer, scope, filter)
  return writer.finish()
}
