// Callers of resources: their bounds, their abort signal, and the fields that they see.

import type { MediaType, View } from '../../../index.ts'
import { isMediaTypeOrView } from '../fields/list-param.ts'
import type { Model } from '../model/model.ts'
import type { CallerBounds } from '../plan/caller-bounds.ts'
import type { Projection } from '../plan/query-plan.ts'
import { getRequestProjection } from '../read/list.ts'
import type { ListRequest } from '../read/list-request.ts'
import { findGuard, mergeGuardProjection } from './guards.ts'

/** The caller of a resource: its bounds, and the signal that aborts its statements. */
export interface ResourceCaller {
  readonly bounds?: CallerBounds | undefined
  readonly signal?: AbortSignal | undefined
}

/** Returns the signal of a request, which is aborted when its response is no longer needed. */
export function getSignal(request: unknown): AbortSignal | undefined {
  const { signal } = (request ?? {}) as { readonly signal?: Partial<AbortSignal> }
  return typeof signal?.throwIfAborted === 'function' ? (signal as AbortSignal) : undefined
}

/** Returns the fields that an element is read with: those of a response and its guard, of a view, or of a media type. */
export function resolveProjection(shown: ListRequest | View | MediaType | undefined, model: Model): Projection {
  if (shown === undefined || isMediaTypeOrView(shown)) return { of: shown }
  const projection = getRequestProjection(shown, model)
  const guard = findGuard(shown, model)
  return guard === undefined ? projection : mergeGuardProjection(projection, guard, model)
}
