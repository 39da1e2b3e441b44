// The database: SQLite, in a file or in memory.
import { createClient } from '@libsql/client'
import { drizzle } from 'drizzle-orm/libsql'
import { getTableConfig, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import * as tables from './tables.ts'

/** An open database. */
export type Database = ReturnType<typeof openDatabase>

/** Opens `file:data.db`, or `:memory:`. */
export function openDatabase(url: string) {
  const client = createClient({ url })
  return {
    /** Drizzle, for queries that are no lists of resources. */
    db: drizzle(client),
    /** Creates the tables that are not there yet. */
    prepare: () => client.executeMultiple(Object.values(tables).map(createTable).join(';\n')),
    close: () => client.close(),
  }
}

// Enough to begin with: columns, and which of them are keys, unique or required. A table that exists is never changed.
// Once there is data to keep, let drizzle-kit write migrations from the same tables.
function createTable(table: SQLiteTable) {
  const { name, columns } = getTableConfig(table)
  const parts = columns.map((column) => {
    const rules = [column.primary && 'primary key', column.notNull && 'not null', column.isUnique && 'unique']
    return [`"${column.name}"`, column.getSQLType(), ...rules].filter(Boolean).join(' ')
  })
  return `create table if not exists "${name}" (${parts.join(', ')})`
}
