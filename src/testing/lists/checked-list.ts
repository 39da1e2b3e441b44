// Lists: which params of an action say which elements, in which order, how many at a time and what of each.

import { isView, type MediaType } from '../../design/declare/media-type.ts'
import type { Terms } from '../../design/declare/contract-terms.ts'
import { mediaTypeOf, type Selection, selectableBelow } from '../../design/fields/selection.ts'
import type { ResolvedAction } from '../../design/resolve/resolved.ts'
import { findBodyElements, findListing } from '../../mock/roles.ts'
import type { FilterExpression } from '../../plugins/mapper/filters/expression.ts'
import { type FilterField, resolveFilterFields } from '../../plugins/mapper/filters/filter-fields.ts'
import { filteringKind } from '../../plugins/mapper/filters/filtering-params.ts'
import { findList, findOrdering } from '../../plugins/pagination/action-list.ts'
import type { ParamLayout } from '../../plugins/pagination/listing/param-layout.ts'
import type { DeclaredList, ListConvention } from '../../plugins/pagination/listing/declared-list.ts'
import type { ParamRole } from '../../plugins/pagination/listing/param-slots.ts'
import { type Attribute, configOf } from '../../schema/attribute.ts'
import { type ListReader, getListReader } from './list-reader.ts'

/** Knows what the contract settles about a param. */
export interface TermsSource {
  getTerms(action: ResolvedAction, param: string): Terms
}

/** The steps to a value among params. */
export type ParamPath = readonly string[]

/** A list, as requests may ask for it. */
export interface CheckedList {
  readonly action: ResolvedAction
  readonly mediaType: MediaType
  /** The attributes that each element shows by itself. */
  readonly shown: ReadonlySet<string>
  readonly reading: ListReader
  readonly pages?: CheckedPages | undefined
  readonly order?: CheckedOrder | undefined
  readonly filters?: CheckedFilters | undefined
  readonly fields?: CheckedFields | undefined
}

/** How a list is divided. */
export interface CheckedPages {
  /** Where the size of a page stands, or all of its pagination. */
  readonly path: ParamPath
  readonly maxItems: number
  /** Whether `path` has the whole pagination, as edict writes it. */
  readonly isSingleParam: boolean
  readonly modes: readonly string[]
  readonly by: readonly string[]
  /** Where numbers of pages, offsets, and wishes for a total stand. */
  readonly paramPaths: Readonly<Partial<Record<'page' | 'offset' | 'count', ParamPath>>>
}

/** The fields of an order. */
export interface CheckedOrder {
  readonly path: ParamPath
  readonly firstFields: readonly string[]
  readonly thenFields: readonly string[]
}

/** The fields of filters. */
export interface CheckedFilters {
  readonly path: ParamPath
  readonly fields: ReadonlyMap<string, FilterField>
  /** The value of the param for a filter; undefined for one that it cannot express. */
  toParamValue(expression: FilterExpression): unknown
}

/** The fields that can be selected. */
export interface CheckedFields {
  readonly path: ParamPath
  readonly paths: readonly string[]
  toParamValue(selection: Selection): unknown
}

/** How many elements are asked for where a list has no limit of its own. */
const MAX_ITEMS = 200

/** The list that an action answers with; undefined for other actions. */
export function findCheckedList(subject: TermsSource, action: ResolvedAction): CheckedList | undefined {
  if (!action.routes.some(({ verb, params }) => verb === 'GET' || params === 'body')) return undefined
  const element = findElementType(action)
  if (element === undefined) return undefined
  const list = findList(action)
  const all = Object.entries(isView(element) ? element.core.children : element.core.shown)
  // Elements of another form name those that they are related to.
  const shown = list?.convention?.element === undefined ? all : all.filter(([, one]) => !isRelated(one))
  const names = new Set(shown.map(([name]) => name))
  const common = { action, mediaType: mediaTypeOf(element), shown: names, reading: getListReader(action) }
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
  const forms = [...action.responses.values()].filter(({ status }) => status === 200).flatMap(({ bodies }) => bodies)
  // The check asks only for the first form, and CSV does not tell null from nothing.
  const form = forms[0]?.stream?.as === 'csv' ? undefined : forms.find((one) => findBodyElements(one)?.isList === true)
  const elements = form && findBodyElements(form)
  if (form === undefined || elements === undefined) return undefined
  const list = elements.listName === undefined ? form.attribute : form.attribute?.core.children[elements.listName]
  return (form.list ? list : list?.core.element) as MediaType | undefined
}

const getAllowedFields = (terms: unknown, name: string): readonly string[] => {
  const term = (terms as Record<string, { allows?: readonly string[] | null }>)[name]
  return term?.allows ?? []
}

function getMaxItems(terms: Terms): number {
  const { most } = (terms as { maxItems?: { most?: number | null } }).maxItems ?? {}
  return Math.min(most ?? MAX_ITEMS, MAX_ITEMS)
}

// --- edict's own params --------------------------------------------------------------------

function readOwnPages(subject: TermsSource, action: ResolvedAction, { layout: language }: DeclaredList): CheckedPages {
  const { path } = language.findSlot('text')
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
    const config = configOf(one, filteringKind)
    if (config !== undefined) return { path: [name], fields: resolveFilterFields(config), toParamValue: (one) => one }
  }
  return undefined
}

function findFields(subject: TermsSource, action: ResolvedAction): CheckedFields | undefined {
  for (const [name, { core }] of Object.entries(action.params))
    if (core.projects !== undefined) {
      const paths = getAllowedFields(subject.getTerms(action, name), 'selectableFields')
      return { path: [name], paths: paths.filter((path) => path.split('.').length < 3), toParamValue: (one) => one }
    }
  return undefined
}

// --- conventions ---------------------------------------------------------------------------

type CheckedListParts = Pick<CheckedList, 'pages' | 'order' | 'filters' | 'fields'>

function readConvention(subject: TermsSource, action: ResolvedAction, list: DeclaredList, form: ListConvention): CheckedListParts {
  const { layout: language } = list
  const at = (...roles: readonly ParamRole[]): ParamPath | undefined => findParamPath(language, roles)
  const { path } = language.findSlot('items')
  const order = at('order', 'orderWords')
  return {
    pages: {
      path,
      isSingleParam: false,
      maxItems: getMaxItems(subject.getTerms(action, path[0] as string)),
      modes: [],
      by: [],
      paramPaths: Object.fromEntries(
        (['page', 'offset', 'count'] as const).flatMap((role) => {
          const found = at(role)
          return found === undefined ? [] : [[role, found]]
        }),
      ),
    },
    order: order && readOrder(subject, action, order),
    filters: readConventionFilters(language, list, form),
    fields: at('fields') === undefined ? readTypedFields(language, form) : findFields(subject, action),
  }
}

const findParamPath = ({ slots }: ParamLayout, roles: readonly ParamRole[]): ParamPath | undefined =>
  roles.map((role) => slots.get(role)?.path).find((path) => path !== undefined)

function readConventionFilters(language: ParamLayout, { config }: DeclaredList, { filterBy }: ListConvention): CheckedFilters | undefined {
  const fields = resolveFilterFields({ mediaType: config.mediaType, fields: filterBy })
  const path = findParamPath(language, ['filters', 'filterWords'])
  if (path !== undefined) return { path, fields, toParamValue: (one) => one }
  const members = findParamPath(language, ['filterMembers'])
  if (members === undefined) return undefined
  const equal = [...fields].map(([name, field]) => [name, restrictToEquality(field)] as const)
  return { path: members, fields: new Map(equal), toParamValue: toMemberValues }
}

const restrictToEquality = (field: FilterField): FilterField => ({ ...field, operators: ['='], wildcards: false })

// A structure of values says that each of its fields has one of them.
function toMemberValues(expression: FilterExpression): unknown {
  const all = expression.op === 'and' ? expression.of : [expression]
  const entries = all.map((one) => {
    if (!('any' in one) || one.op !== '=') return undefined
    return [one.field, one.any.map((match) => ('value' in match ? match.value : undefined))] as const
  })
  const names = new Set(entries.map((entry) => entry?.[0]))
  return names.has(undefined) || names.size < all.length ? undefined : Object.fromEntries(entries as never)
}

function readTypedFields(language: ParamLayout, { of, type }: ListConvention): CheckedFields | undefined {
  const path = findParamPath(language, ['fieldsOfType'])
  const names = Object.entries(selectableBelow(of as Attribute) ?? {}).filter(([, one]) => !isRelated(one))
  return path && { path, paths: names.map(([name]) => name), toParamValue: (one) => ({ [type]: one }) }
}

const isRelated = ({ core }: Attribute): boolean =>
  core.target !== undefined || core.related || (core.element?.core.related ?? false)
