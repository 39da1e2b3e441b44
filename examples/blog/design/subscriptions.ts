// Subscriptions: two actions that take the same payload, and one of them a little more.
import { endpoint, route, t } from 'edict'
import { idempotent } from 'edict/idempotency'
import { rateLimit } from 'edict/rate-limit'
import { Blogs } from './blogs.ts'

/** The subscribers of a blog. */
export const Subscriptions = endpoint('Subscriptions', {
  description: 'Who gets a blog by mail. JSON and HTML forms are equally welcome.',
  parent: Blogs,
  version: '1.0',
  actionDefaults: {
    payload: { email: t.string({ required: true, format: 'email' }) },
    consumes: ['application/json', 'application/x-www-form-urlencoded'],
    responses: { notFound: true },
    // Everybody may subscribe, within a rate limit.
    policies: [rateLimit({ limit: 300, per: '1m', by: 'address' })],
  },
  actions: {
    subscribe: {
      summary: 'Subscribe',
      description: 'Sends every new post to the address.',
      routing: route.post('/'),
      // A client that got no answer sends the same again, with the same `Idempotency-Key`.
      policies: [idempotent({ keep: '24h' })],
      responses: { accepted: true, conflict: true },
    },
    cancel: {
      summary: 'Unsubscribe',
      description: 'Sends no more.',
      routing: route.post('/cancel'),
      // Merged with the defaults: both attributes are there.
      payload: { reason: t.string({ max: 500 }) },
      responses: { noContent: true },
    },
  },
})
