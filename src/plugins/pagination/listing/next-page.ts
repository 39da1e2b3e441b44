// The next page of a list for clients: from the body of one page to the URL of the next.
import { getKeyFields } from '../pagination-params.ts'
import { formatField, type BodyMember, listBodyMembers } from './envelope.ts'
import type { DeclaredList, ListConvention } from './declared-list.ts'
import { type ParamRole, type ParamSlot, getByPath } from './param-slots.ts'

/** The elements of a body; undefined for a body that has none. */
export function createElementsReader({ body }: ListConvention): (given: unknown) => readonly unknown[] | undefined {
  const { path } = listBodyMembers(body).find(({ role }) => role === 'elements') as BodyMember
  return (given) => {
    const elements = getByPath(given, path)
    return Array.isArray(elements) ? elements : undefined
  }
}

/** Makes the function that finds the URL of the next part. */
export function createNextPageFinder(list: DeclaredList, form: ListConvention) {
  const { layout: language } = list
  const members = new Map(listBodyMembers(form.body).map(({ role, path }) => [role, path]))
  const elementsIn = createElementsReader(form)
  return (body: unknown, url: string, linked: string | undefined, sent: object): string | undefined => {
    const said = (role: BodyMember['role']): unknown => {
      const path = members.get(role)
      return path === undefined ? undefined : getByPath(body, path)
    }
    if (form.headers.link === true) return linked
    if (members.has('next')) return toOptionalText(said('next'))
    if (members.has('nextToken')) {
      const token = toOptionalText(said('nextToken'))
      return token && buildPageUrl(url, list, { [language.slots.has('token') ? 'token' : 'after']: token })
    }
    const elements = elementsIn(body) ?? []
    if (elements.length === 0 || (members.has('more') && said('more') !== true)) return undefined
    if (language.usesCursors) return buildPageUrl(url, list, { after: formatElementKey(list, elements.at(-1)) })
    return buildNextNumberedUrl({ url, params: sent }, list, elements.length, said('total'))
  }
}

const toOptionalText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

const formatElementKey = ({ config }: DeclaredList, element: unknown): string =>
  formatField(config.mediaType, (getKeyFields(config) as [string])[0], element)

interface SentPage {
  readonly url: string
  /** The params in the body. */
  readonly params: object
}

// Without a total, and where a server has pages of another size than was asked for, the list ends with an empty part.
function buildNextNumberedUrl({ url, params: sent }: SentPage, list: DeclaredList, count: number, total: unknown): string | undefined {
  const { slots } = list.layout
  const [offset, page] = [slots.get('offset'), slots.get('page')]
  const asked = (slot: ParamSlot | undefined): number =>
    Number(new URL(url).searchParams.get(slot?.name ?? '') ?? getByPath(sent, slot?.path ?? []) ?? 0) || 0
  const begun = offset === undefined ? (Math.max(1, asked(page)) - 1) * count : asked(offset)
  if (typeof total === 'number' && begun + count >= total) return undefined
  if (offset !== undefined) return buildPageUrl(url, list, { offset: begun + count })
  return page && buildPageUrl(url, list, { page: Math.max(1, asked(page)) + 1 })
}

const PAGE_START_ROLES: readonly ParamRole[] = ['offset', 'page', 'after', 'before', 'token']

/** The same URL with another part. */
function buildPageUrl(url: string, { layout: language }: DeclaredList, part: { readonly [R in ParamRole]?: string | number }): string {
  const next = new URL(url)
  for (const role of PAGE_START_ROLES) {
    const { name } = language.slots.get(role) ?? {}
    if (name !== undefined) next.searchParams.delete(name)
    if (name !== undefined && part[role] !== undefined) next.searchParams.set(name, String(part[role]))
  }
  return next.href
}
