// The tables. `npx drizzle-kit generate` compares them with the last migration and writes the next one.
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

const now = () => new Date()
const times = () => ({
  createdAt: integer({ mode: 'timestamp_ms' }).notNull().$defaultFn(now),
  updatedAt: integer({ mode: 'timestamp_ms' }).notNull().$defaultFn(now).$onUpdateFn(now),
})
const required = () => integer().notNull()
const userId = () => required().references(() => users.id, { onDelete: 'cascade' })
const articleId = () => required().references(() => articles.id, { onDelete: 'cascade' })

export const users = sqliteTable('users', {
  id: integer().primaryKey(),
  email: text().notNull().unique(),
  username: text().notNull().unique(),
  password: text().notNull(),
  bio: text(),
  image: text(),
})

export const articles = sqliteTable(
  'articles',
  {
    id: integer().primaryKey(),
    slug: text().notNull().unique(),
    title: text().notNull(),
    description: text().notNull(),
    body: text().notNull(),
    ...times(),
    authorId: userId(),
  },
  (table) => [index('articles_by_author').on(table.authorId, table.id)],
)

export const tags = sqliteTable(
  'tags',
  { articleId: articleId(), position: integer().notNull(), name: text().notNull() },
  (table) => [
    primaryKey({ columns: [table.articleId, table.position] }),
    index('tags_by_name').on(table.name, table.articleId),
  ],
)

export const comments = sqliteTable(
  'comments',
  {
    id: integer().primaryKey(),
    ...times(),
    body: text().notNull(),
    articleId: articleId(),
    authorId: userId(),
  },
  (table) => [index('comments_by_article').on(table.articleId, table.id)],
)

export const favorites = sqliteTable('favorites', { articleId: articleId(), userId: userId() }, (table) => [
  primaryKey({ columns: [table.articleId, table.userId] }),
  index('favorites_by_user').on(table.userId, table.articleId),
])

export const follows = sqliteTable('follows', { followerId: userId(), followedId: userId() }, (table) => [
  primaryKey({ columns: [table.followedId, table.followerId] }),
  index('follows_by_follower').on(table.followerId, table.followedId),
])
