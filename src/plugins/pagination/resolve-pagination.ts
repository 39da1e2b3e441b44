// Resolves the params of a list and the settings to one Pagination, or to every reason for a refusal.

import { type Failed, INVALID, type IssueDetail, isFailed, Loading, type ParamsCheck, shortenName } from '../../extend.ts'
import type { Attribute, MediaType } from '../../index.ts'
import { findField, listCodes, type AttachedListOptions, attachListOptions, type OrderTerm } from '../mapper/extend.ts'
import { codes } from './codes.ts'
import { computeListBinding, readListCursor } from './list-cursor.ts'
import type { DeclaredParam } from './action-list.ts'
import { readFilters, readFieldSelection } from './listing/read-params.ts'
import type { PageParams } from './listing/param-layout.ts'
import type { DeclaredList, ListConvention } from './listing/declared-list.ts'
import { getByPath } from './listing/param-slots.ts'
import { parseDefaultOrder, type OrderingConfig, writeOrder } from './ordering-params.ts'
import { getAscendingOrder, toRequestedOrder, completeOrder, UNORDERED } from './list-orders.ts'
import type { PaginationText } from './pagination-text.ts'
import { type CursorRequest, getKeyFields, type Pagination, type PaginationConfig } from './pagination-params.ts'
import type { CountMode, PaginationSettings } from './pagination-settings.ts'

/** The settings of one `pagination` param: its own above the plugin's. */
export interface ParamSettings {
  readonly maxItems: number
  readonly pageSize: number
  readonly paging: boolean
  readonly cursor: boolean
  readonly mode: { readonly page: number } | { readonly by: string }
  readonly count: CountMode
}

/** Puts the settings of a param over those of the plugin. */
export function resolveParamSettings(config: PaginationConfig, settings: PaginationSettings): ParamSettings {
  const { disallow, maxItems = settings.maxItems } = config
  return {
    maxItems,
    pageSize: config.pageSize ?? Math.min(settings.defaultPageSize, maxItems),
    paging: disallow === undefined ? !settings.disallowPagingByDefault : disallow !== 'paging',
    cursor: disallow === undefined ? !settings.disallowCursorByDefault : disallow !== 'cursor',
    mode: config.default ?? settings.pagingDefaultMode,
    count: config.count ?? settings.count,
  }
}

/** Makes the check of an action's order; without pagination, which decides by itself, it puts the default in place. */
export function createOrderCheck(
  { name, config }: DeclaredParam<OrderingConfig>,
  settings: PaginationSettings,
  alone: boolean,
): ParamsCheck {
  const { byFields, enforceFor = settings.enforceAllFields ? 'all' : 'first' } = config
  const initial = parseDefaultOrder(config)
  return (params, loading) => {
    const terms = params[name] as readonly OrderTerm[] | undefined
    if (terms === undefined && alone && initial !== undefined) params[name] = initial
    if (terms === undefined || byFields === undefined) return
    const wrong = (enforceFor === 'all' ? terms : terms.slice(0, 1)).find(({ field }) => !byFields.includes(field))
    if (wrong !== undefined)
      loading.failAt(`/${name}`, listCodes.issues['order-field'], {
        field: shortenName(wrong.field),
        values: byFields.join(', '),
      })
  }
}

/** Makes the check of a list's params; it settles which part of the list they ask for. */
export function createPaginationCheck(list: DeclaredList, settings: PaginationSettings): ParamsCheck {
  const { layout: language, config, order, convention: form } = list
  const own = resolveParamSettings(config, settings)
  const initial = order === undefined ? undefined : parseDefaultOrder(order)
  const onExceed = form?.onExceed ?? settings.onExceed
  const orderSlot = language.slots.get('order') ?? language.slots.get('orderWords')
  const texts = language.slots.get('text')
  return (params, loading) => {
    const text = language.readPage(params)
    const sent = orderSlot && (getByPath(params, orderSlot.path) as readonly OrderTerm[] | undefined)
    const isInitial = texts === undefined || isDefaultOrder(text, own.mode, initial)
    const terms = sent ?? (isInitial ? initial : undefined)
    const implied = texts === undefined || sent !== undefined || terms === undefined ? undefined : orderSlot?.name
    const items = resolveItems(text, own, onExceed)
    if (items === undefined) {
      loading.failAt(language.findSlot('items').pointer, codes.issues['pagination-items'], { limit: own.maxItems })
      return
    }
    if (own.count === 'none' && text.total_count === true) {
      loading.failAt(language.findSlot('text', 'items').pointer, codes.issues['pagination-disallowed'], {
        mode: 'total_count',
        keys: ['total_count'],
      })
      return
    }
    const wish = { list, text, terms, items, own, params, implied }
    const decided = texts === undefined ? resolveConventionPage(wish, loading) : resolvePagination(wish, loading)
    if (decided === undefined) return
    if (texts !== undefined) params[texts.path[0] as string] = decided
    if (form !== undefined) attachListOptions(params, toAttachedOptions(list, form, decided, params))
  }
}

function toAttachedOptions(
  { layout: language, config }: DeclaredList,
  form: ListConvention,
  decided: Pagination,
  params: Readonly<Record<string, unknown>>,
): AttachedListOptions {
  return {
    pagination: decided,
    order: decided.requestedOrder,
    filters: readFilters(language, params),
    projection: { of: form.of, selection: readFieldSelection(language, params, getKeyFields(config)) },
    pointers: {
      pagination: language.getCursorPointer(decided.link.text),
      order: language.findSlot('order', 'orderWords').pointer,
      filters: language.findSlot('filters', 'filterWords', 'filterMembers').pointer,
    },
  }
}

// A request that names a field means its ascending order.
function isDefaultOrder(
  { by, page }: PaginationText,
  mode: ParamSettings['mode'],
  initial: readonly OrderTerm[] | undefined,
): boolean {
  return by === undefined && (page !== undefined || 'page' in mode || initial?.[0]?.field === mode.by)
}

function resolveItems(
  { items }: PaginationText,
  { maxItems, pageSize }: ParamSettings,
  onExceed: 'refuse' | 'clamp',
): number | undefined {
  if (items === undefined || items <= maxItems) return items ?? pageSize
  return onExceed === 'clamp' ? maxItems : undefined
}

interface PageQuery {
  readonly list: DeclaredList
  readonly text: PageParams
  readonly terms: readonly OrderTerm[] | undefined
  readonly items: number
  readonly own: ParamSettings
  readonly params: Readonly<Record<string, unknown>>
  /** The param that links must name the order in, because the request did not. */
  readonly implied: string | undefined
}

function resolvePagination(wish: PageQuery, loading: Loading): Pagination | undefined {
  const { text, terms, own, list } = wish
  const { page, by, from, after, before } = text
  const { pointer } = list.layout.findSlot('text')
  const asksCursor = by !== undefined || from !== undefined || after !== undefined || before !== undefined
  // The default gives way to an order by another field: the client did not ask for `by`.
  const isOther = own.paging && 'by' in own.mode && terms !== undefined && terms[0]?.field !== own.mode.by
  const cursor = asksCursor || (page === undefined && 'by' in own.mode && !isOther)
  if ((asksCursor && !own.cursor) || (page !== undefined && !own.paging)) {
    loading.failAt(pointer, codes.issues['pagination-disallowed'], {
      mode: asksCursor ? 'by and from' : 'page',
      keys: asksCursor ? ['by', 'from'] : ['page'],
    })
    return undefined
  }
  if (!cursor) return createPageRequest(wish, loading)
  const field = by ?? ('by' in own.mode ? own.mode.by : undefined)
  if (field === undefined) loading.failAt(pointer, codes.issues['pagination-by'])
  else if (terms !== undefined && terms[0]?.field !== field)
    loading.failAt(list.layout.findSlot('order').pointer, codes.issues['order-by'], { field })
  else return createCursorRequest(wish, field, loading)
  return undefined
}

// A convention says by the params that it has whether parts are asked for by numbers or by places.
function resolveConventionPage(wish: PageQuery, loading: Loading): Pagination | undefined {
  const { text, terms, list } = wish
  const { layout: language, config } = list
  const isNumbered = text.offset !== undefined || text.page !== undefined
  const isPlaced = text.after !== undefined || text.before !== undefined
  if ((isNumbered && isPlaced) || (text.after !== undefined && text.before !== undefined)) {
    const other = language.findSlot(isNumbered ? 'offset' : 'after', 'page').name
    loading.failAt(language.findSlot('before', 'after', 'token').pointer, codes.issues['pagination-sides'], { other })
    return undefined
  }
  if (isNumbered || !language.usesCursors) return createPageRequest(wish, loading)
  return createCursorRequest(wish, completeOrder(terms ?? UNORDERED, config)[0]?.field as string, loading)
}

function createPageRequest({ list, text, terms, items, own }: PageQuery, loading: Loading): Pagination | undefined {
  const { config, layout: language, convention: form } = list
  const number = text.page ?? ('page' in own.mode ? own.mode.page : 1)
  const offset = text.offset ?? (number - 1) * items
  if (!Number.isSafeInteger(offset + items)) {
    loading.failAt(language.findSlot('page', 'offset').pointer, codes.issues['pagination-number'], { key: 'page' })
    return undefined
  }
  const page = text.offset === undefined ? number : Math.floor(offset / items) + 1
  // A list of a convention has always an order, that of its key if no other.
  const ordered = terms !== undefined || form !== undefined
  const order = completeOrder(terms ?? UNORDERED, config)
  const link = { text, mediaType: config.mediaType, extraParam: undefined }
  const [totalCount, asked] = [resolveCount(text, own, form), toRequestedOrder(terms ?? UNORDERED, config)]
  return { mode: 'page', page, offset, items, totalCount, ordered, order, requestedOrder: asked, link }
}

function createCursorRequest(wish: PageQuery, by: string, loading: Loading): Pagination | undefined {
  const { text, items, list, params, implied } = wish
  const { mediaType } = list.config
  const wanted = resolveTerms(wish, by)
  const order = completeOrder(wanted, list.config)
  const binding = computeListBinding(order, params, list.layout.unboundParams)
  const from = text.from === undefined ? { value: undefined } : loadFieldValue(mediaType, by, text.from)
  if (isFailed(from)) {
    loading.failAt(list.layout.findSlot('text').pointer, codes.issues['pagination-from'], from.fault)
    return undefined
  }
  const place = readCursorStart(wish, order, binding)
  if (place === undefined) {
    loading.failAt(list.layout.getCursorPointer(text), listCodes.issues['pagination-continuation'])
    return undefined
  }
  const also =
    implied === undefined || wish.terms === undefined ? undefined : ([implied, writeOrder(wanted)] as const)
  return {
    mode: 'cursor',
    by,
    from: from.value,
    after: undefined,
    before: undefined,
    exact: undefined,
    ...place,
    binding,
    items,
    totalCount: resolveCount(text, wish.own, list.convention),
    order,
    requestedOrder: toRequestedOrder(wanted, list.config),
    link: { text, mediaType, extraParam: also },
  }
}

function resolveTerms({ terms, list }: PageQuery, by: string): readonly OrderTerm[] {
  if (terms !== undefined) return terms
  return list.convention === undefined ? getAscendingOrder(by, list.config) : UNORDERED
}

type CursorStart = Partial<Pick<CursorRequest, 'after' | 'before' | 'exact' | 'element'>>

/** The place that a request names; undefined when it is none of this list. */
function readCursorStart({ text, list }: PageQuery, order: readonly OrderTerm[], binding: string): CursorStart | undefined {
  const { config, convention: form } = list
  const written = text.after ?? text.before
  if (written === undefined) return {}
  const side = text.after === undefined ? 'before' : 'after'
  if (form?.byKey === true) return readKeyCursor(written, side, order, config)
  const continued = readListCursor(written, order, config.mediaType, binding)
  if (continued === undefined) return undefined
  return 'position' in continued ? { [side]: continued.position } : { exact: { side, ...continued.exact } }
}

// In the order of the key, the key is the place: the element itself need not be there any more.
function readKeyCursor(
  written: string,
  side: 'after' | 'before',
  order: readonly OrderTerm[],
  config: PaginationConfig,
): CursorStart | undefined {
  const [field] = getKeyFields(config) as [string]
  const read = loadFieldValue(config.mediaType, field, written)
  if (isFailed(read)) return undefined
  return order.length === 1 ? { [side]: [read.value] } : { element: { side, key: { [field]: read.value } } }
}

// A convention may count every list.
function resolveCount(
  { total_count }: PageParams,
  { count }: ParamSettings,
  form: ListConvention | undefined,
): boolean | 'estimated' {
  const isWanted = total_count ?? form?.alwaysCounts ?? false
  if (!isWanted || count === 'none') return false
  return count === 'estimated' ? count : true
}

/** Coerces the `from` of a request to the type of its field, or says what is wrong with it. */
function loadFieldValue(mediaType: MediaType, by: string, from: string): { readonly value: unknown } | Failed<IssueDetail> {
  const loading = new Loading(true)
  const value = (findField(mediaType, by) as Attribute).core.loader(from, loading)
  const [issue] = loading.issues ?? []
  if (value !== INVALID) return { value }
  return { fault: { ...issue?.detail, problem: issue?.message ?? 'does not fit', issue: issue?.code ?? 'type' } }
}
