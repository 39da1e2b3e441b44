// Microsoft Graph: `$top` as the size of pages, and an absolute link with a token to the next one.
import { type Convention, convention } from '../listing/convention.ts'
import { type Optional, optional } from '../listing/templates.ts'

/** Pages by tokens in the absolute `@odata.nextLink`, which the last page does not have. */
export const graph: Convention<
  {
    readonly $top: 'items'
    readonly $skiptoken: 'token'
    readonly $count: 'count'
    readonly $orderby: 'orderWords'
    readonly $filter: 'filterOData'
    readonly $select: 'fields'
    readonly $expand: 'expand'
  },
  {
    readonly '@odata.count': Optional<'total'>
    readonly '@odata.nextLink': Optional<'next'>
    readonly value: 'elements'
  }
> = convention({
  name: 'graph',
  params: {
    $top: 'items',
    $skiptoken: 'token',
    $count: 'count',
    $orderby: 'orderWords',
    $filter: 'filterOData',
    $select: 'fields',
    $expand: 'expand',
  },
  body: { '@odata.count': optional('total'), '@odata.nextLink': optional('next'), value: 'elements' },
  links: 'absolute',
})
