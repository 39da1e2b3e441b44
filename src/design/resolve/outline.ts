// Outlines: resolved declarations as clients need them. Nothing is checked: a server with mistakes in them does not boot.
import { type PathTemplate, pathTemplate } from '../../path/template.ts'
import type { Attributes } from '../../schema/attribute.ts'
import { singular, snake } from '../../util/naming.ts'
import type { ActionSpec } from '../declare/action.ts'
import { type AnyEndpoint, endpointOf, isChildOf, mediaTypeIn } from '../declare/endpoint.ts'
import type { MediaType } from '../declare/media-type.ts'
import { type Policies, type Policy, placed } from '../declare/policy.ts'
import { responseSpec } from '../declare/response.ts'
import type { Route, Verb } from '../declare/route.ts'
import { statusOf } from '../declare/status.ts'
import { filledIn } from './heirs.ts'
import { below, type Inheritance, NOTHING } from './parent.ts'
import { originIn, type PayloadOutline, paramTypesIn, payloadOf } from './payload.ts'
import type { ResolvedResponse, ResolvedRoute } from './resolved.ts'
import { bodiesOf } from './responses.ts'
import { isPrefix, joinPath, listed, paramsAt } from './routes.ts'

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
export function outlineOf({ name, spec }: AnyEndpoint): ReadonlyMap<string, ActionOutline> {
  const { actionDefaults: defaults = {}, version, prefix = snake(name) } = spec
  const mediaType = mediaTypeIn(spec)
  const inherited = inheritance(spec.parent)
  const outline = (called: string, action: ActionSpec): ActionOutline => {
    const payload = payloadOf(mediaType, defaults, action)
    const routes = routesOf(action.routing, prefix, inherited.path, payload !== undefined)
    const headers = { ...defaults.headers, ...action.headers }
    const place = { endpoint: name, name: called, verbs: routes.map(({ verb }) => verb), headers: Object.keys(headers) }
    const policies = [...placed(named(defaults.policies, action.policies), place).values()]
    const given = policies.map((one) => one.declares)
    return {
      endpoint: { name, version },
      name: called,
      routes,
      params: { ...inherited.params, ...filledIn({ ...defaults.params, ...action.params }, originIn(mediaType)) },
      payload,
      paramTypes: paramTypesIn(action),
      headers: Object.assign({}, ...policies.map((one) => one.headers), headers),
      responses: responsesOf(Object.assign({}, ...given, defaults.responses, action.responses), mediaType),
      policies,
    }
  }
  return new Map(Object.entries(spec.actions).map(([called, action]) => [called, outline(called, action)]))
}

// Clients send their credentials in any case, mostly in headers.
const named = (...policies: readonly (readonly Policy[] | undefined)[]): Policies =>
  new Map(policies.flatMap((some = []) => some.map((one) => [one.name, one])))

function routesOf(routing: unknown, given: string, parentPath: string, payload: boolean): RouteOutline[] {
  let prefix = given
  return listed(routing).flatMap((entry) => {
    if (isPrefix(entry)) {
      prefix = entry.prefix
      return []
    }
    const { verb, path: own, options } = entry as Route
    const { path } = joinPath({ prefix, parentPath }, own)
    return { verb, path, pattern: pathTemplate(path), params: paramsAt(verb, options.params, payload) }
  })
}

const responsesOf = (
  declared: NonNullable<ActionSpec['responses']>,
  mediaType: MediaType | string | undefined,
): ResponseOutline[] =>
  Object.entries(declared).flatMap(([name, declaration]) => {
    if (declaration === undefined) return []
    const spec = responseSpec(declaration)
    const status = spec.status ?? statusOf(name)
    return status === undefined ? [] : { name, status, bodies: bodiesOf(name, spec, status, mediaType) }
  })

function inheritance(parent: AnyEndpoint['spec']['parent']): Inheritance {
  const endpoint = parent && endpointOf(parent)
  const canonical = endpoint && canonicalOf(endpoint)
  if (canonical === undefined) return NOTHING
  const { path, pattern, params } = canonical
  const { name, spec } = endpoint as AnyEndpoint
  const mapping = isChildOf(parent) ? parent.mapping : {}
  return below({ path, names: pattern.names, params }, mapping, spec.singular ?? singular(snake(name)))
}

function canonicalOf(
  endpoint: AnyEndpoint,
): (Omit<RouteOutline, 'params'> & { readonly params: Attributes }) | undefined {
  const { routes: [route] = [], params } = outlineOf(endpoint).get(endpoint.spec.canonicalPath ?? 'show') ?? {}
  return route && { ...route, params: params as Attributes }
}

/** The canonical path of an endpoint for some arguments; whether they keep to limits and constraints is not checked. */
export function outlineHref(endpoint: AnyEndpoint, args: Readonly<Record<string, unknown>> = {}): string {
  const canonical = canonicalOf(endpoint)
  const entries = Object.entries(args).map(([name, value]) => {
    const fail = (text: string): never => {
      throw new TypeError(`${endpoint.name}: '${name}' ${text}`)
    }
    return [name, canonical?.params[name]?.core.convert('write', value, fail) ?? value]
  })
  if (canonical === undefined) throw new TypeError(`${endpoint.name} has no canonical path`)
  return canonical.pattern.expand(Object.fromEntries(entries))
}
