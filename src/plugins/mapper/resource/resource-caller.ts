// Callers of resources: their bounds, their signal, and the fields that they see.

import type { MediaType, View } from '../../../index.ts'
import { isMediaTypeOrView } from '../fields/list-param.ts'
import type { CallerBounds } from '../plan/caller-bounds.ts'
import type { Projection } from '../plan/query-plan.ts'
import { getRequestProjection } from '../read/list.ts'
import type { ListRequest } from '../read/list-request.ts'
import { mergeGuardProjection, findGuard } from './guards.ts'
import type { Model } from '../model/model.ts'

/** Those for whom a resource works, and whether they still want its results. */
export interface ResourceCaller {
  readonly bounds?: CallerBounds | undefined
  readonly signal?: AbortSignal | undefined
}

/** The signal of a request, aborted when its response is no longer wanted. */
export function getSignal(request: unknown): AbortSignal | undefined {
  const { signal } = (request ?? {}) as { readonly signal?: Partial<AbortSignal> }
  return typeof signal?.throwIfAborted === 'function' ? (signal as AbortSignal) : undefined
}

/** The fields that an element is read with: those of an answer with what its guard needs, of a view, or of a media type. */
export function resolveProjection(shown: ListRequest | View | MediaType | undefined, model: Model): Projection {
  if (shown === undefined || isMediaTypeOrView(shown)) return { of: shown }
  const wanted = getRequestProjection(shown, model)
  const guard = findGuard(shown, model)
  return guard === undefined ? wanted : mergeGuardProjection(wanted, guard, model)
}
