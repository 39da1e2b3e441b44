// List requests: the params that lists use, as far as an action declares them.

import type { OrderTerm } from '../../query/order-terms.ts'
import type { FilterExpression } from '../filters/expression.ts'
import type { CursorPortion, OffsetPortion } from './portion.ts'

/** The request of an action that lists; the list uses those of its params that the action declares. */
export interface ListRequest {
  readonly params: object
  readonly action: { readonly name: string }
}

/** The params that lists use. */
export interface ListParams {
  readonly pagination?: OffsetPortion | CursorPortion
  readonly order?: readonly OrderTerm[]
  readonly filters?: FilterExpression | undefined
}
