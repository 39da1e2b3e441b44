// Callers of resources: their bounds, their abort signal, and the fields that they see.

import { describeValue, form } from '../../../extend.ts'
import type { Attributes } from '../../../index.ts'
import { isMediaTypeOrView } from '../fields/list-param.ts'
import type { Model } from '../model/model.ts'
import type { CallerBounds } from '../plan/caller-bounds.ts'
import type { Projection } from '../plan/query-plan.ts'
import { getRequestProjection } from '../read/list.ts'
import { parseFields } from '../read/list-query.ts'
import type { Shown, ShownFields } from './element-types.ts'
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

/** Returns the fields that an element is read with: those of a response and its guard, of a view or media type, or selected ones. */
export function resolveProjection(shown: Shown<Attributes> | undefined, model: Model): Projection {
  if (shown === undefined || isMediaTypeOrView(shown)) return { of: shown }
  if (!('params' in shown)) return parseFields(acceptFields(shown, model), model)
  const projection = getRequestProjection(shown, model)
  const guard = findGuard(shown, model)
  return guard === undefined ? projection : mergeGuardProjection(projection, guard, model)
}

function acceptFields(shown: ShownFields, { mediaType }: Model): readonly string[] {
  const { value, flaws } = form.accept<ShownFields>(shown, SHOWN_FORM)
  if (flaws.length === 0) return value.fields
  const [{ remedy }] = flaws as [form.Flaw]
  throw new TypeError(
    `An element of ${mediaType.name} is to be shown as ${describeValue(shown)}. Remedy: give a request, a view or { fields: [...] }; ${remedy}`,
  )
}

const SHOWN_FORM: form.Fields<ShownFields> = { fields: form.required(form.list(form.name)) }
