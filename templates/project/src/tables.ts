// The tables. What a media type shows is in the column of the same name; a column that no media type has never leaves.
import { sqliteTable } from 'drizzle-orm/sqlite-core'

/** The books. */
export const books = sqliteTable('books', (t) => ({
  id: t.integer().primaryKey(),
  title: t.text().notNull(),
  year: t.integer(),
}))
