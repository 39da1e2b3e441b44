// The API: controllers put together, over a database. It is a value; making it starts nothing.
import { application } from 'edict'
import { docs } from 'edict/docs'
import { mapper } from 'edict/mapper'
import { pagination } from 'edict/pagination'
import { articlesController, tagsController } from './controllers/articles.ts'
import { commentsController } from './controllers/comments.ts'
import { accountController, profilesController, usersController } from './controllers/users.ts'
import { tokens } from './credentials.ts'
import type { Database } from './database.ts'
import { encodeProblem } from './errors.ts'
import { storeIn } from './resources.ts'

/** Makes the Conduit API over a database. */
export function conduitApi(db: Database) {
  const store = storeIn(db)
  const { users, articles, comments } = store
  return application({
    title: 'Conduit',
    basePath: '/api',
    controllers: [
      usersController(store),
      accountController(store),
      profilesController(store),
      articlesController(store),
      commentsController(store),
      tagsController(store),
    ],
    verifiers: [tokens],
    encodeProblem,
    validation: { status: 422 },
    plugins: [
      mapper({ resources: { users, articles, comments } }),
      pagination({ maxItems: 100, defaultPageSize: 20 }),
      docs(),
    ],
  })
}
