// Subscriptions, with a callback that answers instead of the action when there is nothing to act on.
import { and, eq } from 'drizzle-orm'
import { controller, Responses } from 'edict'
import { Subscriptions } from '../design/subscriptions.ts'
import { blogRow } from '../queries.ts'
import type { Store } from '../resources.ts'

/** Implements Subscriptions. */
export const subscriptions = (store: Store) => {
  const { db, tables } = store
  const rows = tables.subscriptions
  return controller(Subscriptions, {
    async subscribe({ blog_id }, { request, reply }) {
      const { email } = request.payload
      const added = await db.insert(rows).values({ blog_id, email }).onConflictDoNothing().returning()
      return added.length > 0 ? reply.accepted() : reply.conflict(`${email} gets this blog already.`)
    },

    async cancel({ blog_id }, { request, reply }) {
      const { email } = request.payload
      const removed = await db
        .delete(rows)
        .where(and(eq(rows.blog_id, blog_id), eq(rows.email, email)))
        .returning()
      return removed.length > 0 ? reply.noContent() : reply.notFound('Nobody of this address gets the blog.')
    },
  }).before(async ({ request }) => {
    if ((await blogRow(store, request.params.blog_id)) === undefined) return new Responses.NotFound()
  })
}
