// Key filters: converts the key of an element to a condition on its row.

import { and, or } from '../../query/combine-filters.ts'
import type { OrderTerm } from '../../query/order-terms.ts'
import type { Filter } from '../../query/query.ts'
import type { FilterExpression } from '../filters/expression.ts'
import { isCondition, parseWhere } from '../filters/where.ts'
import type { Model } from '../model/model.ts'
import { FieldError } from '../plan/comparison.ts'
import { buildFilter } from '../plan/filter-builder.ts'
import { UnfitValueError } from '../plan/operand.ts'
import { QueryScope } from '../plan/query-scope.ts'
import { readOwnValue } from '../write/column-values.ts'

/** Returns the order by the key. */
export const getKeyOrder = ({ key }: Model): OrderTerm[] => key.map(({ name }) => ({ field: name, descending: false }))

/** Converts a key, or conditions in its place, to a filter expression. */
export function parseKey({ key, mediaType }: Model, value: unknown): FilterExpression {
  if (typeof value === 'object' && value !== null) {
    if (Object.keys(value).length === 0) throw new TypeError(`Nothing says which ${mediaType.name} is meant`)
    return parseWhere(value)
  }
  const [only, ...more] = key
  if (only === undefined || more.length > 0)
    throw new TypeError(`The key of ${mediaType.name} has several fields: give them as an object`)
  return parseWhere({ [only.name]: value })
}

/**
 * Returns the condition for one row. Updates and deletes require a value for each field of the key, because they would
 * affect more rows otherwise; null is the value of no key.
 */
export function buildRowFilter(model: Model, value: unknown): Filter {
  if (typeof value === 'object' && value !== null) {
    const missing = model.key.find(({ name }) => !Object.hasOwn(value, name))
    if (missing !== undefined)
      throw new TypeError(`The key of ${model.mediaType.name} lacks its field '${missing.name}'`)
  }
  for (const { name, node } of model.key) {
    const part: unknown = typeof value === 'object' && value !== null ? readOwnValue(value, name) : value
    if (part === null) return or([])
    if (isCondition(part)) throw new UnfitValueError(name, part, node.column.kind)
  }
  const scope = new QueryScope(model.table)
  const filter = and([buildFilter(parseKey(model, value), model, scope)])
  const [joined] = scope.joins
  if (joined !== undefined) throw new FieldError(`a field of ${joined.table.name}`)
  return filter
}
