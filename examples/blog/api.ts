// The API: controllers put together, over a database. It is a value; making it starts nothing.
import { application } from 'edict'
import { conditional } from 'edict/conditional'
import { cors } from 'edict/cors'
import { health } from 'edict/health'
import { idempotency } from 'edict/idempotency'
import { mapper } from 'edict/mapper'
import { pagination } from 'edict/pagination'
import { rateLimits } from 'edict/rate-limit'
import { memoryStore } from 'edict/stores'
import { assets, legacy } from './controllers/assets.ts'
import { blogs } from './controllers/blogs.ts'
import { comments } from './controllers/comments.ts'
import { feeds } from './controllers/feeds.ts'
import { avatars, people, tokens } from './controllers/people.ts'
import { posts } from './controllers/posts.ts'
import { statsV1, statsV2 } from './controllers/stats.ts'
import { subscriptions } from './controllers/subscriptions.ts'
import type { Database } from './database.ts'
import { documentation, metadata } from './documentation.ts'
import { frontDoor } from './front-door.ts'
import { houseRules } from './house-rules.ts'
import { storeIn } from './resources.ts'

/** Makes the blog API over a database. */
export function blogApi(database: Database) {
  const store = storeIn(database)
  // Counts and keys of one process; several share them in redisStore(…) or postgresStore(…).
  const kept = memoryStore()
  return application({
    ...metadata,
    basePath: '/api',
    controllers: [
      blogs(store),
      posts(store),
      comments(store),
      subscriptions(store),
      people(store),
      avatars(store),
      feeds(store),
      assets,
      statsV1(store),
      statsV2(store),
      legacy,
    ],
    plugins: [
      houseRules,
      frontDoor,
      // With the resources, what clients may ask of lists is held against the tables when the application starts.
      mapper({ resources: { people: store.people, blogs: store.blogs, posts: store.posts } }),
      pagination({ maxItems: 100, defaultPageSize: 20 }),
      // Pages of these origins may call the API; what they may send and see follows from the declarations.
      cors({ origins: ['http://localhost:5173'] }),
      conditional(),
      rateLimits(kept),
      idempotency(kept),
      // Load balancers ask `/api/health/live` and `/api/health/ready`.
      health({ checks: { database: () => database.db.$count(database.tables.people) } }),
      documentation,
    ],
    verifiers: [tokens(store)],
    // Unknown query parameters are refused, except those that newsletters add.
    ignore: ['utm_*'],
    limits: { body: 256 * 1024 },
  })
}
