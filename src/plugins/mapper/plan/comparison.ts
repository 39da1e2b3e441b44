// Comparisons: the condition of a filter on one column.
import { and, or } from '../../query/combine-filters.ts'
import type { Filter, Reference } from '../../query/query.ts'
import type { FilterExpression } from '../filters/expression.ts'
import type { ColumnNode } from '../model/model.ts'
import { refuseNonTextColumn, toOperand } from './operand.ts'

/** A column that a path resolves to, in a query. */
export interface LocatedColumn {
  readonly reference: Reference
  readonly node: ColumnNode
}

/** Thrown for a field that has no column, or none that lists can be ordered or filtered by. */
export class FieldError extends Error {
  readonly field: string
  /** The reason why lists cannot be ordered by the column. */
  readonly unorderedReason: string | undefined

  constructor(field: string, unordered?: string) {
    super(`The field '${field}' has no column that it could be compared by`)
    this.name = 'FieldError'
    this.field = field
    this.unorderedReason = unordered
  }
}

type ComparisonExpression = Extract<FilterExpression, { any: unknown } | { value: unknown } | { texts: unknown }>

/** Returns the condition of a comparison on its column. */
export function buildComparison(expression: ComparisonExpression, { reference, node }: LocatedColumn): Filter {
  if ('any' in expression) return buildMatchFilter(expression, { reference, node })
  if ('texts' in expression) return buildSearchFilter(expression, { reference, node })
  return { op: expression.op, reference, value: toOperand(expression.field, node, expression.value) }
}

function buildSearchFilter(
  { op, field, texts }: Extract<ComparisonExpression, { texts: unknown }>,
  located: LocatedColumn,
): Filter {
  const { reference, node } = located
  refuseNonTextColumn(field, reference.column)
  if (op === '@=') {
    const { search } = node
    if (search === undefined) throw new FieldError(field)
    return or(texts.map((text): Filter => ({ op: 'matches', reference, search, text })))
  }
  const each = texts.map((text): Filter => ({ op: op === '~=' ? 'contains' : 'not contains', reference, text }))
  return op === '~=' ? or(each) : and(each)
}

function buildMatchFilter(
  { op, field, any }: Extract<ComparisonExpression, { any: unknown }>,
  { reference, node }: LocatedColumn,
): Filter {
  const values = any.flatMap((one) => ('value' in one ? [toOperand(field, node, one.value)] : []))
  const patterns = any.flatMap((one) => ('pattern' in one ? [one.pattern] : []))
  const isEqual = op === '='
  const list: Filter = { op: isEqual ? 'in' : 'not in', reference, values }
  const one: Filter = { op: isEqual ? '=' : '!=', reference, value: values[0] } as Filter
  const exact = values.length === 0 ? [] : [values.length === 1 ? one : list]
  const like = patterns.map((pattern): Filter => ({ op: isEqual ? 'like' : 'not like', reference, pattern }))
  return isEqual ? or([...exact, ...like]) : and([...exact, ...like])
}
