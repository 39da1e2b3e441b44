// Removes actions that plugins exclude from an application, such as actions of disabled features.
import { withDeprecation } from '../../design/resolve/deprecation.ts'
import type { ResolvedAction, ResolvedEndpoint } from '../../design/resolve/resolved.ts'
import type { ApplicationOptions } from '../application-options.ts'

/** Returns an endpoint without the actions that plugins remove; the same object if they remove none. */
export function removeActions(endpoint: ResolvedEndpoint, options: ApplicationOptions): ResolvedEndpoint {
  const removing = (options.plugins ?? []).filter(({ removeAction }) => removeAction !== undefined)
  const isRemoved = (action: ResolvedAction): boolean =>
    removing.some((plugin) => plugin.removeAction?.(action, options) === true)
  const remaining = [...endpoint.actions.values()].filter((action) => !isRemoved(action))
  if (remaining.length === endpoint.actions.size) return endpoint
  const actions = new Map<string, ResolvedAction>()
  const reduced: ResolvedEndpoint = { ...endpoint, actions }
  const removed = new Set([...endpoint.actions.keys()].filter((name) => !remaining.some((one) => one.name === name)))
  for (const action of remaining) actions.set(action.name, { ...withoutSuccessor(action, removed), endpoint: reduced })
  return reduced
}

// Documents and responses must not refer clients to an action that is not served.
function withoutSuccessor(action: ResolvedAction, removed: ReadonlySet<string>): ResolvedAction {
  const { instead, ...deprecated } = action.deprecated ?? {}
  if (instead === undefined || !removed.has(instead)) return action
  return { ...action, deprecated, policies: withDeprecation(action.policies, deprecated) }
}
