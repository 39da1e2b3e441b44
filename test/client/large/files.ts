// Files that are larger than memory should be: declared as streams in both directions.
import { endpoint, route, t } from 'edict'

/** A file that is counted when it comes, and made when it goes. */
export const Files = endpoint('Files', {
  actions: {
    keep: {
      routing: route.put('/'),
      payload: t.file({ required: true, stream: true, max: 2 ** 32 }),
      bodyLimit: 2 ** 32,
      responses: { ok: 'text/plain' },
    },
    show: {
      routing: route.get('/:megabytes'),
      params: { megabytes: t.integer({ min: 1, max: 4096 }) },
      responses: { ok: 'application/octet-stream' },
    },
  },
})
