// Limit and offset: `?limit=20&offset=40`, with the elements and their total number in the body.
import { type Convention, convention } from '../listing/convention.ts'

/** Pages by limit and offset; the body has the elements as `items`, and their total number as `total`. */
export const limitOffset: Convention<
  { readonly limit: 'items'; readonly offset: 'offset'; readonly sort: 'order'; readonly filter: 'filters' },
  { readonly items: 'elements'; readonly total: 'total' }
> = convention({
  name: 'limit-offset',
  params: { limit: 'items', offset: 'offset', sort: 'order', filter: 'filters' },
  body: { items: 'elements', total: 'total' },
})
