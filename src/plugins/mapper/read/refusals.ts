// Refusals of lists that only execution reveals, with the client's names of the params.
import { type DefinedIssue, type IssueDetail, isRefusal, Refusal } from '../../../extend.ts'
import { codes } from '../codes.ts'
import type { FilterExpression } from '../filters/expression.ts'
import { FieldError } from '../plan/filter-builder.ts'
import { UnfitValueError } from '../plan/operand.ts'
import { type ListPointers, getAttachedListOptions } from './attached-options.ts'
import type { ListParams } from './list-request.ts'

/** Thrown where a list cannot be what it is asked to be: the one who knows the names of params makes a refusal of it. */
export class ListFault extends Error {
  readonly param: keyof ListPointers
  readonly issue: DefinedIssue
  readonly detail: IssueDetail | undefined

  constructor(param: keyof ListPointers, issue: DefinedIssue, detail?: IssueDetail) {
    super(`A list was refused for its ${param}`)
    this.param = param
    this.issue = issue
    this.detail = detail
  }
}

/** The fault of a place that continues no list. */
export const createCursorFault = (): ListFault => new ListFault('pagination', codes.issues['pagination-continuation'])

/** Does something with fields; one without a column is the request's problem only if boot could not see it. */
export function translateFieldErrors<V>(param: 'order' | 'filters', work: () => V): V {
  try {
    return work()
  } catch (error) {
    if (error instanceof UnfitValueError) {
      const problem = 'does not fit where it is kept'
      throw new ListFault(param, codes.issues['filter-value'], { field: error.field, problem, issue: 'unfit-value' })
    }
    if (!(error instanceof FieldError)) throw error
    const code = param === 'order' ? codes.issues['order-field'] : codes.issues['filter-field']
    throw new ListFault(param, code, { field: error.field, values: 'others' })
  }
}

/** The pointers of the params that edict's own lists have. */
const DEFAULT_POINTERS: ListPointers = { pagination: '/pagination', order: '/order', filters: '/filters' }

/** The refusal of a list by the params of its request; another error stays as it is. */
export function toRequestRefusal(error: unknown, request: { readonly params: object }): unknown {
  const noted = getAttachedListOptions(request.params)
  return toListRefusal(toListFault(error, noted ?? (request.params as ListParams)), noted?.pointers)
}

/** The refusal of a list, at the places where a request says what it wants of it; another error stays as it is. */
export function toListRefusal(error: unknown, pointers: ListPointers = DEFAULT_POINTERS): unknown {
  if (!(error instanceof ListFault)) return error
  const { param, issue, detail } = error
  return Refusal.ofParams([{ pointer: pointers[param], code: issue, ...(detail !== undefined && { detail }) }])
}

// Values that a datastore did not take came in a filter, or in a place.
function toListFault(error: unknown, { filters, pagination }: ListParams): unknown {
  const isUnfit = isRefusal(error) && error.code === codes.failures['unfit-value'].code
  // A type of PostgreSQL may have no such comparison.
  const isIncomparable = filters !== undefined && (error as { readonly code?: unknown } | null)?.code === '42883'
  if (!isUnfit && !isIncomparable) return error
  if (filters !== undefined) {
    const detail = {
      field: [...new Set(iterateFields(filters))].join(', '),
      problem: 'does not fit where it is kept',
      issue: 'unfit-value',
    }
    return new ListFault('filters', codes.issues['filter-value'], detail)
  }
  return pagination?.mode === 'cursor' ? createCursorFault() : error
}

function* iterateFields(filter: FilterExpression): Generator<string> {
  if ('of' in filter) for (const one of filter.of) yield* iterateFields(one)
  else if ('where' in filter) yield* iterateFields(filter.where)
  else yield filter.field
}
