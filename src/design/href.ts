// Hrefs: the path of a route from its arguments, and back, with every value coerced by its declared type.
import { isWellFormedPath } from '../path/index.ts'
import type { Attribute, Attributes } from '../schema/attribute.ts'
import { Dumping } from '../schema/dumping.ts'
import { INVALID } from '../schema/issue.ts'
import { Loading } from '../schema/loading.ts'
import { describeValue } from '../util/describe-value.ts'
import { isSettings } from '../util/setting-form.ts'
import type { NamedRoute } from './infer/inference.ts'
import { refuseMistakes } from './mistakes.ts'
import type { ResolvedEndpoint, ResolvedRoute } from './resolve/resolved.ts'

/** Thrown if arguments do not fit a route, or a path does not match it. */
export class HrefError extends TypeError {
  override readonly name = 'HrefError'
}

// Makes the generator and parser of one route's paths.
function makeNamedRoute(place: string, route: ResolvedRoute, params: Attributes): NamedRoute<Record<string, unknown>> {
  return Object.freeze({
    path: route.path,
    expand: (args: unknown) => withHrefErrors(place, () => route.pattern.expand(formatArguments(place, args, params))),
    parse: (path: string) => withHrefErrors(place, () => parseHrefPath(place, route, params, path)),
  })
}

// Patterns, attributes of users and arguments with traps throw errors of their own.
function withHrefErrors<T>(place: string, make: () => T): T {
  try {
    return make()
  } catch (error) {
    if ((error as { readonly name?: unknown } | null)?.name === 'HrefError') throw error
    throw new HrefError(`${place}: ${error instanceof Error ? error.message : 'the arguments do not fit'}`, {
      cause: error,
    })
  }
}

/** The canonical path of an endpoint; throws where there is none. */
export function getCanonicalRoute(endpoint: ResolvedEndpoint): ReturnType<typeof makeNamedRoute> {
  refuseMistakes(endpoint.mistakes, endpoint)
  if (endpoint.canonical === undefined) {
    throw new HrefError(
      `${endpoint.name} has no canonical path; give it a show action, or name another action in canonicalPath`,
    )
  }
  return makeNamedRoute(endpoint.name, endpoint.canonical.route, endpoint.canonical.params)
}

/** The named routes of an endpoint. */
export function getNamedRoutes(endpoint: ResolvedEndpoint): Record<string, ReturnType<typeof makeNamedRoute>> {
  refuseMistakes(endpoint.mistakes, endpoint)
  const named: Record<string, ReturnType<typeof makeNamedRoute>> = Object.create(null)
  for (const action of endpoint.actions.values()) {
    for (const route of action.routes) {
      if (route.name !== undefined)
        named[route.name] = makeNamedRoute(`${endpoint.name}.routes.${route.name}`, route, action.params)
    }
  }
  return named
}

function formatArguments(place: string, args: unknown = {}, params: Attributes): Record<string, string | string[]> {
  if (!isSettings(args)) throw new HrefError(`${place}: the arguments must be an object, such as { id: 7 }`)
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
    if (declared.core.scalar === undefined && !canReadBack(declared, value, dumped))
      throw new HrefError(`${place}: '${name}' is another value when it is read from a path; give it as text`)
    written[name] = Array.isArray(dumped) ? dumped.map(String) : String(dumped)
  }
  return written
}

// A type that is no scalar may take values that a path cannot tell from their text, or has no text for.
function canReadBack({ core }: Attribute, value: unknown, dumped: unknown): boolean {
  if (Array.isArray(dumped)) return dumped.every((one) => typeof one !== 'object')
  const loading = new Loading(true)
  const loaded = core.loader(String(dumped), loading)
  if (loading.issues?.[0] !== undefined) return false
  return typeof loaded === typeof value && core.dumper(loaded, new Dumping(true)) === dumped
}

function parseHrefPath(place: string, route: ResolvedRoute, params: Attributes, path: unknown): Record<string, unknown> {
  const matched = typeof path === 'string' && isWellFormedPath(path) ? route.pattern.match(path) : null
  if (matched === null) throw new HrefError(`${place}: ${describeValue(path)} is not a path of the shape ${route.path}`)
  const loading = new Loading(true)
  const parsed: Record<string, unknown> = {}
  for (const [name, raw] of Object.entries(matched)) {
    const declared = Object.hasOwn(params, name) ? params[name] : undefined
    if (raw === null || declared === undefined) continue
    const value = declared.core.loader(raw, loading)
    const issue = loading.issues?.[0]
    if (value === INVALID || issue !== undefined)
      throw new HrefError(`${place}: '${name}' in '${path}' ${issue?.message ?? 'does not fit its type'}`)
    parsed[name] = value
  }
  return parsed
}
