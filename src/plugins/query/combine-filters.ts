// Filters combined by `and` and `or`, simplified: constant operands are dropped.
import type { Filter } from './query.ts'

const NEVER: Filter = { op: 'or', of: [] }

/** Combines filters with AND; returns a single filter as it is. */
export function and(of: readonly Filter[]): Filter {
  if (of.includes(NEVER)) return NEVER
  return of.length === 1 ? (of[0] as Filter) : { op: 'and', of }
}

/** Combines filters with OR; returns a single filter as it is. */
export function or(of: readonly Filter[]): Filter {
  const possible = of.filter((one) => one !== NEVER)
  if (possible.length === 0) return NEVER
  return possible.length === 1 ? (possible[0] as Filter) : { op: 'or', of: possible }
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
export function negate(filter: Filter): Filter {
  if (filter.op === 'and') return or(filter.of.map(negate))
  if (filter.op === 'or') return and(filter.of.map(negate))
  const opposite = { ...filter, op: OPPOSITES[filter.op] } as Filter
  if (!RANGE_OPERATORS.has(filter.op) || !('reference' in filter)) return opposite
  return or([opposite, { op: 'null', reference: filter.reference }])
}

const RANGE_OPERATORS = new Set<string>(['<', '<=', '>', '>='])
