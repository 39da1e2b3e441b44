// Guards: conditions of a request on the one element that its action finds, changes or deletes. Plugins set them; resources
// include them in the statements of the request.
import type { Selection } from '../../../extend.ts'
import type { MediaType, View } from '../../../index.ts'
import type { FilterExpression } from '../filters/expression.ts'
import type { Model } from '../model/model.ts'
import type { Projection } from '../plan/query-plan.ts'

/** A condition on the element of a request. */
export interface ElementGuard {
  /** The media type of the element; the guard does not apply to resources of other media types. */
  readonly mediaType: MediaType
  /** Attributes that every response with the element requires, whether or not it includes them. */
  readonly fields: readonly string[]
  /** Checks these attributes before the rest of the element is read; throws the response to the request. */
  readonly check?: ((element: Readonly<Record<string, unknown>>) => void) | undefined
  /** Returns the condition under which the element is changed or deleted; `'never'` if it must not exist, undefined for none. */
  condition(): FilterExpression | 'never' | undefined
  /** Called if the element exists and the condition does not hold; throws the response to the request. */
  refuse(): never
}

/** A request, or a policy's view of it. */
interface GuardedRequest {
  guard?: object | undefined
}

/** Sets the guard of a request: the condition that resources add to their statements. */
export function guardRequest(request: GuardedRequest, guard: ElementGuard): void {
  request.guard = guard
}

/** Returns the guard of a request, if it applies to the media type of a resource. */
export function findGuard(request: object | undefined, { mediaType }: Model): ElementGuard | undefined {
  const { guard } = (request ?? {}) as { readonly guard?: ElementGuard }
  return guard?.mediaType === mediaType ? guard : undefined
}

interface GuardSelections {
  readonly own: Selection
  readonly merged: WeakMap<object, Selection>
}

const selectionsByFields = new WeakMap<readonly string[], GuardSelections>()

function getGuardSelections(fields: readonly string[]): GuardSelections {
  const selections = selectionsByFields.get(fields) ?? { own: mergeFields(new Map(), fields), merged: new WeakMap() }
  selectionsByFields.set(fields, selections)
  return selections
}

const mergeFields = (requested: Selection['fields'], fields: readonly string[]): Selection => ({
  fields: new Map([...fields.map((name) => [name, undefined] as const), ...requested]),
})

/** Returns the projection of a guard's fields; the same selection for the same fields, so that its plan is cached. */
export const getGuardProjection = ({ fields }: ElementGuard): Projection => ({
  selection: getGuardSelections(fields).own,
})

/** Adds the fields of a guard to the requested ones. */
export function mergeGuardProjection(
  { of, selection }: Projection,
  { fields }: ElementGuard,
  { mediaType }: Model,
): Projection {
  const { merged } = getGuardSelections(fields)
  const shown = of ?? mediaType
  const owner = selection ?? shown
  const mergedSelection = merged.get(owner) ?? mergeFields(selection?.fields ?? listShownFields(shown), fields)
  merged.set(owner, mergedSelection)
  return { of, selection: mergedSelection }
}

const listShownFields = ({ core }: MediaType | View): Selection['fields'] =>
  new Map(Object.keys(core.shown).map((name) => [name, undefined]))
