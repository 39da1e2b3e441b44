// Refusals of lists: fields without a column, and values that a datastore does not take, by the params that they came in.
import { isRefusal, Refusal } from '../../../extend.ts'
import { codes } from '../codes.ts'
import type { FilterExpression } from '../filters/expression.ts'
import { FieldError } from '../plan/conditions.ts'
import type { ListParams, ListRequest } from './list-request.ts'

/** Runs a part of a list; a field without a column is the request's problem where boot could not see it. */
export function refusing<V>(param: 'order' | 'filters', work: () => V): V {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof FieldError)) throw error
    const code = param === 'order' ? codes.issues['order-field'] : codes.issues['filter-field']
    throw Refusal.ofParams([{ pointer: `/${param}`, code, detail: { field: error.field, values: 'others' } }])
  }
}

/** The refusal of a list whose values a datastore did not take: it names the param that they came in. */
export function namedRefusal(error: unknown, request: ListRequest): unknown {
  const { filters, pagination } = request.params as ListParams
  const isUnfit = isRefusal(error) && error.code === codes.failures['unfit-value'].code
  // A type of PostgreSQL may have no such comparison.
  const isIncomparable = filters !== undefined && (error as { readonly code?: unknown } | null)?.code === '42883'
  if (!isUnfit && !isIncomparable) return error
  if (filters !== undefined) {
    const detail = { field: [...new Set(fieldsIn(filters))].join(', '), problem: 'does not fit where it is kept' }
    return Refusal.ofParams([{ pointer: '/filters', code: codes.issues['filter-value'], detail }])
  }
  if (pagination?.mode !== 'cursor') return error
  return Refusal.ofParams([{ pointer: '/pagination', code: codes.issues['pagination-continuation'] }])
}

function* fieldsIn(filter: FilterExpression): Generator<string> {
  if ('of' in filter) for (const one of filter.of) yield* fieldsIn(one)
  else yield filter.field
}
