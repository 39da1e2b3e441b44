// Describes the params of a list action: filters, orders, pages and fields.

import type { Terms } from '../../design/declare/contract-terms.ts'
import { isView, type MediaType } from '../../design/declare/media-type.ts'
import { getSelectableBelow, type Selection } from '../../design/fields/selection.ts'
import { getMediaType } from '../../design/fields/shown-part.ts'
import type { ResolvedAction } from '../../design/resolve/resolved.ts'
import { findBodyElements, findListing } from '../../mock/body-elements.ts'
import type { FilterExpression, FilterField } from '../../plugins/mapper/extend.ts'
import {
  describeList,
  type ListDescription,
  type ListPages,
  type ListParamRole,
  toFieldConditions,
} from '../../plugins/pagination/extend.ts'
import type { Attribute } from '../../schema/attribute.ts'
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
  /** Whether a request names the size of its pages; a limit of the whole list says nothing of them. */
  readonly hasSize: boolean
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
  const list = describeList(action)
  const all = Object.entries(isView(element) ? element.core.children : element.core.shown)
  // With a custom element format, elements refer to related elements; with expansions, they have those that a request names.
  const showsIds = list?.hasElementForm === true || list?.params.has('expand') === true
  const shown = showsIds ? all.filter(([, one]) => !isRelated(one)) : all
  const names = new Set(shown.map(([name]) => name))
  const common = { action, mediaType: getMediaType(element), shown: names, reader: getListReader(action) }
  const order = list && findParamPath(list, 'order', 'orderWords', 'orderColons')
  return {
    ...common,
    pages: list?.pages && readPages(subject, action, list, list.pages),
    order: order && readOrder(subject, action, order),
    filters: list && readFilters(list),
    fields: findFields(subject, action, list) ?? (list && findTypedFields(list, element)),
  }
}

function findElementType(action: ResolvedAction): MediaType | undefined {
  const listing = findListing(action)
  if (listing !== undefined) return listing.of as MediaType
  const bodies = [...action.responses.values()].filter(({ status }) => status === 200).flatMap(({ bodies }) => bodies)
  // The check requests the first declared media type only, and CSV does not distinguish null from an empty value.
  if (bodies[0]?.stream?.as === 'csv') return undefined
  const found = bodies.map((body) => findBodyElements(body, action.endpoint.mediaType))
  return found.find((one) => one?.isList === true)?.attribute as MediaType | undefined
}

const getAllowedFields = (terms: unknown, name: string): readonly string[] => {
  const term = (terms as Record<string, { allows?: readonly string[] | null }>)[name]
  return term?.allows ?? []
}

function getMaxItems(terms: Terms): number {
  const { most: maximum } = (terms as { maxItems?: { most?: number | null } }).maxItems ?? {}
  return Math.min(maximum ?? MAX_ITEMS, MAX_ITEMS)
}

function readPages(
  subject: TermsSource,
  action: ResolvedAction,
  list: ListDescription,
  { param: { path } }: ListPages,
): CheckedPages {
  const terms = subject.getTerms(action, path[0] as string)
  const isSingleParam = list.params.has('text')
  return {
    path,
    isSingleParam,
    hasSize: !list.params.has('limit'),
    maxItems: getMaxItems(terms),
    modes: isSingleParam ? getAllowedFields(terms, 'modes') : [],
    by: isSingleParam ? getAllowedFields(terms, 'byFields') : [],
    paramPaths: Object.fromEntries(
      (['page', 'offset', 'count'] as const).flatMap((role) => {
        const found = findParamPath(list, role)
        return found === undefined ? [] : [[role, found]]
      }),
    ),
  }
}

const findParamPath = ({ params }: ListDescription, ...roles: readonly ListParamRole[]): ParamPath | undefined =>
  roles.map((role) => params.get(role)?.path).find((path) => path !== undefined)

function readOrder(subject: TermsSource, action: ResolvedAction, path: ParamPath): CheckedOrder {
  const terms = subject.getTerms(action, path[0] as string)
  return { path, firstFields: getAllowedFields(terms, 'byFields'), thenFields: getAllowedFields(terms, 'thenByFields') }
}

function readFilters(list: ListDescription): CheckedFilters | undefined {
  const path = findParamPath(list, 'filters', 'filterWords', 'filterOData', 'filterQuery')
  if (path !== undefined) return { path, fields: list.filterFields, toParamValue: (one) => one }
  const members = findParamPath(list, 'filterMembers')
  if (members !== undefined) return { path: members, fields: list.filterFields, toParamValue: toMemberValues }
  const conditions = findParamPath(list, 'filterOperators', 'filterFields')
  return conditions && { path: conditions, fields: list.filterFields, toParamValue: toConditionValues }
}

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

const toConditionValues = (expression: FilterExpression): unknown =>
  expression.op === 'or' ? undefined : toFieldConditions(expression.op === 'and' ? expression.of : [expression])

// A convention has no other param of fields than its own.
function findFields(
  subject: TermsSource,
  action: ResolvedAction,
  list: ListDescription | undefined,
): CheckedFields | undefined {
  if (list?.convention !== undefined && !list.params.has('fields')) return undefined
  for (const [name, { core }] of Object.entries(action.params))
    if (core.selectsFrom !== undefined) {
      const paths = getAllowedFields(subject.getTerms(action, name), 'selectableFields')
      return { path: [name], paths: paths.filter((path) => path.split('.').length < 3), toParamValue: (one) => one }
    }
  return undefined
}

function findTypedFields(list: ListDescription, element: Attribute): CheckedFields | undefined {
  const { type } = list
  const path = findParamPath(list, 'fieldsOfType')
  if (path === undefined || type === undefined) return undefined
  const names = Object.entries(getSelectableBelow(element) ?? {}).filter(([, one]) => !isRelated(one))
  return { path, paths: names.map(([name]) => name), toParamValue: (one) => ({ [type]: one }) }
}

const isRelated = ({ core }: Attribute): boolean =>
  core.target !== undefined || core.related || (core.element?.core.related ?? false)
