// Google's API improvement proposals (AIP-132, 158, 160): page tokens, orders and filters in words.
import { type Convention, convention } from '../listing/convention.ts'

/** Parts by page tokens; a request for more than allowed gets as many as there may be. */
export const aip: Convention<
  {
    readonly page_size: 'items'
    readonly page_token: 'token'
    readonly order_by: 'orderWords'
    readonly filter: 'filterWords'
    readonly read_mask: 'fields'
  },
  { readonly items: 'elements'; readonly next_page_token: 'nextToken' }
> = convention({
  name: 'aip',
  params: {
    page_size: 'items',
    page_token: 'token',
    order_by: 'orderWords',
    filter: 'filterWords',
    read_mask: 'fields',
  },
  body: { items: 'elements', next_page_token: 'nextToken' },
  onExceed: 'clamp',
})
