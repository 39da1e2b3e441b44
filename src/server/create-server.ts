// Creates the application: combines declarations and controllers, checks them as a whole, and handles requests.
import type { AnyController } from '../design/controller.ts'
import type { EndpointSpec } from '../design/declare/endpoint.ts'
import type { AnyDefinition, Definition } from '../design/definition.ts'
import type { HrefArgs } from '../design/infer/inference.ts'
import { formatAcceptQuery } from '../design/resolve/consumes.ts'
import { Visibility } from '../design/visibility.ts'
import { Dispatcher, type RouteMiss } from '../routing/dispatcher.ts'
import type { TableEntry } from '../routing/route-table.ts'
import { VERSION_PARAM } from '../routing/version.ts'
import { memoize } from '../util/memoize.ts'
import { suggestName } from '../util/suggest-name.ts'
import type { ApiDescription, ApplicationOptions, Plugin } from './application-options.ts'
import { type Boot, boot } from './boot/boot.ts'
import { createLifecycle } from './boot/plugins.ts'
import { type CompileSettings, compileAction } from './compile-action.ts'
import { createServices, isVersioned, listPluginHeaders } from './create-services.ts'
import { describeApplication } from './describe.ts'
import { type Explanation, explainAction } from './explain.ts'
import type { Logger } from './logger.ts'
import { runPipeline } from './pipeline.ts'
import { PluginHooks, type RequestRouter } from './plugin-hooks.ts'
import { type CompiledAction, Exchange } from './request/exchange.ts'
import { type FindReachable, IncomingRequest } from './request/incoming-request.ts'
import { hasPath, toPathAndQuery } from './request/request-target.ts'
import { overlayHeaders } from './response/headers.ts'
import { createMissResponder } from './route-misses.ts'
import type { Services } from './services.ts'
import type { Handler, RawResponse } from './transport.ts'

/** One row of the routing table, as the routes command prints it. */
export interface RouteRow {
  /** The endpoint's version, or `n/a`. */
  readonly version: string
  readonly path: string
  readonly verb: string
  readonly resource: string
  readonly action: string
  readonly implementation: string
  readonly name?: string
}

/** An API that is ready to be served. */
export interface Api extends Handler, ApiDescription {
  readonly logger: Logger
  /** Starts the plugins, once; `serve` does so before it listens. */
  start(): Promise<void>
  /** Sets the phase `draining`, which plugins can read, and ends streams of events; `serve` calls it when it begins to stop. */
  drain(): void
  /** Closes the plugins that have started, once; `serve` does so after the last request. */
  close(): Promise<void>
  /** Returns the routing table. */
  routes(): readonly RouteRow[]
  /** Lists the steps of a request to an action, such as `Books.show`; one explanation for each version of it. */
  explain(action: string): readonly Explanation[]
  /** The tools of plugins, by name; each returns a report on the application. */
  readonly tools: Readonly<Record<string, (settings?: Readonly<Record<string, unknown>>) => unknown>>
  /** Returns whether an action has the path of a target, for any method; for frameworks that mount the application. */
  knows(target: string): boolean
  /** Builds the canonical path of an endpoint as this application serves it. */
  href<S extends EndpointSpec>(endpoint: Definition<string, S>, args: HrefArgs<S>): string
  /**
   * Parses the arguments of a path that `href` built, base path and version included; throws HrefError for any other
   * path.
   */
  parseHref<S extends EndpointSpec>(endpoint: Definition<string, S>, href: string): HrefArgs<S>
}

/** Creates the function that handles web Requests. */
type CreateFetch = (server: Handler & { readonly logger: Logger }) => (request: Request) => Promise<Response>

interface ServedRoute extends TableEntry {
  readonly controller: AnyController
  compiled: CompiledAction | undefined
}

/** Creates an application; throws one DefinitionError with every mistake of its declarations. */
export function createServer(input: ApplicationOptions, createFetch: CreateFetch): Api {
  const booted = boot(input, () => server)
  const { options, basePath, versionCarriers: carriers } = booted
  const plugins = options.plugins ?? []
  const table: ServedRoute[] = booted.table.map((entry) => ({
    ...entry,
    controller: booted.findController(entry),
    compiled: undefined,
  }))
  const dispatcher = new Dispatcher(table, basePath, carriers)
  booted.refuseUnreachable({ indistinguishable: dispatcher.findConflicts(), shadows: dispatcher.findShadows() })
  const services = createServices(booted)
  const settings = createCompileSettings(booted, services)
  const route = createRequestRouter(dispatcher, settings, isVersioned(booted))
  const server: Api = Object.freeze({
    ...describeApplication(booted, settings),
    logger: services.logger,
    redactUrl: (url: string) => services.redaction.redactUrl(url, undefined),
    routes: () => table.map(toRouteRow),
    explain: (action: string) => explainActions(action, table, settings),
    tools: bindTools(plugins, () => server),
    knows: (target: string) => createReachFinder(dispatcher)({ url: target }, 'GET').length > 0,
    href: (endpoint: AnyDefinition, args: unknown) => services.href(endpoint, args as never),
    parseHref: (endpoint: AnyDefinition, href: string) => services.parseHref(endpoint, href) as never,
    ...createHandler(
      route,
      PluginHooks.create(plugins, services, createReachFinder(dispatcher)),
      listPluginHeaders(plugins),
    ),
    ...createLifecycle(plugins, () => server, services),
    fetch: (request: Request) => createFetch(server)(request),
  })
  return server
}

function bindTools(plugins: readonly Plugin[], finished: () => Api): Api['tools'] {
  const tools = plugins.flatMap((plugin) => Object.entries(plugin.tools ?? {}))
  return Object.fromEntries(tools.map(([name, run]) => [name, (settings = {}) => run(finished(), settings)]))
}

/** Creates the function that routes a request to its action, or responds that no route matches. */
function createRequestRouter(
  dispatcher: Dispatcher<ServedRoute>,
  settings: CompileSettings,
  versioned: boolean,
): RequestRouter {
  const { services } = settings
  const respondToMiss = createMissResponder(services)
  return (transport, send, request, inside) => {
    const url = toPathAndQuery(transport.url)
    const mark = url.indexOf('?')
    const path = mark < 0 ? url : url.slice(0, mark)
    const query = versioned && mark >= 0 ? url.slice(mark + 1) : ''
    const result =
      findTargetMiss(transport.url, url) ?? dispatcher.find(transport.method, path, query, transport.headers)
    if (!('found' in result)) {
      const incoming = request ?? (services.logRequests ? new IncomingRequest(transport, services) : undefined)
      const response = respondToMiss(result, transport, incoming)
      send(response)
      if (services.logRequests) {
        const { id, method, redactedUrl } = incoming as IncomingRequest
        services.logger.info({ requestId: id, method, url: redactedUrl, status: response.status }, 'request')
      }
      return
    }
    const entry = result.found.value
    const compiled = getCompiled(entry, settings)
    const line = { url, queryStart: mark < 0 ? -1 : mark + 1, version: result.version, found: result.found }
    const exchange = new Exchange(compiled, transport, send, line)
    if (request !== undefined) IncomingRequest.setRoute(request, entry.path, exchange)
    exchange.runAround = inside
    runPipeline(exchange)
  }
}

const createReachFinder =
  (dispatcher: Dispatcher<ServedRoute>): FindReachable =>
  ({ url: target }, method) => {
    const url = toPathAndQuery(target)
    if (!hasPath(url)) return []
    const [path = '', query = ''] = url.split(/\?(.*)/s, 2)
    return dispatcher.findReachable(method, path, query).map(([verb, { action }]) => [verb, action])
  }

// Without plugins that hook into requests, the transport calls the router directly.
function createHandler(route: RequestRouter, hooks: PluginHooks | undefined, headers: readonly string[]): Handler {
  const addHeaders = createHeaderAdder(headers)
  if (hooks !== undefined)
    return {
      handle: (transport, send) => hooks.handleRequest(transport, send, route),
      refuse: (transport, response, send) => hooks.handleRefusal(transport, addHeaders(response), send),
    }
  const handle: Handler['handle'] = (transport, send) => route(transport, send, undefined, undefined)
  return headers.length === 0 ? { handle } : { handle, refuse: (_, response, send) => send(addHeaders(response)) }
}

// The server's own responses carry the headers of plugins too; each of these few responses is built once.
function createHeaderAdder(headers: readonly string[]): (response: RawResponse) => RawResponse {
  if (headers.length === 0) return (response) => response
  return memoize((response) => ({
    ...response,
    headers: Object.freeze([...overlayHeaders(response.headers, headers)]),
  }))
}

// An action is compiled on its first request, which keeps boot fast for any number of actions.
function getCompiled(entry: ServedRoute, settings: CompileSettings): CompiledAction {
  entry.compiled ??= compileAction(entry.controller, entry, settings)
  return entry.compiled
}

function explainActions(
  wanted: string,
  table: readonly ServedRoute[],
  settings: CompileSettings,
): readonly Explanation[] {
  const actions = new Map(table.map((entry) => [entry.action, entry]))
  const all = [...actions.values()].map((entry) => getCompiled(entry, settings))
  const found = all.filter(({ actionName }) => actionName === wanted)
  if (found.length === 0)
    throw new RangeError(
      `There is no action ${wanted}: ${suggestName(wanted, [...new Set(all.map(({ actionName }) => actionName))])}`,
    )
  return found.map((compiled) => explainAction(compiled, settings.options.plugins ?? []))
}

// `*` and the host and port of a CONNECT request are not paths.
const PATHLESS: RouteMiss = { reason: 'unknown' }
const FRAGMENT: RouteMiss = { reason: 'fragment' }

/** Returns the miss of a target that no route can match; most targets are plain paths. */
function findTargetMiss(target: string, url: string): RouteMiss | undefined {
  if (target === url && hasPath(url)) return undefined
  if (target.includes('#')) return FRAGMENT
  return hasPath(url) ? undefined : PATHLESS
}

function createCompileSettings(booted: Boot, services: Services): CompileSettings {
  const { options } = booted
  const { ignore, limits, plugins = [] } = options
  const versionParam = isVersioned(booted) && booted.versionCarriers.includes('query')
  return {
    services,
    ignore: [...(ignore ?? []), ...(versionParam ? [VERSION_PARAM] : [])],
    bodyLimit: limits?.body ?? 1024 * 1024,
    queryPairs: limits?.queryPairs ?? 200,
    queryDepth: limits?.queryDepth ?? 8,
    options,
    buildPath: (version, path) =>
      version !== undefined && booted.versionCarriers.includes('path')
        ? `${booted.basePath}/v${encodeURIComponent(version)}${path}`
        : booted.basePath + path,
    listRouteHeaders: createHeaderLookup(booted.table),
    visibility: createVisibilityCache(),
    listParamsChecks: (action) => plugins.flatMap((plugin) => plugin.checkParams?.(action, options) ?? []),
    bodyChecks: (action) => plugins.flatMap((plugin) => plugin.checkBody?.(action, options) ?? []),
  }
}

// RFC 10008, section 3: a resource states in its responses which queries it accepts.
function createHeaderLookup(table: readonly TableEntry[]): CompileSettings['listRouteHeaders'] {
  const queried = table.filter(({ route }) => route.verb === 'QUERY')
  return (action, route) => {
    const same = queried.find((one) => one.version === action.endpoint.version && one.route.path === route.path)
    return same === undefined ? [] : ['Accept-Query', formatAcceptQuery(same.action)]
  }
}

// There are few sets of audiences, and all actions share the result for a set.
function createVisibilityCache(): CompileSettings['visibility'] {
  const cache = new Map<string, Visibility>()
  return (audiences) => {
    const key = audiences.join('\n')
    const visibility = cache.get(key) ?? new Visibility(audiences)
    cache.set(key, visibility)
    return visibility
  }
}

function toRouteRow({ version, path, route, action, controller }: ServedRoute): RouteRow {
  const { implementation } = controller
  const owner =
    typeof implementation === 'function' ? `${implementation.name || 'class'}#` : `${controller.definition.name}.`
  return {
    version: version ?? 'n/a',
    path,
    verb: route.verb,
    resource: action.endpoint.name,
    action: action.name,
    implementation: `${owner}${action.name}`,
    ...(route.name !== undefined && { name: route.name }),
  }
}
