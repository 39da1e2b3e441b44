// From parameters and settings to one decided Pagination, or to every reason why the request cannot have it.

import { isFailed, type Loading, type ParamsCheck, shown } from '../../extend.ts'
import { listCodes, type OrderTerm, withKey } from '../lists/extend.ts'
import { codes } from './codes.ts'
import { bindingOf, readContinuation } from './continuation.ts'
import type { Declared } from './declared.ts'
import { defaultOrder, type OrderingConfig, writtenOrder } from './ordering-params.ts'
import { keyOf, loadFrom, type Pagination, type PaginationConfig, type PaginationText } from './pagination-params.ts'
import type { PaginationSettings } from './settings.ts'

/** The settings of one `pagination` param: its own above the plugin's. */
export interface ParamSettings {
  readonly maxItems: number
  readonly pageSize: number
  readonly paging: boolean
  readonly cursor: boolean
  readonly mode: { readonly page: number } | { readonly by: string }
}

/** Puts the settings of a param over those of the plugin. */
export function paramSettings(config: PaginationConfig, settings: PaginationSettings): ParamSettings {
  const { disallow, maxItems = settings.maxItems } = config
  return {
    maxItems,
    pageSize: config.pageSize ?? settings.defaultPageSize,
    paging: disallow === undefined ? !settings.disallowPagingByDefault : disallow !== 'paging',
    cursor: disallow === undefined ? !settings.disallowCursorByDefault : disallow !== 'cursor',
    mode: config.default ?? settings.pagingDefaultMode,
  }
}

/** Makes the check of an action's order; without pagination, which decides by itself, it puts the default in place. */
export function orderCheck(
  { name, config }: Declared<OrderingConfig>,
  settings: PaginationSettings,
  alone: boolean,
): ParamsCheck {
  const { byFields, enforceFor = settings.enforceAllFields ? 'all' : 'first' } = config
  const initial = defaultOrder(config)
  return (params, loading) => {
    const terms = params[name] as readonly OrderTerm[] | undefined
    if (terms === undefined && alone && initial !== undefined) params[name] = initial
    if (terms === undefined || byFields === undefined) return
    const wrong = (enforceFor === 'all' ? terms : terms.slice(0, 1)).find(({ field }) => !byFields.includes(field))
    if (wrong !== undefined)
      loading.failAt(`/${name}`, listCodes.issues['order-field'], {
        field: shown(wrong.field),
        values: byFields.join(', '),
      })
  }
}

/** Makes the check of an action's pagination; it puts the decided one in place of what was sent. */
export function paginationCheck(
  { name, config }: Declared<PaginationConfig>,
  order: Declared<OrderingConfig> | undefined,
  settings: PaginationSettings,
  unbound: readonly string[],
): ParamsCheck {
  const own = paramSettings(config, settings)
  const initial = order === undefined ? undefined : defaultOrder(order.config)
  // The whole order of a list is bound by itself; how it came about does not matter.
  const free = order === undefined ? [name, ...unbound] : [name, order.name, ...unbound]
  return (params, loading) => {
    const text = (params[name] ?? {}) as PaginationText
    const sent = order === undefined ? undefined : (params[order.name] as readonly OrderTerm[] | undefined)
    const terms = sent ?? (isDefault(text, own.mode, initial) ? initial : undefined)
    const implied = order === undefined || sent !== undefined || terms === undefined ? undefined : order.name
    const items = itemsOf(text, own, settings.onExceed)
    if (items === undefined) loading.failAt(`/${name}`, codes.issues['pagination-items'], { limit: own.maxItems })
    else {
      const decided = decide(
        { text, terms, items, own, config, params, free, implied },
        order?.name ?? name,
        name,
        loading,
      )
      if (decided !== undefined) params[name] = decided
    }
  }
}

// Who names a field gets its ascending order, as that is what naming one means.
function isDefault(
  { by, page }: PaginationText,
  mode: ParamSettings['mode'],
  initial: readonly OrderTerm[] | undefined,
): boolean {
  return by === undefined && (page !== undefined || 'page' in mode || initial?.[0]?.field === mode.by)
}

function itemsOf(
  { items }: PaginationText,
  { maxItems, pageSize }: ParamSettings,
  onExceed: 'refuse' | 'clamp',
): number | undefined {
  if (items === undefined || items <= maxItems) return items ?? pageSize
  return onExceed === 'clamp' ? maxItems : undefined
}

interface Wish {
  readonly text: PaginationText
  readonly terms: readonly OrderTerm[] | undefined
  readonly items: number
  readonly own: ParamSettings
  readonly config: PaginationConfig
  readonly params: Readonly<Record<string, unknown>>
  /** Params that a continuation is not bound to. */
  readonly free: readonly string[]
  /** The param that links must name the order in, because the request did not. */
  readonly implied: string | undefined
}

function decide(wish: Wish, orderName: string, name: string, loading: Loading): Pagination | undefined {
  const { text, terms, own } = wish
  const { page, by, from, after, before } = text
  const asksCursor = by !== undefined || from !== undefined || after !== undefined || before !== undefined
  const cursor = asksCursor || (page === undefined && 'by' in own.mode)
  if ((asksCursor && !own.cursor) || (page !== undefined && !own.paging)) {
    loading.failAt(`/${name}`, codes.issues['pagination-disallowed'], { mode: asksCursor ? 'by and from' : 'page' })
    return undefined
  }
  if (!cursor) return pageRequest(wish, name, loading)
  const field = by ?? ('by' in own.mode ? own.mode.by : undefined)
  if (field === undefined) loading.failAt(`/${name}`, codes.issues['pagination-by'])
  else if (terms !== undefined && terms[0]?.field !== field)
    loading.failAt(`/${orderName}`, codes.issues['order-by'], { field })
  else return cursorRequest(wish, field, name, loading)
  return undefined
}

function pageRequest(
  { text, terms, items, own, config }: Wish,
  name: string,
  loading: Loading,
): Pagination | undefined {
  const page = text.page ?? ('page' in own.mode ? own.mode.page : 1)
  if (!Number.isSafeInteger(page * items)) {
    loading.failAt(`/${name}`, codes.issues['pagination-number'], { key: 'page' })
    return undefined
  }
  const order = orderOf(terms ?? UNORDERED, config)
  const link = { text, mediaType: config.mediaType, also: undefined }
  const [totalCount, asked] = [text.total_count ?? false, askedOf(terms ?? UNORDERED, config)]
  const offset = (page - 1) * items
  return { mode: 'page', page, offset, items, totalCount, ordered: terms !== undefined, order, asked, link }
}

function cursorRequest(wish: Wish, by: string, name: string, loading: Loading): Pagination | undefined {
  const { text, terms, items, config, params, free, implied } = wish
  const { mediaType } = config
  const wanted = terms ?? ascending(by, config)
  const order = orderOf(wanted, config)
  const binding = bindingOf(order, params, free)
  const from = text.from === undefined ? { value: undefined } : loadFrom(mediaType, by, text.from)
  if (isFailed(from)) {
    loading.failAt(`/${name}`, codes.issues['pagination-from'], { problem: from.fault })
    return undefined
  }
  const written = text.after ?? text.before
  const continued = written === undefined ? undefined : readContinuation(written, order, mediaType, binding)
  if (written !== undefined && continued === undefined) {
    loading.failAt(`/${name}`, listCodes.issues['pagination-continuation'])
    return undefined
  }
  const also = implied === undefined || terms === undefined ? undefined : ([implied, writtenOrder(terms)] as const)
  const side = text.after === undefined ? 'before' : 'after'
  const position = continued !== undefined && 'position' in continued ? continued.position : undefined
  return {
    mode: 'cursor',
    by,
    from: from.value,
    after: side === 'after' ? position : undefined,
    before: side === 'before' ? position : undefined,
    exact: continued !== undefined && 'exact' in continued ? { side, ...continued.exact } : undefined,
    binding,
    items,
    totalCount: text.total_count ?? false,
    order,
    asked: askedOf(wanted, config),
    link: { text, mediaType, also },
  }
}

// An order that was remembered, or declared, is completed once.
const completed = new WeakMap<PaginationConfig, WeakMap<readonly OrderTerm[], readonly OrderTerm[]>>()

function orderOf(terms: readonly OrderTerm[], config: PaginationConfig): readonly OrderTerm[] {
  let known = completed.get(config)
  if (known === undefined) {
    known = new WeakMap()
    completed.set(config, known)
  }
  let order = known.get(terms)
  if (order === undefined) {
    order = Object.freeze(withKey(terms, keyOf(config)))
    known.set(terms, order)
  }
  return order
}

const UNORDERED: readonly OrderTerm[] = []

// A resource adds its key by itself; one that was declared besides it stands before that.
const askedOf = (terms: readonly OrderTerm[], config: PaginationConfig): readonly OrderTerm[] =>
  config.key === undefined ? terms : orderOf(terms, config)

// The same list for the same field, which plans are known by.
const ascendings = new WeakMap<PaginationConfig, Map<string, readonly OrderTerm[]>>()

function ascending(field: string, config: PaginationConfig): readonly OrderTerm[] {
  const known = ascendings.get(config) ?? new Map<string, readonly OrderTerm[]>()
  ascendings.set(config, known)
  const terms = known.get(field) ?? Object.freeze([{ field, descending: false }])
  known.set(field, terms)
  return terms
}
