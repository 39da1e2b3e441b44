// Cursors in the body: `?limit=20&cursor=…`, with the cursors of the next and the previous page in each response.
import { type Convention, convention } from '../listing/convention.ts'

/** Pages by cursors in the bodies of responses. */
export const cursors: Convention<
  { readonly limit: 'items'; readonly cursor: 'token'; readonly sort: 'order'; readonly filter: 'filters' },
  { readonly items: 'elements'; readonly next_cursor: 'nextToken'; readonly prev_cursor: 'prevToken' }
> = convention({
  name: 'cursors',
  params: { limit: 'items', cursor: 'token', sort: 'order', filter: 'filters' },
  body: { items: 'elements', next_cursor: 'nextToken', prev_cursor: 'prevToken' },
})
