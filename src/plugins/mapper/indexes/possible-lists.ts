// The lists that clients may request, as far as indexes matter: each order, alone and with each filter that an index can serve.

import type { FieldsUse, FieldUse, ResolvedAction } from '../../../extend.ts'
import { attributeRules } from '../../../extend.ts'
import { type OrderTerm, withKey } from '../../query/order-terms.ts'

/** A list that clients may request. */
export interface PossibleList {
  readonly order: PossibleOrder
  readonly filter?: PossibleFilter
}

/** An order that clients may request, or the default order. */
interface PossibleOrder {
  /** The order as clients write it. */
  readonly text: string
  /** All of its fields, including those that every order ends with. */
  readonly terms: readonly OrderTerm[]
}

/** A condition that clients may request: equality, or a range. */
interface PossibleFilter {
  readonly field: string
  readonly op: '=' | '<' | '<=' | '>' | '>='
}

/** The lists that clients may request, and descriptions of those that are not checked. */
export interface PossibleLists {
  readonly lists: readonly PossibleList[]
  readonly skipped: readonly string[]
}

/** The options of the enumeration. */
export interface PossibleListOptions {
  /** The maximum number of lists. */
  readonly maxLists: number
  /** Whether filters are checked, and not only orders. */
  readonly filters: boolean
  /** Returns whether a field has a column in the list's own table. */
  isOwnField(field: string): boolean
}

/** Collects the uses of fields by the params of an action. */
export const collectFieldsUses = ({ params }: ResolvedAction): readonly FieldsUse[] =>
  Object.values(params).flatMap(({ core }) => attributeRules.getFieldsUse({ core }) ?? [])

/** Enumerates the lists that clients may request. */
export function enumerateLists(
  uses: readonly FieldsUse[],
  { maxLists: most, filters: withFilters, isOwnField }: PossibleListOptions,
): PossibleLists {
  const orders = enumerateOrders(uses)
  const compared = uses.flatMap(({ fields }) => fields.filter(({ by }) => by !== 'order'))
  const filters = withFilters ? compared.filter(({ name }) => isOwnField(name)) : []
  const elsewhere = withFilters ? compared.filter(({ name }) => !isOwnField(name)).map(({ name }) => name) : []
  // An order that no index can serve is not served with a filter either.
  const indexable = orders.filter(({ terms }) => terms.every(({ field }) => isOwnField(field)))
  const alone = orders.map((order): PossibleList => ({ order }))
  const lists = [...alone, ...filters.flatMap((use) => indexable.flatMap((order) => combineWithFilter(use, order)))]
  const leftOut = [
    ...(orders.length > 1 ? ['orders by several fields that no default names'] : []),
    ...(withFilters ? describeFilterLimits(filters, orders) : []),
    ...(elsewhere.length === 0 ? [] : [`filters on fields of other tables: ${elsewhere.join(', ')}`]),
    ...(!withFilters && compared.length > 0 ? ['filters'] : []),
    ...(lists.length > most ? [`${lists.length - most} of ${lists.length} lists`] : []),
  ]
  return { lists: lists.slice(0, most), skipped: leftOut }
}

function enumerateOrders(uses: readonly FieldsUse[]): readonly PossibleOrder[] {
  const ends = uses.flatMap((use) => use.ends ?? [])
  const requested = uses.flatMap((use) => use.orders ?? [])
  // A list with a default order is never ordered by the key alone.
  const [initial = []] = uses.flatMap(({ orders = [] }) => orders.slice(0, 1)).filter(({ length }) => length > 0)
  const texts = new Set([initial, ...requested.filter(({ length }) => length > 0)].map((order) => order.join()))
  return [...texts].map((text) => ({ text, terms: parseOrderTerms(text === '' ? [] : text.split(','), ends) }))
}

function parseOrderTerms(order: readonly string[], ends: readonly string[]): readonly OrderTerm[] {
  const terms = order.map((term) => ({ field: term.replace(/^-/, ''), descending: term.startsWith('-') }))
  return withKey(terms, ends)
}

const RANGE_OPERATORS = ['<', '<=', '>', '>='] as const

function combineWithFilter({ name: field, operators = [] }: FieldUse, order: PossibleOrder): PossibleList[] {
  const equal: PossibleList[] = operators.includes('=') ? [{ order, filter: { field, op: '=' } }] : []
  // An index serves a range only if the order begins with its field.
  const range = order.terms[0]?.field === field ? RANGE_OPERATORS.find((op) => operators.includes(op)) : undefined
  return range === undefined ? equal : [...equal, { order, filter: { field, op: range } }]
}

function describeFilterLimits(filters: readonly FieldUse[], { length: orders }: readonly PossibleOrder[]): string[] {
  const ranged = filters.filter(({ operators = [] }) => RANGE_OPERATORS.some((op) => operators.includes(op)))
  return [
    ...(filters.length > 1 ? ['several filters at once'] : []),
    ...(filters.length > 0 ? ['filters with several values, and with != ! !! * and |'] : []),
    ...(ranged.length > 0 && orders > 1 ? ['ranges of a field that the order does not begin with'] : []),
  ]
}
