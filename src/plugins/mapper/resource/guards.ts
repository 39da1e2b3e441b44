// Guards: conditions that a request puts on the one element that its action finds, changes or removes. Plugins set them;
// resources keep them in the statements that they run for the request.
import type { Selection } from '../../../extend.ts'
import type { MediaType, View } from '../../../index.ts'
import type { FilterExpression } from '../filters/expression.ts'
import type { Projection } from '../plan/query-plan.ts'
import type { Model } from '../model/model.ts'

/** A condition on the element that a request is about. */
export interface ElementGuard {
  /** The media type of the element; resources of other media types are not concerned. */
  readonly mediaType: MediaType
  /** Attributes that every answer about the element needs, whether or not it shows them. */
  readonly fields: readonly string[]
  /** Judges the element by these attributes before anything else of it is read; throws what answers the request. */
  readonly judge?: ((element: Readonly<Record<string, unknown>>) => void) | undefined
  /** The condition under which the element is changed or removed; `'never'` if there must be none, undefined for none. */
  condition(): FilterExpression | 'never' | undefined
  /** Called where there is such an element and the condition does not hold; throws what answers the request. */
  refuse(): never
}

const guards = new WeakMap<object, ElementGuard>()

/** Puts a guard on a request. */
export function guardRequest(request: object, guard: ElementGuard): void {
  guards.set(request, guard)
}

/** The guard of a request, where it is about elements of a resource. */
export function findGuard(request: object | undefined, { mediaType }: Model): ElementGuard | undefined {
  const guard = request === undefined ? undefined : guards.get(request)
  return guard?.mediaType === mediaType ? guard : undefined
}

interface GuardSelections {
  readonly own: Selection
  readonly merged: WeakMap<object, Selection>
}

const selectionsByFields = new WeakMap<readonly string[], GuardSelections>()

function getGuardSelections(fields: readonly string[]): GuardSelections {
  const made = selectionsByFields.get(fields) ?? { own: mergeFields(new Map(), fields), merged: new WeakMap() }
  selectionsByFields.set(fields, made)
  return made
}

const mergeFields = (known: Selection['fields'], fields: readonly string[]): Selection => ({
  fields: new Map([...fields.map((name) => [name, undefined] as const), ...known]),
})

/** The fields of a guard, as something that can be read; the same for the same fields, so that its plan is kept. */
export const getGuardProjection = ({ fields }: ElementGuard): Projection => ({ selection: getGuardSelections(fields).own })

/** The requested fields, and those of a guard beside them. */
export function mergeGuardProjection({ of, selection }: Projection, { fields }: ElementGuard, { mediaType }: Model): Projection {
  const { merged: beside } = getGuardSelections(fields)
  const shown = of ?? mediaType
  const owner = selection ?? shown
  const made = beside.get(owner) ?? mergeFields(selection?.fields ?? listShownFields(shown), fields)
  beside.set(owner, made)
  return { of, selection: made }
}

const listShownFields = ({ core }: MediaType | View): Selection['fields'] =>
  new Map(Object.keys(core.shown).map((name) => [name, undefined]))
