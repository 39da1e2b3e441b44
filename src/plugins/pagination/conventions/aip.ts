// Google's API improvement proposals (AIP-132, 158, 160): page tokens, and orders and filters in words.
import { type Convention, convention } from '../listing/convention.ts'
import { type OrEmpty, orEmpty } from '../listing/templates.ts'

/** Pages by page tokens; a request for more elements than allowed returns the maximum, and one for 0 the default. */
export const aip: Convention<
  {
    readonly page_size: 'items'
    readonly page_token: 'token'
    readonly order_by: 'orderWords'
    readonly filter: 'filterWords'
    readonly read_mask: 'fields'
  },
  { readonly items: 'elements'; readonly next_page_token: OrEmpty<'nextToken'> }
> = convention({
  name: 'aip',
  params: {
    page_size: 'items',
    page_token: 'token',
    order_by: 'orderWords',
    filter: 'filterWords',
    read_mask: 'fields',
  },
  body: { items: 'elements', next_page_token: orEmpty('nextToken') },
  onExceed: 'clamp',
  onZero: 'default',
})
