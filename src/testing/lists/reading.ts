// How answers with a list are read, in whatever convention: their elements, the number of all, and where other parts are.
import { listWithin } from '../../design/fields/selection.ts'
import type { ResolvedAction } from '../../design/resolve/resolved.ts'
import { listingOf } from '../../mock/roles.ts'
import { plainForm } from '../../mock/values.ts'
import { listOf } from '../../plugins/pagination/declared.ts'
import { membersOf } from '../../plugins/pagination/listing/envelope.ts'
import { type DeclaredList, type ListForm, OWN_HEADERS } from '../../plugins/pagination/listing/list.ts'
import { valueAt as valueIn } from '../../plugins/pagination/listing/slots.ts'
import { keyOf } from '../../plugins/pagination/pagination-params.ts'
import type { Attribute } from '../../schema/attribute.ts'
import { INVALID } from '../../schema/issue.ts'
import { Loading } from '../../schema/loading.ts'
import type { Call } from '../check/call.ts'
import type { Answer } from '../check/judge.ts'

/** An element as JSON has it. */
export type Element = Readonly<Record<string, unknown>>

/** A neighbour of a part, or an end of the list. */
export type Relation = 'next' | 'prev' | 'first' | 'last'

/** Reads the answers of one list. */
export interface Reading {
  /** The elements of a body, each as its media type has it; undefined for a body without a list. */
  elements(body: unknown): Element[] | undefined
  /** The address of another part. */
  link(relation: Relation, answer: Answer, call: Call): string | undefined
  /** The number of elements of the whole list, where the answer tells it. */
  total(answer: Answer): number | undefined
  /** The names that elements have whatever fields are selected. */
  readonly always: readonly string[]
  /** Whether answers tell if there is a next part; otherwise a list ends with an empty one. */
  readonly linked: boolean
}

const readings = new WeakMap<ResolvedAction, Reading>()

/** How the list of an action is read. */
export function readingOf(action: ResolvedAction): Reading {
  const known = readings.get(action)
  if (known !== undefined) return known
  const list = listOf(action)
  const made = list?.form === undefined ? ownReading(action) : conventionReading(action, list, list.form)
  readings.set(action, made)
  return made
}

function ownReading({ responses }: ResolvedAction): Reading {
  const forms = [...responses.values()].flatMap(({ bodies }) => bodies.flatMap(({ attribute }) => attribute ?? []))
  const [name] = forms.flatMap((form) => listWithin(form)?.[0] ?? [])
  return {
    elements(body) {
      if (Array.isArray(body)) return body
      const list = name === undefined ? undefined : valueIn(body, [name])
      return Array.isArray(list) ? list : undefined
    },
    link: (relation, { headers }) => linkIn(headers, relation),
    total: ({ headers }) => numberIn(headers.get(OWN_HEADERS.total)),
    always: [],
    linked: true,
  }
}

function conventionReading(action: ResolvedAction, list: DeclaredList, form: ListForm): Reading {
  const listing = listingOf(action) as NonNullable<ReturnType<typeof listingOf>>
  const members = new Map(membersOf(form.body).map(({ role, path }) => [role, path]))
  const key = keyOf(list.config)
  const said = ({ body }: Answer, role: 'prev' | 'first' | 'last' | 'total' | 'prevToken'): unknown => {
    const path = members.get(role)
    return path === undefined ? undefined : valueIn(body, path)
  }
  const flat = form.element === undefined ? undefined : flattener(list.config.mediaType, key)
  return {
    elements(body) {
      const found = listing.elements(body) as Element[] | undefined
      return flat === undefined ? found : found?.map(flat)
    },
    link(relation, answer, { params }) {
      const linked = form.headers.link === true ? linkIn(answer.headers, relation) : undefined
      if (relation === 'next') return listing.next(answer.body, answer.url, linked, params)
      const found = linked ?? said(answer, relation)
      if (typeof found === 'string') return found
      const token = relation === 'prev' ? said(answer, 'prevToken') : undefined
      return typeof token === 'string' ? withToken(answer.url, list, token) : undefined
    },
    total(answer) {
      const { total } = form.headers
      return numberIn(said(answer, 'total') ?? (total === undefined ? undefined : answer.headers.get(total)))
    },
    always: flat === undefined ? [] : key,
    linked: form.headers.link === true || TELLING.some((role) => members.has(role)),
  }
}

const TELLING = ['next', 'nextToken', 'more', 'total'] as const

function withToken(url: string, { language }: DeclaredList, token: string): string | undefined {
  const slot = language.slots.get('token')
  if (slot === undefined) return undefined
  const other = new URL(url)
  other.searchParams.set(slot.name, token)
  return other.href
}

/** Takes resource objects apart: their id is the text of the key. */
function flattener(
  { attributes }: { readonly attributes: Readonly<Record<string, Attribute>> },
  key: readonly string[],
) {
  return (element: Element): Element => {
    const own = (element['attributes'] ?? {}) as Element
    const parts = key.length === 1 ? [element['id']] : String(element['id']).split(',')
    if (parts.length !== key.length) return own
    return { ...own, ...Object.fromEntries(key.map((name, i) => [name, keyPart(attributes[name], parts[i])])) }
  }
}

function keyPart(attribute: Attribute | undefined, text: unknown): unknown {
  const loaded = attribute?.core.loader(text, new Loading(true)) ?? INVALID
  return attribute === undefined || loaded === INVALID ? text : plainForm(attribute, loaded)
}

const numberIn = (value: unknown): number | undefined =>
  value === null || value === undefined ? undefined : Number(value)

function linkIn(headers: Headers, relation: Relation): string | undefined {
  for (const [, address, params] of (headers.get('Link') ?? '').matchAll(/<([^>]*)>([^,<]*)/g))
    if (new RegExp(`rel="?(?:[^"]* )?${relation}(?: [^"]*)?"?`).test(params as string)) return address
  return undefined
}
