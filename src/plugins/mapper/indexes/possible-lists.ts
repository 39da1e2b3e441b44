// The lists clients may ask for, as far as indexes go: each order alone, and each filter that an index can serve with it.
import type { FieldsUse, FieldUse, ResolvedAction } from '../../../extend.ts'
import { type OrderTerm, withKey } from '../../query/order-terms.ts'

/** A list that clients may ask for. */
export interface PossibleList {
  readonly order: PossibleOrder
  readonly filter?: PossibleFilter
}

/** An order that clients may ask for, or get if they ask for none. */
interface PossibleOrder {
  /** As clients write it. */
  readonly text: string
  /** All of its fields, those that every order ends in included. */
  readonly terms: readonly OrderTerm[]
}

/** A condition that clients may ask for: that a field equals something, or lies on one side of it. */
interface PossibleFilter {
  readonly field: string
  readonly op: '=' | '<' | '<=' | '>' | '>='
}

/** The lists that clients may ask for, and what of them is not judged. */
export interface PossibleLists {
  readonly lists: readonly PossibleList[]
  readonly leftOut: readonly string[]
}

/** Which lists are wanted. */
export interface PossibleListOptions {
  /** The most of them. */
  readonly most: number
  /** Whether filters are judged, and not the orders alone. */
  readonly filters: boolean
  /** Returns whether a field has a column in the list's own table. */
  isOwnField(field: string): boolean
}

/** All that the params of an action say about the fields of lists. */
export const collectFieldsUses = ({ params }: ResolvedAction): readonly FieldsUse[] =>
  Object.values(params).flatMap(({ core }) => core.usesFields ?? [])

/** Lists what may be asked. */
export function enumerateLists(uses: readonly FieldsUse[], { most, filters: areWanted, isOwnField: isOwn }: PossibleListOptions): PossibleLists {
  const orders = enumerateOrders(uses)
  const compared = uses.flatMap(({ fields }) => fields.filter(({ by }) => by !== 'order'))
  const filters = areWanted ? compared.filter(({ name }) => isOwn(name)) : []
  const elsewhere = areWanted ? compared.filter(({ name }) => !isOwn(name)).map(({ name }) => name) : []
  // An order that no index can have is no better with a filter.
  const own = orders.filter(({ terms }) => terms.every(({ field }) => isOwn(field)))
  const alone = orders.map((order): PossibleList => ({ order }))
  const all = [...alone, ...filters.flatMap((use) => own.flatMap((order) => combineWithFilter(use, order)))]
  const leftOut = [
    ...(orders.length > 1 ? ['orders by several fields that no default names'] : []),
    ...(areWanted ? describeFilterLimits(filters, orders) : []),
    ...(elsewhere.length === 0 ? [] : [`filters on fields of other tables: ${elsewhere.join(', ')}`]),
    ...(!areWanted && compared.length > 0 ? ['filters'] : []),
    ...(all.length > most ? [`${all.length - most} of ${all.length} lists`] : []),
  ]
  return { lists: all.slice(0, most), leftOut }
}

function enumerateOrders(uses: readonly FieldsUse[]): readonly PossibleOrder[] {
  const ends = uses.flatMap((use) => use.ends ?? [])
  const given = uses.flatMap((use) => use.orders ?? [])
  // A list with an order of its own has that of the key for no request.
  const [initial = []] = uses.flatMap(({ orders = [] }) => orders.slice(0, 1)).filter(({ length }) => length > 0)
  const texts = new Set([initial, ...given.filter(({ length }) => length > 0)].map((order) => order.join()))
  return [...texts].map((text) => ({ text, terms: parseOrderTerms(text === '' ? [] : text.split(','), ends) }))
}

function parseOrderTerms(order: readonly string[], ends: readonly string[]): readonly OrderTerm[] {
  const terms = order.map((term) => ({ field: term.replace(/^-/, ''), descending: term.startsWith('-') }))
  return withKey(terms, ends)
}

const RANGE_OPERATORS = ['<', '<=', '>', '>='] as const

function combineWithFilter({ name: field, operators = [] }: FieldUse, order: PossibleOrder): PossibleList[] {
  const equal: PossibleList[] = operators.includes('=') ? [{ order, filter: { field, op: '=' } }] : []
  // A range lies in an index only where the order begins with its field.
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
