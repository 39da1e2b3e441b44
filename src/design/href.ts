// Hrefs: the path of a route from its arguments, and back, with every value coerced by its declared type.
import type { Attribute, Attributes } from '../schema/attribute.ts'
import { Dumping } from '../schema/dumping.ts'
import { INVALID } from '../schema/issue.ts'
import { Loading } from '../schema/loading.ts'
import type { NamedRoute } from './infer/inference.ts'
import { refuseMistakes } from './resolve/mistakes.ts'
import type { ResolvedEndpoint, ResolvedRoute } from './resolve/resolved.ts'

/** Thrown if arguments do not fit a route, or a path does not match it. */
export class HrefError extends TypeError {
  override readonly name = 'HrefError'
}

// Makes the generator and parser of one route's paths.
function hrefOf(place: string, route: ResolvedRoute, params: Attributes): NamedRoute<Record<string, unknown>> {
  return Object.freeze({
    path: route.path,
    expand: (args: unknown) => route.pattern.expand(texts(place, args as Record<string, unknown>, params)),
    parse: (path: string) => parse(place, route, params, path),
  })
}

/** The canonical path of an endpoint; throws where there is none. */
export function canonicalHref(endpoint: ResolvedEndpoint): ReturnType<typeof hrefOf> {
  refuseMistakes(endpoint.mistakes, endpoint)
  if (endpoint.canonical === undefined) {
    throw new TypeError(
      `${endpoint.name} has no canonical path; give it a show action, or name another action in canonicalPath`,
    )
  }
  return hrefOf(endpoint.name, endpoint.canonical.route, endpoint.canonical.params)
}

/** The named routes of an endpoint. */
export function namedHrefs(endpoint: ResolvedEndpoint): Record<string, ReturnType<typeof hrefOf>> {
  refuseMistakes(endpoint.mistakes, endpoint)
  const named: Record<string, ReturnType<typeof hrefOf>> = Object.create(null)
  for (const action of endpoint.actions.values()) {
    for (const route of action.routes) {
      if (route.name !== undefined)
        named[route.name] = hrefOf(`${endpoint.name}.routes.${route.name}`, route, action.params)
    }
  }
  return named
}

function texts(
  place: string,
  args: Record<string, unknown> = {},
  params: Attributes,
): Record<string, string | string[]> {
  const written: Record<string, string | string[]> = Object.create(null)
  for (const [name, value] of Object.entries(args)) {
    if (value === undefined || value === null) continue
    const declared = Object.hasOwn(params, name) ? (params[name] as Attribute) : undefined
    if (declared === undefined) throw new HrefError(`${place}: '${name}' is not a parameter of this path; remove it`)
    const dumping = new Dumping(true)
    const dumped = declared.core.dumper(value, dumping)
    const issue = dumping.issues?.[0]
    if (dumped === INVALID || issue !== undefined)
      throw new HrefError(`${place}: '${name}' ${issue?.message ?? 'does not fit its type'}`)
    written[name] = Array.isArray(dumped) ? dumped.map(String) : String(dumped)
  }
  return written
}

function parse(place: string, route: ResolvedRoute, params: Attributes, path: string): Record<string, unknown> {
  const matched = route.pattern.match(path)
  if (matched === null) throw new HrefError(`${place}: '${path}' is not a path of the shape ${route.path}`)
  const loading = new Loading(true)
  const parsed: Record<string, unknown> = {}
  for (const [name, raw] of Object.entries(matched)) {
    const declared = params[name]
    if (raw === null || declared === undefined) continue
    const value = declared.core.loader(raw, loading)
    const issue = loading.issues?.[0]
    if (issue !== undefined) throw new HrefError(`${place}: '${name}' in '${path}' ${issue.message}`)
    parsed[name] = value
  }
  return parsed
}
