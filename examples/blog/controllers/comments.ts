// Comments: a class, built once for each request. What all actions need is worked out in the constructor.
// The compiler cannot give types to the methods of a class from outside, so here they are written down.
import { type Context, controller, type ParamsOf, Responses } from 'edict'
import { Comments } from '../design/comments.ts'
import { Throttled } from '../design/responses.ts'
import { blogStore, commentStore, postStore } from '../store.ts'
import { authenticated, signedIn } from './behaviours.ts'

type Spec = (typeof Comments)['spec']

const MOST_PER_MINUTE = 3

class CommentsController {
  readonly #context: Context<Spec>
  readonly #post

  constructor(context: Context<Spec>) {
    const { blog_id, post_slug } = context.request.params
    this.#context = context
    this.#post = postStore.findPublished(blog_id, post_slug)
  }

  index() {
    return this.#post ? new Responses.Ok({ body: commentStore.of(this.#post) }) : this.#noPost()
  }

  show({ id }: ParamsOf<Spec, 'show'>, { reply }: Context<Spec, 'show'>) {
    const comment = this.#post && commentStore.find(this.#post, id)
    return comment ? reply.ok(comment) : reply.notFound('There is no such comment.')
  }

  create(params: ParamsOf<Spec, 'create'>, { request, reply }: Context<Spec, 'create'>) {
    if (this.#post === undefined) return this.#noPost()
    if (!this.#isOpen()) return reply.locked('This blog takes no comments.')
    const { reply_to, ...said } = request.payload
    if (this.#isHasty(said.author_name)) {
      return new Throttled({ body: 'Take a breath.', headers: { 'Retry-After': '60' } })
    }
    const parent = reply_to === undefined ? undefined : commentStore.find(this.#post, reply_to)
    if (reply_to !== undefined && parent === undefined) return reply.notFound('There is no comment to reply to.')
    const id = crypto.randomUUID()
    commentStore.add(this.#post, { ...said, id, written_at: new Date(), replies: [] }, parent)
    return reply.created(undefined, { location: this.#context.href(Comments, { ...params, id }) })
  }

  import(_: ParamsOf<Spec, 'import'>, { request, reply }: Context<Spec, 'import'>) {
    if (this.#post === undefined) return this.#noPost()
    if (this.#post.author_id !== signedIn(this.#context).id) return reply.forbidden('This post is not yours.')
    commentStore.replace(this.#post, request.payload)
    return reply.noContent()
  }

  #noPost() {
    return new Responses.NotFound({ body: 'There is no such post.' })
  }

  #isOpen() {
    return blogStore.find(this.#context.request.params.blog_id)?.open === true
  }

  #isHasty(author: string) {
    const since = Date.now() - 60_000
    const earlier = this.#post ? commentStore.by(this.#post, author) : []
    return earlier.filter((one) => one.written_at.getTime() > since).length >= MOST_PER_MINUTE
  }
}

/** Implements Comments. */
export const comments = controller(Comments, CommentsController).with(authenticated)
