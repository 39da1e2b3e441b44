// Resources: which table the elements of a media type are in, and where attributes come from that are no columns of it.
// Lists, filters, orders and selections of fields become queries from here on.
import { mediaType, t } from 'edict'
import { many, one, resource } from 'edict/mapper'
import { drizzleDatastore } from 'edict/mapper/drizzle'
import type { Database } from './database.ts'
import { Blog } from './design/blog.ts'
import { Comment } from './design/comment.ts'
import { Person } from './design/person.ts'
import { Post } from './design/post.ts'

// Media types that no action shows: a tag is shown as its name, and a comment with its replies below it.
const Tag = mediaType('Tag', { attributes: { id: t.integer({ required: true }), name: t.string({ required: true }) } })

const { replies: _, ...said } = Comment.attributes
const CommentRow = mediaType('CommentRow', {
  attributes: {
    ...said,
    blog_id: t.integer({ required: true }),
    post_slug: t.string({ required: true }),
    parent_id: t.string({ nullable: true }),
  },
})

/** A database, and what is kept in it. */
export type Store = ReturnType<typeof storeIn>

/** Maps the media types to the tables of a database. */
export function storeIn(database: Database) {
  const { db, tables } = database
  const datastore = drizzleDatastore(db)
  const people = resource(datastore, Person, { table: tables.people })
  const tags = resource(datastore, Tag, { table: tables.tags })
  const blogs = resource(datastore, Blog, {
    table: tables.blogs,
    attributes: {
      // Our column, and theirs.
      owner: one(people, { owner_id: 'id' }),
      // Through the table between blogs and tags; of a tag, only its name is shown.
      tags: many(
        tags,
        { id: 'blog_id' },
        { value: 'name', order: ['name'], through: { table: tables.blogTags, on: { tag_id: 'id' } } },
      ),
      // A structure in columns of its own. Without being told, edict would look for the same ones.
      contact: { email: 'contact_email', name: 'contact_name' },
    },
  })
  // The key are the two columns of the table's primary key: blog_id and slug.
  const posts = resource(datastore, Post, {
    table: tables.posts,
    attributes: { author: one(people, { author_id: 'id' }) },
  })
  // A comment has an id, but it is one of its post only: the key has to be named.
  const comments = resource(datastore, CommentRow, { table: tables.comments, key: ['blog_id', 'post_slug', 'id'] })
  return { ...database, people, tags, blogs, posts, comments }
}
