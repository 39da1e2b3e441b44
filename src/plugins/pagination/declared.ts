// Which of an action's params are pagination and order, and what they were declared with.
import type { ResolvedAction } from '../../extend.ts'
import type { Attribute } from '../../index.ts'
import type { OrderingConfig } from './ordering-params.ts'
import type { PaginationConfig } from './pagination-params.ts'

/** A param and its declaration. */
export interface Declared<C> {
  readonly name: string
  readonly config: C
}

/** The `pagination` param of an action. */
export const paginationOf = (action: ResolvedAction): Declared<PaginationConfig> | undefined =>
  find(action, 'pagination')

/** The `order` param of an action. */
export const orderingOf = (action: ResolvedAction): Declared<OrderingConfig> | undefined => find(action, 'ordering')

/** The names of params that select fields: what is shown of a list has no influence on its order or its elements. */
export const selectorsOf = ({ params }: ResolvedAction): readonly string[] =>
  Object.keys(params).filter((name) => params[name]?.kind === 'fields')

function find<C>({ params }: ResolvedAction, kind: string): Declared<C> | undefined {
  const [name, attribute] = Object.entries(params).find(([, one]) => one.kind === kind) ?? []
  if (name === undefined || attribute === undefined) return undefined
  return { name, config: (attribute as Attribute & { readonly declared: C }).declared }
}
