// Facts about a part of a list, for its body and its headers, each computed on first use.
import { asPage, infoOf, type ListInfo, type Page } from '../../lists/extend.ts'
import { linkBase, linked } from '../links.ts'
import { linksOf, type PageLinks } from '../page.ts'
import { keyOf, type Pagination } from '../pagination-params.ts'
import { fieldText, type Member } from './envelope.ts'
import { tokenOf } from './language.ts'
import type { DeclaredList } from './list.ts'

/** The part of a list, and the request that asked for it. */
export interface Given {
  readonly url: string
  readonly pagination: Pagination
  readonly info: ListInfo
  readonly elements: readonly unknown[]
}

/** The facts about a part; where places are keys, its ends are those of its elements. */
export function infoBy({ form, config }: DeclaredList, info: ListInfo, elements: readonly unknown[]): ListInfo {
  if (form?.byKey !== true || elements.length === 0) return info
  const [field] = keyOf(config) as [string]
  const text = (element: unknown): string => fieldText(config.mediaType, field, element)
  return { ...info, ends: [text(elements[0]), text(elements.at(-1))] }
}

/** The facts about one part. */
export class PageFacts {
  readonly #list: DeclaredList
  readonly #given: Given
  readonly #info: ListInfo
  #links: PageLinks | undefined
  #base: string | undefined

  constructor(list: DeclaredList, given: Given) {
    this.#list = list
    this.#given = given
    this.#info = infoBy(list, given.info, given.elements)
  }

  /** One of the facts. */
  fact(role: Member['role']): unknown {
    const { elements, url, pagination } = this.#given
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
        return this.#token(role === 'nextToken' ? 'next' : 'prev')
      case 'next':
      case 'prev':
      case 'first':
      case 'last':
        return this.#link(role)
      default:
        return numberOf(role, pagination, this.#info)
    }
  }

  #part(relation: keyof PageLinks): PageLinks[keyof PageLinks] {
    this.#links ??= linksOf(this.#given.pagination, this.#info)
    return this.#links[relation]
  }

  #link(relation: keyof PageLinks): string | null {
    const found = this.#part(relation)
    const { language } = this.#list
    this.#base ??= linkBase(this.#given.url, language, this.#given.pagination.link.also)
    return found === undefined ? null : linked(this.#base, language, found)
  }

  #token(relation: 'next' | 'prev'): string | null {
    const found = this.#part(relation)
    if (found === undefined) return null
    return (this.#list.language.slots.has('token') ? tokenOf(found) : (found.after ?? found.before)) ?? null
  }
}

function numberOf(role: 'items' | 'offset' | 'page' | 'pages', pagination: Pagination, info: ListInfo): number {
  const { items } = pagination
  if (role === 'items') return items
  if (role === 'pages') return Math.ceil((info.total ?? 0) / items)
  if (pagination.mode !== 'page') return 0
  return role === 'offset' ? pagination.offset : pagination.page
}

/** The elements of a page in another form, still a page. */
export function mappedPage(page: readonly unknown[], map: ((element: unknown) => unknown) | undefined): Page<unknown> {
  const info = infoOf(page)
  if (info === undefined)
    throw new TypeError(
      'A list is answered with a page: give what list(request) or page(request, …) returned, as it is',
    )
  return map === undefined ? (page as Page<unknown>) : asPage(page.map(map), info)
}
