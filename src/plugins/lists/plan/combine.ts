// Conditions joined by `and` and `or`, without those that decide nothing.
import type { Filter } from '../query.ts'

const NONE: Filter = { op: 'or', of: [] }

/** All of some conditions; one alone stands for itself. */
export function and(of: readonly Filter[]): Filter {
  if (of.includes(NONE)) return NONE
  return of.length === 1 ? (of[0] as Filter) : { op: 'and', of }
}

/** One of some conditions; one alone stands for itself. */
export function or(of: readonly Filter[]): Filter {
  const possible = of.filter((one) => one !== NONE)
  if (possible.length === 0) return NONE
  return possible.length === 1 ? (possible[0] as Filter) : { op: 'or', of: possible }
}
