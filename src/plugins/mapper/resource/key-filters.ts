// Keys: the key of an element becomes a condition on its row.
import type { FilterExpression } from '../filters/expression.ts'
import { parseWhere } from '../filters/where.ts'
import { and } from '../../query/combine-filters.ts'
import { buildFilter, FieldError } from '../plan/filter-builder.ts'
import type { OrderTerm } from '../../query/order-terms.ts'
import { QueryScope } from '../plan/query-scope.ts'
import type { Filter } from '../../query/query.ts'
import type { Model } from '../model/model.ts'

/** The order of the key. */
export const getKeyOrder = ({ key }: Model): OrderTerm[] => key.map(({ name }) => ({ field: name, descending: false }))

/** The condition that finds what a key names. */
export function parseKey({ key, mediaType }: Model, given: unknown): FilterExpression {
  if (typeof given === 'object' && given !== null) {
    if (Object.keys(given).length === 0) throw new TypeError(`Nothing says which ${mediaType.name} is meant`)
    return parseWhere(given)
  }
  const [only, ...more] = key
  if (only === undefined || more.length > 0)
    throw new TypeError(`The key of ${mediaType.name} has several fields: give them as an object`)
  return parseWhere({ [only.name]: given })
}

/** The condition that finds one row: what changes or removes an element must name its key, or it would reach more than one. */
export function buildRowFilter(model: Model, given: unknown): Filter {
  if (typeof given === 'object' && given !== null) {
    const missing = model.key.find(({ name }) => !Object.hasOwn(given, name))
    if (missing !== undefined)
      throw new TypeError(`The key of ${model.mediaType.name} lacks its field '${missing.name}'`)
  }
  const scope = new QueryScope(model.table)
  const filter = and([buildFilter(parseKey(model, given), model, scope)])
  const [joined] = scope.joins
  if (joined !== undefined) throw new FieldError(`a field of ${joined.table.name}`)
  return filter
}
