// Stripe's lists: `?limit=10&starting_after=ch_7&created[gte]=1700000000`, with the key of an element as cursor.
import { type Convention, convention } from '../listing/convention.ts'
import { type Constant, constant } from '../listing/templates.ts'

/** Pages before and after an element, identified by its key; `has_more` in the body. */
export const stripe: Convention<
  {
    readonly limit: 'items'
    readonly starting_after: 'after'
    readonly ending_before: 'before'
    readonly '*': 'filterFields'
  },
  { readonly object: Constant<'list'>; readonly url: 'path'; readonly has_more: 'more'; readonly data: 'elements' }
> = convention({
  name: 'stripe',
  params: { limit: 'items', starting_after: 'after', ending_before: 'before', '*': 'filterFields' },
  body: { object: constant('list'), url: 'path', has_more: 'more', data: 'elements' },
  cursors: 'key',
  pageSize: 10,
  maxItems: 100,
})
