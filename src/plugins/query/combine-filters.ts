// Filters combined by `and` and `or`, simplified: constant operands are dropped.
import type { Described, Filter } from './query.ts'

const NEVER: { readonly op: 'or'; readonly of: readonly never[] } = { op: 'or', of: [] }

/** Combines filters with AND; returns a single filter as it is. */
export function and<D extends Described>(of: readonly Filter<unknown, D>[]): Filter<unknown, D> {
  if (of.includes(NEVER)) return NEVER
  const [only] = of
  return of.length === 1 && only !== undefined ? only : { op: 'and', of }
}

/** Combines filters with OR; returns a single filter as it is. */
export function or<D extends Described>(of: readonly Filter<unknown, D>[]): Filter<unknown, D> {
  const possible = of.filter((one) => one !== NEVER)
  if (possible.length === 0) return NEVER
  const [only] = possible
  return possible.length === 1 && only !== undefined ? only : { op: 'or', of: possible }
}

const OPPOSITES: Readonly<Record<string, string>> = {
  '=': '!=',
  '!=': '=',
  in: 'not in',
  'not in': 'in',
  null: 'not null',
  'not null': 'null',
  like: 'not like',
  'not like': 'like',
  contains: 'not contains',
  'not contains': 'contains',
  matches: 'not matches',
  'not matches': 'matches',
  exists: 'not exists',
  'not exists': 'exists',
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
}

/** Negates a filter: the result is true wherever the filter is false, also for rows with nulls. */
export function negate<D extends Described>(filter: Filter<unknown, D>): Filter<unknown, D> {
  if (filter.op === 'and') return or(filter.of.map((one) => negate(one)))
  if (filter.op === 'or') return and(filter.of.map((one) => negate(one)))
  const opposite = { ...filter, op: OPPOSITES[filter.op] } as Filter<unknown, D>
  if (!RANGE_OPERATORS.has(filter.op) || !('reference' in filter)) return opposite
  return or([opposite, { op: 'null', reference: filter.reference }])
}

const RANGE_OPERATORS = new Set<string>(['<', '<=', '>', '>='])
