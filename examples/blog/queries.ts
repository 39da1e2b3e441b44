// Queries of the application's own: what is no list of a media type is asked with Drizzle itself, on the same tables.
import { and, desc, eq, inArray, lte, sql } from 'drizzle-orm'
import type { Queries } from './database.ts'
import type { Store } from './resources.ts'
import type { Tables } from './tables.ts'

/** The facts about a blog that controllers check before they act. */
export async function blogRow({ db, tables: { blogs } }: Store, id: number) {
  const { title, handle, open, owner_id, revision } = blogs
  const shown = { id: blogs.id, title, handle, open, owner_id, revision }
  const [row] = await db.select(shown).from(blogs).where(eq(blogs.id, id))
  return row
}

/** The published posts of a blog, the newest first. */
export function publishedPosts({ db, tables: { posts } }: Store, blogId: number) {
  const { slug, title, published_at } = posts
  return db
    .select({ slug, title })
    .from(posts)
    .where(and(eq(posts.blog_id, blogId), lte(published_at, new Date())))
    .orderBy(desc(published_at), slug)
}

/** The facts about a published post that controllers check before they act. */
export async function publishedPost({ db, tables: { posts } }: Store, blogId: number, slug: string) {
  const { blog_id, author_id, revision, cover, published_at } = posts
  const [row] = await db
    .select({ blog_id, slug: posts.slug, author_id, revision, cover })
    .from(posts)
    .where(and(eq(blog_id, blogId), eq(posts.slug, slug), lte(published_at, new Date())))
  return row
}

/** Gives a blog these tags and no others. */
export async function setTags(
  db: Queries,
  { blogs, tags, blogTags }: Tables,
  blogId: number,
  names: readonly string[],
) {
  await db.delete(blogTags).where(eq(blogTags.blog_id, blogId))
  // Tags are a part of the blog, so that their change is one of it.
  await db.update(blogs).set({ revision: sql`revision + 1` }).where(eq(blogs.id, blogId))
  if (names.length === 0) return
  const rows = names.map((name) => ({ name }))
  await db.insert(tags).values(rows).onConflictDoNothing()
  const known = await db
    .select({ tag_id: tags.id })
    .from(tags)
    .where(inArray(tags.name, [...names]))
  await db.insert(blogTags).values(known.map(({ tag_id }) => ({ blog_id: blogId, tag_id })))
}
