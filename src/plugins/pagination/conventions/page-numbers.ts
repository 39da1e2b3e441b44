// Page numbers: `?page=3&per_page=20`, an array, and links in the header as GitHub has them.
import { convention } from '../listing/convention.ts'

/** Parts by their numbers; the body is an array, and the header `Link` leads to other parts. */
export const pageNumbers = convention({
  name: 'page-numbers',
  params: { page: 'page', per_page: 'items', sort: 'order', filter: 'filters' },
  body: 'elements',
  headers: { link: true },
})
