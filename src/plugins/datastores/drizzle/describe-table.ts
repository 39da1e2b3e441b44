// Describes a Drizzle table for the SQL writer.
import { type Column, getTableColumns, is, Table } from 'drizzle-orm'
import { MySqlTable, getTableConfig as mysqlConfig } from 'drizzle-orm/mysql-core'
import { PgTable, getTableConfig as pgConfig } from 'drizzle-orm/pg-core'
import { SQLiteTable, getTableConfig as sqliteConfig } from 'drizzle-orm/sqlite-core'
import { quoteIdentifier } from '../sql/dialect.ts'
import type { DialectName, SqlColumn, SqlTable } from '../sql/sql.ts'
import { rowIdColumn } from '../sql/values/sqlite-cursor-codecs.ts'
import { describeColumn } from './describe-column.ts'

/** Returns the name of a column in the database. */
export type GetColumnName = (column: Column) => string

interface TableConfig {
  readonly name: string
  readonly schema?: string | undefined
  readonly primaryKeys: readonly { readonly columns: readonly Column[] }[]
  readonly uniqueConstraints: readonly { readonly columns: readonly Column[] }[]
  readonly indexes: readonly {
    readonly config: { readonly unique?: boolean; readonly columns: readonly unknown[]; readonly where?: unknown }
  }[]
}

/** Returns the sets of columns that are declared unique. */
function listUniqueColumns(
  { uniqueConstraints, indexes }: TableConfig,
  entries: readonly (readonly [string, Column])[],
) {
  const listKeys = (columns: readonly unknown[]): readonly string[] =>
    columns.map((one) => entries.find(([, { name }]) => name === (one as Column).name)?.[0] ?? '')
  return [
    ...entries.flatMap(([key, { isUnique }]) => (isUnique ? [[key]] : [])),
    ...uniqueConstraints.map(({ columns }) => listKeys(columns)),
    // An index of some rows does not distinguish the others.
    ...indexes.flatMap(({ config }) =>
      config.unique === true && config.where === undefined ? [listKeys(config.columns)] : [],
    ),
  ].filter((names) => !names.includes(''))
}

/** Describes a table; throws if the value is not a table of this dialect. */
export function describeTable(dialect: DialectName, source: Table, getName: GetColumnName): SqlTable<Table> {
  const config = readTableConfig(dialect, source)
  const entries = Object.entries(getTableColumns(source))
  const inKey = new Set<string>()
  for (const [, column] of entries) if (column.primary) inKey.add(column.name)
  for (const { columns } of config.primaryKeys) for (const { name } of columns) inKey.add(name)
  const columns = new Map<string, SqlColumn>()
  for (const [key, column] of entries)
    columns.set(key, describeColumn(column, { dialect, name: getName(column), isKey: inKey.has(column.name) }))
  const hasNotNullKey =
    inKey.size > 0 && entries.every(([key, { name }]) => !inKey.has(name) || !columns.get(key)?.nullable)
  return {
    name: config.name,
    source,
    columns,
    unique: listUniqueColumns(config, entries),
    // A key with nulls, or no key, does not identify every row.
    ...(dialect === 'sqlite' && !hasNotNullKey && { rowId: rowIdColumn }),
    key: entries.filter(([, column]) => inKey.has(column.name)).map(([key]) => key),
    sqlName:
      config.schema === undefined
        ? quoteIdentifier(dialect, config.name)
        : quoteIdentifier(dialect, config.schema, config.name),
  }
}

function readTableConfig(dialect: DialectName, source: Table): TableConfig {
  if (dialect === 'postgres' && is(source, PgTable)) return pgConfig(source)
  if (dialect === 'mysql' && is(source, MySqlTable)) return mysqlConfig(source)
  if (dialect === 'sqlite' && is(source, SQLiteTable)) return sqliteConfig(source)
  throw new TypeError(is(source, Table) ? `The table is not one of ${dialect}.` : 'This is no table of Drizzle.')
}
