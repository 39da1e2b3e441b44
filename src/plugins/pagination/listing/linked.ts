// The headers of a list's answers, and the check that the links in them will fit.
import { type BodyCheck, escapePointer } from '../../../extend.ts'
import { infoOf, type ListInfo, notedList } from '../../lists/extend.ts'
import { checkLinked, linkHeader } from '../links.ts'
import { linksOf } from '../page.ts'
import type { Pagination } from '../pagination-params.ts'
import { type Member, membersOf } from './envelope.ts'
import { infoBy } from './facts.ts'
import { type DeclaredList, OWN_HEADERS } from './list.ts'
import { valueAt } from './slots.ts'

/** The parts of a request that are read here. */
export interface Controlled {
  readonly params: unknown
  /** The URL that links begin with. */
  readonly linkUrl: string
  readonly action: { readonly name: string }
}

/** Headers to be added to an answer. */
interface Added {
  readonly link: string | undefined
  readonly total: readonly [name: string, value: string] | undefined
}

const LINKS: ReadonlySet<Member['role']> = new Set(['next', 'prev', 'first', 'last'])

/** Makes the check that a body has no more elements than a page may have; clients rely on it. */
export function sizeCheck({ form }: DeclaredList, most: number): BodyCheck {
  const path = form === undefined ? undefined : membersOf(form.body).find(({ role }) => role === 'elements')?.path
  return (body) => {
    const at = path ?? pathOfPage(body)
    const elements = at === undefined ? undefined : valueAt(body, at)
    if (at === undefined || !Array.isArray(elements) || elements.length <= most) return undefined
    const pointer = at.map((name) => `/${escapePointer(name)}`).join('')
    return { place: 'body', pointer, code: 'max-items', message: `must have at most ${most} items` }
  }
}

// In a custom structure, the list is the member that is a page.
function pathOfPage(body: unknown): readonly string[] | undefined {
  if (Array.isArray(body)) return []
  if (infoOf(body) === undefined) return undefined
  return Object.entries(body as object).flatMap(([name, one]) =>
    Array.isArray(one) && infoOf(one) !== undefined ? [name] : [],
  )
}

/** A list whose parts are linked. */
export class LinkedList {
  readonly #list: DeclaredList
  readonly #path: readonly string[] | undefined
  readonly #isLinked: boolean
  readonly #total: string | undefined
  /** Whether answers have URLs of other parts, in their headers or in their body. */
  readonly links: boolean
  /** Whether answers have headers because of the list. */
  readonly hasHeaders: boolean

  constructor(list: DeclaredList) {
    const members = list.form === undefined ? [] : membersOf(list.form.body)
    const { link = false, total } = list.form?.headers ?? (list.form === undefined ? OWN_HEADERS : {})
    this.#list = list
    this.#path = members.find(({ role }) => role === 'elements')?.path
    this.#isLinked = link
    this.#total = total
    this.links = link || members.some(({ role }) => LINKS.has(role))
    this.hasHeaders = link || total !== undefined
  }

  /** Refuses a URL that is too long for links to other parts. */
  check(request: Controlled): void {
    checkLinked(request.linkUrl, this.#list.language, this.#decided(request))
  }

  /** The headers of an answer; undefined for one that is no part of the list. */
  headers(request: Controlled, body: unknown): Added | undefined {
    const elements = this.#path === undefined ? body : valueAt(body, this.#path)
    const info = infoOf(elements)
    if (info === undefined) return undefined
    const total = this.#total === undefined || info.total === undefined ? undefined : String(info.total)
    return {
      link: this.#isLinked ? this.#link(request, info, elements) : undefined,
      total: total === undefined ? undefined : [this.#total as string, total],
    }
  }

  #link(request: Controlled, info: ListInfo, elements: unknown): string {
    const pagination = this.#decided(request)
    const known = Array.isArray(elements) ? infoBy(this.#list, info, elements) : info
    return linkHeader(request.linkUrl, this.#list.language, linksOf(pagination, known), pagination.link.also)
  }

  #decided({ params }: Controlled): Pagination {
    const noted = notedList(params as object)
    if (noted !== undefined) return noted.pagination as Pagination
    return (params as Record<string, unknown>)[this.#list.language.slot('text').name] as Pagination
  }
}
