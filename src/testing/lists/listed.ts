// Lists: which params of an action say which elements, in which order, how many at a time and what of each.

import { isView, type MediaType } from '../../design/declare/media-type.ts'
import type { Terms } from '../../design/declare/terms.ts'
import { mediaTypeOf, type Selection, selectableBelow } from '../../design/fields/selection.ts'
import type { ResolvedAction } from '../../design/resolve/resolved.ts'
import { elementsOf, listingOf } from '../../mock/roles.ts'
import type { FilterExpression } from '../../plugins/lists/filters/expression.ts'
import { type FilterField, filterFields } from '../../plugins/lists/filters/field.ts'
import { filteringKind } from '../../plugins/lists/filters/filtering-params.ts'
import { listOf, orderingOf } from '../../plugins/pagination/declared.ts'
import type { Language } from '../../plugins/pagination/listing/language.ts'
import type { DeclaredList, ListForm } from '../../plugins/pagination/listing/list.ts'
import type { Role } from '../../plugins/pagination/listing/slots.ts'
import { type Attribute, configOf } from '../../schema/attribute.ts'
import { type Reading, readingOf } from './reading.ts'

/** Knows what the contract settles about a param. */
export interface Settling {
  termsOf(action: ResolvedAction, param: string): Terms
}

/** The steps to a value among params. */
export type Path = readonly string[]

/** A list, as requests may ask for it. */
export interface Listed {
  readonly action: ResolvedAction
  readonly mediaType: MediaType
  /** The attributes that each element shows by itself. */
  readonly shown: ReadonlySet<string>
  readonly reading: Reading
  readonly pages?: Pages | undefined
  readonly order?: Order | undefined
  readonly filters?: Filters | undefined
  readonly fields?: Fields | undefined
}

/** How a list is divided. */
export interface Pages {
  /** Where the size of a page stands, or all of its pagination. */
  readonly path: Path
  readonly most: number
  /** Whether `path` has the whole pagination, as edict writes it. */
  readonly own: boolean
  readonly modes: readonly string[]
  readonly by: readonly string[]
  /** Where numbers of pages, offsets, and wishes for a total stand. */
  readonly places: Readonly<Partial<Record<'page' | 'offset' | 'count', Path>>>
}

/** The fields of an order. */
export interface Order {
  readonly path: Path
  readonly first: readonly string[]
  readonly others: readonly string[]
}

/** The fields of filters. */
export interface Filters {
  readonly path: Path
  readonly fields: ReadonlyMap<string, FilterField>
  /** The value of the param for a filter; undefined for one that it cannot express. */
  value(expression: FilterExpression): unknown
}

/** The fields that can be selected. */
export interface Fields {
  readonly path: Path
  readonly paths: readonly string[]
  value(selection: Selection): unknown
}

/** How many elements are asked for where a list has no limit of its own. */
const MOST = 200

/** The list that an action answers with; undefined for other actions. */
export function listedBy(subject: Settling, action: ResolvedAction): Listed | undefined {
  if (!action.routes.some(({ verb, params }) => verb === 'GET' || params === 'body')) return undefined
  const element = elementIn(action)
  if (element === undefined) return undefined
  const list = listOf(action)
  const all = Object.entries(isView(element) ? element.core.children : element.core.shown)
  // Elements of another form name those that they are related to.
  const shown = list?.form?.element === undefined ? all : all.filter(([, one]) => !isRelated(one))
  const names = new Set(shown.map(([name]) => name))
  const common = { action, mediaType: mediaTypeOf(element), shown: names, reading: readingOf(action) }
  if (list?.form !== undefined) return { ...common, ...inConvention(subject, action, list, list.form) }
  return {
    ...common,
    pages: list && ownPages(subject, action, list),
    order: orderOf(subject, action),
    filters: filtersOf(action),
    fields: fieldsOf(subject, action),
  }
}

function elementIn(action: ResolvedAction): MediaType | undefined {
  const listing = listingOf(action)
  if (listing !== undefined) return listing.of as MediaType
  const forms = [...action.responses.values()].filter(({ status }) => status === 200).flatMap(({ bodies }) => bodies)
  // The check asks only for the first form, and CSV does not tell null from nothing.
  const form = forms[0]?.stream?.as === 'csv' ? undefined : forms.find((one) => elementsOf(one)?.list === true)
  const elements = form && elementsOf(form)
  if (form === undefined || elements === undefined) return undefined
  const list = elements.within === undefined ? form.attribute : form.attribute?.core.children[elements.within]
  return (form.list ? list : list?.core.element) as MediaType | undefined
}

const allowed = (terms: unknown, name: string): readonly string[] => {
  const term = (terms as Record<string, { allows?: readonly string[] | null }>)[name]
  return term?.allows ?? []
}

function mostOf(terms: Terms): number {
  const { most } = (terms as { maxItems?: { most?: number | null } }).maxItems ?? {}
  return Math.min(most ?? MOST, MOST)
}

// --- edict's own params --------------------------------------------------------------------

function ownPages(subject: Settling, action: ResolvedAction, { language }: DeclaredList): Pages {
  const { path } = language.slot('text')
  const terms = subject.termsOf(action, path[0] as string)
  return {
    path,
    own: true,
    most: mostOf(terms),
    modes: allowed(terms, 'modes'),
    by: allowed(terms, 'byFields'),
    places: {},
  }
}

function orderOf(subject: Settling, action: ResolvedAction): Order | undefined {
  const found = orderingOf(action)
  return found && orderAt(subject, action, [found.name])
}

function orderAt(subject: Settling, action: ResolvedAction, path: Path): Order {
  const terms = subject.termsOf(action, path[0] as string)
  return { path, first: allowed(terms, 'byFields'), others: allowed(terms, 'thenByFields') }
}

function filtersOf({ params }: ResolvedAction): Filters | undefined {
  for (const [name, one] of Object.entries(params)) {
    const config = configOf(one, filteringKind)
    if (config !== undefined) return { path: [name], fields: filterFields(config), value: (one) => one }
  }
  return undefined
}

function fieldsOf(subject: Settling, action: ResolvedAction): Fields | undefined {
  for (const [name, { core }] of Object.entries(action.params))
    if (core.projects !== undefined) {
      const paths = allowed(subject.termsOf(action, name), 'selectableFields')
      return { path: [name], paths: paths.filter((path) => path.split('.').length < 3), value: (one) => one }
    }
  return undefined
}

// --- conventions ---------------------------------------------------------------------------

type Parts = Pick<Listed, 'pages' | 'order' | 'filters' | 'fields'>

function inConvention(subject: Settling, action: ResolvedAction, list: DeclaredList, form: ListForm): Parts {
  const { language } = list
  const at = (...roles: readonly Role[]): Path | undefined => pathOf(language, roles)
  const { path } = language.slot('items')
  const order = at('order', 'orderWords')
  return {
    pages: {
      path,
      own: false,
      most: mostOf(subject.termsOf(action, path[0] as string)),
      modes: [],
      by: [],
      places: Object.fromEntries(
        (['page', 'offset', 'count'] as const).flatMap((role) => {
          const found = at(role)
          return found === undefined ? [] : [[role, found]]
        }),
      ),
    },
    order: order && orderAt(subject, action, order),
    filters: conventionFilters(language, list, form),
    fields: at('fields') === undefined ? fieldsOfType(language, form) : fieldsOf(subject, action),
  }
}

const pathOf = ({ slots }: Language, roles: readonly Role[]): Path | undefined =>
  roles.map((role) => slots.get(role)?.path).find((path) => path !== undefined)

function conventionFilters(language: Language, { config }: DeclaredList, { filterBy }: ListForm): Filters | undefined {
  const fields = filterFields({ mediaType: config.mediaType, fields: filterBy })
  const path = pathOf(language, ['filters', 'filterWords'])
  if (path !== undefined) return { path, fields, value: (one) => one }
  const members = pathOf(language, ['filterMembers'])
  if (members === undefined) return undefined
  const equal = [...fields].map(([name, field]) => [name, equalOnly(field)] as const)
  return { path: members, fields: new Map(equal), value: memberValues }
}

const equalOnly = (field: FilterField): FilterField => ({ ...field, operators: ['='], wildcards: false })

// A structure of values says that each of its fields has one of them.
function memberValues(expression: FilterExpression): unknown {
  const all = expression.op === 'and' ? expression.of : [expression]
  const entries = all.map((one) => {
    if (!('any' in one) || one.op !== '=') return undefined
    return [one.field, one.any.map((match) => ('value' in match ? match.value : undefined))] as const
  })
  const names = new Set(entries.map((entry) => entry?.[0]))
  return names.has(undefined) || names.size < all.length ? undefined : Object.fromEntries(entries as never)
}

function fieldsOfType(language: Language, { of, type }: ListForm): Fields | undefined {
  const path = pathOf(language, ['fieldsOfType'])
  const names = Object.entries(selectableBelow(of as Attribute) ?? {}).filter(([, one]) => !isRelated(one))
  return path && { path, paths: names.map(([name]) => name), value: (one) => ({ [type]: one }) }
}

const isRelated = ({ core }: Attribute): boolean =>
  core.target !== undefined || core.related || (core.element?.core.related ?? false)
