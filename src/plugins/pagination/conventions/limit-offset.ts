// Limit and offset: `?limit=20&offset=40`, and the elements beside their number.
import { convention } from '../listing/convention.ts'

/** Parts by limit and offset; the body has the elements as `items`, and their number as `total`. */
export const limitOffset = convention({
  name: 'limit-offset',
  params: { limit: 'items', offset: 'offset', sort: 'order', filter: 'filters' },
  body: { items: 'elements', total: 'total' },
})
