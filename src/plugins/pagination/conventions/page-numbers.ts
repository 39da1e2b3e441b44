// Page numbers: `?page=3&per_page=20`, an array, and links in the header, as GitHub does.
import { type Convention, convention } from '../listing/convention.ts'

/** Numbered pages; the body is an array, and the header `Link` has the other pages. */
export const pageNumbers: Convention<
  { readonly page: 'page'; readonly per_page: 'items'; readonly sort: 'order'; readonly filter: 'filters' },
  'elements'
> = convention({
  name: 'page-numbers',
  params: { page: 'page', per_page: 'items', sort: 'order', filter: 'filters' },
  body: 'elements',
  headers: { link: true },
})
