// List requests: the params that lists use, as far as an action declares them.

import type { OrderTerm } from '../../query/order-terms.ts'
import type { FilterExpression } from '../filters/expression.ts'
import type { Projection } from '../plan/query-plan.ts'
import type { CursorPortion, OffsetPortion } from './portion.ts'

/** The request of an action that lists; the list uses those of its params that the action declares. */
export interface ListRequest {
  readonly params: object
  readonly action: { readonly name: string }
  /** The list that the params ask for, if they follow another convention than edict's own. */
  readonly list?: RequestedList | undefined
}

/** The params that lists use. */
export interface ListParams {
  readonly pagination?: OffsetPortion | CursorPortion
  readonly order?: readonly OrderTerm[]
  readonly filters?: FilterExpression | undefined
}

/** The list that the params of a convention ask for. */
export interface RequestedList extends ListParams {
  /** The fields of the elements that are read. */
  readonly projection: Projection
  /** Pointers to the params that hold the cursor, the order and the filters. */
  readonly pointers: ListPointers
}

/** Pointers to the params of a list in a request. */
export type ListPointers = Readonly<Record<'pagination' | 'order' | 'filters', string>>
