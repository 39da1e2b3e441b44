// Reads list responses of any convention: elements, total count, and links to other pages.
import { attributeRules } from '../../design/attribute-rules.ts'
import { findEnvelopeList } from '../../design/fields/selection.ts'
import type { ResolvedAction } from '../../design/resolve/resolved.ts'
import { toJsonValue } from '../../mock/example-values.ts'
import { findListing } from '../../mock/roles.ts'
import { describeList, type ListDescription, type ListPages } from '../../plugins/pagination/extend.ts'
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

function createOwnReader({ responses }: ResolvedAction, pages: ListPages | undefined): ListReader {
  const attributes = [...responses.values()].flatMap(({ bodies }) => bodies.flatMap(({ attribute }) => attribute ?? []))
  const [name] = attributes.flatMap((form) => findEnvelopeList(form)?.[0] ?? [])
  return {
    readElements(body) {
      if (Array.isArray(body)) return body
      const list = name === undefined ? undefined : getMember(body, [name])
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
  const { members, mediaType } = list
  const { key, headers } = pages
  const readMember = ({ body }: TestResponse, role: 'prev' | 'first' | 'last' | 'total' | 'prevToken'): unknown => {
    const path = members.get(role)
    return path === undefined ? undefined : getMember(body, path)
  }
  const flatten = list.hasElementForm ? createFlattener(mediaType, key) : undefined
  return {
    readElements(body) {
      const found = listing.elements(body) as JsonElement[] | undefined
      return flatten === undefined ? found : found?.map(flatten)
    },
    findLink(relation, response, { params }) {
      const linked = headers.link === true ? parseLinkHeader(response.headers, relation) : undefined
      if (relation === 'next') return listing.next(response.body, response.url, linked, params)
      const found = linked ?? readMember(response, relation)
      if (typeof found === 'string') return found
      const token = relation === 'prev' ? readMember(response, 'prevToken') : undefined
      return typeof token === 'string' ? withToken(response.url, list, token) : undefined
    },
    readTotal: (response) =>
      toOptionalNumber(readMember(response, 'total')) ?? readTotalHeader(response.headers, pages),
    alwaysShown: flatten === undefined ? [] : key,
    hasLinks: headers.link === true || NEXT_PAGE_ROLES.some((role) => members.has(role)),
  }
}

const NEXT_PAGE_ROLES = ['next', 'nextToken', 'more', 'total'] as const

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
  const loaded = attributeRules.getLoader(attribute)(text, new Loading(true))
  return loaded === INVALID ? text : toJsonValue(attribute, loaded)
}

function readTotalHeader(headers: Headers, pages: ListPages | undefined): number | undefined {
  const name = pages?.headers.total
  return name === undefined ? undefined : toOptionalNumber(headers.get(name))
}

/** Returns the member of a body at a path; undefined if a step is missing. */
function getMember(body: unknown, path: readonly string[]): unknown {
  let found = body
  for (const step of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined
    found = (found as JsonElement)[step]
  }
  return found
}

const toOptionalNumber = (value: unknown): number | undefined =>
  value === null || value === undefined ? undefined : Number(value)

function parseLinkHeader(headers: Headers, relation: LinkRelation): string | undefined {
  for (const [, address, params] of (headers.get('Link') ?? '').matchAll(/<([^>]*)>([^,<]*)/g))
    if (new RegExp(`rel="?(?:[^"]* )?${relation}(?: [^"]*)?"?`).test(params as string)) return address
  return undefined
}
