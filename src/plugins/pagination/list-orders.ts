// The orders of lists, each created once: query plans are cached by their identity.
import { type OrderTerm, withKey } from '../mapper/extend.ts'
import { getKeyFields, type PaginationConfig } from './pagination-config.ts'

// A cached or declared order is completed once.
const completedOrders = new WeakMap<PaginationConfig, WeakMap<readonly OrderTerm[], readonly OrderTerm[]>>()

/** Returns the complete order of a list, including its key. */
export function completeOrder(terms: readonly OrderTerm[], config: PaginationConfig): readonly OrderTerm[] {
  let cache = completedOrders.get(config)
  if (cache === undefined) {
    cache = new WeakMap()
    completedOrders.set(config, cache)
  }
  let order = cache.get(terms)
  if (order === undefined) {
    order = Object.freeze(withKey(terms, getKeyFields(config)))
    cache.set(terms, order)
  }
  return order
}

/** The order of a list that names no field. */
export const UNORDERED: readonly OrderTerm[] = []

/** Returns the order without a key that is not declared: a resource appends its own. */
export const toRequestedOrder = (terms: readonly OrderTerm[], config: PaginationConfig): readonly OrderTerm[] =>
  config.key === undefined ? terms : completeOrder(terms, config)

// The same array for the same field, because plans are cached by it.
const ascendingOrders = new WeakMap<PaginationConfig, Map<string, readonly OrderTerm[]>>()

/** Returns the ascending order by a field. */
export function getAscendingOrder(field: string, config: PaginationConfig): readonly OrderTerm[] {
  const cache = ascendingOrders.get(config) ?? new Map<string, readonly OrderTerm[]>()
  ascendingOrders.set(config, cache)
  const terms = cache.get(field) ?? Object.freeze([{ field, descending: false }])
  cache.set(field, terms)
  return terms
}
