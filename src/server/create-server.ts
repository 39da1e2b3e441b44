// The application: declarations and controllers put together, checked as a whole, ready to handle requests.
import type { AnyController } from '../design/controller.ts'
import type { EndpointSpec } from '../design/declare/endpoint.ts'
import type { AnyDefinition, Definition } from '../design/definition.ts'
import { Visibility } from '../design/visibility.ts'
import type { HrefArgs } from '../design/infer/inference.ts'
import { formatAcceptQuery } from '../design/resolve/consumes.ts'
import { Dispatcher, type RouteMiss } from '../routing/dispatcher.ts'
import type { TableEntry } from '../routing/route-table.ts'
import { VERSION_PARAM } from '../routing/version.ts'
import { suggestName } from '../util/suggest-name.ts'
import { overlayHeaders } from './response/headers.ts'
import { type Boot, boot } from './boot/boot.ts'
import { createLifecycle } from './boot/plugins.ts'
import { type CompileSettings, compileAction } from './compile-action.ts'
import { describeApplication } from './describe.ts'
import { type CompiledAction, Exchange } from './request/exchange.ts'
import { type Explanation, explainAction } from './explain.ts'
import { createMissResponder } from './route-misses.ts'
import type { Logger } from './logger.ts'
import type { ApiDescription, ApplicationOptions, Plugin } from './application-options.ts'
import { runPipeline } from './pipeline.ts'
import { IncomingRequest, type FindReachable } from './request/incoming-request.ts'
import { PluginHooks, type RequestRouter } from './plugin-hooks.ts'
import type { Services } from './services.ts'
import { isVersioned, listPluginHeaders, createServices } from './create-services.ts'
import { hasPath, toPathAndQuery } from './request/request-target.ts'
import type { RawResponse, Handler } from './transport.ts'

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
  /** Puts the application into the phase `draining`, which plugins can read; `serve` calls it when it begins to stop. */
  drain(): void
  /** Closes the plugins that have started, once; `serve` does so after the last request. */
  close(): Promise<void>
  /** The routing table. */
  routes(): readonly RouteRow[]
  /** Lists what a request to an action goes through, named as `Books.show`; one for each version of it. */
  explain(action: string): readonly Explanation[]
  /** Reports of plugins on the application, by the names of their tools. */
  readonly tools: Readonly<Record<string, (settings?: Readonly<Record<string, unknown>>) => unknown>>
  /** Returns whether an action has the path of a target, whatever the verb; for frameworks that the application is mounted in. */
  knows(target: string): boolean
  /** Writes the canonical path of an endpoint as this application serves it. */
  href<S extends EndpointSpec>(endpoint: Definition<string, S>, args: HrefArgs<S>): string
  /** Reads the arguments of a path that `href` wrote, base path and version included; throws HrefError for any other. */
  parseHref<S extends EndpointSpec>(endpoint: Definition<string, S>, href: string): HrefArgs<S>
}

/** Makes the function that answers web Requests. */
type FetchOf = (server: Handler & { readonly logger: Logger }) => (request: Request) => Promise<Response>

interface ServedRoute extends TableEntry {
  readonly controller: AnyController
  compiled: CompiledAction | undefined
}

/** Puts an application together; throws one DefinitionError with every mistake of its declarations. */
export function createServer(given: ApplicationOptions, fetchOf: FetchOf): Api {
  const booted = boot(given, () => server)
  const { options, basePath, carriers } = booted
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
    ...createHandler(route, PluginHooks.create(plugins, services, createReachFinder(dispatcher)), listPluginHeaders(plugins)),
    ...createLifecycle(plugins, () => server, services.logger),
    fetch: (request: Request) => fetchOf(server)(request),
  })
  return server
}

function bindTools(plugins: readonly Plugin[], finished: () => Api): Api['tools'] {
  const tools = plugins.flatMap((plugin) => Object.entries(plugin.tools ?? {}))
  return Object.fromEntries(tools.map(([name, run]) => [name, (settings = {}) => run(finished(), settings)]))
}

/** Makes the function that leads a request to its action, or answers that there is none. */
function createRequestRouter(dispatcher: Dispatcher<ServedRoute>, settings: CompileSettings, versioned: boolean): RequestRouter {
  const { services } = settings
  const missAnswer = createMissResponder(services)
  return (transport, send, request, inside) => {
    const url = toPathAndQuery(transport.url)
    const mark = url.indexOf('?')
    const path = mark < 0 ? url : url.slice(0, mark)
    const query = versioned && mark >= 0 ? url.slice(mark + 1) : ''
    const result = findTargetMiss(transport.url, url) ?? dispatcher.find(transport.method, path, query, transport.headers)
    if (!('found' in result)) {
      const seen = request ?? (services.logRequests ? new IncomingRequest(transport, services) : undefined)
      const answer = missAnswer(result, transport, seen)
      send(answer)
      if (services.logRequests) logMiss(services, seen as IncomingRequest, answer.status)
      return
    }
    const entry = result.found.value
    const compiled = getCompiled(entry, settings)
    const line = { url, query: mark < 0 ? -1 : mark + 1, version: result.version, found: result.found }
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

// Without plugins that meet requests, nothing stands between the transport and the route.
function createHandler(route: RequestRouter, points: PluginHooks | undefined, headers: readonly string[]): Handler {
  const own = createHeaderAdder(headers)
  if (points !== undefined)
    return {
      handle: (transport, send) => points.handleRequest(transport, send, route),
      refuse: (transport, answer, send) => points.handleRefusal(transport, own(answer), send),
    }
  const handle: Handler['handle'] = (transport, send) => route(transport, send, undefined, undefined)
  return headers.length === 0 ? { handle } : { handle, refuse: (_, answer, send) => send(own(answer)) }
}

// Answers that a server gives by itself carry the headers of plugins too; each of these few answers is written once.
function createHeaderAdder(headers: readonly string[]): (answer: RawResponse) => RawResponse {
  const made = new WeakMap<RawResponse, RawResponse>()
  if (headers.length === 0) return (answer) => answer
  return (answer) => {
    const known = made.get(answer) ?? { ...answer, headers: Object.freeze([...overlayHeaders(answer.headers, headers)]) }
    made.set(answer, known)
    return known
  }
}

// An action is compiled when it is first reached: boot stays short, however many there are.
function getCompiled(entry: ServedRoute, settings: CompileSettings): CompiledAction {
  entry.compiled ??= compileAction(entry.controller, entry, settings)
  return entry.compiled
}

function explainActions(wanted: string, table: readonly ServedRoute[], settings: CompileSettings): readonly Explanation[] {
  const actions = new Map(table.map((entry) => [entry.action, entry]))
  const named = [...actions.values()].map((entry) => getCompiled(entry, settings))
  const found = named.filter(({ actionName }) => actionName === wanted)
  if (found.length === 0)
    throw new RangeError(
      `There is no action ${wanted}: ${suggestName(wanted, [...new Set(named.map(({ actionName }) => actionName))])}`,
    )
  return found.map((compiled) => explainAction(compiled, settings.options.plugins ?? []))
}

// `*` and the host and port of a CONNECT are no paths.
const PATHLESS: RouteMiss = { reason: 'unknown' }
const FRAGMENT: RouteMiss = { reason: 'fragment' }

/** Why a target leads nowhere, whatever routes there are; most are paths as they came. */
function findTargetMiss(target: string, url: string): RouteMiss | undefined {
  if (target === url && hasPath(url)) return undefined
  if (target.includes('#')) return FRAGMENT
  return hasPath(url) ? undefined : PATHLESS
}

function logMiss({ logger }: Services, { id, method, redactedUrl }: IncomingRequest, status: number): void {
  logger.info({ requestId: id, method, url: redactedUrl, status }, 'request')
}

function createCompileSettings(booted: Boot, services: Services): CompileSettings {
  const { options } = booted
  const { ignore, limits, plugins = [] } = options
  const versionParam = isVersioned(booted) && booted.carriers.includes('query')
  return {
    services,
    ignore: [...(ignore ?? []), ...(versionParam ? [VERSION_PARAM] : [])],
    bodyLimit: limits?.body ?? 1024 * 1024,
    queryPairs: limits?.queryPairs ?? 200,
    queryDepth: limits?.queryDepth ?? 8,
    options,
    buildPath: (version, path) =>
      version !== undefined && booted.carriers.includes('path')
        ? `${booted.basePath}/v${encodeURIComponent(version)}${path}`
        : booted.basePath + path,
    listRouteHeaders: createHeaderLookup(booted.table),
    visibility: createVisibilityCache(),
    listParamsChecks: (action) => plugins.flatMap((plugin) => plugin.params?.(action, options) ?? []),
    bodyChecks: (action) => plugins.flatMap((plugin) => plugin.body?.(action, options) ?? []),
  }
}

// RFC 10008, section 3: a resource tells in its answers which queries it takes.
function createHeaderLookup(table: readonly TableEntry[]): CompileSettings['listRouteHeaders'] {
  const queried = table.filter(({ route }) => route.verb === 'QUERY')
  return (action, route) => {
    const same = queried.find((one) => one.version === action.endpoint.version && one.route.path === route.path)
    return same === undefined ? [] : ['Accept-Query', formatAcceptQuery(same.action)]
  }
}

// There are few sets of audiences, and the result for one serves all actions.
function createVisibilityCache(): CompileSettings['visibility'] {
  const made = new Map<string, Visibility>()
  return (audiences) => {
    const key = audiences.join('\n')
    const known = made.get(key) ?? new Visibility(audiences)
    made.set(key, known)
    return known
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
