// The API: controllers and plugins put together, over a database. It is a value; tests make as many as they like.
import { application } from 'edict'
import { docs } from 'edict/docs'
import { mapper } from 'edict/mapper'
import { pagination } from 'edict/pagination'
import { books } from './controllers/books.ts'
import type { Database } from './database.ts'
import { resourcesIn } from './resources.ts'

/** Makes the API over a database. */
export function createApi(database: Database) {
  const resources = resourcesIn(database)
  return application({
    title: '__NAME__',
    controllers: [
      books(resources),
      // edict generate adds controllers above this line
    ],
    plugins: [
      // With the resources, what clients may ask of lists is held against the tables when the application starts.
      mapper({ resources }),
      pagination({ maxItems: 100, defaultPageSize: 20 }),
      // The documentation browser, at /docs.
      docs(),
    ],
  })
}
