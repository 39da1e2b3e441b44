// Facts about a page of a list, for its body and its headers; each is computed on first use.
import { asPage, type EndCursor, encodeCursor, findListInfo, type ListInfo, type Page } from '../../mapper/extend.ts'
import { toCursorValues } from '../list-cursor.ts'
import { getKeyFields, type Pagination } from '../pagination-config.ts'
import type { DeclaredList } from './declared-list.ts'
import { type BodyMember, formatField, type WriteElements, type WrittenElements } from './envelope.ts'
import { buildLink, buildLinkBase } from './link-header.ts'
import { buildPageLinks, type PageLinks } from './page.ts'
import { toPageToken } from './param-layout.ts'
import type { RequestedRelations } from './related/relations.ts'
import type { ElementMembers, ElementRoles } from './templates.ts'

/** A page of a list, and its request. */
export interface PageContext {
  /** The URL of the request that links begin with. */
  readonly linkUrl: string
  readonly pagination: Pagination
  readonly info: ListInfo
  readonly elements: readonly unknown[]
  /** The included related elements. */
  readonly included?: WrittenElements['included']
}

/** Returns the facts about a page; if cursors are keys, its end cursors are the keys of its elements. */
export function withKeyEnds(
  { convention, config }: DeclaredList,
  info: ListInfo,
  elements: readonly unknown[],
): ListInfo {
  if (!convention.byKey || elements.length === 0) return info
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
    const { elements, linkUrl, pagination } = this.#context
    switch (role) {
      case 'elements':
        return elements
      case 'included':
        return this.#context.included
      case 'total':
        return this.#info.total
      case 'more':
        return pagination.link.text.before === undefined ? this.#info.next : this.#info.prev
      case 'hasNext':
        return this.#info.next
      case 'hasPrev':
        return this.#info.prev
      case 'startCursor':
        return this.#formatCursor(this.#info.ends?.[0])
      case 'endCursor':
        return this.#formatCursor(this.#info.ends?.[1])
      case 'self':
        return pagination.link.baseUrl + linkUrl
      case 'path':
        return linkUrl.split('?', 1)[0]
      case 'nextToken':
      case 'prevToken':
        return this.#buildToken(role === 'nextToken' ? 'next' : 'prev')
      case 'next':
      case 'prev':
      case 'first':
      case 'last':
        return this.#buildLink(role)
      case 'element':
        return elements[0]
      default:
        return computeNumber(role, pagination, this.#info)
    }
  }

  /** Returns the elements, each in a structure with facts about it. */
  wrapElements(members: ElementMembers): unknown {
    const { info } = this.#context
    const entries = Object.entries(members)
    const wrapped = this.#context.elements.map((element, i) =>
      Object.fromEntries(
        entries.map(([name, one]) => [
          name,
          typeof one === 'string' ? this.#getElementFact(one, element, i) : one['~constant'],
        ]),
      ),
    )
    return asPage(wrapped, info)
  }

  #getElementFact(role: keyof ElementRoles, element: unknown, i: number): unknown {
    const { config, convention } = this.#list
    const cursor = this.#context.info.cursors?.[i]
    if (role === 'element') return element
    if (role === 'type') return convention.type
    if (role === 'cursor') return this.#formatCursor(cursor)
    if (role === 'values') return cursor === undefined ? [] : toCursorValues(cursor, this.#binding)
    return getKeyFields(config)
      .map((field) => formatField(config.mediaType, field, element))
      .join(',')
  }

  get #binding(): string {
    return this.#context.pagination.binding ?? ''
  }

  #formatCursor(cursor: EndCursor | undefined): string | null {
    if (cursor === undefined) return null
    return typeof cursor === 'string' ? cursor : encodeCursor(cursor, this.#binding)
  }

  #getPageParams(relation: keyof PageLinks): PageLinks[keyof PageLinks] {
    this.#links ??= buildPageLinks(this.#context.pagination, this.#info)
    return this.#links[relation]
  }

  #buildLink(relation: keyof PageLinks): string | null {
    const pageParams = this.#getPageParams(relation)
    const { layout } = this.#list
    this.#base ??= buildLinkBase(this.#context.linkUrl, layout, this.#context.pagination.link)
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

function computeNumber(
  role: 'items' | 'offset' | 'page' | 'pages',
  pagination: Pagination,
  { total }: ListInfo,
): number | undefined {
  const { items } = pagination
  if (role === 'items') return items
  if (role === 'pages') return total === undefined || items === 0 ? undefined : Math.ceil(total / items)
  if (pagination.mode !== 'page') return 0
  return role === 'offset' ? pagination.offset : pagination.page
}

/** Writes the elements of a page in the form of its convention, and keeps its facts. */
export function mapPage(
  page: readonly unknown[],
  write: WriteElements | undefined,
  related: RequestedRelations | undefined,
): { readonly elements: Page<unknown>; readonly included: WrittenElements['included'] } {
  const info = findListInfo(page)
  if (info === undefined)
    throw new TypeError(
      'The response of a list is a page: give what list(request) or page(request, …) returned, as it is',
    )
  if (write === undefined) return { elements: page as Page<unknown>, included: undefined }
  const { elements, included } = write(page, related)
  return { elements: asPage(elements, info), included }
}
