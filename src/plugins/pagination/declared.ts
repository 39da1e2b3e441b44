// The list of an action: its params, and their declarations.
import { configOf, type KindOutline, type ResolvedAction } from '../../extend.ts'
import { Language } from './listing/language.ts'
import type { DeclaredList } from './listing/list.ts'
import { listOfParam } from './listing/params.ts'
import { type OrderingConfig, orderingKind } from './ordering-params.ts'
import { type PaginationConfig, paginationKind } from './pagination-params.ts'

/** A param and its declaration. */
export interface Declared<C> {
  readonly name: string
  readonly config: C
}

/** The list that an action gives in parts. */
export function listOf(action: ResolvedAction): DeclaredList | undefined {
  for (const one of Object.values(action.params)) {
    const list = listOfParam(one)
    if (list !== undefined) return list
  }
  const paginated = find<PaginationConfig>(action, paginationKind)
  if (paginated === undefined) return undefined
  const ordered = orderingOf(action)
  const order = ordered === undefined ? {} : { [ordered.name]: 'order' as const }
  const selectors = selectorsOf(action).map((name) => [name, 'fields' as const])
  const language = new Language({ [paginated.name]: 'text', ...order, ...Object.fromEntries(selectors) })
  return { language, config: paginated.config, order: ordered?.config, form: undefined }
}

/** The `order` param of an action. */
export const orderingOf = (action: ResolvedAction): Declared<OrderingConfig> | undefined => find(action, orderingKind)

// The selected fields of a list have no influence on its order or its elements.
const selectorsOf = ({ params }: ResolvedAction): readonly string[] =>
  Object.keys(params).filter((name) => params[name]?.core.projects !== undefined)

function find<C>({ params }: ResolvedAction, kind: KindOutline<C>): Declared<C> | undefined {
  for (const [name, one] of Object.entries(params)) {
    const config = configOf(one, kind)
    if (config !== undefined) return { name, config }
  }
  return undefined
}
