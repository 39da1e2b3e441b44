// Writes the statements that change rows: insert, update and delete.
import { type Filter, RAISED, type Reference, type Upsert, type Values } from '../../../query.ts'
import type { Dialect } from '../dialect.ts'
import type { SqlColumn, SqlTable, Statement } from '../sql.ts'
import { writeFilter } from './filter.ts'
import { readAs, SqlWriter } from './writer.ts'

function writeWhere(writer: SqlWriter, scope: number, filter: Filter): void {
  writer.text += ' where '
  writeFilter(writer, scope, filter)
}

/** Writes the insertion of rows, which gives columns of each as c0, c1 and so on where some are asked for. */
export function writeInsert(
  dialect: Dialect,
  table: SqlTable,
  rows: readonly Values[],
  columns?: readonly Reference[],
): Statement {
  const writer = new SqlWriter(dialect)
  writer.text = `insert into ${table.written}`
  writeRows(writer, rows)
  writeReturning(writer, columns)
  return writer.end()
}

/** Writes the insertion of a row unless some row fits a condition. */
export function writeInsertUnless(dialect: Dialect, table: SqlTable, values: Values, filter: Filter): Statement {
  const writer = new SqlWriter(dialect)
  const columns = columnsIn([values])
  writer.text = `insert into ${table.written} (${columns.map((column) => column.written).join(', ')}) select `
  for (let i = 0; i < columns.length; i++) {
    if (i > 0) writer.text += ', '
    bindValue(writer, columns[i] as SqlColumn, values)
  }
  const scope = writer.scope(1)
  writer.text += ` from dual where not exists (select 1 from ${table.written} as t${scope}`
  writeWhere(writer, scope, filter)
  writer.text += ')'
  return writer.end()
}

/** Writes the insertion of a row that changes the one that is there. */
export function writeUpsert(
  dialect: Dialect,
  { table, values, by, changes, filter }: Upsert,
  columns: readonly Reference[],
): Statement {
  const writer = new SqlWriter(dialect)
  const scope = writer.scope(1)
  writer.text = `insert into ${(table as SqlTable).written} as t${scope}`
  writeRows(writer, [values])
  const [first, ...more] = by.map((column) => (column as SqlColumn).written)
  writer.text += ` on conflict (${[first, ...more].join(', ')}) do update set `
  // A change of nothing still gives the row.
  if (changes.size === 0) writer.text += `${first} = t${scope}.${first}`
  else writeChanges(writer, scope, changes)
  if (filter !== undefined) writeWhere(writer, scope, filter)
  writeReturning(writer, columns)
  return writer.end()
}

function writeRows(writer: SqlWriter, rows: readonly Values[]): void {
  const columns = columnsIn(rows)
  if (columns.length === 0) {
    writer.text += writer.dialect.defaults
    return
  }
  writer.text += ` (${columns.map((column) => column.written).join(', ')}) values `
  for (let row = 0; row < rows.length; row++) {
    const values = rows[row] as Values
    writer.text += row === 0 ? '(' : ', ('
    for (let i = 0; i < columns.length; i++) {
      if (i > 0) writer.text += ', '
      const column = columns[i] as SqlColumn
      if (values.has(column)) bindValue(writer, column, values)
      else writer.text += 'default'
    }
    writer.text += ')'
  }
}

/** The columns that some of the rows have values for. */
const columnsIn = (rows: readonly Values[]): readonly SqlColumn[] =>
  [...new Set(rows.flatMap((values) => [...values.keys()]))] as SqlColumn[]

/** Puts rows together that one statement can add. */
export function insertable(dialect: Dialect, rows: readonly Values[]): readonly (readonly Values[])[] {
  const parts: Values[][] = []
  let known: readonly SqlColumn[] = []
  for (const row of rows) {
    const part = parts.at(-1)
    const columns = part === undefined || isAmong(known, row) ? known : columnsIn([new Map(known.map(asEntry)), row])
    const isAlike = dialect.inlineDefaults ? true : columns.length === known.length && row.size === known.length
    const fits = part !== undefined && columns.length > 0 && (part.length + 1) * columns.length <= dialect.maxValues
    if (fits && isAlike) {
      part.push(row)
      known = columns
    } else {
      parts.push([row])
      known = columnsIn([row])
    }
  }
  return parts
}

const asEntry = (column: SqlColumn) => [column, undefined] as const

const isAmong = (known: readonly SqlColumn[], row: Values): boolean => {
  if (row.size > known.length) return false
  let found = 0
  for (const column of known) if (row.has(column)) found++
  return found === row.size
}

function writeReturning(writer: SqlWriter, columns: readonly Reference[] | undefined): void {
  if (columns === undefined) return
  const written = columns.map(({ column, placed }, i) => {
    const own = column as SqlColumn
    return `${readAs(own, own.written, placed)} as c${i}`
  })
  writer.text += ` returning ${written.length === 0 ? '1 as c0' : written.join(', ')}`
}

/** Gives the columns of a table's key. */
export function keyColumns(table: SqlTable): readonly SqlColumn[] {
  return table.key.map((name) => table.columns.get(name) as SqlColumn)
}

function bindValue(writer: SqlWriter, column: SqlColumn, values: Values): void {
  const value = values.get(column)
  if (value === null || value === undefined) writer.bind(null)
  else writer.value(column, column.encode(value))
}

/** A change of rows. */
interface Update {
  readonly table: SqlTable
  readonly values: Values
  readonly filter: Filter
}

/** Writes a change of rows, which gives columns of each where some are asked for. */
export function writeUpdate(
  dialect: Dialect,
  { table, values, filter }: Update,
  columns?: readonly Reference[],
): Statement {
  const writer = new SqlWriter(dialect)
  const scope = writer.scope(1)
  writer.text = `update ${table.written} as t${scope} set `
  writeChanges(writer, scope, values)
  writeWhere(writer, scope, filter)
  writeReturning(writer, columns)
  return writer.end()
}

function writeChanges(writer: SqlWriter, scope: number, values: Values): void {
  let first = true
  for (const column of values.keys() as Iterable<SqlColumn>) {
    writer.text += `${first ? '' : ', '}${column.written} = `
    first = false
    if (values.get(column) === RAISED) writer.text += `t${scope}.${column.written} + 1`
    else bindValue(writer, column, values)
  }
}

/** Writes the removal of rows. */
export function writeDelete(dialect: Dialect, table: SqlTable, filter: Filter): Statement {
  const writer = new SqlWriter(dialect)
  const scope = writer.scope(1)
  writer.text = `delete ${dialect.aliasedDelete ? `t${scope} ` : ''}from ${table.written} as t${scope}`
  writeWhere(writer, scope, filter)
  return writer.end()
}
