// The next page of a list for clients: finds its URL from the body of a page.
import { getKeyFields } from '../pagination-config.ts'
import type { DeclaredList, ListConvention } from './declared-list.ts'
import { type BodyMember, findElementMember, formatField, listBodyMembers } from './envelope.ts'
import { getByPath, type ParamRole, type ParamSlot } from './param-slots.ts'

/** Creates the function that reads the elements of a body; undefined for a body that has none. */
export function createElementsReader({
  body: template,
}: ListConvention): (body: unknown) => readonly unknown[] | undefined {
  const { path } = listBodyMembers(template).find(({ role }) => role === 'elements') as BodyMember
  return (body) => {
    const elements = getByPath(body, path)
    return Array.isArray(elements) ? elements : undefined
  }
}

/** Creates the function that finds the URL of the next page. */
export function createNextPageFinder(list: DeclaredList) {
  const { layout, convention } = list
  const members = new Map(listBodyMembers(convention.body).map(({ role, path }) => [role, path]))
  const readElements = createElementsReader(convention)
  const valuesMember = layout.slots.has('afterValues') ? findElementMember(convention.body, 'values') : undefined
  return (body: unknown, url: string, linkUrl: string | undefined, params: object): string | undefined => {
    const getFact = (role: BodyMember['role']): unknown => {
      const path = members.get(role)
      return path === undefined ? undefined : getByPath(body, path)
    }
    const isLinked = (convention.headers.link ?? false) !== false
    const link = isLinked ? linkUrl : toOptionalText(getFact('next'))
    if (isLinked || members.has('next')) return convention.links === 'absolute' ? toSameServer(link, url) : link
    if (members.has('nextToken')) {
      const token = toOptionalText(getFact('nextToken'))
      return token && buildPageUrl(url, list, { [layout.slots.has('token') ? 'token' : 'after']: token })
    }
    if (members.has('endCursor')) {
      // A list that is read from its end goes on backwards.
      const isBackwards = isSent(layout.slots.get('lastItems'), url, params)
      const more = getFact(isBackwards ? 'hasPrev' : 'hasNext')
      const cursor = more === false ? undefined : toOptionalText(getFact(isBackwards ? 'startCursor' : 'endCursor'))
      if (cursor === undefined) return undefined
      // The other cursor is the end of the list.
      const [after, before] = [readSent(layout.slots.get('after'), url), readSent(layout.slots.get('before'), url)]
      return buildPageUrl(url, list, isBackwards ? { before: cursor, after } : { after: cursor, before })
    }
    const elements = readElements(body) ?? []
    if (valuesMember !== undefined) {
      // The last page is the one without elements.
      const values = elements.length === 0 ? undefined : getByPath(elements.at(-1), [valuesMember])
      return values === undefined ? undefined : buildPageUrl(url, list, { afterValues: JSON.stringify(values) })
    }
    if (elements.length === 0 || (members.has('more') && getFact('more') !== true)) return undefined
    if (layout.usesCursors)
      return buildPageUrl(url, list, {
        after: formatField(list.config.mediaType, (getKeyFields(list.config) as [string])[0], elements.at(-1)),
      })
    return buildNextNumberedUrl({ url, params }, list, elements.length, getFact('total'))
  }
}

const readSent = (slot: ParamSlot | undefined, url: string): string | undefined =>
  (slot && new URL(url).searchParams.get(slot.name)) ?? undefined

const isSent = (slot: ParamSlot | undefined, url: string, params: object): boolean =>
  slot !== undefined && (new URL(url).searchParams.has(slot.name) || getByPath(params, slot.path) !== undefined)

/**
 * Returns an absolute link as a URL of the server that was asked. Clients of a mock, a test or an internal name of the server ask
 * another origin than the configured one, and must send their credentials to no other: there, the page has the URL of the request
 * with the query of the link.
 */
export function toSameServer(link: string | undefined, url: string): string | undefined {
  if (link === undefined || !URL.canParse(link)) return link
  const { origin, search } = new URL(link)
  const requested = new URL(url)
  if (origin === requested.origin) return link
  requested.search = search
  return requested.href
}

const toOptionalText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

interface SentPage {
  readonly url: string
  /** The params in the request body. */
  readonly params: object
}

// Without a total, and if the server has another page size than requested, the list ends with an empty page.
function buildNextNumberedUrl(
  { url, params }: SentPage,
  list: DeclaredList,
  count: number,
  total: unknown,
): string | undefined {
  const { slots } = list.layout
  const [offset, page] = [slots.get('offset'), slots.get('page')]
  const getSentNumber = (slot: ParamSlot | undefined): number =>
    Number(new URL(url).searchParams.get(slot?.name ?? '') ?? getByPath(params, slot?.path ?? []) ?? 0) || 0
  const start = offset === undefined ? (Math.max(1, getSentNumber(page)) - 1) * count : getSentNumber(offset)
  if (typeof total === 'number' && start + count >= total) return undefined
  if (offset !== undefined) return buildPageUrl(url, list, { offset: start + count })
  return page && buildPageUrl(url, list, { page: Math.max(1, getSentNumber(page)) + 1 })
}

const PAGE_START_ROLES: readonly ParamRole[] = ['offset', 'page', 'after', 'before', 'afterValues', 'token']

/** Returns the URL with another page. */
function buildPageUrl(
  url: string,
  { layout }: DeclaredList,
  page: { readonly [R in ParamRole]?: string | number | undefined },
): string {
  const next = new URL(url)
  for (const role of PAGE_START_ROLES) {
    const { name } = layout.slots.get(role) ?? {}
    if (name !== undefined) next.searchParams.delete(name)
    if (name !== undefined && page[role] !== undefined) next.searchParams.set(name, String(page[role]))
  }
  return next.href
}
