// The orders of lists, each created once: query plans are cached by their identity.

import { memoize, memoizeByKey } from '../../extend.ts'
import { type OrderTerm, withKey } from '../mapper/extend.ts'
import { getKeyFields, type PaginationConfig } from './pagination-config.ts'

// A cached or declared order is completed once.
const getCompletion = memoize((config: PaginationConfig) =>
  memoize((terms: readonly OrderTerm[]): readonly OrderTerm[] => Object.freeze(withKey(terms, getKeyFields(config)))),
)

/** Returns the complete order of a list, including its key. */
export const completeOrder = (terms: readonly OrderTerm[], config: PaginationConfig): readonly OrderTerm[] =>
  getCompletion(config)(terms)

/** The order of a list that names no field. */
export const UNORDERED: readonly OrderTerm[] = []

/** Returns the order without a key that is not declared: a resource appends its own. */
export const toRequestedOrder = (terms: readonly OrderTerm[], config: PaginationConfig): readonly OrderTerm[] =>
  config.key === undefined ? terms : completeOrder(terms, config)

// The same array for the same field, because plans are cached by it.
const getAscendingOrders = memoize((_: PaginationConfig) =>
  memoizeByKey((field: string): readonly OrderTerm[] => Object.freeze([{ field, descending: false }])),
)

/** Returns the ascending order by a field. */
export const getAscendingOrder = (field: string, config: PaginationConfig): readonly OrderTerm[] =>
  getAscendingOrders(config)(field)
