// Feeds: an endpoint whose media type is not one of ours but an Internet media type.
import { endpoint, route, t } from 'edict'

/** The posts of a blog for feed readers. */
export const Feeds = endpoint('Feeds', {
  description: 'The posts of a blog for feed readers.',
  tags: ['Files'],
  mediaType: 'application/atom+xml',
  actions: {
    show: {
      summary: 'Read a feed',
      description: 'An Atom feed. Also under the address it had before: `/atom/:id`.',
      // A prefix entry replaces the endpoint's prefix for the routes after it; `//` clears it.
      routing: [route.get('/:id.atom', { name: 'feed' }), route.prefix('//'), route.get('/atom/:id')],
      params: { id: t.integer() },
      // Feed readers like to add parameters of their own.
      ignore: ['*'],
      responses: { ok: true, notFound: true },
    },
  },
})
