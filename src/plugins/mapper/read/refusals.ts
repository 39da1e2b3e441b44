// Refusals of lists that only execution reveals, in terms of the client's params.
import { type DefinedIssue, type IssueDetail, isRefusal, Refusal } from '../../../extend.ts'
import { codes } from '../codes.ts'
import type { FilterExpression } from '../filters/expression.ts'
import { FieldError } from '../plan/comparison.ts'
import { UnfitValueError } from '../plan/operand.ts'
import type { ListParams, ListPointers, ListRequest } from './list-request.ts'

/** Thrown if a list cannot be read as requested; the caller that knows the names of the params converts it to a refusal. */
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

/** Creates the fault of a cursor that does not belong to the list. */
export const createCursorFault = (): ListFault => new ListFault('pagination', codes.issues['pagination-continuation'])

/** Runs work on fields; converts errors that boot cannot detect to faults of the request. */
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

/** The pointers to edict's own list params. */
const DEFAULT_POINTERS: ListPointers = { pagination: '/pagination', order: '/order', filters: '/filters' }

/** Converts a list fault to a refusal with pointers to the params of the request; returns other errors as they are. */
export const toRequestRefusal = (error: unknown, { params, list }: ListRequest): unknown =>
  toListRefusal(toListFault(error, list ?? (params as ListParams)), list?.pointers)

/** Converts a list fault to a refusal with the given pointers; returns other errors as they are. */
export function toListRefusal(error: unknown, pointers: ListPointers = DEFAULT_POINTERS): unknown {
  if (!(error instanceof ListFault)) return error
  const { param, issue, detail } = error
  return Refusal.ofParams([{ pointer: pointers[param], code: issue, ...(detail !== undefined && { detail }) }])
}

// Values that the datastore rejected came from a filter or a cursor.
function toListFault(error: unknown, { filters, pagination }: ListParams): unknown {
  const isUnfit = isRefusal(error) && error.code === codes.failures['unfit-value'].code
  // PostgreSQL: undefined_function, for a type that does not have the comparison.
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
