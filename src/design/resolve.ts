// Resolution: one endpoint's declaration worked out, every mistake noted instead of thrown.
import { compilePattern, formsOf, groupAlternatives, MAX_FORMS, PatternError } from '../path/index.ts'
import type { Attribute, Attributes } from '../schema/attribute.ts'
import { singular, snake } from '../util/naming.ts'
import type { ActionSpec, Stanzas } from './action.ts'
import { checkAttributes, checkMediaType } from './check.ts'
import type { AnyEndpoint } from './endpoint.ts'
import { isMediaType } from './media-type.ts'
import { type DefinitionMistake, type Report, reporter } from './mistakes.ts'
import { type Inheritance, inheritance } from './parent.ts'
import { resolvePayload } from './payload.ts'
import type { ResolvedAction, ResolvedEndpoint, ResolvedRoute } from './resolved.ts'
import { resolveResponses } from './responses.ts'
import type { Route, RoutePrefix } from './route.ts'
import { resolveSecurity } from './security.ts'
import { checkBodies, checkHeaderNames, checkIdentifier, checkSettings, settings } from './settings.ts'

/** What all routes of an endpoint begin with. */
interface Base {
  readonly inherited: Inheritance
  readonly prefix: string
}

/** Works an endpoint's declaration out. */
export function resolveEndpoint(
  definition: AnyEndpoint,
  resolve: (endpoint: AnyEndpoint) => ResolvedEndpoint,
): ResolvedEndpoint {
  const { name, spec } = definition
  const mistakes: DefinitionMistake[] = []
  const report = reporter(mistakes, name)
  const prefix = spec.prefix ?? snake(name)
  const base: Base = { inherited: inheritance(spec.parent, resolve, report), prefix }
  const actions = new Map<string, ResolvedAction>()
  const endpoint: ResolvedEndpoint = {
    definition,
    name,
    singular: spec.singular ?? singular(snake(name)),
    version: spec.version,
    description: spec.description,
    nodoc: spec.nodoc ?? false,
    mediaType: spec.mediaType,
    actions,
    get canonical() {
      return canonicalOf(endpoint, spec.canonicalPath ?? 'show')
    },
    mistakes,
  }
  checkEndpoint(definition, report)
  for (const [actionName, action] of Object.entries(spec.actions)) {
    actions.set(actionName, resolveAction(endpoint, base, actionName, action, reporter(mistakes, name, actionName)))
  }
  checkNames(endpoint, report)
  return endpoint
}

function checkEndpoint({ name, spec }: AnyEndpoint, report: Report): void {
  if (!/^[A-Za-z]\w*$/.test(name))
    report('name', `'${name}' is not a name`, 'use letters, digits and _, beginning with a letter')
  if (Object.keys(spec.actions).length === 0) report('actions', 'there is none', 'declare at least one action')
  if (spec.version === '') report('version', 'it is empty', 'name a version, or leave the setting out')
  if (spec.canonicalPath !== undefined && !Object.hasOwn(spec.actions, spec.canonicalPath)) {
    report(
      'canonicalPath',
      `there is no action '${spec.canonicalPath}'`,
      `name one of: ${Object.keys(spec.actions).join(', ')}`,
    )
  }
  if (spec.actionDefaults !== undefined && 'routing' in spec.actionDefaults) {
    report('actionDefaults', 'routing cannot be a default', 'move the routes into each action')
  }
  checkSettings('', spec, settings.endpoint, report)
  checkSettings('actionDefaults.', spec.actionDefaults ?? {}, { ...settings.stanzas, routing: true }, report)
  if (isMediaType(spec.mediaType)) checkMediaType(spec.mediaType, report)
  else if (spec.mediaType !== undefined) checkIdentifier('mediaType', String(spec.mediaType), report)
}

function checkNames(endpoint: ResolvedEndpoint, report: Report): void {
  const names = new Set<string>()
  for (const action of endpoint.actions.values()) {
    for (const { name } of action.routes) {
      if (name === undefined) continue
      if (names.has(name)) report('routing', `two routes are named '${name}'`, 'give each route a name of its own')
      names.add(name)
    }
  }
}

function canonicalOf({ actions }: ResolvedEndpoint, name: string): ResolvedEndpoint['canonical'] {
  const action = actions.get(name)
  const route = action?.routes[0]
  if (action === undefined || route === undefined) return undefined
  const { names, wildcards } = route.pattern
  const captured = wildcards > 0 ? [...names, 'splat'] : names
  const params = captured.flatMap((one) =>
    action.params[one] === undefined ? [] : [[one, action.params[one]] as const],
  )
  return { route, params: Object.fromEntries(params) }
}

function resolveAction(
  endpoint: ResolvedEndpoint,
  base: Base,
  name: string,
  spec: ActionSpec,
  report: Report,
): ResolvedAction {
  const defaults: Stanzas = endpoint.definition.spec.actionDefaults ?? {}
  const routes = resolveRoutes(base, spec, report)
  const params = { ...base.inherited.params, ...defaults.params, ...spec.params }
  const declared = checkAttributes('params', params, report)
  const headers = checkAttributes('headers', { ...defaults.headers, ...spec.headers }, report)
  checkHeaderNames('headers', Object.keys(headers), report)
  checkSettings('', spec, settings.action, report)
  checkBodies(spec, report)
  checkCaptures(routes, declared, report)
  return {
    endpoint,
    name,
    description: spec.description,
    nodoc: endpoint.nodoc || (spec.nodoc ?? false),
    routes,
    params: withCertain(declared, routes),
    payload: resolvePayload(endpoint.mediaType, defaults.payload, spec, report),
    headers,
    responses: resolveResponses(endpoint.mediaType, { ...defaults.responses, ...spec.responses }, report),
    security: resolveSecurity(spec.security ?? defaults.security),
    ignore: spec.ignore ?? [],
    bodyLimit: spec.bodyLimit,
  }
}

// --- routes --------------------------------------------------------------------

function resolveRoutes({ inherited, prefix: first }: Base, spec: ActionSpec, report: Report): ResolvedRoute[] {
  const entries = listed(spec.routing)
  const routes: ResolvedRoute[] = []
  let prefix = first
  for (const entry of entries) {
    if (isPrefix(entry)) prefix = entry.prefix
    else if (isRoute(entry)) routes.push(...resolveRoute(entry, prefix, inherited.path, report))
    else report('routing', 'it holds something that is not a route', "declare routes like route.get('/')")
  }
  if (entries.every(isPrefix)) {
    report('routing', 'the action has no route', "give it at least one, such as routing: route.get('/')")
  }
  return routes
}

function listed(routing: unknown): readonly unknown[] {
  if (routing === undefined || routing === null) return []
  return Array.isArray(routing) ? routing : [routing]
}

const isPrefix = (entry: unknown): entry is RoutePrefix =>
  typeof entry === 'object' && entry !== null && 'prefix' in entry

const isRoute = (entry: unknown): entry is Route => typeof entry === 'object' && entry !== null && 'verb' in entry

function resolveRoute(route: Route, prefix: string, parentPath: string, report: Report): ResolvedRoute[] {
  const own = route.path
  const bare = own.startsWith('//')
  const rest = bare ? own.slice(1) : own
  const root = rest === '' || rest === '/'
  const { name, except } = route.options
  try {
    const base = parentPath + (bare || prefix === '//' ? '' : groupAlternatives(slashed(prefix)))
    const path = root ? base || '/' : base + groupAlternatives(slashed(rest, false))
    const pattern = compilePattern(
      path,
      except === undefined ? route.options : { ...route.options, except: excepted(except, base, parentPath) },
    )
    if (pattern.plain === null && formsOf(pattern.root) === null) {
      report(
        'routing',
        `the path ${path} has more than ${MAX_FORMS} forms`,
        'declare several routes with fewer optional parts',
      )
      return []
    }
    return [{ verb: route.verb, path, pattern, name, slash: root && base !== '' }]
  } catch (error) {
    if (!(error instanceof PatternError)) throw error
    report('routing', error.message, 'correct the path or its options')
    return []
  }
}

// The exception is written like the route's own path, and gets the same prefix.
const excepted = (except: string, base: string, parentPath: string): string =>
  except.startsWith('//') ? parentPath + except.slice(1) : base + slashed(except, false)

/** A path with a slash in front and, unless it is kept, none behind. */
function slashed(path: string, trim = true): string {
  const trimmed = trim ? path.replace(/\/+$/, '') : path
  return trimmed === '' || trimmed.startsWith('/') || trimmed.startsWith('(') ? trimmed : `/${trimmed}`
}

// --- captures --------------------------------------------------------------------

function checkCaptures(routes: readonly ResolvedRoute[], params: Attributes, report: Report): void {
  for (const { path, pattern } of routes) {
    for (const name of pattern.names) {
      if (!Object.hasOwn(params, name)) {
        report(
          'params',
          `the path ${path} captures '${name}', which is not declared`,
          `add ${name} to params, for example t.string()`,
        )
      }
    }
    if (pattern.wildcards > 0 && !isSplat(params['splat'])) {
      report('params', `the path ${path} has wildcards`, 'declare splat: t.collection(t.string()) in params')
    }
  }
}

const isSplat = (splat: Attribute | undefined): boolean =>
  splat?.kind === 'collection' && splat.core.children['*']?.kind === 'string'

// What every route captures is always there, whether or not its declaration says so.
function withCertain(params: Attributes, routes: readonly ResolvedRoute[]): Attributes {
  const [first] = routes
  if (first === undefined) return params
  const adjusted: Record<string, Attribute> = { ...params }
  for (const name of certainOf(first)) {
    const declared = adjusted[name]
    if (declared === undefined || declared.options.required === true) continue
    if (routes.length === 1 || routes.every((route) => certainOf(route).includes(name)))
      adjusted[name] = declared.core.derive({ required: true })
  }
  return adjusted
}

const certainOf = ({ pattern }: ResolvedRoute): readonly string[] =>
  pattern.wildcards > 0 ? [...pattern.required, 'splat'] : pattern.required
