// Describes the params of a list action: filters, orders, pages and fields.

import type { Terms } from '../../design/declare/contract-terms.ts'
import { isView, type MediaType } from '../../design/declare/media-type.ts'
import { getMediaType, getSelectableBelow, type Selection } from '../../design/fields/selection.ts'
import type { ResolvedAction } from '../../design/resolve/resolved.ts'
import { findBodyElements, findListing } from '../../mock/roles.ts'
import type { FilterExpression } from '../../plugins/mapper/filters/expression.ts'
import { type FilterField, resolveFilterFields } from '../../plugins/mapper/filters/filter-fields.ts'
import { filteringKind } from '../../plugins/mapper/filters/filtering-params.ts'
import { findList, findOrdering } from '../../plugins/pagination/action-list.ts'
import type { DeclaredList, ListConvention } from '../../plugins/pagination/listing/declared-list.ts'
import type { ParamLayout } from '../../plugins/pagination/listing/param-layout.ts'
import type { ParamRole } from '../../plugins/pagination/listing/param-slots.ts'
import { type Attribute, getConfig } from '../../schema/attribute.ts'
import { getListReader, type ListReader } from './list-reader.ts'

/** Returns the contract's terms of a param. */
export interface TermsSource {
  getTerms(action: ResolvedAction, param: string): Terms
}

/** The path to a value within the params. */
export type ParamPath = readonly string[]

/** A list and the params that it supports. */
export interface CheckedList {
  readonly action: ResolvedAction
  readonly mediaType: MediaType
  /** The attributes that each element shows by default. */
  readonly shown: ReadonlySet<string>
  readonly reader: ListReader
  readonly pages?: CheckedPages | undefined
  readonly order?: CheckedOrder | undefined
  readonly filters?: CheckedFilters | undefined
  readonly fields?: CheckedFields | undefined
}

/** The pagination of a list. */
export interface CheckedPages {
  /** The path of the page size, or of the only pagination param. */
  readonly path: ParamPath
  readonly maxItems: number
  /** Whether one param carries all of the pagination, as in edict's own syntax. */
  readonly isSingleParam: boolean
  readonly modes: readonly string[]
  readonly by: readonly string[]
  /** The paths of the page number, the offset, and the request for a total count. */
  readonly paramPaths: Readonly<Partial<Record<'page' | 'offset' | 'count', ParamPath>>>
}

/** The fields that a list can be ordered by. */
export interface CheckedOrder {
  readonly path: ParamPath
  readonly firstFields: readonly string[]
  readonly thenFields: readonly string[]
}

/** The fields that a list can be filtered by. */
export interface CheckedFilters {
  readonly path: ParamPath
  readonly fields: ReadonlyMap<string, FilterField>
  /** Returns the value of the param for a filter; undefined for one that the param cannot express. */
  toParamValue(expression: FilterExpression): unknown
}

/** The fields that can be selected. */
export interface CheckedFields {
  readonly path: ParamPath
  readonly paths: readonly string[]
  toParamValue(selection: Selection): unknown
}

/** The page size requested when a list has no maximum. */
const MAX_ITEMS = 200

/** Returns the list that an action responds with; undefined for other actions. */
export function findCheckedList(subject: TermsSource, action: ResolvedAction): CheckedList | undefined {
  if (!action.routes.some(({ verb, params }) => verb === 'GET' || params === 'body')) return undefined
  const element = findElementType(action)
  if (element === undefined) return undefined
  const list = findList(action)
  const all = Object.entries(isView(element) ? element.core.children : element.core.shown)
  // With a custom element format, elements refer to related elements instead of embedding them.
  const shown = list?.convention?.element === undefined ? all : all.filter(([, one]) => !isRelated(one))
  const names = new Set(shown.map(([name]) => name))
  const common = { action, mediaType: getMediaType(element), shown: names, reader: getListReader(action) }
  if (list?.convention !== undefined) return { ...common, ...readConvention(subject, action, list, list.convention) }
  return {
    ...common,
    pages: list && readOwnPages(subject, action, list),
    order: findOrder(subject, action),
    filters: findFilters(action),
    fields: findFields(subject, action),
  }
}

function findElementType(action: ResolvedAction): MediaType | undefined {
  const listing = findListing(action)
  if (listing !== undefined) return listing.of as MediaType
  const bodies = [...action.responses.values()].filter(({ status }) => status === 200).flatMap(({ bodies }) => bodies)
  // The check requests the first declared media type only, and CSV does not distinguish null from an empty value.
  const body =
    bodies[0]?.stream?.as === 'csv' ? undefined : bodies.find((one) => findBodyElements(one)?.isList === true)
  const elements = body && findBodyElements(body)
  if (body === undefined || elements === undefined) return undefined
  const list = elements.listName === undefined ? body.attribute : body.attribute?.core.children[elements.listName]
  return (body.list ? list : list?.core.element) as MediaType | undefined
}

const getAllowedFields = (terms: unknown, name: string): readonly string[] => {
  const term = (terms as Record<string, { allows?: readonly string[] | null }>)[name]
  return term?.allows ?? []
}

function getMaxItems(terms: Terms): number {
  const { most: maximum } = (terms as { maxItems?: { most?: number | null } }).maxItems ?? {}
  return Math.min(maximum ?? MAX_ITEMS, MAX_ITEMS)
}

// --- edict's own params --------------------------------------------------------------------

function readOwnPages(subject: TermsSource, action: ResolvedAction, { layout }: DeclaredList): CheckedPages {
  const { path } = layout.findSlot('text')
  const terms = subject.getTerms(action, path[0] as string)
  return {
    path,
    isSingleParam: true,
    maxItems: getMaxItems(terms),
    modes: getAllowedFields(terms, 'modes'),
    by: getAllowedFields(terms, 'byFields'),
    paramPaths: {},
  }
}

function findOrder(subject: TermsSource, action: ResolvedAction): CheckedOrder | undefined {
  const found = findOrdering(action)
  return found && readOrder(subject, action, [found.name])
}

function readOrder(subject: TermsSource, action: ResolvedAction, path: ParamPath): CheckedOrder {
  const terms = subject.getTerms(action, path[0] as string)
  return { path, firstFields: getAllowedFields(terms, 'byFields'), thenFields: getAllowedFields(terms, 'thenByFields') }
}

function findFilters({ params }: ResolvedAction): CheckedFilters | undefined {
  for (const [name, one] of Object.entries(params)) {
    const config = getConfig(one, filteringKind)
    if (config !== undefined) return { path: [name], fields: resolveFilterFields(config), toParamValue: (one) => one }
  }
  return undefined
}

function findFields(subject: TermsSource, action: ResolvedAction): CheckedFields | undefined {
  for (const [name, { core }] of Object.entries(action.params))
    if (core.selectsFrom !== undefined) {
      const paths = getAllowedFields(subject.getTerms(action, name), 'selectableFields')
      return { path: [name], paths: paths.filter((path) => path.split('.').length < 3), toParamValue: (one) => one }
    }
  return undefined
}

// --- conventions ---------------------------------------------------------------------------

type CheckedListParts = Pick<CheckedList, 'pages' | 'order' | 'filters' | 'fields'>

function readConvention(
  subject: TermsSource,
  action: ResolvedAction,
  list: DeclaredList,
  convention: ListConvention,
): CheckedListParts {
  const { layout } = list
  const findPath = (...roles: readonly ParamRole[]): ParamPath | undefined => findParamPath(layout, roles)
  const { path } = layout.findSlot('items')
  const order = findPath('order', 'orderWords')
  return {
    pages: {
      path,
      isSingleParam: false,
      maxItems: getMaxItems(subject.getTerms(action, path[0] as string)),
      modes: [],
      by: [],
      paramPaths: Object.fromEntries(
        (['page', 'offset', 'count'] as const).flatMap((role) => {
          const found = findPath(role)
          return found === undefined ? [] : [[role, found]]
        }),
      ),
    },
    order: order && readOrder(subject, action, order),
    filters: readConventionFilters(layout, list, convention),
    fields: findPath('fields') === undefined ? readTypedFields(layout, convention) : findFields(subject, action),
  }
}

const findParamPath = ({ slots }: ParamLayout, roles: readonly ParamRole[]): ParamPath | undefined =>
  roles.map((role) => slots.get(role)?.path).find((path) => path !== undefined)

function readConventionFilters(
  layout: ParamLayout,
  { config }: DeclaredList,
  { filterBy }: ListConvention,
): CheckedFilters | undefined {
  const fields = resolveFilterFields({ mediaType: config.mediaType, fields: filterBy })
  const path = findParamPath(layout, ['filters', 'filterWords'])
  if (path !== undefined) return { path, fields, toParamValue: (one) => one }
  const members = findParamPath(layout, ['filterMembers'])
  if (members === undefined) return undefined
  const entries = [...fields].map(([name, field]) => [name, restrictToEquality(field)] as const)
  return { path: members, fields: new Map(entries), toParamValue: toMemberValues }
}

const restrictToEquality = (field: FilterField): FilterField => ({ ...field, operators: ['='], wildcards: false })

// An object of values means that each of its fields has one of the values.
function toMemberValues(expression: FilterExpression): unknown {
  const conditions = expression.op === 'and' ? expression.of : [expression]
  const entries = conditions.map((one) => {
    if (!('any' in one) || one.op !== '=') return undefined
    return [one.field, one.any.map((match) => ('value' in match ? match.value : undefined))] as const
  })
  const names = new Set(entries.map((entry) => entry?.[0]))
  return names.has(undefined) || names.size < conditions.length ? undefined : Object.fromEntries(entries as never)
}

function readTypedFields(layout: ParamLayout, { of, type }: ListConvention): CheckedFields | undefined {
  const path = findParamPath(layout, ['fieldsOfType'])
  const names = Object.entries(getSelectableBelow(of as Attribute) ?? {}).filter(([, one]) => !isRelated(one))
  return path && { path, paths: names.map(([name]) => name), toParamValue: (one) => ({ [type]: one }) }
}

const isRelated = ({ core }: Attribute): boolean =>
  core.target !== undefined || core.related || (core.element?.core.related ?? false)
