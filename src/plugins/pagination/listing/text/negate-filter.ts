// The negation of a filter.
import type { FilterExpression } from '../../../mapper/extend.ts'

const OPPOSITES = {
  '=': '!=',
  '!=': '=',
  '!': '!!',
  '!!': '!',
  and: 'or',
  or: 'and',
  '~=': '!~=',
  '!~=': '~=',
} as const
const COMPLEMENTS = { '<': '>=', '<=': '>', '>': '<=', '>=': '<' } as const

/** Returns the filter that exactly those elements match that do not match the given one. */
export function negateFilter(expression: FilterExpression): FilterExpression {
  if ('of' in expression) return { op: OPPOSITES[expression.op], of: expression.of.map(negateFilter) }
  if ('where' in expression) return negateElements(expression)
  if (expression.op === '@=') throw new TypeError('Filters that are negated have no searches')
  if (!('value' in expression)) return { ...expression, op: OPPOSITES[expression.op] } as FilterExpression
  const { op, field, value } = expression
  // A field without a value is neither less nor greater than one.
  return {
    op: 'or',
    of: [
      { op: COMPLEMENTS[op], field, value },
      { op: '!!', field },
    ],
  }
}

function negateElements(expression: Extract<FilterExpression, { where: unknown }>): FilterExpression {
  const { op, field, where } = expression
  if (op === 'all') return { op: 'any', field, where: negateFilter(where) }
  return { op: op === 'any' ? 'none' : 'any', field, where }
}
