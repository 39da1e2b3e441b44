// The convention of the params `pagination` and `order`: the elements alone as body, and links in headers.
import { toSnakeCase } from '../../extend.ts'
import type { ListConvention } from './listing/declared-list.ts'
import { getKeyFields, type PaginationConfig } from './pagination-config.ts'

/** Describes a list that is declared by a `pagination` param. */
export function createEdictConvention(config: PaginationConfig): ListConvention {
  const { mediaType: of } = config
  const [type, include] = [toSnakeCase(of.name), new Map()]
  return {
    ...{ name: 'edict', of, type, body: {}, element: undefined, filterBy: {} },
    ...{ headers: { link: true, total: 'Total-Count' }, links: 'path' },
    ...{ byKey: false, namesElements: false, emptyTokens: false, isElement: false },
    ...{ alwaysCounts: false, onExceed: undefined, onZero: 'refuse', onPageZero: 'refuse' },
    names: { type, key: getKeyFields(config), types: {}, include },
    expansions: { of, tree: include },
  }
}
