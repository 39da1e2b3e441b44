// The terms of the contract about the parts of a list: the settings of its params, on which clients may rely.

import type { ResolvedAction, Terms } from '../../extend.ts'
import { listOf, orderingOf } from './declared.ts'
import type { DeclaredList } from './listing/list.ts'
import { leadingFields, type OrderingConfig, offeredFields } from './ordering-params.ts'
import { cursorFields, type PaginationConfig } from './pagination-params.ts'
import { paramSettings } from './resolution.ts'
import type { PaginationSettings } from './settings.ts'

/** The terms of an action's pagination and order, by the names of the params. */
export function listTerms(action: ResolvedAction, settings: PaginationSettings): Readonly<Record<string, Terms>> {
  const [list, ordered] = [listOf(action), orderingOf(action)]
  const named = list && (list.language.slot('items').path[0] as string)
  return {
    ...(list !== undefined && {
      [named as string]: list.form === undefined ? paginationTerms(list.config, settings) : partTerms(list, settings),
    }),
    ...(ordered !== undefined && { [ordered.name]: orderingTerms(ordered.config, settings) }),
    ...(list?.form !== undefined && orderTermsOf(list, settings)),
  }
}

function partTerms({ config, form, order }: DeclaredList, settings: PaginationSettings): Terms {
  const { maxItems, pageSize } = paramSettings(config, settings)
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

function orderTermsOf(
  { language, order }: DeclaredList,
  settings: PaginationSettings,
): Readonly<Record<string, Terms>> {
  const slot = language.slots.get('order') ?? language.slots.get('orderWords')
  return slot === undefined || order === undefined ? {} : { [slot.path[0] as string]: orderingTerms(order, settings) }
}

function paginationTerms(config: PaginationConfig, settings: PaginationSettings): Terms {
  const { maxItems, pageSize, paging, cursor, mode, count } = paramSettings(config, settings)
  return {
    maxItems: { most: Number.isFinite(maxItems) ? maxItems : null },
    moreThanMaxItems: { allows: settings.onExceed === 'clamp' ? ['clamped'] : [] },
    pageSize: { gives: pageSize },
    modes: { allows: [...(paging ? ['page'] : []), ...(cursor ? ['cursor'] : [])] },
    byFields: { allows: cursorFields(config) },
    defaultMode: { means: mode },
    ...(count !== 'exact' && { count: { means: count } }),
    // Links that were given out stop working; a client that begins again gets the same list.
    key: { tells: config.key ?? ['id'] },
  }
}

function orderingTerms(config: OrderingConfig, settings: PaginationSettings): Terms {
  const { enforceFor, default: initial } = config
  const leading = leadingFields(config)
  const enforced = enforceFor ?? (settings.enforceAllFields ? 'all' : 'first')
  return {
    byFields: { allows: leading },
    thenByFields: { allows: enforced === 'all' ? leading : offeredFields(config) },
    defaultOrder: { means: initial ?? null },
  }
}
