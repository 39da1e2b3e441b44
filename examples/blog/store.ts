// The store: everything in memory, gone when the process ends. Rows are what the media types show, and a little more
// that never leaves: a response is written from the attributes that its media type declares, and from no others.
import type { BodyOf } from 'edict'
import type { Blog } from './design/blog.ts'
import type { Comment } from './design/comment.ts'
import type { Person } from './design/person.ts'
import type { Post } from './design/post.ts'
import * as seed from './seed.ts'

/** A person, with what nobody else may see. */
export type PersonRow = BodyOf<typeof Person> & { readonly token: string; avatar?: Uint8Array }

/** A blog and the number of its owner; the revision grows with every change. */
export type BlogRow = Omit<BodyOf<typeof Blog>, 'owner'> & { owner_id: number; revision: number }

/** A post and the number of its author. */
export type PostRow = Omit<BodyOf<typeof Post>, 'author'> & { author_id: number; revision: number; cover?: Cover }

/** A comment below a post. */
export type CommentRow = Thread & { readonly blog_id: number; readonly post_slug: string }

type Thread = BodyOf<typeof Comment>

interface Cover {
  readonly bytes: Uint8Array
  readonly alt: string
}

let people = seed.people()
let blogs = seed.blogs()
let posts = seed.posts()
let comments = seed.comments()
let subscriptions = new Set<string>()
const assets = seed.assets()

/** Puts everything back to how it was in the beginning. */
export function reset(): void {
  people = seed.people()
  blogs = seed.blogs()
  posts = seed.posts()
  comments = seed.comments()
  subscriptions = new Set()
}

/** The people. */
export const peopleStore = {
  find: (id: number) => people.find((person) => person.id === id),
  byEmail: (email: string) => people.find((person) => person.email === email),
  byToken: (token: string) => people.find((person) => person.token === token),
  change(person: PersonRow, changes: Partial<PersonRow>): PersonRow {
    const changed = { ...person, ...changes }
    people = people.map((one) => (one.id === person.id ? changed : one))
    return changed
  },
}

/** The blogs, each with its owner. */
export const blogStore = {
  list: () => blogs.map(withOwner),
  find: (id: number) => blogs.filter((blog) => blog.id === id).map(withOwner)[0],
  byHandle: (handle: string) => blogs.filter((blog) => blog.handle === handle).map(withOwner)[0],
  add(blog: Omit<BlogRow, 'id' | 'created_at' | 'revision'>): BlogRow {
    const id = Math.max(0, ...blogs.map((one) => one.id)) + 1
    const added = { ...blog, id, created_at: new Date(), revision: 1 }
    blogs.push(added)
    return added
  },
  change(id: number, changes: Partial<BlogRow>): void {
    blogs = blogs.map((blog) => (blog.id === id ? { ...blog, ...changes, revision: blog.revision + 1 } : blog))
  },
  remove(id: number): void {
    blogs = blogs.filter((blog) => blog.id !== id)
    posts = posts.filter((post) => post.blog_id !== id)
    comments = comments.filter((comment) => comment.blog_id !== id)
  },
}

/** The posts, each with its author. */
export const postStore = {
  count: () => posts.length,
  published: (blogId: number): (PostRow & { author?: PersonRow })[] =>
    posts
      .filter((post) => post.blog_id === blogId && post.published_at && post.published_at <= new Date())
      .sort((a, b) => Number(b.published_at) - Number(a.published_at))
      .map(withAuthor),
  find: (blogId: number, slug: string) =>
    posts.filter((post) => post.blog_id === blogId && post.slug === slug).map(withAuthor)[0],
  findPublished: (blogId: number, slug: string) => postStore.published(blogId).find((post) => post.slug === slug),
  add(post: Omit<PostRow, 'revision'>): void {
    posts.push({ ...post, revision: 1 })
  },
  change({ blog_id, slug, revision }: PostRow, changes: Partial<PostRow>): void {
    const isMeant = (post: PostRow) => post.blog_id === blog_id && post.slug === slug
    posts = posts.map((post) => (isMeant(post) ? { ...post, ...changes, revision: revision + 1 } : post))
  },
}

/** The comments of posts; a reply is kept in the comment it answers. */
export const commentStore = {
  of: (post: PostRow) => comments.filter((one) => one.blog_id === post.blog_id && one.post_slug === post.slug),
  find: (post: PostRow, id: string) => flat(commentStore.of(post)).find((one) => one.id === id),
  by: (post: PostRow, author: string) => flat(commentStore.of(post)).filter((one) => one.author_name === author),
  add(post: PostRow, comment: Thread, parent?: Thread): void {
    if (parent === undefined) comments.push({ ...comment, blog_id: post.blog_id, post_slug: post.slug })
    else parent.replies = [...(parent.replies ?? []), comment]
  },
  replace(post: PostRow, imported: readonly Thread[]): void {
    const old = new Set(commentStore.of(post))
    comments = comments.filter((one) => !old.has(one))
    for (const comment of imported) commentStore.add(post, comment)
  },
}

const flat = (threads: readonly Thread[]): Thread[] =>
  threads.flatMap((thread) => [thread, ...flat(thread.replies ?? [])])

/** Who gets which blog by mail; both functions tell whether that changed anything. */
export const subscriptionStore = {
  add(blogId: number, email: string): boolean {
    const before = subscriptions.size
    return subscriptions.add(`${blogId} ${email}`).size > before
  },
  remove: (blogId: number, email: string) => subscriptions.delete(`${blogId} ${email}`),
}

/** The files of themes. */
export const assetStore = { find: (path: string) => assets.get(path) }

function withOwner(blog: BlogRow) {
  const owner = peopleStore.find(blog.owner_id)
  return { ...blog, ...(owner && { owner }) }
}

function withAuthor(post: PostRow) {
  const author = peopleStore.find(post.author_id)
  return { ...post, ...(author && { author }) }
}
