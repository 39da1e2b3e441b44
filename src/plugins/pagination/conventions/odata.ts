// OData (version 4): `$top` and `$skip`, filters and orders in its language, and a link to the rest of a long list.
import { type Convention, convention } from '../listing/convention.ts'
import { type Optional, optional } from '../listing/templates.ts'

/** Lists of OData: `$top` limits the whole list, and the server cuts what is left into pages. */
export const odata: Convention<
  {
    readonly $top: 'limit'
    readonly $skip: 'offset'
    readonly $count: 'count'
    readonly $orderby: 'orderWords'
    readonly $filter: 'filterOData'
    readonly $select: 'fields'
    readonly $expand: 'expand'
  },
  {
    readonly '@odata.count': Optional<'total'>
    readonly value: 'elements'
    readonly '@odata.nextLink': Optional<'next'>
  }
> = convention({
  name: 'odata',
  params: {
    $top: 'limit',
    $skip: 'offset',
    $count: 'count',
    $orderby: 'orderWords',
    $filter: 'filterOData',
    $select: 'fields',
    $expand: 'expand',
  },
  body: { '@odata.count': optional('total'), value: 'elements', '@odata.nextLink': optional('next') },
})
