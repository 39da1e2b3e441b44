// Orders of lists, each made once: plans of queries are known by them.
import { type OrderTerm, withKey } from '../mapper/extend.ts'
import { getKeyFields, type PaginationConfig } from './pagination-params.ts'

// An order that was remembered, or declared, is completed once.
const completedOrders = new WeakMap<PaginationConfig, WeakMap<readonly OrderTerm[], readonly OrderTerm[]>>()

/** The whole order of a list, its key included. */
export function completeOrder(terms: readonly OrderTerm[], config: PaginationConfig): readonly OrderTerm[] {
  let known = completedOrders.get(config)
  if (known === undefined) {
    known = new WeakMap()
    completedOrders.set(config, known)
  }
  let order = known.get(terms)
  if (order === undefined) {
    order = Object.freeze(withKey(terms, getKeyFields(config)))
    known.set(terms, order)
  }
  return order
}

/** The order of a list that names no field. */
export const UNORDERED: readonly OrderTerm[] = []

/** The order without a key that is not declared: a resource adds its own. */
export const toRequestedOrder = (terms: readonly OrderTerm[], config: PaginationConfig): readonly OrderTerm[] =>
  config.key === undefined ? terms : completeOrder(terms, config)

// The same list for the same field, which plans are known by.
const ascendingOrders = new WeakMap<PaginationConfig, Map<string, readonly OrderTerm[]>>()

/** The ascending order of a field. */
export function getAscendingOrder(field: string, config: PaginationConfig): readonly OrderTerm[] {
  const known = ascendingOrders.get(config) ?? new Map<string, readonly OrderTerm[]>()
  ascendingOrders.set(config, known)
  const terms = known.get(field) ?? Object.freeze([{ field, descending: false }])
  known.set(field, terms)
  return terms
}
