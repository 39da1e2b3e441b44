// Stores the media type that an action responds with, for code that has only the request.
import type { MediaType, View } from '../../design/declare/media-type.ts'
import { findResource, findSelectionParam, isSelection, type Selection } from '../../design/fields/selection.ts'
import type { ResolvedAction } from '../../design/resolve/resolved.ts'

// The key is the same in every copy of this package: another copy may have created the resource.
const SHOWN: unique symbol = Symbol.for('edict.shown') as never

/** An action as requests name it; `getRequestedView` reads the media type that it shows. */
export interface ActionIdentity {
  readonly name: string
  readonly [SHOWN]: ShownView
}

interface ShownView {
  readonly view: MediaType | View | undefined
  /** The name of the param that selects fields of it. */
  readonly selector: string | undefined
}

const NO_VIEW: ShownView = { view: undefined, selector: undefined }

/** Creates the identity of an action that its requests carry. */
export function createActionIdentity({ name, params, responses }: ResolvedAction): ActionIdentity {
  const shown: ShownView = { view: findShownView(responses), selector: findSelectionParam(params)?.name }
  return Object.freeze(Object.defineProperty({ name }, SHOWN, { value: shown })) as ActionIdentity
}

/** Returns whether an application created the request for one of its actions. */
export function isRequestOfAction(request: object): boolean {
  return (request as { readonly action?: Partial<ActionIdentity> }).action?.[SHOWN] !== undefined
}

/**
 * Returns the media type of the response to a request, and the client's selection; neither for requests that no
 * application created.
 */
export function getRequestedView(request: object): {
  readonly shows: MediaType | View | undefined
  readonly selection: Selection | undefined
} {
  const { action, params } = request as { readonly action?: Partial<ActionIdentity>; readonly params?: unknown }
  const { view: shows, selector } = action?.[SHOWN] ?? NO_VIEW
  const value: unknown =
    selector === undefined ? undefined : (params as Record<string, unknown> | undefined)?.[selector]
  return { shows, selection: isSelection(value) ? value : undefined }
}

function findShownView(responses: ResolvedAction['responses']): MediaType | View | undefined {
  for (const { status, bodies } of responses.values()) {
    if (status >= 300) continue
    for (const { attribute } of bodies) {
      const shown = attribute === undefined ? undefined : findResource(attribute)
      if (shown !== undefined) return shown
    }
  }
  return undefined
}
