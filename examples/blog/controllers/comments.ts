// Comments: a class, built once for each request, with what all of its actions need.
// The compiler cannot give types to the methods of a class from outside, so here they are written down.
import { and, eq, gt } from 'drizzle-orm'
import { type Context, controller, type ParamsOf, Responses } from 'edict'
import { isConflict } from 'edict/mapper'
import { drizzleDatastore } from 'edict/mapper/drizzle'
import type { Reply } from '../design/comment.ts'
import { Comments } from '../design/comments.ts'
import { Throttled } from '../design/responses.ts'
import { blogRow, publishedPost } from '../queries.ts'
import type { Store } from '../resources.ts'

type Spec = (typeof Comments)['spec']

const MOST_PER_MINUTE = 3

class CommentsController {
  readonly #store: Store
  readonly #context: Context<Spec>
  readonly #place: { readonly blog_id: number; readonly post_slug: string }

  constructor(store: Store, context: Context<Spec>) {
    const { blog_id, post_slug } = context.request.params
    this.#store = store
    this.#context = context
    this.#place = { blog_id, post_slug }
  }

  async index() {
    if ((await this.#post()) === undefined) return this.#noPost()
    const { threads } = await this.#conversation()
    return new Responses.Ok({ body: threads })
  }

  async show({ id }: ParamsOf<Spec, 'show'>, { reply }: Context<Spec, 'show'>) {
    const comment = (await this.#post()) && (await this.#conversation()).byId.get(id)
    return comment ? reply.ok(comment) : reply.notFound('There is no such comment.')
  }

  async create(params: ParamsOf<Spec, 'create'>, { request, reply }: Context<Spec, 'create'>) {
    const { comments } = this.#store
    if ((await this.#post()) === undefined) return this.#noPost()
    if (!(await this.#isOpen())) return reply.locked('This blog takes no comments.')
    const { reply_to, ...said } = request.payload
    if (await this.#isHasty(said.author_name)) {
      return new Throttled({ body: 'Take a breath.', headers: { 'Retry-After': '60' } })
    }
    if (reply_to !== undefined && !(await comments.find({ ...this.#place, id: reply_to }))) {
      return reply.notFound('There is no comment to reply to.')
    }
    const id = crypto.randomUUID()
    await comments.create({ ...this.#place, ...said, id, parent_id: reply_to, written_at: new Date() })
    return reply.created(undefined, { location: this.#context.href(Comments, { ...params, id }) })
  }

  async import(_: ParamsOf<Spec, 'import'>, { principal, request, reply }: Context<Spec, 'import'>) {
    const { db, tables, comments } = this.#store
    const post = await this.#post()
    if (post === undefined) return this.#noPost()
    if (post.author_id !== principal.id) return reply.forbidden('This post is not yours.')
    try {
      // All or nothing: the same resource, kept in a transaction.
      await db.transaction(async (tx) => {
        await tx.delete(tables.comments).where(this.#here())
        const kept = comments.withDatastore(drizzleDatastore(tx))
        for (const row of flat(request.payload)) await kept.create({ ...this.#place, ...row })
      })
    } catch (error) {
      if (isConflict(error)) return reply.conflict('Two of the comments have the same id.')
      throw error
    }
    return reply.noContent()
  }

  /** All comments of the post: the rows of one list, each put below the one it answers. */
  async #conversation() {
    const rows = await this.#store.comments.list({ where: this.#place, order: ['written_at'], limit: Infinity })
    const byId = new Map(rows.map((row): [string, Reply] => [row.id, { ...row, replies: [] }]))
    const threads: Reply[] = []
    for (const { id, parent_id } of rows) {
      const siblings = byId.get(parent_id ?? '')?.replies ?? threads
      siblings.push(byId.get(id) as Reply)
    }
    return { threads, byId }
  }

  #post() {
    return publishedPost(this.#store, this.#place.blog_id, this.#place.post_slug)
  }

  #noPost() {
    return new Responses.NotFound({ body: 'There is no such post.' })
  }

  async #isOpen() {
    return (await blogRow(this.#store, this.#place.blog_id))?.open === true
  }

  async #isHasty(author: string) {
    const { db, tables } = this.#store
    const { author_name, written_at } = tables.comments
    const since = new Date(Date.now() - 60_000)
    const earlier = and(this.#here(), eq(author_name, author), gt(written_at, since))
    return (await db.$count(tables.comments, earlier)) >= MOST_PER_MINUTE
  }

  #here() {
    const { blog_id, post_slug } = this.#store.tables.comments
    return and(eq(blog_id, this.#place.blog_id), eq(post_slug, this.#place.post_slug))
  }
}

/** The rows of whole conversations. */
const flat = (
  threads: readonly Reply[],
  parent_id: string | null = null,
): (Omit<Reply, 'replies'> & { parent_id: string | null })[] =>
  threads.flatMap(({ replies = [], ...row }) => [{ ...row, parent_id }, ...flat(replies, row.id)])

/** Implements Comments. */
export const comments = (store: Store) => {
  class Controller extends CommentsController {
    constructor(context: Context<Spec>) {
      super(store, context)
    }
  }
  return controller(Comments, Controller)
}
