// Slack's lists: `?limit=100&cursor=…`, with the next cursor in the metadata of each response, empty at the end.
import { type Convention, convention } from '../listing/convention.ts'
import { type Constant, constant, type OrEmpty, orEmpty } from '../listing/templates.ts'

/** Pages by cursors in `response_metadata`, of at most 1,000 elements; an empty cursor is the first page, and the end. */
export const slack: Convention<
  { readonly limit: 'items'; readonly cursor: 'token'; readonly '*': 'filterFields' },
  {
    readonly ok: Constant<true>
    readonly items: 'elements'
    readonly response_metadata: { readonly next_cursor: OrEmpty<'nextToken'> }
  }
> = convention({
  name: 'slack',
  params: { limit: 'items', cursor: 'token', '*': 'filterFields' },
  body: { ok: constant(true), items: 'elements', response_metadata: { next_cursor: orEmpty('nextToken') } },
  onExceed: 'clamp',
  onZero: 'default',
  pageSize: 100,
  maxItems: 1000,
})
