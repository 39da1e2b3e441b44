// Step 4: the tables, which media types are kept in them, and a few rows.
import { createClient } from '@libsql/client'
import { drizzle } from 'drizzle-orm/libsql'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { one, resource } from 'edict/mapper'
import { drizzleDatastore } from 'edict/mapper/drizzle'
import { Author, Book } from './design.ts'

const authorsTable = sqliteTable('authors', { id: integer().primaryKey(), name: text().notNull() })
const booksTable = sqliteTable('books', {
  id: integer().primaryKey(),
  title: text().notNull(),
  year: integer(),
  author_id: integer(),
})

/** Opens a library, such as `file:library.db` or `:memory:`. */
export async function openLibrary(url: string) {
  const client = createClient({ url })
  await client.executeMultiple(`
    pragma foreign_keys = on;
    create table if not exists authors (id integer primary key, name text not null);
    create table if not exists books (
      id integer primary key, title text not null unique, year integer, author_id integer references authors (id)
    );
    insert or ignore into authors (id, name) values (1, 'George Eliot'), (2, 'James Joyce'), (3, 'Jane Austen');
    insert or ignore into books (id, title, year, author_id) values
      (1, 'Middlemarch', 1871, 1), (2, 'Silas Marner', 1861, 1), (3, 'Dubliners', 1914, 2),
      (4, 'Ulysses', 1922, 2), (5, 'Emma', 1815, 3), (6, 'Beowulf', null, null);
  `)
  const datastore = drizzleDatastore(drizzle(client))
  const authors = resource(datastore, Author, { table: authorsTable })
  const books = resource(datastore, Book, {
    table: booksTable,
    attributes: { author: one(authors, { author_id: 'id' }) },
  })
  return { authors, books }
}
