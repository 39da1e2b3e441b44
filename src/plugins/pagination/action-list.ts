// The list of an action: its params, and their declarations.
import { findShownPart, getConfig, type KindOutline, type ResolvedAction } from '../../extend.ts'
import { createEdictConvention } from './edict-convention.ts'
import { findListOfParam } from './listing/convention-params.ts'
import type { DeclaredList } from './listing/declared-list.ts'
import { ParamLayout } from './listing/param-layout.ts'
import type { OrderingConfig } from './ordering-config.ts'
import { orderingKind } from './ordering-params.ts'
import type { PaginationConfig } from './pagination-config.ts'
import { paginationKind } from './pagination-params.ts'

/** A param and its declaration. */
export interface DeclaredParam<C> {
  readonly name: string
  readonly config: C
}

/** Returns the paginated list of an action; undefined if it has none. */
export function findList(action: ResolvedAction): DeclaredList | undefined {
  for (const one of Object.values(action.params)) {
    const list = findListOfParam(one)
    if (list !== undefined) return list.convention.isElement ? undefined : list
  }
  const paginated = findParam<PaginationConfig>(action, paginationKind)
  if (paginated === undefined) return undefined
  const ordered = findOrdering(action)
  const order = ordered === undefined ? {} : { [ordered.name]: 'order' as const }
  // The selected fields do not affect the order or the elements of a list.
  const selectors = Object.keys(action.params)
    .filter((name) => action.params[name]?.core.selectsFrom !== undefined)
    .map((name) => [name, 'fields' as const])
  const layout = new ParamLayout({ [paginated.name]: 'text', ...order, ...Object.fromEntries(selectors) })
  const { config } = paginated
  return {
    layout,
    config,
    order: ordered?.config,
    convention: createEdictConvention(config),
    elementsPath: findElementsPath(action, config),
  }
}

/** Returns the one element of an action that a convention declares; undefined for others. */
export function findElement({ params }: ResolvedAction): DeclaredList | undefined {
  const one = Object.values(params)
    .map(findListOfParam)
    .find((found) => found !== undefined)
  return one?.convention.isElement === true ? one : undefined
}

// The response declares where its list is.
function findElementsPath(
  { responses }: ResolvedAction,
  { mediaType }: PaginationConfig,
): readonly string[] | undefined {
  for (const { bodies, status } of responses.values())
    for (const { attribute, list } of status < 300 ? bodies : []) {
      const part = attribute && !list ? findShownPart(attribute, mediaType) : undefined
      if (part?.isList) return part.path
    }
  return undefined
}

/** Returns the `order` param of an action. */
export const findOrdering = (action: ResolvedAction): DeclaredParam<OrderingConfig> | undefined =>
  findParam(action, orderingKind)

function findParam<C>({ params }: ResolvedAction, kind: KindOutline<C>): DeclaredParam<C> | undefined {
  for (const [name, one] of Object.entries(params)) {
    const config = getConfig(one, kind)
    if (config !== undefined) return { name, config }
  }
  return undefined
}
