// Hrefs: expands the path of a route from its arguments, and parses it back, with every value converted by its declared
// type.

import { isWellFormedPath } from '../path/index.ts'
import type { Attribute, Attributes } from '../schema/attribute.ts'
import { Dumping } from '../schema/dumping.ts'
import { INVALID } from '../schema/issue.ts'
import { Loading } from '../schema/loading.ts'
import { describeValue } from '../util/describe-value.ts'
import { isSettings } from '../util/setting-form.ts'
import { attributeRules } from './attribute-rules.ts'
import type { NamedRoute } from './infer/inference.ts'
import { refuseMistakes } from './mistakes.ts'
import type { ResolvedEndpoint, ResolvedRoute } from './resolve/resolved.ts'

/** Thrown if arguments do not match a route, or a path does not match it. */
export class HrefError extends TypeError {
  override readonly name = 'HrefError'
}

/** A named route of any endpoint. */
export type AnyNamedRoute = NamedRoute<Record<string, unknown>>

// Creates the expand and parse functions of one route.
function makeNamedRoute(routeName: string, route: ResolvedRoute, params: Attributes): AnyNamedRoute {
  return Object.freeze({
    path: route.path,
    expand: (args: unknown) =>
      withHrefErrors(routeName, () => route.pattern.expand(formatArguments(routeName, args, params))),
    parse: (path: string) => withHrefErrors(routeName, () => parseHrefPath(routeName, route, params, path)),
  })
}

// Patterns, user-defined attributes and arguments with getters may throw errors of other types.
function withHrefErrors<T>(routeName: string, compute: () => T): T {
  try {
    return compute()
  } catch (error) {
    if ((error as { readonly name?: unknown } | null)?.name === 'HrefError') throw error
    throw new HrefError(`${routeName}: ${error instanceof Error ? error.message : 'the arguments do not fit'}`, {
      cause: error,
    })
  }
}

/** Returns the canonical route of an endpoint; throws if there is none. */
export function getCanonicalRoute(endpoint: ResolvedEndpoint): AnyNamedRoute {
  refuseMistakes(endpoint.mistakes, endpoint)
  if (endpoint.canonical === undefined) {
    throw new HrefError(
      `${endpoint.name} has no canonical path; give it a show action, or name another action in canonicalPath`,
    )
  }
  return makeNamedRoute(endpoint.name, endpoint.canonical.route, endpoint.canonical.params)
}

/** Returns the named routes of an endpoint. */
export function getNamedRoutes(endpoint: ResolvedEndpoint): Record<string, AnyNamedRoute> {
  refuseMistakes(endpoint.mistakes, endpoint)
  const named: Record<string, AnyNamedRoute> = Object.create(null)
  for (const action of endpoint.actions.values()) {
    for (const route of action.routes) {
      if (route.name !== undefined)
        named[route.name] = makeNamedRoute(`${endpoint.name}.routes.${route.name}`, route, action.params)
    }
  }
  return named
}

function formatArguments(routeName: string, args: unknown = {}, params: Attributes): Record<string, string | string[]> {
  if (!isSettings(args)) throw new HrefError(`${routeName}: the arguments must be an object, such as { id: 7 }`)
  const formatted: Record<string, string | string[]> = Object.create(null)
  for (const [name, value] of Object.entries(args)) {
    if (value === undefined || value === null) continue
    const declared = Object.hasOwn(params, name) ? (params[name] as Attribute) : undefined
    if (declared === undefined)
      throw new HrefError(`${routeName}: '${name}' is not a parameter of this path; remove it`)
    const dumping = new Dumping('checked')
    const dumped = attributeRules.getDumper(declared)(value, dumping)
    const issue = dumping.issues?.[0]
    if (dumped === INVALID || issue !== undefined)
      throw new HrefError(`${routeName}: '${name}' ${issue?.message ?? 'does not fit its type'}`)
    if (declared.core.scalar === undefined && !canReadBack(declared, value, dumped))
      throw new HrefError(`${routeName}: '${name}' is another value when it is read from a path; give it as text`)
    formatted[name] = Array.isArray(dumped) ? dumped.map(String) : String(dumped)
  }
  return formatted
}

// A non-scalar type may have values that its text in a path does not identify, or that have no text.
function canReadBack({ core }: Attribute, value: unknown, dumped: unknown): boolean {
  if (Array.isArray(dumped)) return dumped.every((one) => typeof one !== 'object')
  const loading = new Loading('text')
  const loaded = attributeRules.getLoader({ core })(String(dumped), loading)
  if (loading.issues?.[0] !== undefined) return false
  return typeof loaded === typeof value && attributeRules.getDumper({ core })(loaded, new Dumping('checked')) === dumped
}

function parseHrefPath(
  routeName: string,
  route: ResolvedRoute,
  params: Attributes,
  path: unknown,
): Record<string, unknown> {
  const matched = typeof path === 'string' && isWellFormedPath(path) ? route.pattern.match(path) : null
  if (matched === null)
    throw new HrefError(`${routeName}: ${describeValue(path)} is not a path of the shape ${route.path}`)
  const loading = new Loading('text')
  const parsed: Record<string, unknown> = {}
  for (const [name, raw] of Object.entries(matched)) {
    const declared = Object.hasOwn(params, name) ? params[name] : undefined
    if (raw === null || declared === undefined) continue
    const value = attributeRules.getLoader(declared)(raw, loading)
    const issue = loading.issues?.[0]
    if (value === INVALID || issue !== undefined)
      throw new HrefError(`${routeName}: '${name}' in '${path}' ${issue?.message ?? 'does not fit its type'}`)
    parsed[name] = value
  }
  return parsed
}
