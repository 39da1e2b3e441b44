// Reads list responses of any convention: elements, total count, and links to other pages.

import { attributeRules } from '../../design/attribute-rules.ts'
import { readShownPart } from '../../design/fields/shown-part.ts'
import type { ResolvedAction } from '../../design/resolve/resolved.ts'
import { findBodyElements, findListing } from '../../mock/body-elements.ts'
import { toJsonValue } from '../../mock/example-values.ts'
import { describeList, type ListDescription, type ListPages, toSameServer } from '../../plugins/pagination/extend.ts'
import type { Attribute } from '../../schema/attribute.ts'
import { INVALID } from '../../schema/issue.ts'
import { Loading } from '../../schema/loading.ts'
import { memoize } from '../../util/memoize.ts'
import type { TestResponse } from '../session/check-response.ts'
import type { TestCall } from '../session/test-call.ts'

/** An element as JSON. */
export type JsonElement = Readonly<Record<string, unknown>>

/** The relation of a link: a neighbouring page, or an end of the list. */
export type LinkRelation = 'next' | 'prev' | 'first' | 'last'

/** Reads the responses of one list. */
export interface ListReader {
  /** Returns the elements of a body as attributes of the media type; undefined for a body without a list. */
  readElements(body: unknown): JsonElement[] | undefined
  /** Returns the URL of another page. */
  findLink(relation: LinkRelation, response: TestResponse, call: TestCall): string | undefined
  /** Returns the total number of elements, when the response contains it. */
  readTotal(response: TestResponse): number | undefined
  /** The names that elements have whatever fields are selected. */
  readonly alwaysShown: readonly string[]
  /** Whether responses state if there is a next page; otherwise a list ends with an empty page. */
  readonly hasLinks: boolean
}

/** Returns the reader for the list of an action. */
export const getListReader: (action: ResolvedAction) => ListReader = memoize((action) => {
  const list = describeList(action)
  return list?.convention === undefined || list.pages === undefined
    ? createOwnReader(action, list?.pages)
    : createConventionReader(action, list, list.pages)
})

function createOwnReader({ responses, endpoint }: ResolvedAction, pages: ListPages | undefined): ListReader {
  const bodies = [...responses.values()].filter(({ status }) => status < 300).flatMap((one) => one.bodies)
  const lists = bodies.map((body) => findBodyElements(body, endpoint.mediaType)).filter((one) => one?.isList === true)
  const path = lists[0]?.path
  return {
    readElements(body) {
      if (Array.isArray(body)) return body
      const list = path === undefined ? undefined : readShownPart(body, path)
      return Array.isArray(list) ? list : undefined
    },
    findLink: (relation, { headers }) => parseLinkHeader(headers, relation),
    readTotal: ({ headers }) => readTotalHeader(headers, pages),
    alwaysShown: [],
    hasLinks: true,
  }
}

function createConventionReader(action: ResolvedAction, list: ListDescription, pages: ListPages): ListReader {
  const listing = findListing(action) as NonNullable<ReturnType<typeof findListing>>
  const { members, mediaType, elementPath } = list
  const { key, headers } = pages
  const isLinked = (headers.link ?? false) !== false
  const readMember = ({ body }: TestResponse, role: 'prev' | 'first' | 'last' | 'total' | 'prevToken'): unknown => {
    const path = members.get(role)
    return path === undefined ? undefined : readShownPart(body, path)
  }
  const flatten = list.hasElementForm ? createFlattener(mediaType, key) : undefined
  return {
    readElements(body) {
      const wrapped = listing.elements(body) as JsonElement[] | undefined
      const found =
        elementPath === undefined ? wrapped : wrapped?.map((one) => readShownPart(one, elementPath) as JsonElement)
      return flatten === undefined ? found : found?.map(flatten)
    },
    findLink(relation, response, { params }) {
      const linked = isLinked ? parseLinkHeader(response.headers, relation) : undefined
      if (relation === 'next') return listing.next(response.body, response.url, linked, params)
      const found = linked ?? readMember(response, relation)
      if (typeof found === 'string' && found !== '')
        return pages.links === 'absolute' ? toSameServer(found, response.url) : found
      const token = relation === 'prev' ? readMember(response, 'prevToken') : undefined
      return typeof token === 'string' && token !== '' ? withToken(response.url, list, token) : undefined
    },
    readTotal: (response) =>
      toOptionalNumber(readMember(response, 'total')) ?? readTotalHeader(response.headers, pages),
    alwaysShown: flatten === undefined ? [] : key,
    // After the values of the last element, a list ends with an empty page.
    hasLinks:
      !list.params.has('afterValues') &&
      (isLinked ||
        NEXT_PAGE_ROLES.some((role) => members.has(role)) ||
        (members.has('total') && list.params.has('offset'))),
  }
}

// With page numbers, a total ends a list only as far as the size of pages is known.
const NEXT_PAGE_ROLES = ['next', 'nextToken', 'more', 'hasNext'] as const

function withToken(url: string, { params }: ListDescription, token: string): string | undefined {
  const param = params.get('token')
  if (param === undefined) return undefined
  const result = new URL(url)
  result.searchParams.set(param.name, token)
  return result.href
}

/** Flattens JSON:API resource objects: the id is the encoded key. */
function createFlattener(
  { attributes }: { readonly attributes: Readonly<Record<string, Attribute>> },
  key: readonly string[],
) {
  return (element: JsonElement): JsonElement => {
    const own = (element['attributes'] ?? {}) as JsonElement
    const parts = key.length === 1 ? [element['id']] : String(element['id']).split(',')
    if (parts.length !== key.length) return own
    return { ...own, ...Object.fromEntries(key.map((name, i) => [name, loadKeyPart(attributes[name], parts[i])])) }
  }
}

function loadKeyPart(attribute: Attribute | undefined, text: unknown): unknown {
  if (attribute === undefined) return text
  const loaded = attributeRules.getLoader(attribute)(text, new Loading('text'))
  return loaded === INVALID ? text : toJsonValue(attribute, loaded)
}

function readTotalHeader(headers: Headers, pages: ListPages | undefined): number | undefined {
  const name = pages?.headers.total
  return name === undefined ? undefined : toOptionalNumber(headers.get(name))
}

const toOptionalNumber = (value: unknown): number | undefined =>
  value === null || value === undefined ? undefined : Number(value)

function parseLinkHeader(headers: Headers, relation: LinkRelation): string | undefined {
  for (const [, address, params] of (headers.get('Link') ?? '').matchAll(/<([^>]*)>([^,<]*)/g))
    if (new RegExp(`rel="?(?:[^"]* )?${relation}(?: [^"]*)?"?`).test(params as string)) return address
  return undefined
}
