// The terms of the contract about the parts of a list: the settings of its params, on which clients may rely.

import type { ResolvedAction, Terms } from '../../extend.ts'
import { findList, findOrdering } from './action-list.ts'
import type { DeclaredList } from './listing/declared-list.ts'
import { listLeadingFields, type OrderingConfig, listOfferedFields } from './ordering-params.ts'
import { listCursorFields, type PaginationConfig } from './pagination-params.ts'
import { resolveParamSettings } from './resolve-pagination.ts'
import type { PaginationSettings } from './pagination-settings.ts'

/** The terms of an action's pagination and order, by the names of the params. */
export function buildListTerms(action: ResolvedAction, settings: PaginationSettings): Readonly<Record<string, Terms>> {
  const [list, ordered] = [findList(action), findOrdering(action)]
  const named = list && (list.layout.findSlot('items').path[0] as string)
  return {
    ...(list !== undefined && {
      [named as string]: list.convention === undefined ? buildPaginationTerms(list.config, settings) : buildPageTerms(list, settings),
    }),
    ...(ordered !== undefined && { [ordered.name]: buildOrderingTerms(ordered.config, settings) }),
    ...(list?.convention !== undefined && buildListOrderTerms(list, settings)),
  }
}

function buildPageTerms({ config, convention: form, order }: DeclaredList, settings: PaginationSettings): Terms {
  const { maxItems, pageSize } = resolveParamSettings(config, settings)
  const onExceed = form?.onExceed ?? settings.onExceed
  return {
    convention: { means: form?.name ?? 'edict' },
    maxItems: { most: Number.isFinite(maxItems) ? maxItems : null },
    moreThanMaxItems: { allows: onExceed === 'clamp' ? ['clamped'] : [] },
    pageSize: { gives: pageSize },
    defaultOrder: { means: order?.default ?? null },
    key: { tells: config.key ?? ['id'] },
  }
}

function buildListOrderTerms(
  { layout: language, order }: DeclaredList,
  settings: PaginationSettings,
): Readonly<Record<string, Terms>> {
  const slot = language.slots.get('order') ?? language.slots.get('orderWords')
  return slot === undefined || order === undefined ? {} : { [slot.path[0] as string]: buildOrderingTerms(order, settings) }
}

function buildPaginationTerms(config: PaginationConfig, settings: PaginationSettings): Terms {
  const { maxItems, pageSize, paging, cursor, mode, count } = resolveParamSettings(config, settings)
  return {
    maxItems: { most: Number.isFinite(maxItems) ? maxItems : null },
    moreThanMaxItems: { allows: settings.onExceed === 'clamp' ? ['clamped'] : [] },
    pageSize: { gives: pageSize },
    modes: { allows: [...(paging ? ['page'] : []), ...(cursor ? ['cursor'] : [])] },
    byFields: { allows: listCursorFields(config) },
    defaultMode: { means: mode },
    ...(count !== 'exact' && { count: { means: count } }),
    // Links that were given out stop working; a client that begins again gets the same list.
    key: { tells: config.key ?? ['id'] },
  }
}

function buildOrderingTerms(config: OrderingConfig, settings: PaginationSettings): Terms {
  const { enforceFor, default: initial } = config
  const leading = listLeadingFields(config)
  const enforced = enforceFor ?? (settings.enforceAllFields ? 'all' : 'first')
  return {
    byFields: { allows: leading },
    thenByFields: { allows: enforced === 'all' ? leading : listOfferedFields(config) },
    defaultOrder: { means: initial ?? null },
  }
}
