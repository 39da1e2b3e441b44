// Facts about a part of a list, for its body and its headers, each computed on first use.
import { asPage, findListInfo, type ListInfo, type Page } from '../../mapper/extend.ts'
import { buildLinkBase, buildLink } from './link-header.ts'
import { buildPageLinks, type PageLinks } from './page.ts'
import { getKeyFields, type Pagination } from '../pagination-params.ts'
import { formatField, type BodyMember } from './envelope.ts'
import { toPageToken } from './param-layout.ts'
import type { DeclaredList } from './declared-list.ts'

/** The part of a list, and the request that asked for it. */
export interface PageContext {
  readonly url: string
  readonly pagination: Pagination
  readonly info: ListInfo
  readonly elements: readonly unknown[]
}

/** The facts about a part; where places are keys, its ends are those of its elements. */
export function withKeyEnds({ convention: form, config }: DeclaredList, info: ListInfo, elements: readonly unknown[]): ListInfo {
  if (form?.byKey !== true || elements.length === 0) return info
  const [field] = getKeyFields(config) as [string]
  const text = (element: unknown): string => formatField(config.mediaType, field, element)
  return { ...info, ends: [text(elements[0]), text(elements.at(-1))] }
}

/** The facts about one part. */
export class PageFacts {
  readonly #list: DeclaredList
  readonly #context: PageContext
  readonly #info: ListInfo
  #links: PageLinks | undefined
  #base: string | undefined

  constructor(list: DeclaredList, given: PageContext) {
    this.#list = list
    this.#context = given
    this.#info = withKeyEnds(list, given.info, given.elements)
  }

  /** One of the facts. */
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
    const found = this.#getPageParams(relation)
    const { layout: language } = this.#list
    this.#base ??= buildLinkBase(this.#context.url, language, this.#context.pagination.link.extraParam)
    return found === undefined ? null : buildLink(this.#base, language, found)
  }

  #buildToken(relation: 'next' | 'prev'): string | null {
    const found = this.#getPageParams(relation)
    if (found === undefined) return null
    return (this.#list.layout.slots.has('token') ? toPageToken(found) : (found.after ?? found.before)) ?? null
  }
}

function computeNumber(role: 'items' | 'offset' | 'page' | 'pages', pagination: Pagination, info: ListInfo): number {
  const { items } = pagination
  if (role === 'items') return items
  if (role === 'pages') return Math.ceil((info.total ?? 0) / items)
  if (pagination.mode !== 'page') return 0
  return role === 'offset' ? pagination.offset : pagination.page
}

/** The elements of a page in another form, still a page. */
export function mapPage(page: readonly unknown[], map: ((element: unknown) => unknown) | undefined): Page<unknown> {
  const info = findListInfo(page)
  if (info === undefined)
    throw new TypeError(
      'A list is answered with a page: give what list(request) or page(request, …) returned, as it is',
    )
  return map === undefined ? (page as Page<unknown>) : asPage(page.map(map), info)
}
