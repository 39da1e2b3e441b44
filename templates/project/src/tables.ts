// The tables. An attribute is read from the column of the same name; a column without an attribute is never sent.
import { sqliteTable } from 'drizzle-orm/sqlite-core'

/** The books. */
export const books = sqliteTable('books', (t) => ({
  id: t.integer().primaryKey(),
  title: t.text().notNull(),
  year: t.integer(),
}))
