// Style sheets and pictures of the blogs, under paths of any depth.
import { endpoint, route, t } from 'edict'

/** Files that themes need. */
export const Assets = endpoint('Assets', {
  description: 'Files that themes need.',
  tags: ['Files'],
  actions: {
    show: {
      summary: 'Get a file',
      // A wildcard takes any number of path segments; what matches `except` does not match the route.
      routing: route.get('/*', { except: '/private/*' }),
      params: { splat: t.array(t.string()) },
      responses: { ok: { mediaType: ['text/css', 'image/svg+xml'] }, notFound: true },
    },
  },
})

/** The rest of the site that was here before: it answers every verb and is not in the documentation. */
export const Legacy = endpoint('Legacy', {
  nodoc: true,
  actions: {
    gone: {
      description: 'Tells crawlers to stop asking.',
      routing: route.any('//wordpress/*'),
      params: { splat: t.array(t.string()) },
      ignore: ['*'],
      responses: { gone: true },
    },
  },
})
