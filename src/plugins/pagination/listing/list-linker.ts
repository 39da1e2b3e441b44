// The headers of responses with a list, and the check that the links in them fit.
import { type BodyCheck, escapePointer } from '../../../extend.ts'
import { findListInfo, type ListInfo, type RequestedList } from '../../mapper/extend.ts'
import type { Pagination } from '../pagination-config.ts'
import type { DeclaredList } from './declared-list.ts'
import { type BodyMember, listBodyMembers } from './envelope.ts'
import { checkUrlLength, formatLinkHeader } from './link-header.ts'
import { buildOtherPageLinks, buildPageLinks } from './page.ts'
import { withKeyEnds } from './page-facts.ts'
import { getByPath } from './param-slots.ts'

/** The members of a request that are used here. */
export interface LinkedRequest {
  readonly params: unknown
  /** The URL that links begin with. */
  readonly linkUrl: string
  readonly action: { readonly name: string }
  readonly list?: RequestedList | undefined
}

/** The headers to add to a response. */
interface AddedHeaders {
  readonly link: string | undefined
  readonly total: readonly [name: string, value: string] | undefined
}

const LINK_ROLES: ReadonlySet<BodyMember['role']> = new Set(['next', 'prev', 'first', 'last'])

/** Creates the check that a body has at most `maxItems` elements; clients rely on it. */
export function createSizeCheck({ elementsPath: declared }: DeclaredList, maxItems: number): BodyCheck {
  return (body) => {
    const elementsPath = declared ?? findPagePath(body)
    const elements = elementsPath === undefined ? undefined : getByPath(body, elementsPath)
    if (elementsPath === undefined || !Array.isArray(elements) || elements.length <= maxItems) return undefined
    const pointer = elementsPath.map((name) => `/${escapePointer(name)}`).join('')
    return { part: 'body', pointer, code: 'max-items', message: `must have at most ${maxItems} items` }
  }
}

// In a custom structure, the list is the member that is a page.
function findPagePath(body: unknown): readonly string[] | undefined {
  if (Array.isArray(body)) return []
  if (findListInfo(body) === undefined) return undefined
  return Object.entries(body as object).flatMap(([name, one]) =>
    Array.isArray(one) && findListInfo(one) !== undefined ? [name] : [],
  )
}

/** Links the pages of a list. */
export class ListLinker {
  readonly #list: DeclaredList
  readonly #elementsPath: readonly string[] | undefined
  readonly #hasLinkHeader: boolean
  readonly #hasSelfLinks: boolean
  readonly #totalHeader: string | undefined
  /** Whether responses contain URLs of other pages, in their headers or in their body. */
  readonly hasLinks: boolean
  /** Whether responses have headers for the list. */
  readonly hasHeaders: boolean

  constructor(list: DeclaredList) {
    const { link = false, selfLinks = true, total } = list.convention.headers
    this.#list = list
    this.#elementsPath = list.elementsPath
    this.#hasLinkHeader = link !== false
    this.#hasSelfLinks = selfLinks
    this.#totalHeader = total
    this.hasLinks =
      this.#hasLinkHeader || listBodyMembers(list.convention.body).some(({ role }) => LINK_ROLES.has(role))
    this.hasHeaders = this.#hasLinkHeader || total !== undefined
  }

  /** Refuses a URL that is too long for links to other pages. */
  checkUrl(request: LinkedRequest): void {
    checkUrlLength(request.linkUrl, this.#list.layout, this.#getPagination(request))
  }

  /** Returns the headers of a response; undefined if its body is not a page of the list. */
  buildHeaders(request: LinkedRequest, body: unknown): AddedHeaders | undefined {
    const elements = this.#elementsPath === undefined ? body : getByPath(body, this.#elementsPath)
    const info = findListInfo(elements)
    if (info === undefined) return undefined
    const total = this.#totalHeader === undefined || info.total === undefined ? undefined : String(info.total)
    return {
      link: this.#hasLinkHeader ? this.#formatLinks(request, info, elements) : undefined,
      total: total === undefined ? undefined : [this.#totalHeader as string, total],
    }
  }

  #formatLinks(request: LinkedRequest, info: ListInfo, elements: unknown): string | undefined {
    const pagination = this.#getPagination(request)
    const linkedInfo = Array.isArray(elements) ? withKeyEnds(this.#list, info, elements) : info
    const build = this.#hasSelfLinks ? buildPageLinks : buildOtherPageLinks
    const text = formatLinkHeader(request.linkUrl, this.#list.layout, build(pagination, linkedInfo), pagination.link)
    return text === '' ? undefined : text
  }

  #getPagination({ params, list }: LinkedRequest): Pagination {
    if (list !== undefined) return list.pagination as Pagination
    return (params as Record<string, unknown>)[this.#list.layout.findSlot('text').name] as Pagination
  }
}
