// Elasticsearch's searches: `q` as a query string, `size` and `from`, or `search_after` with the sort values of a hit.
import { type Convention, convention } from '../listing/convention.ts'
import { type Constant, constant, type Each, each } from '../listing/templates.ts'

/** Hits with their sort values, after which the next search goes on; a search for 0 hits has their number only. */
export const elasticsearch: Convention<
  {
    readonly size: 'items'
    readonly from: 'offset'
    readonly search_after: 'afterValues'
    readonly sort: 'orderColons'
    readonly q: 'filterQuery'
  },
  {
    readonly timed_out: Constant<false>
    readonly hits: {
      readonly total: { readonly value: 'total'; readonly relation: Constant<'eq'> }
      readonly max_score: Constant<null>
      readonly hits: Each<{
        readonly _index: 'type'
        readonly _id: 'key'
        readonly _score: Constant<null>
        readonly _source: 'element'
        readonly sort: 'values'
      }>
    }
  }
> = convention({
  name: 'elasticsearch',
  params: { size: 'items', from: 'offset', search_after: 'afterValues', sort: 'orderColons', q: 'filterQuery' },
  body: {
    timed_out: constant(false),
    hits: {
      total: { value: 'total', relation: constant('eq') },
      max_score: constant(null),
      hits: each({ _index: 'type', _id: 'key', _score: constant(null), _source: 'element', sort: 'values' }),
    },
  },
  onZero: 'empty',
  pageSize: 10,
  maxItems: 10_000,
})
