// Lists: which params of an action say which elements, in which order, how many at a time and what of each.

import { isView, type MediaType } from '../../design/declare/media-type.ts'
import type { Terms } from '../../design/declare/terms.ts'
import { selectionOf } from '../../design/fields/selection.ts'
import type { ResolvedAction } from '../../design/resolve/resolved.ts'
import { elementsOf } from '../../mock/roles.ts'
import type { FilterExpression } from '../../plugins/lists/filters/expression.ts'
import { type FilterField, filterFields } from '../../plugins/lists/filters/field.ts'
import { filteringKind } from '../../plugins/lists/filters/filtering-params.ts'
import type { OrderTerm } from '../../plugins/lists/plan/order.ts'
import { orderingOf } from '../../plugins/pagination/declared.ts'
import { keyOf, type PaginationConfig, paginationKind } from '../../plugins/pagination/pagination-params.ts'
import { type Attribute, configOf } from '../../schema/attribute.ts'
import type { Draw } from '../values/draw.ts'
import { exampleOf } from '../values/examples.ts'

/** Knows what the contract settles about a param. */
export interface Settling {
  termsOf(action: ResolvedAction, param: string): Terms
}

/** A list, as requests may ask for it. */
export interface Listed {
  readonly action: ResolvedAction
  readonly mediaType: MediaType
  /** The attributes that each element shows by itself. */
  readonly shown: ReadonlySet<string>
  readonly pages?: Pages | undefined
  readonly order?:
    | { readonly name: string; readonly first: readonly string[]; readonly others: readonly string[] }
    | undefined
  readonly filters?: { readonly name: string; readonly fields: ReadonlyMap<string, FilterField> } | undefined
  readonly fields?: { readonly name: string; readonly paths: readonly string[] } | undefined
}

/** How a list is divided. */
interface Pages {
  readonly name: string
  readonly most: number
  readonly modes: readonly string[]
  readonly by: readonly string[]
  readonly key: readonly string[]
}

/** How many elements are asked for where a list has no limit of its own. */
const MOST = 200

/** The list that an action answers with; undefined for other actions. */
export function listedBy(subject: Settling, action: ResolvedAction): Listed | undefined {
  if (!action.routes.some(({ verb, params }) => verb === 'GET' || params === 'body')) return undefined
  const forms = [...action.responses.values()].filter(({ status }) => status === 200).flatMap(({ bodies }) => bodies)
  // The check asks only for the first form, and CSV does not tell null from nothing.
  const form = forms[0]?.stream?.as === 'csv' ? undefined : forms.find((one) => elementsOf(one)?.list === true)
  const elements = form && elementsOf(form)
  if (form === undefined || elements === undefined) return undefined
  const element = form.list ? form.attribute : form.attribute?.core.element
  const shown = element !== undefined && isView(element) ? element.core.children : element?.core.shown
  return {
    action,
    mediaType: elements.mediaType,
    shown: new Set(Object.keys(shown ?? {})),
    pages: pagesOf(subject, action),
    order: orderOf(subject, action),
    filters: filtersOf(action),
    fields: fieldsOf(subject, action),
  }
}

const allowed = (terms: unknown, name: string): readonly string[] => {
  const term = (terms as Record<string, { allows?: readonly string[] | null }>)[name]
  return term?.allows ?? []
}

function pagesOf(subject: Settling, action: ResolvedAction): Pages | undefined {
  const found = paginationIn(action)
  if (found === undefined) return undefined
  const terms = subject.termsOf(action, found.name)
  const { most } = (terms as { maxItems?: { most?: number | null } }).maxItems ?? {}
  return {
    name: found.name,
    most: Math.min(most ?? MOST, MOST),
    modes: allowed(terms, 'modes'),
    by: allowed(terms, 'byFields'),
    key: keyOf(found.config),
  }
}

// Lists in another convention have params of their own.
function paginationIn({
  params,
}: ResolvedAction): { readonly name: string; readonly config: PaginationConfig } | undefined {
  for (const [name, one] of Object.entries(params)) {
    const config = configOf(one, paginationKind)
    if (config !== undefined) return { name, config }
  }
  return undefined
}

function orderOf(subject: Settling, action: ResolvedAction): Listed['order'] {
  const found = orderingOf(action)
  if (found === undefined) return undefined
  const terms = subject.termsOf(action, found.name)
  return { name: found.name, first: allowed(terms, 'byFields'), others: allowed(terms, 'thenByFields') }
}

function filtersOf({ params }: ResolvedAction): Listed['filters'] {
  for (const [name, one] of Object.entries(params)) {
    const config = configOf(one, filteringKind)
    if (config !== undefined) return { name, fields: filterFields(config) }
  }
  return undefined
}

function fieldsOf(subject: Settling, action: ResolvedAction): Listed['fields'] {
  for (const [name, { core }] of Object.entries(action.params))
    if (core.projects !== undefined) {
      const paths = allowed(subject.termsOf(action, name), 'selectableFields')
      return { name, paths: paths.filter((path) => path.split('.').length < 3) }
    }
  return undefined
}

// --- values ------------------------------------------------------------------------------

/** Draws an order of a list. */
export function drawOrder({ first, others }: NonNullable<Listed['order']>, draw: Draw): OrderTerm[] | undefined {
  const field = draw.pick(first)
  if (field === undefined) return undefined
  const more = draw.percent(30) ? draw.pick(others.filter((one) => one !== field)) : undefined
  return [field, ...(more === undefined ? [] : [more])].map((one) => ({ field: one, descending: draw.percent(50) }))
}

/** Draws a condition on one field; `known` gives values that elements have in it. */
export function drawCondition(
  { fields }: NonNullable<Listed['filters']>,
  draw: Draw,
  known: (field: string, attribute: Attribute) => readonly unknown[],
): FilterExpression | undefined {
  const [field, { attribute, operators }] = draw.pick([...fields]) ?? ['', { attribute: undefined, operators: [] }]
  const op = draw.pick(operators)
  if (attribute === undefined || op === undefined) return undefined
  if (op === '!' || op === '!!') return { op, field }
  const value = draw.percent(80) ? draw.pick(known(field, attribute)) : undefined
  const operand = value ?? exampleOf(attribute, draw, { name: field.split('.').at(-1) as string })
  if (operand === undefined || operand === null || operand === '') return undefined
  if (op === '~=' || op === '!~=' || op === '@=') return { op, field, texts: [String(operand).slice(0, 200)] }
  return op === '=' || op === '!=' ? { op, field, any: [{ value: operand }] } : { op, field, value: operand }
}

/** Draws values for the params of a list; those that are not drawn are left out. */
export function drawListParams(listed: Listed, draw: Draw): Record<string, unknown> {
  const { pages, order, filters, fields } = listed
  const drawn: Record<string, unknown> = {}
  const add = (name: string, value: unknown): void => {
    if (value !== undefined) drawn[name] = value
  }
  if (filters !== undefined && draw.percent(40)) {
    const one = drawCondition(filters, draw, () => [])
    const other = draw.percent(40) ? drawCondition(filters, draw, () => []) : undefined
    add(filters.name, one && other ? { op: draw.percent(50) ? 'and' : 'or', of: [one, other] } : one)
  }
  if (order !== undefined && draw.percent(40)) add(order.name, drawOrder(order, draw))
  if (pages !== undefined && draw.percent(50))
    add(pages.name, drawPage(pages, draw, drawn[order?.name ?? ''] !== undefined))
  if (fields !== undefined && draw.percent(40)) {
    const chosen = draw.some(fields.paths)
    if (chosen.length > 0) add(fields.name, selectionOf(chosen))
  }
  return drawn
}

function drawPage({ most, modes, by }: Pages, draw: Draw, ordered: boolean): unknown {
  const items = 1 + draw.below(Math.min(most, 5))
  const field = ordered || !modes.includes('cursor') ? undefined : draw.pick(by)
  if (field !== undefined && draw.percent(50)) return { by: field, items }
  return modes.includes('page') ? { page: 1 + draw.below(3), items } : undefined
}
