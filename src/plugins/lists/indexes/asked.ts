// The lists clients may ask for, as far as indexes go: each order alone, and each filter that an index can serve with it.
import type { FieldsUse, FieldUse, ResolvedAction } from '../../../extend.ts'
import { type OrderTerm, withKey } from '../plan/order.ts'

/** A list that clients may ask for. */
export interface AskedList {
  readonly order: AskedOrder
  readonly filter?: AskedFilter
}

/** An order that clients may ask for, or get if they ask for none. */
interface AskedOrder {
  /** As clients write it. */
  readonly text: string
  /** All of its fields, those that every order ends in included. */
  readonly terms: readonly OrderTerm[]
}

/** A condition that clients may ask for: that a field equals something, or lies on one side of it. */
interface AskedFilter {
  readonly field: string
  readonly op: '=' | '<' | '<=' | '>' | '>='
}

/** The lists that clients may ask for, and what of them is not judged. */
export interface Asked {
  readonly lists: readonly AskedList[]
  readonly leftOut: readonly string[]
}

/** Which lists are wanted. */
export interface Wish {
  /** The most of them. */
  readonly most: number
  /** Whether filters are judged, and not the orders alone. */
  readonly filters: boolean
  /** Returns whether a field has a column in the list's own table. */
  isOwn(field: string): boolean
}

/** All that the params of an action say about the fields of lists. */
export const usesIn = ({ params }: ResolvedAction): readonly FieldsUse[] =>
  Object.values(params).flatMap(({ core }) => core.usesFields ?? [])

/** Lists what may be asked. */
export function askedOf(uses: readonly FieldsUse[], { most, filters: areWanted, isOwn }: Wish): Asked {
  const orders = ordersOf(uses)
  const compared = uses.flatMap(({ fields }) => fields.filter(({ by }) => by !== 'order'))
  const filters = areWanted ? compared.filter(({ name }) => isOwn(name)) : []
  const elsewhere = areWanted ? compared.filter(({ name }) => !isOwn(name)).map(({ name }) => name) : []
  // An order that no index can have is no better with a filter.
  const own = orders.filter(({ terms }) => terms.every(({ field }) => isOwn(field)))
  const alone = orders.map((order): AskedList => ({ order }))
  const all = [...alone, ...filters.flatMap((use) => own.flatMap((order) => withFilter(use, order)))]
  const leftOut = [
    ...(orders.length > 1 ? ['orders by several fields that no default names'] : []),
    ...(areWanted ? filterLimits(filters, orders) : []),
    ...(elsewhere.length === 0 ? [] : [`filters on fields of other tables: ${elsewhere.join(', ')}`]),
    ...(!areWanted && compared.length > 0 ? ['filters'] : []),
    ...(all.length > most ? [`${all.length - most} of ${all.length} lists`] : []),
  ]
  return { lists: all.slice(0, most), leftOut }
}

function ordersOf(uses: readonly FieldsUse[]): readonly AskedOrder[] {
  const ends = uses.flatMap((use) => use.ends ?? [])
  const given = uses.flatMap((use) => use.orders ?? [])
  // A list with an order of its own has that of the key for no request.
  const [initial = []] = uses.flatMap(({ orders = [] }) => orders.slice(0, 1)).filter(({ length }) => length > 0)
  const texts = new Set([initial, ...given.filter(({ length }) => length > 0)].map((order) => order.join()))
  return [...texts].map((text) => ({ text, terms: termsOf(text === '' ? [] : text.split(','), ends) }))
}

function termsOf(order: readonly string[], ends: readonly string[]): readonly OrderTerm[] {
  const terms = order.map((term) => ({ field: term.replace(/^-/, ''), descending: term.startsWith('-') }))
  return withKey(terms, ends)
}

const RANGES = ['<', '<=', '>', '>='] as const

function withFilter({ name: field, operators = [] }: FieldUse, order: AskedOrder): AskedList[] {
  const equal: AskedList[] = operators.includes('=') ? [{ order, filter: { field, op: '=' } }] : []
  // A range lies in an index only where the order begins with its field.
  const range = order.terms[0]?.field === field ? RANGES.find((op) => operators.includes(op)) : undefined
  return range === undefined ? equal : [...equal, { order, filter: { field, op: range } }]
}

function filterLimits(filters: readonly FieldUse[], { length: orders }: readonly AskedOrder[]): string[] {
  const ranged = filters.filter(({ operators = [] }) => RANGES.some((op) => operators.includes(op)))
  return [
    ...(filters.length > 1 ? ['several filters at once'] : []),
    ...(filters.length > 0 ? ['filters with several values, and with != ! !! * and |'] : []),
    ...(ranged.length > 0 && orders > 1 ? ['ranges of a field that the order does not begin with'] : []),
  ]
}
