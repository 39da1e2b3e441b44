// What clients may rely on in the parts of a list: the settings of its params, as terms of the contract.

import type { ResolvedAction, Terms } from '../../extend.ts'
import { orderingOf, paginationOf } from './declared.ts'
import { leadingFields, type OrderingConfig, offeredFields } from './ordering-params.ts'
import { cursorFields, type PaginationConfig } from './pagination-params.ts'
import { paramSettings } from './resolution.ts'
import type { PaginationSettings } from './settings.ts'

/** The terms of an action's pagination and order, by the names of the params. */
export function listTerms(action: ResolvedAction, settings: PaginationSettings): Readonly<Record<string, Terms>> {
  const [paginated, ordered] = [paginationOf(action), orderingOf(action)]
  return {
    ...(paginated !== undefined && { [paginated.name]: paginationTerms(paginated.config, settings) }),
    ...(ordered !== undefined && { [ordered.name]: orderingTerms(ordered.config, settings) }),
  }
}

function paginationTerms(config: PaginationConfig, settings: PaginationSettings): Terms {
  const { maxItems, pageSize, paging, cursor, mode } = paramSettings(config, settings)
  return {
    maxItems: { most: Number.isFinite(maxItems) ? maxItems : null },
    moreThanMaxItems: { allows: settings.onExceed === 'clamp' ? ['clamped'] : [] },
    pageSize: { gives: pageSize },
    modes: { allows: [...(paging ? ['page'] : []), ...(cursor ? ['cursor'] : [])] },
    byFields: { allows: cursorFields(config) },
    defaultMode: { means: mode },
    // Links that were given out stop to work; whoever begins again gets the same list.
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
