// Actions that plugins take out of an application, such as those of features that are switched off.
import { withDeprecation } from '../../design/resolve/deprecation.ts'
import type { ResolvedAction, ResolvedEndpoint } from '../../design/resolve/resolved.ts'
import type { ApplicationOptions } from '../application-options.ts'

/** Returns an endpoint without the actions that plugins remove; the same one if they remove none. */
export function removeActions(endpoint: ResolvedEndpoint, options: ApplicationOptions): ResolvedEndpoint {
  const removing = (options.plugins ?? []).filter(({ removeAction }) => removeAction !== undefined)
  const isRemoved = (action: ResolvedAction): boolean =>
    removing.some((plugin) => plugin.removeAction?.(action, options) === true)
  const kept = [...endpoint.actions.values()].filter((action) => !isRemoved(action))
  if (kept.length === endpoint.actions.size) return endpoint
  const actions = new Map<string, ResolvedAction>()
  const made: ResolvedEndpoint = { ...endpoint, actions }
  const removed = new Set([...endpoint.actions.keys()].filter((name) => !kept.some((one) => one.name === name)))
  for (const action of kept) actions.set(action.name, { ...withoutSuccessor(action, removed), endpoint: made })
  return made
}

// Documents and answers must not refer clients to an action that is not there.
function withoutSuccessor(action: ResolvedAction, removed: ReadonlySet<string>): ResolvedAction {
  const { instead, ...deprecated } = action.deprecated ?? {}
  if (instead === undefined || !removed.has(instead)) return action
  return { ...action, deprecated, policies: withDeprecation(action.policies, deprecated) }
}
