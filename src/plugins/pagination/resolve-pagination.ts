// Resolves the params of a list and the settings to one Pagination, or reports why the request is refused.

import {
  attributeRules,
  type Failed,
  INVALID,
  type IssueDetail,
  isFailed,
  Loading,
  type ParamsCheck,
  shortenName,
} from '../../extend.ts'
import type { Attribute, MediaType } from '../../index.ts'
import { type CursorBound, findField, listCodes, type OrderTerm, type RequestedList } from '../mapper/extend.ts'
import type { DeclaredParam } from './action-list.ts'
import { codes } from './codes.ts'
import { computeListFingerprint, readCursorValues, readListCursor } from './list-cursor.ts'
import { completeOrder, getAscendingOrder, toRequestedOrder, UNORDERED } from './list-orders.ts'
import type { DeclaredList, ListConvention, RequestedElements } from './listing/declared-list.ts'
import type { PageParams } from './listing/param-layout.ts'
import type { ParamSlot } from './listing/param-slots.ts'
import { readFieldSelection, readFilters, readOrder, readRelations } from './listing/read-params.ts'
import { readExpandedSelection } from './listing/related/expansions-rules.ts'
import { type OrderingConfig, writeOrder } from './ordering-config.ts'
import { parseDefaultOrder } from './ordering-rules.ts'
import { getKeyFields, type Pagination, type PaginationConfig } from './pagination-config.ts'
import { type CountMode, type PaginationSettings, toLinkPrefix } from './pagination-settings.ts'
import type { PaginationText } from './pagination-text.ts'

/** The settings of one `pagination` param, over those of the plugin. */
export interface ParamSettings {
  readonly maxItems: number
  readonly pageSize: number
  readonly allowsPages: boolean
  readonly allowsCursors: boolean
  readonly mode: { readonly page: number } | { readonly by: string }
  readonly count: CountMode
}

/** Merges the settings of a param with those of the plugin. */
export function resolveParamSettings(config: PaginationConfig, settings: PaginationSettings): ParamSettings {
  const { disallow, maxItems = settings.maxItems } = config
  return {
    maxItems,
    pageSize: config.pageSize ?? Math.min(settings.defaultPageSize, maxItems),
    allowsPages: disallow === undefined ? !settings.disallowPagingByDefault : disallow !== 'paging',
    allowsCursors: disallow === undefined ? !settings.disallowCursorByDefault : disallow !== 'cursor',
    mode: config.default ?? settings.pagingDefaultMode,
    count: config.count ?? settings.count,
  }
}

/** Creates the check of an action's order; of an order alone, without pagination, it also sets the default. */
export function createOrderCheck(
  { name, config }: DeclaredParam<OrderingConfig>,
  settings: PaginationSettings,
  context: 'alone' | 'paginated',
): ParamsCheck {
  const { byFields, enforceFor = settings.enforceAllFields ? 'all' : 'first' } = config
  const defaultOrder = parseDefaultOrder(config)
  return (params, loading) => {
    const terms = params[name] as readonly OrderTerm[] | undefined
    if (terms === undefined && context === 'alone' && defaultOrder !== undefined) params[name] = defaultOrder
    if (terms === undefined || byFields === undefined) return
    const disallowed = (enforceFor === 'all' ? terms : terms.slice(0, 1)).find(({ field }) => !byFields.includes(field))
    if (disallowed !== undefined)
      loading.failAt(`/${name}`, listCodes.issues['order-field'], {
        field: shortenName(disallowed.field),
        values: byFields.join(', '),
      })
  }
}

/**
 * Creates the check of a list's params, which also resolves them to the requested page: as the param of edict's own pagination,
 * or as the list of the request.
 */
export function createPaginationCheck(
  list: DeclaredList,
  settings: PaginationSettings,
): (params: Record<string, unknown>, loading: Loading) => RequestedList | undefined {
  const { layout, config, order, convention } = list
  const paramSettings = resolveParamSettings(config, settings)
  const declaredOrder = order === undefined ? undefined : parseDefaultOrder(order)
  const onExceed = convention.onExceed ?? settings.onExceed
  const { orderSlot } = layout
  const texts = layout.slots.get('text')
  // A list whose page is one text is in no order if the client names none; others are in that of their key.
  const defaultOrder = texts === undefined ? (declaredOrder ?? UNORDERED) : declaredOrder
  const baseUrl = convention.links === 'absolute' ? toLinkPrefix(settings) : ''
  return (params, loading) => {
    const text = layout.readPage(params, convention.onZero)
    const sent = orderSlot && readOrder(layout, params, defaultOrder)
    const isInitial = texts === undefined || isDefaultOrder(text, paramSettings.mode, defaultOrder)
    const terms = sent ?? (isInitial ? defaultOrder : undefined)
    const implied = texts === undefined || sent !== undefined || terms === undefined ? undefined : orderSlot?.name
    const items = resolveItems(text, paramSettings, onExceed)
    if (items === undefined) {
      const sizeRole = text.items === undefined && text.lastItems !== undefined ? 'lastItems' : 'items'
      loading.failAt(layout.findSlot(sizeRole).pointer, codes.issues['pagination-items'], {
        limit: paramSettings.maxItems,
      })
      return undefined
    }
    if (paramSettings.count === 'none' && text.total_count === true) {
      loading.failAt(layout.findSlot('text', 'items').pointer, codes.issues['pagination-disallowed'], {
        mode: 'total_count',
        keys: ['total_count'],
      })
      return undefined
    }
    const query = { list, text, terms, items, paramSettings, params, implied, baseUrl }
    const resolved = texts === undefined ? resolveConventionPage(query, loading) : resolvePagination(query, loading)
    if (resolved === undefined) return undefined
    if (texts === undefined) return toRequestedList(list, resolved, params)
    params[texts.path[0] as string] = resolved
    return undefined
  }
}

/** Creates the check of an action with one element of a convention, which reads what its response shows. */
export const createElementCheck =
  (one: DeclaredList) =>
  (params: Readonly<Record<string, unknown>>): RequestedElements => {
    const { pointer } = [...one.layout.slots.values()][0] as ParamSlot
    const pointers = { pagination: pointer, order: pointer, filters: pointer }
    return { ...readShown(one, params), pointers }
  }

function readShown(
  { layout, convention, config }: DeclaredList,
  params: Readonly<Record<string, unknown>>,
): Pick<RequestedElements, 'projection' | 'related'> {
  const { of, element, names, expansions } = convention
  const selected = readFieldSelection(layout, params, getKeyFields(config))
  if (layout.slots.has('expand')) {
    const text = layout.getRoleValue('expand', params) as string | undefined
    return { projection: { of, selection: readExpandedSelection(expansions, selected, text) } }
  }
  if (element?.select === undefined) return { projection: { of, selection: selected } }
  const related = readRelations(layout, params)
  return { projection: { of, selection: element.select(of, names, related) }, related }
}

function toRequestedList(
  list: DeclaredList,
  resolved: Pagination,
  params: Readonly<Record<string, unknown>>,
): RequestedElements {
  const { layout } = list
  return {
    ...readShown(list, params),
    pagination: resolved,
    order: resolved.requestedOrder,
    filters: readFilters(layout, params),
    pointers: {
      pagination: layout.getCursorPointer(resolved.link.text),
      order: (layout.orderSlot ?? layout.findSlot('items')).pointer,
      filters: layout.filterPointer,
    },
  }
}

// A request with `by` implies the ascending order of that field.
function isDefaultOrder(
  { by, page }: PaginationText,
  mode: ParamSettings['mode'],
  defaultOrder: readonly OrderTerm[] | undefined,
): boolean {
  return by === undefined && (page !== undefined || 'page' in mode || defaultOrder?.[0]?.field === mode.by)
}

function resolveItems(
  { items: sentItems, lastItems, limit }: PageParams,
  { maxItems, pageSize }: ParamSettings,
  onExceed: 'refuse' | 'clamp',
): number | undefined {
  const items = sentItems ?? lastItems
  // A list that ends within a page needs no more elements.
  if (items === undefined) return limit === undefined ? pageSize : Math.min(limit, pageSize)
  if (items <= maxItems) return items
  return onExceed === 'clamp' ? maxItems : undefined
}

interface PageQuery {
  readonly list: DeclaredList
  readonly text: PageParams
  readonly terms: readonly OrderTerm[] | undefined
  readonly items: number
  readonly paramSettings: ParamSettings
  readonly params: Readonly<Record<string, unknown>>
  /** The param in which links must contain the order, because the request did not. */
  readonly implied: string | undefined
  /** The URL before the path of every link. */
  readonly baseUrl: string
}

function resolvePagination(query: PageQuery, loading: Loading): Pagination | undefined {
  const { text, terms, paramSettings, list } = query
  const { page, by, from, after, before } = text
  const { pointer } = list.layout.findSlot('text')
  const hasCursor = by !== undefined || from !== undefined || after !== undefined || before !== undefined
  // An order by another field overrides the default mode: the client did not send `by`.
  const overridesDefault =
    paramSettings.allowsPages &&
    'by' in paramSettings.mode &&
    terms !== undefined &&
    terms[0]?.field !== paramSettings.mode.by
  const usesCursor = hasCursor || (page === undefined && 'by' in paramSettings.mode && !overridesDefault)
  if ((hasCursor && !paramSettings.allowsCursors) || (page !== undefined && !paramSettings.allowsPages)) {
    loading.failAt(pointer, codes.issues['pagination-disallowed'], {
      mode: hasCursor ? 'by and from' : 'page',
      keys: hasCursor ? ['by', 'from'] : ['page'],
    })
    return undefined
  }
  if (!usesCursor) return createPageRequest(query, loading)
  const field = by ?? ('by' in paramSettings.mode ? paramSettings.mode.by : undefined)
  if (field === undefined) loading.failAt(pointer, codes.issues['pagination-by'])
  else if (terms !== undefined && terms[0]?.field !== field)
    loading.failAt(list.layout.findSlot('order').pointer, codes.issues['order-by'], { field })
  else return createCursorRequest(query, field, loading)
  return undefined
}

// The params of a convention determine whether pages are requested by number or by cursor.
function resolveConventionPage(query: PageQuery, loading: Loading): Pagination | undefined {
  const { text, terms, list } = query
  const { layout, config } = list
  const isNumbered = text.offset !== undefined || text.page !== undefined
  const isByCursor = text.after !== undefined || text.before !== undefined
  const hasTwoSides = text.after !== undefined && text.before !== undefined && !layout.slots.has('lastItems')
  if ((isNumbered && isByCursor) || hasTwoSides) {
    const other = layout.findSlot(isNumbered ? 'offset' : 'after', 'page').name
    loading.failAt(
      layout.findSlot('before', 'after', 'afterValues', 'token').pointer,
      codes.issues['pagination-sides'],
      { other },
    )
    return undefined
  }
  if (!checkDirection(layout, text, loading)) return undefined
  if (isNumbered || !layout.usesCursors) return createPageRequest(query, loading)
  return createCursorRequest(query, completeOrder(terms as readonly OrderTerm[], config)[0]?.field as string, loading)
}

/** The params that contradict a page from the end of a list. */
const BESIDE_LAST = ['items', 'offset', 'page'] as const

/** Returns whether the params ask for one direction; reports those that ask for two. */
function checkDirection(layout: DeclaredList['layout'], text: PageParams, loading: Loading): boolean {
  const other = text.lastItems === undefined ? undefined : BESIDE_LAST.find((role) => text[role] !== undefined)
  if (other === undefined) return true
  const { pointer } = layout.findSlot('lastItems')
  loading.failAt(pointer, codes.issues['pagination-sides'], { other: layout.findSlot(other).name })
  return false
}

function createPageRequest(
  { list, text, terms, items, paramSettings, params, baseUrl }: PageQuery,
  loading: Loading,
): Pagination | undefined {
  const { config, layout, convention } = list
  const number = text.page ?? ('page' in paramSettings.mode ? paramSettings.mode.page : 1)
  const offset = text.offset ?? (number - 1) * items
  if (!Number.isSafeInteger(offset + items)) {
    loading.failAt(layout.findSlot('page', 'offset').pointer, codes.issues['pagination-number'], { key: 'page' })
    return undefined
  }
  const page = text.offset === undefined || items === 0 ? number : Math.floor(offset / items) + 1
  const ordered = terms !== undefined
  const order = completeOrder(terms ?? UNORDERED, config)
  const link = { text, mediaType: config.mediaType, extraParam: undefined, baseUrl }
  const [totalCount, requestedOrder] = [
    resolveCount(text, paramSettings, convention),
    toRequestedOrder(terms ?? UNORDERED, config),
  ]
  const base = { mode: 'page', page, offset, items, totalCount, ordered, order, requestedOrder, link } as const
  if (!convention.namesElements) return base
  return { ...base, namesElements: true, binding: computeListFingerprint(order, params, layout.unboundParams) }
}

function createCursorRequest(query: PageQuery, by: string, loading: Loading): Pagination | undefined {
  const { text, items, list, params, implied, baseUrl } = query
  const { mediaType } = list.config
  const orderTerms = query.terms ?? getAscendingOrder(by, list.config)
  const order = completeOrder(orderTerms, list.config)
  const binding = computeListFingerprint(order, params, list.layout.unboundParams)
  const from = text.from === undefined ? { value: undefined } : loadFieldValue(mediaType, by, text.from)
  if (isFailed(from)) {
    loading.failAt(list.layout.findSlot('text').pointer, codes.issues['pagination-from'], from.fault)
    return undefined
  }
  const sides = findCursorSides(text, list.layout)
  const readBound = (side: CursorSide | undefined): CursorBound | undefined =>
    side === undefined ? NO_CURSOR : readCursorBound(query, side, order, binding)
  const [start, until] = [readBound(sides.start), readBound(sides.until)]
  if (start === undefined || until === undefined) {
    const wrong = (start === undefined ? sides.start : sides.until) as CursorSide
    const { pointer } = list.layout.findSlot('token', wrong, 'afterValues')
    loading.failAt(pointer, listCodes.issues['pagination-continuation'])
    return undefined
  }
  const extraParam =
    implied === undefined || query.terms === undefined ? undefined : ([implied, writeOrder(orderTerms)] as const)
  return {
    mode: 'cursor',
    by,
    from: from.value,
    ...start,
    ...(sides.until !== undefined && { until }),
    ...(text.lastItems !== undefined && text.before === undefined && { fromEnd: true }),
    ...(list.convention.namesElements && { namesElements: true }),
    binding,
    items,
    totalCount: resolveCount(text, query.paramSettings, list.convention),
    order,
    requestedOrder: toRequestedOrder(orderTerms, list.config),
    link: { text, mediaType, extraParam, baseUrl },
  }
}

type CursorSide = 'after' | 'before'

/** Returns the cursor at which a page begins, and the one at which it ends at the latest. */
function findCursorSides(
  { after, before, items, lastItems }: PageParams,
  { slots }: DeclaredList['layout'],
): { readonly start?: CursorSide | undefined; readonly until?: CursorSide | undefined } {
  const [hasAfter, hasBefore] = [after !== undefined, before !== undefined]
  if (lastItems !== undefined) return { start: hasBefore ? 'before' : undefined, until: hasAfter ? 'after' : undefined }
  // A page of the first elements goes on towards its other cursor; without a direction, it ends there.
  const isForward = hasAfter || (items !== undefined && slots.has('lastItems'))
  if (!isForward) return { start: hasBefore ? 'before' : undefined }
  return { start: hasAfter ? 'after' : undefined, until: hasBefore ? 'before' : undefined }
}

const NO_CURSOR: CursorBound = { after: undefined, before: undefined, exact: undefined }

/** Reads a cursor of a request; undefined if it does not belong to this list. */
function readCursorBound(
  { text, list }: PageQuery,
  side: CursorSide,
  order: readonly OrderTerm[],
  binding: string,
): CursorBound | undefined {
  const { config, convention } = list
  const cursorText = text[side] as string
  if (list.layout.slots.has('afterValues')) {
    const exact = readCursorValues(JSON.parse(cursorText), order, binding)
    return exact && { ...NO_CURSOR, exact: { side, ...exact } }
  }
  if (convention.byKey) return readKeyCursor(cursorText, side, order, config)
  const cursor = readListCursor(cursorText, order, config.mediaType, binding)
  if (cursor === undefined) return undefined
  return 'position' in cursor
    ? { ...NO_CURSOR, [side]: cursor.position }
    : { ...NO_CURSOR, exact: { side, ...cursor.exact } }
}

// In the order of the key, the key is the position: the element itself need not exist any more.
function readKeyCursor(
  cursorText: string,
  side: 'after' | 'before',
  order: readonly OrderTerm[],
  config: PaginationConfig,
): CursorBound | undefined {
  const [field] = getKeyFields(config) as [string]
  const loaded = loadFieldValue(config.mediaType, field, cursorText)
  if (isFailed(loaded)) return undefined
  return order.length === 1
    ? { ...NO_CURSOR, [side]: [loaded.value] }
    : { ...NO_CURSOR, element: { side, key: { [field]: loaded.value } } }
}

// A convention may count every list.
function resolveCount(
  { total_count }: PageParams,
  { count }: ParamSettings,
  convention: ListConvention,
): boolean | 'estimated' {
  const isCounted = total_count ?? convention.alwaysCounts
  if (!isCounted || count === 'none') return false
  return count === 'estimated' ? count : true
}

/** Converts the `from` of a request to the type of its field, or returns the problem. */
function loadFieldValue(
  mediaType: MediaType,
  by: string,
  from: string,
): { readonly value: unknown } | Failed<IssueDetail> {
  const loading = new Loading('text')
  const value = attributeRules.getLoader(findField(mediaType, by) as Attribute)(from, loading)
  const [issue] = loading.issues ?? []
  if (value !== INVALID) return { value }
  return { fault: { ...issue?.detail, problem: issue?.message ?? 'does not fit', issue: issue?.code ?? 'type' } }
}
