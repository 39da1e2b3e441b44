// What an action shows: known to the record of the action, and read again by code that has only the request.
import type { MediaType, View } from '../../design/declare/media-type.ts'
import { isSelection, resourceOf, type Selection, selectionParam } from '../../design/fields/selection.ts'
import type { ResolvedAction } from '../../design/resolve/resolved.ts'

/** An action as requests name it; what it shows and the param that selects from that are for code, not for printing. */
export interface ActionIdentity {
  readonly name: string
  readonly '~shows': MediaType | View | undefined
  readonly '~fields': string | undefined
}

/** Makes what requests know of their action. */
export function identityOf({ name, params, responses }: ResolvedAction): ActionIdentity {
  const identity = Object.defineProperties(
    { name },
    { '~shows': { value: shownIn(responses) }, '~fields': { value: selectionParam(params)?.name } },
  )
  return Object.freeze(identity) as ActionIdentity
}

/** What the answer to a request shows, and what the client selected of it; a request of another origin tells nothing. */
export function shownBy(request: object): {
  readonly shows: MediaType | View | undefined
  readonly selection: Selection | undefined
} {
  const { action, params } = request as { readonly action?: Partial<ActionIdentity>; readonly params?: unknown }
  const fields = action?.['~fields']
  const sent: unknown = fields === undefined ? undefined : (params as Record<string, unknown> | undefined)?.[fields]
  return { shows: action?.['~shows'], selection: isSelection(sent) ? sent : undefined }
}

function shownIn(responses: ResolvedAction['responses']): MediaType | View | undefined {
  for (const { status, bodies } of responses.values()) {
    if (status >= 300) continue
    for (const { attribute } of bodies) {
      const shown = attribute === undefined ? undefined : resourceOf(attribute)
      if (shown !== undefined) return shown
    }
  }
  return undefined
}
