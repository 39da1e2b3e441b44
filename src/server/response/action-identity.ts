// The media type that an action shows: stored with the action, and read by code that has only the request.
import type { MediaType, View } from '../../design/declare/media-type.ts'
import { isSelection, findResource, type Selection, findSelectionParam } from '../../design/fields/selection.ts'
import type { ResolvedAction } from '../../design/resolve/resolved.ts'

// The key is the same in every copy of this package: a resource may have been made by another one.
const SHOWN: unique symbol = Symbol.for('edict.shown') as never

/** An action as requests name it; `shownBy` reads what it shows. */
export interface ActionIdentity {
  readonly name: string
  readonly [SHOWN]: ShownView
}

interface ShownView {
  readonly shows: MediaType | View | undefined
  /** The param that selects from that. */
  readonly selector: string | undefined
}

const NO_VIEW: ShownView = { shows: undefined, selector: undefined }

/** Makes the identity of an action that its requests carry. */
export function createActionIdentity({ name, params, responses }: ResolvedAction): ActionIdentity {
  const shown: ShownView = { shows: findShownView(responses), selector: findSelectionParam(params)?.name }
  return Object.freeze(Object.defineProperty({ name }, SHOWN, { value: shown })) as ActionIdentity
}

/** Returns whether an application made the request for one of its actions. */
export function isRequestOfAction(request: object): boolean {
  return (request as { readonly action?: Partial<ActionIdentity> }).action?.[SHOWN] !== undefined
}

/** The media type that the answer to a request shows, and the client's selection; nothing for requests that no application made. */
export function getRequestedView(request: object): {
  readonly shows: MediaType | View | undefined
  readonly selection: Selection | undefined
} {
  const { action, params } = request as { readonly action?: Partial<ActionIdentity>; readonly params?: unknown }
  const { shows, selector } = action?.[SHOWN] ?? NO_VIEW
  const sent: unknown = selector === undefined ? undefined : (params as Record<string, unknown> | undefined)?.[selector]
  return { shows, selection: isSelection(sent) ? sent : undefined }
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
