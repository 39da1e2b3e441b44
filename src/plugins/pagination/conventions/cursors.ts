// Cursors in the body: `?limit=20&cursor=…`, with the cursors of both neighbours in each answer.
import { convention } from '../listing/convention.ts'

/** Parts by cursors that answers give out in their bodies. */
export const cursors = convention({
  name: 'cursors',
  params: { limit: 'items', cursor: 'token', sort: 'order', filter: 'filters' },
  body: { items: 'elements', next_cursor: 'nextToken', prev_cursor: 'prevToken' },
})
