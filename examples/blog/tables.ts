// The tables, for either kind of database. Attributes of media types have columns of the same names; some have more, which
// never leaves: the tokens of people, the revisions that ETags are made of, pictures.
import { sql } from 'drizzle-orm'
import type { Columns } from './columns.ts'

/** The tables of the blogs. */
export type Tables = ReturnType<typeof tablesOf>

/** Makes the tables of the columns of one kind of database. */
export function tablesOf(columns: Columns) {
  const { table, primaryKey, foreignKey, id, integer, number, bigint, boolean, text, date, dateTime, json, bytes } =
    columns

  // Every change increments it.
  const revision = () =>
    integer()
      .notNull()
      .default(1)
      .$onUpdateFn(() => sql`revision + 1`)

  const people = table('people', {
    id: id(),
    name: text().notNull(),
    email: text().unique(),
    website: text(),
    bio: text(),
    joined_on: date(),
    token: text().notNull().unique(),
    avatar: bytes(),
  })

  const blogs = table('blogs', {
    id: id(),
    handle: text().notNull().unique(),
    title: text().notNull(),
    kind: text(),
    open: boolean(),
    rating: number(),
    page_views: bigint(),
    founded_on: date(),
    digest_at: text(),
    created_at: dateTime().notNull(),
    contact_email: text(),
    contact_name: text(),
    links: json(),
    theme: json(),
    settings: json(),
    owner_id: integer()
      .notNull()
      .references(() => people.id),
    revision: revision(),
  })

  const blogId = () =>
    integer()
      .notNull()
      .references(() => blogs.id, { onDelete: 'cascade' })

  const tags = table('tags', { id: id(), name: text().notNull().unique() })

  const blogTags = table(
    'blog_tags',
    {
      blog_id: blogId(),
      tag_id: integer()
        .notNull()
        .references(() => tags.id),
    },
    (row) => [primaryKey({ columns: [row.blog_id, row.tag_id] })],
  )

  const posts = table(
    'posts',
    {
      blog_id: blogId(),
      slug: text().notNull(),
      title: text().notNull(),
      blocks: json(),
      reading_minutes: number(),
      published_at: dateTime(),
      author_id: integer()
        .notNull()
        .references(() => people.id),
      cover: bytes(),
      cover_alt: text(),
      revision: revision(),
    },
    (row) => [primaryKey({ columns: [row.blog_id, row.slug] })],
  )

  const comments = table(
    'comments',
    {
      blog_id: integer().notNull(),
      post_slug: text().notNull(),
      id: text().notNull(),
      parent_id: text(),
      author_name: text().notNull(),
      text: text().notNull(),
      written_at: dateTime().notNull(),
    },
    (row) => [
      primaryKey({ columns: [row.blog_id, row.post_slug, row.id] }),
      // A post that moves to another blog takes its comments along.
      foreignKey({ columns: [row.blog_id, row.post_slug], foreignColumns: [posts.blog_id, posts.slug] })
        .onDelete('cascade')
        .onUpdate('cascade'),
    ],
  )

  const subscriptions = table('subscriptions', { blog_id: blogId(), email: text().notNull() }, (row) => [
    primaryKey({ columns: [row.blog_id, row.email] }),
  ])

  return { people, blogs, tags, blogTags, posts, comments, subscriptions }
}
