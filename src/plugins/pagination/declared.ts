// Which of an action's params are pagination and order, and what they were declared with.
import { configOf, type Kind, type ResolvedAction } from '../../extend.ts'
import { type OrderingConfig, orderingKind } from './ordering-params.ts'
import { type PaginationConfig, paginationKind } from './pagination-params.ts'

/** A param and its declaration. */
export interface Declared<C> {
  readonly name: string
  readonly config: C
}

/** The `pagination` param of an action. */
export const paginationOf = (action: ResolvedAction): Declared<PaginationConfig> | undefined =>
  find(action, paginationKind)

/** The `order` param of an action. */
export const orderingOf = (action: ResolvedAction): Declared<OrderingConfig> | undefined => find(action, orderingKind)

/** The names of params that select fields: what is shown of a list has no influence on its order or its elements. */
export const selectorsOf = ({ params }: ResolvedAction): readonly string[] =>
  Object.keys(params).filter((name) => params[name]?.core.projects !== undefined)

function find<C>({ params }: ResolvedAction, kind: Kind<C>): Declared<C> | undefined {
  for (const [name, one] of Object.entries(params)) {
    const config = configOf(one, kind)
    if (config !== undefined) return { name, config }
  }
  return undefined
}
