// Resources: which table the elements of a media type are in, and where attributes come from that are no columns of it.
import { mediaType, t } from 'edict'
import { type AnyResource, computed, count, exists, many, one, resource } from 'edict/mapper'
import { drizzleDatastore } from 'edict/mapper/drizzle'
import { signToken } from './credentials.ts'
import type { Database } from './database.ts'
import { Article, Favorite } from './design/articles.ts'
import { Comment } from './design/comments.ts'
import { type Caller, Follow, User } from './design/users.ts'
import * as tables from './tables.ts'

const id = t.integer({ required: true })
const Tag = mediaType('Tag', { attributes: { articleId: id, position: id, name: t.string({ required: true }) } })

/** The resources of a database. */
export type Store = ReturnType<typeof storeIn>

interface Context {
  readonly principal: Caller | undefined
}

/** The context of an action about an element that may not be there, or not be the caller's. */
export interface ElementContext extends Context {
  readonly reply: { notFound(detail?: string): object; forbidden?(): object }
}

/** Returns an element that was looked for; a missing one is a 404. */
export function refuseMissing<T>(found: T | undefined, { reply }: ElementContext, detail?: string): T {
  if (found === undefined) throw reply.notFound(detail)
  return found
}

/** The condition that an element is of the caller, whose key is in this attribute; nothing is of somebody unknown. */
const ofCaller = <N extends string>(name: N) => ({
  where: ({ principal }: Context) => principal !== undefined && { [name]: principal.id },
})

/** Maps the media types to the tables of a database. */
export function storeIn(db: Database) {
  const datastore = drizzleDatastore(db)
  const follows = resource(datastore, Follow, { table: tables.follows })
  const users = resource(datastore, User, {
    table: tables.users,
    attributes: {
      token: computed(['id'], ({ id }) => signToken(id)),
      following: exists(many(follows, { id: 'followedId' }, ofCaller('followerId'))),
      followers: many(
        (): AnyResource => users,
        { id: 'followedId' },
        { through: { table: tables.follows, on: { followerId: 'id' } } },
      ),
    },
  })
  const tags = resource(datastore, Tag, { table: tables.tags })
  const favorites = resource(datastore, Favorite, { table: tables.favorites })
  const articles = resource(datastore, Article, {
    table: tables.articles,
    attributes: {
      tagList: many(tags, { id: 'articleId' }, { value: 'name', position: 'position' }),
      author: one(users, { authorId: 'id' }),
      favorited: exists(many(favorites, { id: 'articleId' }, ofCaller('userId'))),
      favoritesCount: count(many(favorites, { id: 'articleId' })),
      favoritedBy: many(users, { id: 'articleId' }, { through: { table: tables.favorites, on: { userId: 'id' } } }),
    },
  })
  const comments = resource(datastore, Comment, {
    table: tables.comments,
    attributes: { author: one(users, { authorId: 'id' }) },
  })
  return { db, users, articles, tags, comments, favorites, follows }
}
