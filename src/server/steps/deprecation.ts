// Handles deprecation at run time: plugins receive every use, and responses link to the successor of an action.
import type { DeprecatedUse, PolicyRequest } from '../../design/declare/policy.ts'
import { isSuccessorUrl } from '../../design/resolve/deprecation.ts'
import type { ResolvedAction } from '../../design/resolve/resolved.ts'
import { readRouteParams } from '../../routing/router/router.ts'
import type { Attribute, Attributes } from '../../schema/attribute.ts'
import type { Deprecation } from '../../schema/attribute-options.ts'
import { escapePointer } from '../../schema/issue.ts'
import type { Plugin } from '../application-options.ts'
import type { Exchange, Step } from '../request/exchange.ts'
import { getRedactedView } from '../request/policy-view.ts'
import type { ResponseHook } from '../response/outgoing-response.ts'

type DeprecationListener = Plugin & Required<Pick<Plugin, 'deprecated'>>

/**
 * Creates the steps that notify plugins of deprecated uses: of the action when it is called, of inputs after
 * validation.
 */
export function createDeprecationSteps(
  action: ResolvedAction,
  plugins: readonly Plugin[],
): { readonly reached: readonly Step[]; readonly valid: readonly Step[] } {
  const listeners = plugins.filter((one): one is DeprecationListener => one.deprecated !== undefined)
  const { deprecated, params, headers, payload } = action
  if (listeners.length === 0) return { reached: [], valid: [] }
  const inputs = { ...(payload !== undefined && { payload: payload.attribute }), ...params, ...headers }
  const hasDeprecatedInput = Object.values(inputs).some((one) => hasDeprecated(one, new Set()))
  const use = deprecated && ({ what: 'action', pointer: '', deprecation: deprecated } as const)
  return {
    reached: use === undefined ? [] : [createStep((exchange) => notifyUse(listeners, use, exchange))],
    valid: hasDeprecatedInput ? [createStep((exchange) => notifyInputUses(action, listeners, exchange))] : [],
  }
}

const createStep = (run: (exchange: Exchange) => void): Step => ({
  name: 'deprecation',
  run(exchange) {
    run(exchange)
    return undefined
  },
})

// A plugin that fails must not prevent the response.
function notifyUse(plugins: readonly DeprecationListener[], use: DeprecatedUse, exchange: Exchange): void {
  const request: PolicyRequest = getRedactedView(exchange)
  for (const plugin of plugins) {
    try {
      plugin.deprecated(use, request)
    } catch (err) {
      const fields = { err, plugin: plugin.name, hook: 'deprecated', ...exchange.logFields }
      exchange.services.logger.error(fields, 'A plugin failed')
    }
  }
}

function notifyInputUses(action: ResolvedAction, plugins: readonly DeprecationListener[], exchange: Exchange): void {
  const { params, headers, payload } = exchange.request
  const createNotifier = (what: DeprecatedUse['what']) => (pointer: string, deprecation: Deprecation) =>
    notifyUse(plugins, { what, pointer, deprecation }, exchange)
  walkAttributes(action.params, params, '', createNotifier('param'))
  walkAttributes(action.headers, headers, '', createNotifier('header'))
  if (action.payload !== undefined) walkValue(action.payload.attribute, payload, '', createNotifier('attribute'))
}

type OnDeprecatedUse = (pointer: string, deprecation: Deprecation) => void

function walkAttributes(attributes: Attributes, values: unknown, pointer: string, onUse: OnDeprecatedUse): void {
  if (typeof values !== 'object' || values === null) return
  for (const [name, attribute] of Object.entries(attributes)) {
    const value: unknown = Object.hasOwn(values, name) ? (values as Record<string, unknown>)[name] : undefined
    if (value === undefined) continue
    const at = `${pointer}/${escapePointer(name)}`
    const { deprecated = false } = attribute.options
    if (deprecated !== false) onUse(at, deprecated === true ? {} : deprecated)
    walkValue(attribute, value, at, onUse)
  }
}

function walkValue({ core }: Attribute, value: unknown, pointer: string, onUse: OnDeprecatedUse): void {
  const { target, element } = core
  if (target !== undefined) walkValue(target, value, pointer, onUse)
  else if (core.shape === 'object') walkAttributes(core.children, value, pointer, onUse)
  else if (element !== undefined && Array.isArray(value) && hasDeprecated(element, new Set()))
    for (const [i, one] of value.entries()) walkValue(element, one, `${pointer}/${i}`, onUse)
}

// Returns whether an attribute, or one below it, is deprecated.
function hasDeprecated(attribute: Attribute, seen: Set<Attribute>): boolean {
  if (seen.has(attribute)) return false
  seen.add(attribute)
  const { core, options } = attribute
  if ((options.deprecated ?? false) !== false) return true
  return [core.target, ...Object.values(core.children)].some((one) => one !== undefined && hasDeprecated(one, seen))
}

/** Creates a hook that links responses of a deprecated action to its successor, with the captures of the request. */
export function createSuccessorHooks(
  { deprecated, endpoint }: ResolvedAction,
  buildPath: (version: string | undefined, path: string) => string,
): readonly ResponseHook<Exchange>[] {
  const { instead } = deprecated ?? {}
  const route = instead === undefined || isSuccessorUrl(instead) ? undefined : endpoint.actions.get(instead)?.routes[0]
  if (route === undefined) return []
  return [
    {
      name: 'deprecation',
      run(response, { line }) {
        const path = tryExpand(route.pattern, readRouteParams(line.found))
        if (path !== undefined)
          response.append('Link', `<${buildPath(endpoint.version, path)}>; rel="successor-version"`)
      },
    },
  ]
}

// The successor may need captures that this request does not have.
function tryExpand(pattern: ResolvedAction['routes'][number]['pattern'], captured: object): string | undefined {
  try {
    return pattern.expand(captured as never)
  } catch {
    return undefined
  }
}
