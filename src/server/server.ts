// The application: declarations and controllers put together, checked as a whole, ready to handle requests.
import type { Contract } from '../contract/contract.ts'
import { contractOf } from '../contract/contract-of.ts'
import type { AnyController } from '../design/controller.ts'
import type { EndpointSpec } from '../design/declare/endpoint.ts'
import type { AnyDefinition, Definition } from '../design/definition.ts'
import type { HrefArgs } from '../design/infer/inference.ts'
import type { ResolvedAction } from '../design/resolve/resolved.ts'
import { documentedVersions, openapiDocument } from '../openapi/document.ts'
import type { ParamNote } from '../openapi/parameters.ts'
import type { OpenapiDocument } from '../openapi/types.ts'
import { Dispatcher, type Miss } from '../routing/dispatcher.ts'
import type { TableEntry } from '../routing/table.ts'
import { VERSION_PARAM } from '../routing/version.ts'
import { instead } from '../util/nearest.ts'
import { type Boot, boot } from './boot/boot.ts'
import { lifetime } from './boot/plugins.ts'
import { type ActionSettings, compileAction } from './compile.ts'
import { type CompiledAction, Exchange } from './exchange.ts'
import { type Explanation, explain } from './explain.ts'
import { missAnswers } from './failure/misses.ts'
import { type Problem, problemJson, problemOf, writeProblem } from './failure/problem.ts'
import { consoleLogger, type Logger, safely } from './logger.ts'
import { type ApiDescription, type ApplicationOptions, environmentOf } from './options.ts'
import { run } from './pipeline.ts'
import { IncomingRequest } from './points/incoming.ts'
import { Points, type Route } from './points/points.ts'
import { bodyChecks, requestIds, type Services, sentIds } from './services.ts'
import { hasPath, pathAndQuery } from './target.ts'
import type { Answer, Handler, Send, Transport } from './transport.ts'

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
  /** Closes the plugins that have started, once; `serve` does so after the last request. */
  close(): Promise<void>
  /** The routing table. */
  routes(): readonly RouteRow[]
  /** Lists what a request to an action goes through, named as `Books.show`; one for each version of it. */
  explain(action: string): readonly Explanation[]
  /** Writes the canonical path of an endpoint as this application serves it. */
  href<S extends EndpointSpec>(endpoint: Definition<string, S>, args: HrefArgs<S>): string
}

interface Served extends TableEntry {
  readonly controller: AnyController
  compiled: CompiledAction | undefined
}

/** Puts an application together; throws one DefinitionError with every mistake of its declarations. */
export function createServer(given: ApplicationOptions): Api {
  const booted = boot(given, () => server)
  const { options, endpoints, basePath, carriers } = booted
  const versioned = endpoints.some(({ version }) => version !== undefined)
  const table: Served[] = booted.table.map((entry) => ({
    ...entry,
    controller: booted.controllerOf(entry),
    compiled: undefined,
  }))
  const dispatcher = new Dispatcher(table, basePath, carriers)
  booted.refuse(dispatcher.conflicts())
  const versionHeader = versioned && carriers.includes('header')
  const services = servicesOf(options, booted, versionHeader)
  const settings = settingsOf(services, options, versioned && carriers.includes('query'))
  const missAnswer = missAnswers(services)
  const points = Points.of(options.plugins ?? [], services)

  const route: Route = (transport, send, request) => {
    const url = pathAndQuery(transport.url)
    const mark = url.indexOf('?')
    const path = mark < 0 ? url : url.slice(0, mark)
    const query = versioned && mark >= 0 ? url.slice(mark + 1) : ''
    const result = hasPath(url) ? dispatcher.find(transport.method, path, query, transport.headers) : PATHLESS
    if (!('found' in result)) {
      const answer = missAnswer(result, transport.method)
      send(answer)
      if (services.logRequests) logMiss(services, transport, url, answer.status)
      return
    }
    const entry = result.found.value
    const compiled = compiledOf(entry, settings)
    const line = { url, query: mark < 0 ? -1 : mark + 1, version: result.version, found: result.found }
    const exchange = new Exchange(compiled, transport, send, line)
    if (request !== undefined) IncomingRequest.routed(request, entry.path, exchange)
    run(exchange)
  }

  const server: Api = Object.freeze({
    title: options.title ?? 'API',
    description: options.description,
    basePath,
    logger: services.logger,
    endpoints,
    routes: () => table.map(row),
    explain: (action: string) => explanations(action, table, settings),
    versions: documentedVersions(table),
    openapi: (version?: string) => describe(booted, table, services, version),
    contract: () => describeContract(booted, services, settings),
    href: (endpoint: AnyDefinition, args: unknown) => services.href(endpoint, args as never),
    handle:
      points === undefined
        ? (transport: Transport, send: Send) => route(transport, send, undefined)
        : (transport: Transport, send: Send) => points.take(transport, send, route),
    ...(points !== undefined && {
      refuse: (transport: Transport, answer: Answer, send: Send) => points.refuse(transport, answer, send),
    }),
    ...lifetime(options.plugins ?? [], () => server),
  })
  return server
}

// An action is compiled when it is first reached: boot stays short, however many there are.
function compiledOf(entry: Served, settings: ActionSettings): CompiledAction {
  entry.compiled ??= compileAction(entry.controller, entry.action, settings)
  return entry.compiled
}

function explanations(wanted: string, table: readonly Served[], settings: ActionSettings): readonly Explanation[] {
  const actions = new Map(table.map((entry) => [entry.action, entry]))
  const named = [...actions.values()].map((entry) => compiledOf(entry, settings))
  const found = named.filter(({ place }) => place === wanted)
  if (found.length === 0)
    throw new RangeError(
      `There is no action ${wanted}: ${instead(wanted, [...new Set(named.map(({ place }) => place))])}`,
    )
  return found.map((compiled) => explain(compiled, settings.options.plugins ?? []))
}

function describe(
  { options, basePath, carriers }: Boot,
  table: readonly TableEntry[],
  { validationStatus }: Services,
  version: string | undefined,
): OpenapiDocument {
  const versions = documentedVersions(table)
  if (!versions.includes(version)) {
    const known = versions.map((one) => (one === undefined ? 'no version' : `'${one}'`)).join(', ')
    throw new RangeError(
      `There is no document of ${version === undefined ? 'endpoints without a version' : `the version '${version}'`}; there is: ${known}`,
    )
  }
  const { title = 'API', description, encodeProblem } = options
  const own =
    encodeProblem === undefined ? undefined : (problem: object) => writeProblem(encodeProblem, problem as Problem)
  const notes = (action: ResolvedAction): Readonly<Record<string, ParamNote>> =>
    Object.assign({}, ...(options.plugins ?? []).map((plugin) => plugin.notes?.(action, options)))
  return openapiDocument(
    { title, description, basePath, table, carriers, validationStatus, writeProblem: own, notes },
    version,
  )
}

const problemMediaType = (encode: Services['encodeProblem']): string =>
  writeProblem(encode, problemOf({ code: 'not-found' })).mediaType

function describeContract(
  { options, basePath, carriers, endpoints }: Boot,
  { validationStatus, encodeProblem }: Services,
  { bodyLimit, queryPairs, queryDepth }: ActionSettings,
): Contract {
  const { title = 'API', description, ignore = [], plugins = [] } = options
  const problems = problemMediaType(encodeProblem)
  const terms = (action: ResolvedAction) =>
    Object.assign({}, ...plugins.map((plugin) => plugin.contract?.(action, options)))
  const limits = { bodyLimit, queryPairs, queryDepth }
  return contractOf({
    title,
    description,
    basePath,
    carriers,
    endpoints,
    validationStatus,
    problems,
    ignore,
    ...limits,
    terms,
  })
}

// `*` and the host and port of a CONNECT are no paths.
const PATHLESS: Miss = { reason: 'unknown' }

function logMiss({ logger, requestId }: Services, { method, headers }: Transport, url: string, status: number): void {
  logger.info({ requestId: requestId(headers), method, url, status }, 'request')
}

function servicesOf(options: ApplicationOptions, { basePath, carriers }: Boot, versionHeader: boolean): Services {
  const environment = options.environment ?? environmentOf()
  const validateResponses = options.validateResponses ?? (environment === 'production' ? 'sample' : 'always')
  const { header = 'X-Request-Id', trust = true } = options.requestId ?? {}
  const sentId = sentIds(header, trust)
  return Object.freeze({
    environment,
    logger: safely(options.logger ?? consoleLogger),
    encodeProblem: options.encodeProblem ?? problemJson,
    baseHeaders: ['X-Content-Type-Options', 'nosniff', ...(versionHeader ? ['Vary', 'X-Api-Version'] : [])],
    validationStatus: options.validation?.status ?? 400,
    validateResponses,
    checksBody: bodyChecks(validateResponses),
    deadline: options.timeout ?? 30_000,
    logRequests: options.logRequests ?? false,
    sentId,
    requestId: requestIds(sentId),
    href(endpoint: AnyDefinition, args: never): string {
      const path = (endpoint as Definition).toHref(args)
      const { version } = endpoint.spec
      if (version === undefined) return basePath + path
      // A link leads to its version by itself: whoever follows it need not know what to send along.
      if (carriers.includes('path')) return `${basePath}/v${encodeURIComponent(version)}${path}`
      return carriers.includes('query')
        ? `${basePath}${path}?${VERSION_PARAM}=${encodeURIComponent(version)}`
        : basePath + path
    },
  })
}

function settingsOf(services: Services, options: ApplicationOptions, versionParam: boolean): ActionSettings {
  const { ignore, limits, plugins = [] } = options
  return {
    services,
    ignore: [...(ignore ?? []), ...(versionParam ? [VERSION_PARAM] : [])],
    bodyLimit: limits?.body ?? 1024 * 1024,
    queryPairs: limits?.queryPairs ?? 200,
    queryDepth: limits?.queryDepth ?? 8,
    options,
    checks: (action) => plugins.flatMap((plugin) => plugin.params?.(action, options) ?? []),
  }
}

function row({ version, path, route, action, controller }: Served): RouteRow {
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
