// How answers with a list are read, in whatever convention: their elements, the number of all, and where other parts are.
import { findEnvelopeList } from '../../design/fields/selection.ts'
import type { ResolvedAction } from '../../design/resolve/resolved.ts'
import { findListing } from '../../mock/roles.ts'
import { toJsonValue } from '../../mock/example-values.ts'
import { findList } from '../../plugins/pagination/action-list.ts'
import { listBodyMembers } from '../../plugins/pagination/listing/envelope.ts'
import { type DeclaredList, type ListConvention, DEFAULT_HEADERS } from '../../plugins/pagination/listing/declared-list.ts'
import { getByPath as valueIn } from '../../plugins/pagination/listing/param-slots.ts'
import { getKeyFields } from '../../plugins/pagination/pagination-params.ts'
import type { Attribute } from '../../schema/attribute.ts'
import { INVALID } from '../../schema/issue.ts'
import { Loading } from '../../schema/loading.ts'
import type { TestCall } from '../session/test-call.ts'
import type { TestResponse } from '../session/check-response.ts'

/** An element as JSON has it. */
export type JsonElement = Readonly<Record<string, unknown>>

/** A neighbour of a part, or an end of the list. */
export type LinkRelation = 'next' | 'prev' | 'first' | 'last'

/** Reads the answers of one list. */
export interface ListReader {
  /** The elements of a body, each as its media type has it; undefined for a body without a list. */
  readElements(body: unknown): JsonElement[] | undefined
  /** The address of another part. */
  findLink(relation: LinkRelation, answer: TestResponse, call: TestCall): string | undefined
  /** The number of elements of the whole list, where the answer tells it. */
  readTotal(answer: TestResponse): number | undefined
  /** The names that elements have whatever fields are selected. */
  readonly alwaysShown: readonly string[]
  /** Whether answers tell if there is a next part; otherwise a list ends with an empty one. */
  readonly hasLinks: boolean
}

const readerCache = new WeakMap<ResolvedAction, ListReader>()

/** How the list of an action is read. */
export function getListReader(action: ResolvedAction): ListReader {
  const known = readerCache.get(action)
  if (known !== undefined) return known
  const list = findList(action)
  const made = list?.convention === undefined ? createOwnReader(action) : createConventionReader(action, list, list.convention)
  readerCache.set(action, made)
  return made
}

function createOwnReader({ responses }: ResolvedAction): ListReader {
  const forms = [...responses.values()].flatMap(({ bodies }) => bodies.flatMap(({ attribute }) => attribute ?? []))
  const [name] = forms.flatMap((form) => findEnvelopeList(form)?.[0] ?? [])
  return {
    readElements(body) {
      if (Array.isArray(body)) return body
      const list = name === undefined ? undefined : valueIn(body, [name])
      return Array.isArray(list) ? list : undefined
    },
    findLink: (relation, { headers }) => parseLinkHeader(headers, relation),
    readTotal: ({ headers }) => toOptionalNumber(headers.get(DEFAULT_HEADERS.total)),
    alwaysShown: [],
    hasLinks: true,
  }
}

function createConventionReader(action: ResolvedAction, list: DeclaredList, form: ListConvention): ListReader {
  const listing = findListing(action) as NonNullable<ReturnType<typeof findListing>>
  const members = new Map(listBodyMembers(form.body).map(({ role, path }) => [role, path]))
  const key = getKeyFields(list.config)
  const said = ({ body }: TestResponse, role: 'prev' | 'first' | 'last' | 'total' | 'prevToken'): unknown => {
    const path = members.get(role)
    return path === undefined ? undefined : valueIn(body, path)
  }
  const flat = form.element === undefined ? undefined : createFlattener(list.config.mediaType, key)
  return {
    readElements(body) {
      const found = listing.elements(body) as JsonElement[] | undefined
      return flat === undefined ? found : found?.map(flat)
    },
    findLink(relation, answer, { params }) {
      const linked = form.headers.link === true ? parseLinkHeader(answer.headers, relation) : undefined
      if (relation === 'next') return listing.next(answer.body, answer.url, linked, params)
      const found = linked ?? said(answer, relation)
      if (typeof found === 'string') return found
      const token = relation === 'prev' ? said(answer, 'prevToken') : undefined
      return typeof token === 'string' ? withToken(answer.url, list, token) : undefined
    },
    readTotal(answer) {
      const { total } = form.headers
      return toOptionalNumber(said(answer, 'total') ?? (total === undefined ? undefined : answer.headers.get(total)))
    },
    alwaysShown: flat === undefined ? [] : key,
    hasLinks: form.headers.link === true || NEXT_PAGE_ROLES.some((role) => members.has(role)),
  }
}

const NEXT_PAGE_ROLES = ['next', 'nextToken', 'more', 'total'] as const

function withToken(url: string, { layout: language }: DeclaredList, token: string): string | undefined {
  const slot = language.slots.get('token')
  if (slot === undefined) return undefined
  const other = new URL(url)
  other.searchParams.set(slot.name, token)
  return other.href
}

/** Takes resource objects apart: their id is the text of the key. */
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
  const loaded = attribute?.core.loader(text, new Loading(true)) ?? INVALID
  return attribute === undefined || loaded === INVALID ? text : toJsonValue(attribute, loaded)
}

const toOptionalNumber = (value: unknown): number | undefined =>
  value === null || value === undefined ? undefined : Number(value)

function parseLinkHeader(headers: Headers, relation: LinkRelation): string | undefined {
  for (const [, address, params] of (headers.get('Link') ?? '').matchAll(/<([^>]*)>([^,<]*)/g))
    if (new RegExp(`rel="?(?:[^"]* )?${relation}(?: [^"]*)?"?`).test(params as string)) return address
  return undefined
}
