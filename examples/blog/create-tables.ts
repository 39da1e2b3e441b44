// Writes `create table` from Drizzle's tables, so that the example needs no set-up. An API that lives on would use
// migrations, which drizzle-kit writes from the same tables.
import { getTableName, is } from 'drizzle-orm'
import { getTableConfig as configOfPostgres, PgTable } from 'drizzle-orm/pg-core'
import { getTableConfig as configOfSqlite, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Tables } from './tables.ts'

/** The statements that create the tables, those that others refer to first; all of them, or none. */
export function createTables(tables: Tables): string {
  const statements = Object.values(tables).map((table) => {
    // The code below reads only members that both kinds share.
    const { name, columns, primaryKeys, foreignKeys } = is(table, PgTable)
      ? configOfPostgres(table)
      : (configOfSqlite(table as unknown as SQLiteTable) as unknown as ReturnType<typeof configOfPostgres>)
    const parts = [
      ...columns.map((column) => {
        const { notNull, primary, isUnique, default: initial } = column
        const rules = [primary && 'primary key', notNull && !primary && 'not null', isUnique && 'unique']
        const start = initial === undefined ? false : `default ${initial}`
        return [column.name, column.getSQLType(), ...rules, start].filter(Boolean).join(' ')
      }),
      ...primaryKeys.map((key) => `primary key (${names(key.columns)})`),
      ...foreignKeys.map((key) => {
        const { columns: ours, foreignTable, foreignColumns } = key.reference()
        const target = `${getTableName(foreignTable)} (${names(foreignColumns)})`
        const [onDelete, onUpdate] = [key.onDelete ?? 'no action', key.onUpdate ?? 'no action']
        return `foreign key (${names(ours)}) references ${target} on delete ${onDelete} on update ${onUpdate}`
      }),
    ]
    return `create table if not exists ${name} (${parts.join(', ')})`
  })
  return ['begin', ...statements, 'commit'].join(';\n')
}

const names = (columns: readonly { readonly name: string }[]) => columns.map(({ name }) => name).join(', ')
