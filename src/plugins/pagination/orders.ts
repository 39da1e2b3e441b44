// Orders of lists, each made once: plans of queries are known by them.
import { type OrderTerm, withKey } from '../lists/extend.ts'
import { keyOf, type PaginationConfig } from './pagination-params.ts'

// An order that was remembered, or declared, is completed once.
const completed = new WeakMap<PaginationConfig, WeakMap<readonly OrderTerm[], readonly OrderTerm[]>>()

/** The whole order of a list, its key included. */
export function orderOf(terms: readonly OrderTerm[], config: PaginationConfig): readonly OrderTerm[] {
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

/** The order of a list that names no field. */
export const UNORDERED: readonly OrderTerm[] = []

/** The order without a key that is not declared: a resource adds its own. */
export const askedOf = (terms: readonly OrderTerm[], config: PaginationConfig): readonly OrderTerm[] =>
  config.key === undefined ? terms : orderOf(terms, config)

// The same list for the same field, which plans are known by.
const ascendings = new WeakMap<PaginationConfig, Map<string, readonly OrderTerm[]>>()

/** The ascending order of a field. */
export function ascending(field: string, config: PaginationConfig): readonly OrderTerm[] {
  const known = ascendings.get(config) ?? new Map<string, readonly OrderTerm[]>()
  ascendings.set(config, known)
  const terms = known.get(field) ?? Object.freeze([{ field, descending: false }])
  known.set(field, terms)
  return terms
}
