// The application: controllers put together. It is a value; importing it starts nothing.
import { application } from 'edict'
import { assets, legacy } from './controllers/assets.ts'
import { blogs } from './controllers/blogs.ts'
import { comments } from './controllers/comments.ts'
import { feeds } from './controllers/feeds.ts'
import { health } from './controllers/health.ts'
import { avatars, people } from './controllers/people.ts'
import { posts } from './controllers/posts.ts'
import { statsV1, statsV2 } from './controllers/stats.ts'
import { subscriptions } from './controllers/subscriptions.ts'
import { houseRules } from './house-rules.ts'

/** The blog API. */
export const app = application({
  title: 'Blogs',
  description: 'An example of everything that edict does.',
  basePath: '/api',
  controllers: [
    blogs,
    posts,
    comments,
    subscriptions,
    people,
    avatars,
    feeds,
    assets,
    statsV1,
    statsV2,
    health,
    legacy,
  ],
  plugins: [houseRules],
  // Unknown query parameters are refused, except those that newsletters add.
  ignore: ['utm_*'],
  limits: { body: 256 * 1024 },
})
