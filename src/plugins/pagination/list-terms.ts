// The contract terms of pagination and order: the settings of the params on which clients rely.

import type { ResolvedAction, Terms } from '../../extend.ts'
import { findElement, findList, findOrdering } from './action-list.ts'
import type { DeclaredList } from './listing/declared-list.ts'
import { listRelationPaths } from './listing/related/relations.ts'
import type { OrderingConfig } from './ordering-config.ts'
import { listLeadingFields, listOfferedFields } from './ordering-rules.ts'
import type { PaginationConfig } from './pagination-config.ts'
import { listCursorFields } from './pagination-rules.ts'
import type { PaginationSettings } from './pagination-settings.ts'
import { resolveParamSettings } from './resolve-pagination.ts'

/** Returns the contract terms of an action's pagination and order, by param name. */
export function buildListTerms(action: ResolvedAction, settings: PaginationSettings): Readonly<Record<string, Terms>> {
  const element = findElement(action)
  if (element !== undefined) return buildRelationTerms(element)
  const [list, ordered] = [findList(action), findOrdering(action)]
  const paramName = list && (list.layout.findSlot('items').path[0] as string)
  return {
    ...(list !== undefined && {
      [paramName as string]: list.layout.slots.has('text')
        ? buildPaginationTerms(list.config, settings)
        : buildPageTerms(list, settings),
    }),
    ...(ordered !== undefined && { [ordered.name]: buildOrderingTerms(ordered.config, settings) }),
    ...(list !== undefined && { ...buildListOrderTerms(list, settings), ...buildRelationTerms(list) }),
  }
}

// Clients rely on what they may include.
function buildRelationTerms({ layout, convention }: DeclaredList): Readonly<Record<string, Terms>> {
  const slot = layout.slots.get('include') ?? layout.slots.get('expand')
  return slot === undefined
    ? {}
    : { [slot.path[0] as string]: { include: { allows: listRelationPaths(convention.names.include) } } }
}

function buildPageTerms({ config, convention, order }: DeclaredList, settings: PaginationSettings): Terms {
  const { maxItems, pageSize } = resolveParamSettings(config, settings)
  const onExceed = convention.onExceed ?? settings.onExceed
  return {
    convention: { means: convention.name },
    maxItems: { most: Number.isFinite(maxItems) ? maxItems : null },
    moreThanMaxItems: { allows: onExceed === 'clamp' ? ['clamped'] : [] },
    pageSize: { gives: pageSize },
    defaultOrder: { means: order?.default ?? null },
    ...(convention.links === 'absolute' && { links: { means: convention.links } }),
    key: { info: config.key ?? ['id'] },
  }
}

function buildListOrderTerms(
  { layout, order }: DeclaredList,
  settings: PaginationSettings,
): Readonly<Record<string, Terms>> {
  const slot = layout.orderSlot
  return slot === undefined || order === undefined
    ? {}
    : { [slot.path[0] as string]: buildOrderingTerms(order, settings) }
}

function buildPaginationTerms(config: PaginationConfig, settings: PaginationSettings): Terms {
  const {
    maxItems,
    pageSize,
    allowsPages: paging,
    allowsCursors: cursor,
    mode,
    count,
  } = resolveParamSettings(config, settings)
  return {
    maxItems: { most: Number.isFinite(maxItems) ? maxItems : null },
    moreThanMaxItems: { allows: settings.onExceed === 'clamp' ? ['clamped'] : [] },
    pageSize: { gives: pageSize },
    modes: { allows: [...(paging ? ['page'] : []), ...(cursor ? ['cursor'] : [])] },
    byFields: { allows: listCursorFields(config) },
    defaultMode: { means: mode },
    ...(count !== 'exact' && { count: { means: count } }),
    // A change of the key invalidates existing links; a client that starts again gets the same list.
    key: { info: config.key ?? ['id'] },
  }
}

function buildOrderingTerms(config: OrderingConfig, settings: PaginationSettings): Terms {
  const { enforceFor, default: defaultOrder } = config
  const leading = listLeadingFields(config)
  const enforced = enforceFor ?? (settings.enforceAllFields ? 'all' : 'first')
  return {
    byFields: { allows: leading },
    thenByFields: { allows: enforced === 'all' ? leading : listOfferedFields(config) },
    defaultOrder: { means: defaultOrder ?? null },
  }
}
