// The tour with a client of the sources, as one module for every runtime.
import { client } from 'edict/client'
import { Assets, Legacy } from '../../../examples/blog/design/assets.ts'
import { Blogs } from '../../../examples/blog/design/blogs.ts'
import { Comments } from '../../../examples/blog/design/comments.ts'
import { Feeds } from '../../../examples/blog/design/feeds.ts'
import { Avatars, People } from '../../../examples/blog/design/people.ts'
import { Posts } from '../../../examples/blog/design/posts.ts'
import { StatsV1, StatsV2 } from '../../../examples/blog/design/stats.ts'
import { Subscriptions } from '../../../examples/blog/design/subscriptions.ts'
import { type Seen, tour } from './tour.ts'

/** All endpoints of the example. */
export const endpoints = {
  Assets,
  Avatars,
  Blogs,
  Comments,
  Feeds,
  Legacy,
  People,
  Posts,
  StatsV1,
  StatsV2,
  Subscriptions,
}

/** Calls everything at an address. */
export const run = (baseUrl: string, isPage: boolean): Promise<Seen[]> =>
  tour(client(endpoints, { baseUrl, headers: { Authorization: 'Bearer ada-secret' } }), isPage)
