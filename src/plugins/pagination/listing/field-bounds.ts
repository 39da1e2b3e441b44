// The values of a condition on one field by operator: `{ gte: 1900, lt: 2000 }`, and the filters that they mean.
import type { FilterExpression, FilterOperator } from '../../mapper/extend.ts'

/** The operators by their names in a param. */
export const BOUND_OPERATORS = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

type Bound = keyof typeof BOUND_OPERATORS

/** The names of the operators. */
export const BOUNDS = Object.keys(BOUND_OPERATORS) as readonly Bound[]

/** The operators that a condition on one field can express. */
export const CONDITION_OPERATORS: readonly FilterOperator[] = ['=', ...Object.values(BOUND_OPERATORS)]

/** Returns whether a value has operators; the values of a field are no plain structures. */
export function isBounds(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return false
  return Object.keys(value).every((name) => (BOUNDS as readonly string[]).includes(name))
}

/** Converts a condition on a field to filters. */
export function toConditions(field: string, value: unknown): readonly FilterExpression[] {
  if (value === undefined) return []
  if (!isBounds(value)) return [{ op: '=', field, any: [{ value }] }]
  return BOUNDS.flatMap((name): FilterExpression[] =>
    value[name] === undefined ? [] : [{ op: BOUND_OPERATORS[name], field, value: value[name] }],
  )
}

/** Converts filters to the conditions of a request by field; undefined for those that it cannot express. */
export function toFieldConditions(expressions: readonly FilterExpression[]): Record<string, unknown> | undefined {
  const all: Record<string, unknown> = {}
  for (const expression of expressions) {
    if (!('field' in expression)) return undefined
    const { field, op } = expression
    const name = BOUNDS.find((one) => BOUND_OPERATORS[one] === op)
    const before = all[field]
    if ('any' in expression) {
      const [match, ...more] = expression.any
      if (op !== '=' || match === undefined || !('value' in match) || more.length > 0 || before !== undefined)
        return undefined
      all[field] = match.value
    } else if (name === undefined || !('value' in expression)) return undefined
    else if (before !== undefined && (!isBounds(before) || Object.hasOwn(before, name))) return undefined
    else all[field] = { ...(before as object | undefined), [name]: expression.value }
  }
  return all
}
