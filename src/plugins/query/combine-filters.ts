// Conditions joined by `and` and `or`, without those that decide nothing.
import type { Filter } from './query.ts'

const NEVER: Filter = { op: 'or', of: [] }

/** All of some conditions; one alone stands for itself. */
export function and(of: readonly Filter[]): Filter {
  if (of.includes(NEVER)) return NEVER
  return of.length === 1 ? (of[0] as Filter) : { op: 'and', of }
}

/** One of some conditions; one alone stands for itself. */
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

/** The opposite of a condition: true where it is false, also for rows with nulls. */
export function negate(filter: Filter): Filter {
  if (filter.op === 'and') return or(filter.of.map(negate))
  if (filter.op === 'or') return and(filter.of.map(negate))
  const opposite = { ...filter, op: OPPOSITES[filter.op] } as Filter
  if (!RANGE_OPERATORS.has(filter.op) || !('reference' in filter)) return opposite
  return or([opposite, { op: 'null', reference: filter.reference }])
}

const RANGE_OPERATORS = new Set<string>(['<', '<=', '>', '>='])
