// Connections of Relay: `?first=10&after=…` and `?last=10&before=…`, with edges, their cursors, and `pageInfo`.
import { type Convention, convention } from '../listing/convention.ts'
import { type Each, each } from '../listing/templates.ts'

/** Pages in both directions from the cursor of any element, and from the end of the list. */
export const relay: Convention<
  {
    readonly first: 'items'
    readonly after: 'after'
    readonly last: 'lastItems'
    readonly before: 'before'
    readonly orderBy: 'order'
    readonly '*': 'filterFields'
  },
  {
    readonly edges: Each<{ readonly node: 'element'; readonly cursor: 'cursor' }>
    readonly pageInfo: {
      readonly hasNextPage: 'hasNext'
      readonly hasPreviousPage: 'hasPrev'
      readonly startCursor: 'startCursor'
      readonly endCursor: 'endCursor'
    }
  }
> = convention({
  name: 'relay',
  params: {
    first: 'items',
    after: 'after',
    last: 'lastItems',
    before: 'before',
    orderBy: 'order',
    '*': 'filterFields',
  },
  body: {
    edges: each({ node: 'element', cursor: 'cursor' }),
    pageInfo: {
      hasNextPage: 'hasNext',
      hasPreviousPage: 'hasPrev',
      startCursor: 'startCursor',
      endCursor: 'endCursor',
    },
  },
  onZero: 'empty',
})
