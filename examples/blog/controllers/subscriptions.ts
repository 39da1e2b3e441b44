// Subscriptions, with a callback that answers instead of the action when there is nothing to act on.
import { controller, Responses } from 'edict'
import { Subscriptions } from '../design/subscriptions.ts'
import { blogStore, subscriptionStore } from '../store.ts'

/** Implements Subscriptions. */
export const subscriptions = controller(Subscriptions, {
  subscribe({ blog_id }, { request, reply }) {
    const { email } = request.payload
    return subscriptionStore.add(blog_id, email) ? reply.accepted() : reply.conflict(`${email} gets this blog already.`)
  },

  cancel({ blog_id }, { request, reply }) {
    const known = subscriptionStore.remove(blog_id, request.payload.email)
    return known ? reply.noContent() : reply.notFound('Nobody of this address gets the blog.')
  },
}).before(({ request }) => {
  if (blogStore.find(request.params.blog_id) === undefined) return new Responses.NotFound()
})
