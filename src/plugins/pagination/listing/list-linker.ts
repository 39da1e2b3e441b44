// The headers of a list's answers, and the check that the links in them will fit.
import { type BodyCheck, escapePointer } from '../../../extend.ts'
import { findListInfo, type ListInfo, getAttachedListOptions } from '../../mapper/extend.ts'
import { checkUrlLength, formatLinkHeader } from './link-header.ts'
import { buildPageLinks } from './page.ts'
import type { Pagination } from '../pagination-params.ts'
import { type BodyMember, listBodyMembers } from './envelope.ts'
import { withKeyEnds } from './page-facts.ts'
import { type DeclaredList, DEFAULT_HEADERS } from './declared-list.ts'
import { getByPath } from './param-slots.ts'

/** The parts of a request that are read here. */
export interface LinkedRequest {
  readonly params: unknown
  /** The URL that links begin with. */
  readonly linkUrl: string
  readonly action: { readonly name: string }
}

/** Headers to be added to an answer. */
interface AddedHeaders {
  readonly link: string | undefined
  readonly total: readonly [name: string, value: string] | undefined
}

const LINK_ROLES: ReadonlySet<BodyMember['role']> = new Set(['next', 'prev', 'first', 'last'])

/** Makes the check that a body has no more elements than a page may have; clients rely on it. */
export function sizeCheck({ convention: form }: DeclaredList, most: number): BodyCheck {
  const path = form === undefined ? undefined : listBodyMembers(form.body).find(({ role }) => role === 'elements')?.path
  return (body) => {
    const at = path ?? pathOfPage(body)
    const elements = at === undefined ? undefined : getByPath(body, at)
    if (at === undefined || !Array.isArray(elements) || elements.length <= most) return undefined
    const pointer = at.map((name) => `/${escapePointer(name)}`).join('')
    return { part: 'body', pointer, code: 'max-items', message: `must have at most ${most} items` }
  }
}

// In a custom structure, the list is the member that is a page.
function pathOfPage(body: unknown): readonly string[] | undefined {
  if (Array.isArray(body)) return []
  if (findListInfo(body) === undefined) return undefined
  return Object.entries(body as object).flatMap(([name, one]) =>
    Array.isArray(one) && findListInfo(one) !== undefined ? [name] : [],
  )
}

/** A list whose parts are linked. */
export class ListLinker {
  readonly #list: DeclaredList
  readonly #elementsPath: readonly string[] | undefined
  readonly #hasLinkHeader: boolean
  readonly #totalHeader: string | undefined
  /** Whether answers have URLs of other parts, in their headers or in their body. */
  readonly hasLinks: boolean
  /** Whether answers have headers because of the list. */
  readonly hasHeaders: boolean

  constructor(list: DeclaredList) {
    const members = list.convention === undefined ? [] : listBodyMembers(list.convention.body)
    const { link = false, total } = list.convention?.headers ?? (list.convention === undefined ? DEFAULT_HEADERS : {})
    this.#list = list
    this.#elementsPath = members.find(({ role }) => role === 'elements')?.path
    this.#hasLinkHeader = link
    this.#totalHeader = total
    this.hasLinks = link || members.some(({ role }) => LINK_ROLES.has(role))
    this.hasHeaders = link || total !== undefined
  }

  /** Refuses a URL that is too long for links to other parts. */
  checkUrl(request: LinkedRequest): void {
    checkUrlLength(request.linkUrl, this.#list.layout, this.#getPagination(request))
  }

  /** The headers of an answer; undefined for one that is no part of the list. */
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

  #formatLinks(request: LinkedRequest, info: ListInfo, elements: unknown): string {
    const pagination = this.#getPagination(request)
    const known = Array.isArray(elements) ? withKeyEnds(this.#list, info, elements) : info
    return formatLinkHeader(request.linkUrl, this.#list.layout, buildPageLinks(pagination, known), pagination.link.extraParam)
  }

  #getPagination({ params }: LinkedRequest): Pagination {
    const noted = getAttachedListOptions(params as object)
    if (noted !== undefined) return noted.pagination as Pagination
    return (params as Record<string, unknown>)[this.#list.layout.findSlot('text').name] as Pagination
  }
}
