// GitHub's lists: `?page=2&per_page=50&sort=created&direction=desc`, an array, and absolute links in the header.
import { type Convention, convention } from '../listing/convention.ts'

/** Numbered pages of at most 100 elements, 30 by default, with absolute links to the others of the first, previous, next and last one. */
export const github: Convention<
  {
    readonly page: 'page'
    readonly per_page: 'items'
    readonly sort: 'orderField'
    readonly direction: 'orderDirection'
    readonly '*': 'filterFields'
  },
  'elements'
> = convention({
  name: 'github',
  params: { page: 'page', per_page: 'items', sort: 'orderField', direction: 'orderDirection', '*': 'filterFields' },
  body: 'elements',
  headers: { link: 'counted', selfLinks: false },
  links: 'absolute',
  onExceed: 'clamp',
  onZero: 'default',
  onPageZero: 'first',
  pageSize: 30,
  maxItems: 100,
})
