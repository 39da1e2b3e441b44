// Facts about a page of a list, for its body and its headers; each is computed on first use.
import { asPage, findListInfo, type ListInfo, type Page } from '../../mapper/extend.ts'
import { getKeyFields, type Pagination } from '../pagination-config.ts'
import type { DeclaredList } from './declared-list.ts'
import { type BodyMember, formatField } from './envelope.ts'
import { buildLink, buildLinkBase } from './link-header.ts'
import { buildPageLinks, type PageLinks } from './page.ts'
import { toPageToken } from './param-layout.ts'

/** A page of a list, and its request. */
export interface PageContext {
  readonly url: string
  readonly pagination: Pagination
  readonly info: ListInfo
  readonly elements: readonly unknown[]
}

/** Returns the facts about a page; if cursors are keys, its end cursors are the keys of its elements. */
export function withKeyEnds(
  { convention, config }: DeclaredList,
  info: ListInfo,
  elements: readonly unknown[],
): ListInfo {
  if (convention?.byKey !== true || elements.length === 0) return info
  const [field] = getKeyFields(config) as [string]
  const formatKey = (element: unknown): string => formatField(config.mediaType, field, element)
  return { ...info, ends: [formatKey(elements[0]), formatKey(elements.at(-1))] }
}

/** The facts about one page. */
export class PageFacts {
  readonly #list: DeclaredList
  readonly #context: PageContext
  readonly #info: ListInfo
  #links: PageLinks | undefined
  #base: string | undefined

  constructor(list: DeclaredList, context: PageContext) {
    this.#list = list
    this.#context = context
    this.#info = withKeyEnds(list, context.info, context.elements)
  }

  /** Returns the fact for a role. */
  getFact(role: BodyMember['role']): unknown {
    const { elements, url, pagination } = this.#context
    switch (role) {
      case 'elements':
        return elements
      case 'total':
        return this.#info.total ?? 0
      case 'more':
        return pagination.link.text.before === undefined ? this.#info.next : this.#info.prev
      case 'self':
        return url
      case 'path':
        return url.split('?', 1)[0]
      case 'nextToken':
      case 'prevToken':
        return this.#buildToken(role === 'nextToken' ? 'next' : 'prev')
      case 'next':
      case 'prev':
      case 'first':
      case 'last':
        return this.#buildLink(role)
      default:
        return computeNumber(role, pagination, this.#info)
    }
  }

  #getPageParams(relation: keyof PageLinks): PageLinks[keyof PageLinks] {
    this.#links ??= buildPageLinks(this.#context.pagination, this.#info)
    return this.#links[relation]
  }

  #buildLink(relation: keyof PageLinks): string | null {
    const pageParams = this.#getPageParams(relation)
    const { layout } = this.#list
    this.#base ??= buildLinkBase(this.#context.url, layout, this.#context.pagination.link.extraParam)
    return pageParams === undefined ? null : buildLink(this.#base, layout, pageParams)
  }

  #buildToken(relation: 'next' | 'prev'): string | null {
    const pageParams = this.#getPageParams(relation)
    if (pageParams === undefined) return null
    return (
      (this.#list.layout.slots.has('token') ? toPageToken(pageParams) : (pageParams.after ?? pageParams.before)) ?? null
    )
  }
}

function computeNumber(role: 'items' | 'offset' | 'page' | 'pages', pagination: Pagination, info: ListInfo): number {
  const { items } = pagination
  if (role === 'items') return items
  if (role === 'pages') return Math.ceil((info.total ?? 0) / items)
  if (pagination.mode !== 'page') return 0
  return role === 'offset' ? pagination.offset : pagination.page
}

/** Converts the elements of a page, and keeps its facts. */
export function mapPage(page: readonly unknown[], map: ((element: unknown) => unknown) | undefined): Page<unknown> {
  const info = findListInfo(page)
  if (info === undefined)
    throw new TypeError(
      'The response of a list is a page: give what list(request) or page(request, …) returned, as it is',
    )
  return map === undefined ? (page as Page<unknown>) : asPage(page.map(map), info)
}
