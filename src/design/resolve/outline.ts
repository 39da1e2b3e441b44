// Outlines: resolved declarations as clients need them. Nothing is checked: a server with mistakes in them does not boot.
import { type PathTemplate, parsePathTemplate } from '../../path/path-template.ts'
import type { Attributes } from '../../schema/attribute.ts'
import { toSingular, toSnakeCase } from '../../util/naming.ts'
import type { ActionSpec } from '../declare/action.ts'
import { type AnyEndpoint, getParentEndpoint, hasParamMapping, getEndpointMediaType } from '../declare/endpoint.ts'
import type { MediaType } from '../declare/media-type.ts'
import { type Policies, type Policy, resolvePoliciesForAction } from '../declare/policy.ts'
import { toResponseSpec } from '../declare/action-response.ts'
import type { Route, Verb } from '../declare/route.ts'
import { findBuiltinStatus } from '../declare/status.ts'
import { fillInherited } from '../declare/inherited-attributes.ts'
import { inheritPath, type Inheritance, NO_INHERITANCE } from './parent.ts'
import { getOriginAttributes, type PayloadOutline, getParamTypes, outlinePayload } from './payload.ts'
import type { ResolvedResponse, ResolvedRoute } from './resolved.ts'
import { resolveBodies } from './resolve-responses.ts'
import { isPrefix, joinPath, listRoutingEntries, getParamsSource } from './resolve-routes.ts'

/** A route as clients see it. */
export interface RouteOutline {
  readonly verb: Verb
  readonly path: string
  readonly pattern: PathTemplate
  readonly params: ResolvedRoute['params']
}

/** A response as clients see it. */
type ResponseOutline = Pick<ResolvedResponse, 'name' | 'status' | 'bodies'>

/** An action as clients see it: everything that a request and its answers consist of. */
export interface ActionOutline {
  readonly endpoint: { readonly name: string; readonly version: string | undefined }
  readonly name: string
  readonly routes: readonly RouteOutline[]
  readonly params: Attributes
  readonly payload: PayloadOutline | undefined
  /** Content types of bodies that carry params. */
  readonly paramTypes: readonly string[]
  readonly headers: Attributes
  readonly responses: readonly ResponseOutline[]
  readonly policies: readonly Policy[]
}

/** The outlines of an endpoint's actions, by their names. */
export function outlineEndpoint({ name, spec }: AnyEndpoint): ReadonlyMap<string, ActionOutline> {
  const { actionDefaults: defaults = {}, version, prefix = toSnakeCase(name) } = spec
  const mediaType = getEndpointMediaType(spec)
  const inherited = outlineInheritance(spec.parent)
  const outline = (called: string, action: ActionSpec): ActionOutline => {
    const payload = outlinePayload(mediaType, defaults, action)
    const routes = outlineRoutes(action.routing, prefix, inherited.path, payload !== undefined)
    const headers = { ...defaults.headers, ...action.headers }
    const place = { endpoint: name, name: called, verbs: routes.map(({ verb }) => verb), headers: Object.keys(headers) }
    const policies = [...resolvePoliciesForAction(toPolicies(defaults.policies, action.policies), place).values()]
    const given = policies.map((one) => one.declares)
    return {
      endpoint: { name, version },
      name: called,
      routes,
      params: { ...inherited.params, ...fillInherited({ ...defaults.params, ...action.params }, getOriginAttributes(mediaType)) },
      payload,
      paramTypes: getParamTypes(action),
      headers: Object.assign({}, ...policies.map((one) => one.headers), headers),
      responses: outlineResponses(Object.assign({}, ...given, defaults.responses, action.responses), mediaType),
      policies,
    }
  }
  return new Map(Object.entries(spec.actions).map(([called, action]) => [called, outline(called, action)]))
}

// Clients send their credentials in any case, mostly in headers.
const toPolicies = (...policies: readonly (readonly Policy[] | undefined)[]): Policies =>
  new Map(policies.flatMap((some = []) => some.map((one) => [one.name, one])))

function outlineRoutes(routing: unknown, given: string, parentPath: string, payload: boolean): RouteOutline[] {
  let prefix = given
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
  return inheritPath({ path, names: pattern.names, params }, mapping, spec.singular ?? toSingular(toSnakeCase(name)))
}

function outlineCanonical(
  endpoint: AnyEndpoint,
): (Omit<RouteOutline, 'params'> & { readonly params: Attributes }) | undefined {
  const { routes: [route] = [], params } = outlineEndpoint(endpoint).get(endpoint.spec.canonicalPath ?? 'show') ?? {}
  return route && { ...route, params: params as Attributes }
}

/** The canonical path of an endpoint for some arguments; whether they keep to limits and constraints is not checked. */
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
