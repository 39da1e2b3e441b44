// Outlines: resolved declarations for clients. Only what would never end is checked: a server with mistakes does not boot.
import { type PathTemplate, parsePathTemplate } from '../../path/path-template.ts'
import type { Attributes } from '../../schema/attribute.ts'
import { toSingularName, toSnakeCase } from '../../util/naming.ts'
import type { ActionSpec } from '../declare/action.ts'
import { toResponseSpec } from '../declare/action-response.ts'
import { type AnyEndpoint, getEndpointMediaType, getParentEndpoint, hasParamMapping } from '../declare/endpoint.ts'
import { fillInherited } from '../declare/inherited-attributes.ts'
import type { MediaType } from '../declare/media-type.ts'
import { type Policies, type Policy, resolvePoliciesForAction } from '../declare/policy.ts'
import type { Route, Verb } from '../declare/route.ts'
import { findBuiltinStatus } from '../declare/status.ts'
import { type Inheritance, inheritPath, NO_INHERITANCE } from './parent.ts'
import { refuseParentCircle } from './parent-circle.ts'
import { getOriginAttributes, getParamTypes, outlinePayload, type PayloadOutline } from './payload.ts'
import { resolveBodies } from './resolve-responses.ts'
import { getParamsSource, isPrefix, joinPath, listRoutingEntries } from './resolve-routes.ts'
import type { ResolvedResponse, ResolvedRoute } from './resolved.ts'

/** A route in an outline. */
interface RouteOutline {
  readonly verb: Verb
  readonly path: string
  readonly pattern: PathTemplate
  readonly params: ResolvedRoute['params']
}

/** A response in an outline. */
type ResponseOutline = Pick<ResolvedResponse, 'name' | 'status' | 'bodies'>

/** An action in an outline: everything that a request and its responses consist of. */
export interface ActionOutline {
  readonly endpoint: { readonly name: string; readonly version: string | undefined }
  readonly name: string
  readonly routes: readonly RouteOutline[]
  readonly params: Attributes
  readonly payload: PayloadOutline | undefined
  /** The content types of bodies that contain params. */
  readonly paramTypes: readonly string[]
  readonly headers: Attributes
  readonly responses: readonly ResponseOutline[]
  readonly policies: readonly Policy[]
}

/** Returns the outlines of an endpoint's actions by name. */
export function outlineEndpoint(endpoint: AnyEndpoint): ReadonlyMap<string, ActionOutline> {
  refuseParentCircle(endpoint)
  const { name, spec } = endpoint
  const { actionDefaults: defaults = {}, version, prefix = toSnakeCase(name) } = spec
  const mediaType = getEndpointMediaType(spec)
  const inherited = outlineInheritance(spec.parent)
  const outlineAction = (actionName: string, action: ActionSpec): ActionOutline => {
    const payload = outlinePayload(mediaType, defaults, action)
    const routes = outlineRoutes(action.routing, prefix, inherited.path, payload !== undefined)
    const headers = { ...defaults.headers, ...action.headers }
    const target = {
      endpoint: name,
      name: actionName,
      verbs: routes.map(({ verb }) => verb),
      headers: Object.keys(headers),
    }
    const policies = [...resolvePoliciesForAction(toPolicies(defaults.policies, action.policies), target).values()]
    const policyResponses = policies.map((one) => one.declares)
    return {
      endpoint: { name, version },
      name: actionName,
      routes,
      params: {
        ...inherited.params,
        ...fillInherited({ ...defaults.params, ...action.params }, getOriginAttributes(mediaType)),
      },
      payload,
      paramTypes: getParamTypes(action),
      headers: Object.assign({}, ...policies.map((one) => one.headers), headers),
      responses: outlineResponses(
        Object.assign({}, ...policyResponses, defaults.responses, action.responses),
        mediaType,
      ),
      policies,
    }
  }
  return new Map(
    Object.entries(spec.actions).map(([actionName, action]) => [actionName, outlineAction(actionName, action)]),
  )
}

// Security policies are not needed: clients send their credentials in any case, mostly in headers.
const toPolicies = (...policies: readonly (readonly Policy[] | undefined)[]): Policies =>
  new Map(policies.flatMap((some = []) => some.map((one) => [one.name, one])))

function outlineRoutes(routing: unknown, endpointPrefix: string, parentPath: string, payload: boolean): RouteOutline[] {
  let prefix = endpointPrefix
  return listRoutingEntries(routing).flatMap((entry) => {
    if (isPrefix(entry)) {
      prefix = entry.prefix
      return []
    }
    const { verb, path: own, options } = entry as Route
    const { path } = joinPath({ prefix, parentPath }, own)
    return { verb, path, pattern: parsePathTemplate(path), params: getParamsSource(verb, options.params, payload) }
  })
}

const outlineResponses = (
  declared: NonNullable<ActionSpec['responses']>,
  mediaType: MediaType | string | undefined,
): ResponseOutline[] =>
  Object.entries(declared).flatMap(([name, declaration]) => {
    if (declaration === undefined) return []
    const spec = toResponseSpec(declaration)
    const status = spec.status ?? findBuiltinStatus(name)
    return status === undefined ? [] : { name, status, bodies: resolveBodies(name, spec, status, mediaType) }
  })

function outlineInheritance(parent: AnyEndpoint['spec']['parent']): Inheritance {
  const endpoint = parent && getParentEndpoint(parent)
  const canonical = endpoint && outlineCanonical(endpoint)
  if (canonical === undefined) return NO_INHERITANCE
  const { path, pattern, params } = canonical
  const { name, spec } = endpoint as AnyEndpoint
  const mapping = hasParamMapping(parent) ? parent.mapping : {}
  return inheritPath({ path, names: pattern.names, params }, mapping, spec.singular ?? toSingularName(name))
}

function outlineCanonical(
  endpoint: AnyEndpoint,
): (Omit<RouteOutline, 'params'> & { readonly params: Attributes }) | undefined {
  const { routes: [route] = [], params } = outlineEndpoint(endpoint).get(endpoint.spec.canonicalPath ?? 'show') ?? {}
  return route && { ...route, params: params as Attributes }
}

/** Expands the canonical path of an endpoint with arguments; limits and constraints are not checked. */
export function expandCanonicalPath(endpoint: AnyEndpoint, args: Readonly<Record<string, unknown>> = {}): string {
  const canonical = outlineCanonical(endpoint)
  const entries = Object.entries(args).map(([name, value]) => {
    const fail = (text: string): never => {
      throw new TypeError(`${endpoint.name}: '${name}' ${text}`)
    }
    return [name, canonical?.params[name]?.core.convert('write', value, fail) ?? value]
  })
  if (canonical === undefined) throw new TypeError(`${endpoint.name} has no canonical path`)
  return canonical.pattern.expand(Object.fromEntries(entries))
}
