// Resources: in which table the elements of a media type are kept. From here on, a list is `books.list(request)`, whatever
// the client wants of it.
import { resource } from 'edict/mapper'
import { drizzleDatastore } from 'edict/mapper/drizzle'
import type { Database } from './database.ts'
import { Book } from './design/books.ts'
import * as tables from './tables.ts'

/** The resources that controllers work on. */
export type Resources = ReturnType<typeof resourcesIn>

/** Maps the media types to the tables of a database. */
export function resourcesIn({ db }: Database) {
  const datastore = drizzleDatastore(db)
  const books = resource(datastore, Book, { table: tables.books })
  // edict generate adds resources above this line

  return {
    books,
    // edict generate adds names above this line
  }
}
