// Callers of resources: their bounds, their signal, and the fields that they see.

import type { MediaType, View } from '../../../index.ts'
import { isShown } from '../fields/list-param.ts'
import type { CallerBounds } from '../plan/bounds.ts'
import type { Showing } from '../plan/plan.ts'
import { wantedBy } from '../read/list.ts'
import type { ListRequest } from '../read/list-request.ts'
import { besideGuarded, guardOf } from './guards.ts'
import type { Model } from './model.ts'

/** Those for whom a resource works, and whether they still want its results. */
export interface Caller {
  readonly bounds?: CallerBounds | undefined
  readonly signal?: AbortSignal | undefined
}

/** The signal of a request, aborted when its response is no longer wanted. */
export function signalOf(request: unknown): AbortSignal | undefined {
  const { signal } = (request ?? {}) as { readonly signal?: Partial<AbortSignal> }
  return typeof signal?.throwIfAborted === 'function' ? (signal as AbortSignal) : undefined
}

/** The fields that an element is read with: those of an answer with what its guard needs, of a view, or of a media type. */
export function showingOf(shown: ListRequest | View | MediaType | undefined, model: Model): Showing {
  if (shown === undefined || isShown(shown)) return { of: shown }
  const wanted = wantedBy(shown, model)
  const guard = guardOf(shown, model)
  return guard === undefined ? wanted : besideGuarded(wanted, guard, model)
}
