// Boots an application: applies plugins, resolves definitions, and gathers all mistakes into one error.

import type { AnyController } from '../../design/controller.ts'
import { builtinStatuses } from '../../design/declare/status.ts'
import type { AnyDefinition } from '../../design/definition.ts'
import { createReporter, type DefinitionMistake, type Report } from '../../design/mistakes.ts'
import { checkApplicationConsumes, withConsumes } from '../../design/resolve/consumes.ts'
import type { ResolvedAction, ResolvedBody, ResolvedEndpoint, ResolvedResponse } from '../../design/resolve/resolved.ts'
import { buildRouteTable, type TableEntry } from '../../routing/route-table.ts'
import type { VersionCarrier } from '../../routing/version.ts'
import type { Attributes } from '../../schema/attribute.ts'
import { describeValue } from '../../util/describe-value.ts'
import * as form from '../../util/setting-form.ts'
import { type ApiDescription, type ApplicationOptions, hasPluginName } from '../application-options.ts'
import { acceptOptions, checkConfig } from './accept-options.ts'
import { checkAudiences } from './audiences.ts'
import { checkEncoder } from './check-encoder.ts'
import { checkCodes } from './codes.ts'
import { checkController } from './controllers.ts'
import { checkTags, checkUniqueIds } from './document-names.ts'
import { applyPlugins } from './plugins.ts'
import { removeActions } from './remove-actions.ts'
import { refuseUnreachable, type UnreachableRoutes } from './unreachable-routes.ts'

/** An application's declarations after boot. */
export interface Boot {
  readonly options: ApplicationOptions
  /** The endpoints with all actions that they declare, including those that plugins have removed. */
  readonly declared: readonly ResolvedEndpoint[]
  readonly basePath: string
  readonly versionCarriers: readonly VersionCarrier[]
  readonly endpoints: readonly ResolvedEndpoint[]
  readonly table: readonly TableEntry[]
  findController(entry: TableEntry): AnyController
  /** Adds unreachable routes to the mistakes, and throws if there are any mistakes. */
  refuseUnreachable(conflicts: UnreachableRoutes): void
}

const CARRIERS: readonly VersionCarrier[] = ['path', 'header', 'query']

/** Prepares an application's declarations and collects their mistakes; `finished` returns the finished application. */
export function boot(input: ApplicationOptions, finished: () => ApiDescription): Boot {
  const mistakes: DefinitionMistake[] = []
  const report = createReporter(mistakes, '')
  const { options, invalidPlugins } = applyPlugins(acceptOptions(input, report), report, finished)
  const { controllers = [], plugins = [] } = options
  const basePath = normalizeBasePath(options.basePath, report)
  const registered = new Set(plugins.flatMap(({ name, provides = [] }) => [name, ...provides]))
  checkConfig(options, registered, report)
  for (const name of invalidPlugins) registered.add(name)
  const { owners, declared } = resolveControllers(controllers, options, mistakes)
  const endpoints = [...owners.keys()]
  for (const endpoint of endpoints) checkEndpoint(endpoint, options, registered, mistakes)
  for (const plugin of plugins) plugin.checkOptions?.(report, options)
  checkCodes(plugins, report)
  checkEncoder(options.encodeProblem, report)
  if (hasNoControllers(input)) report('controllers', 'it is empty', 'add the controllers of your endpoints')
  checkDuplicates(controllers, endpoints, mistakes, report)
  checkUniqueIds(endpoints, mistakes)
  checkTags(declared, options.tags, report)
  checkSettings(options, report)
  checkVersions(endpoints, options.versionWith, mistakes)
  return {
    options,
    declared,
    basePath,
    versionCarriers: options.versionWith ?? CARRIERS,
    endpoints,
    table: buildRouteTable(endpoints, basePath),
    findController: ({ action }) => owners.get(action.endpoint) as AnyController,
    refuseUnreachable: (conflicts) => refuseUnreachable(conflicts, mistakes, endpoints),
  }
}

/** The endpoints that an application serves, with their controllers, and all declared endpoints. */
interface ServedEndpoints {
  readonly owners: ReadonlyMap<ResolvedEndpoint, AnyController>
  readonly declared: readonly ResolvedEndpoint[]
}

function resolveControllers(
  controllers: readonly AnyController[],
  options: ApplicationOptions,
  mistakes: DefinitionMistake[],
): ServedEndpoints {
  const owners = new Map<ResolvedEndpoint, AnyController>()
  const resolve = createDefinitionResolver(options)
  const declared = controllers.map((controller) => {
    const endpoint = resolve(controller.definition)
    mistakes.push(...endpoint.mistakes)
    checkController(controller, endpoint, mistakes)
    const served = removeActions(endpoint, options)
    // An endpoint without actions is not served.
    if (served === endpoint || served.actions.size > 0) owners.set(served, controller)
    return endpoint
  })
  return { owners, declared }
}

/** Reports actions that lack required plugins, and mistakes that plugins find in an endpoint. */
function checkEndpoint(
  endpoint: ResolvedEndpoint,
  options: ApplicationOptions,
  registered: ReadonlySet<string>,
  mistakes: DefinitionMistake[],
): void {
  const { plugins = [] } = options
  checkNeeds(endpoint, registered, mistakes)
  checkPolicies(endpoint, options, registered, mistakes)
  checkAudiences(endpoint, plugins, mistakes)
  for (const plugin of plugins) plugin.check?.(endpoint, createReporter(mistakes, endpoint.name), options)
}

/** Returns a function that resolves definitions with the application's content types, each once. */
function createDefinitionResolver({ consumes }: ApplicationOptions): (definition: AnyDefinition) => ResolvedEndpoint {
  if (consumes === undefined) return (definition) => definition.resolve()
  const known = new Map<ResolvedEndpoint, ResolvedEndpoint>()
  return (definition) => {
    const own = definition.resolve()
    const resolved = known.get(own) ?? withConsumes(own, consumes)
    known.set(own, resolved)
    return resolved
  }
}

// A type of param may require the plugin that reads it.
function checkNeeds(
  { name, actions }: ResolvedEndpoint,
  registered: ReadonlySet<string>,
  mistakes: DefinitionMistake[],
): void {
  actions.forEach((action) => {
    for (const param of Object.keys(action.params)) {
      const needs = action.params[param]?.core.needs
      if (needs === undefined || registered.has(needs)) continue
      const remedy = `add ${needs}() to the application's plugins`
      const problem = `it needs the plugin ${needs}, which is not registered`
      createReporter(mistakes, name, action.name)(`params.${param}`, problem, remedy)
    }
    checkMisplaced('headers', action, action.headers, mistakes)
    if (action.payload !== undefined)
      checkMisplaced('payload', action, action.payload.attribute.core.children, mistakes)
  })
}

// Without a plugin that enforces its policies, an action would admit requests that they reject.
function checkPolicies(
  { name, actions }: ResolvedEndpoint,
  options: ApplicationOptions,
  registered: ReadonlySet<string>,
  mistakes: DefinitionMistake[],
): void {
  const { plugins = [] } = options
  actions.forEach((action) => {
    const report = createReporter(mistakes, name, action.name)
    for (const policy of action.policies.values()) {
      policy.check?.(action, report, form)
      const { plugin, remedy } = policy
      if (plugin === undefined) continue
      plugins.find((one) => hasPluginName(one, plugin))?.checkPolicy?.(policy, action, report, options)
      if (registered.has(plugin)) continue
      const problem = `the policy '${policy.name}' needs the plugin ${plugin}, which is not registered`
      report('policies', problem, remedy ?? `add ${plugin}() to the application's plugins`)
    }
  })
}

// Plugins read params only; elsewhere nothing would read attributes of their types.
function checkMisplaced(
  setting: string,
  { name: action, endpoint }: ResolvedAction,
  attributes: Attributes,
  mistakes: DefinitionMistake[],
): void {
  for (const name of Object.keys(attributes)) {
    if (attributes[name]?.core.needs === undefined) continue
    const report = createReporter(mistakes, endpoint.name, action)
    report(`${setting}.${name}`, `a plugin reads it, which looks at params only`, 'move it to params')
  }
}

function normalizeBasePath(basePath: string | undefined, report: Report): string {
  const trimmed = (basePath ?? '').replace(/\/+$/, '')
  if (trimmed === '') return ''
  if (/[?#:*()|\\\s]/.test(trimmed)) {
    report('basePath', `'${basePath}' is not a plain path`, 'write one like /api')
    return ''
  }
  return trimmed.startsWith('/') ? trimmed : `/${trimmed}`
}

function checkSettings({ versionWith, consumes }: ApplicationOptions, report: Report): void {
  checkApplicationConsumes(consumes, report)
  if (versionWith?.length === 0)
    report('versionWith', 'no carrier of a version is left', `use some of: ${CARRIERS.join(', ')}`)
}

// Only headers restrict the characters of a version; paths and queries carry any text.
function checkVersions(
  endpoints: readonly ResolvedEndpoint[],
  carriers: readonly VersionCarrier[] = CARRIERS,
  mistakes: DefinitionMistake[],
): void {
  if (carriers.length === 0 || carriers.some((one) => one !== 'header')) return
  for (const { name, version } of endpoints) {
    if (version === undefined || /^[!-~](?:[ -~]*[!-~])?$/.test(version)) continue
    const remedy = 'use printable characters of ASCII, or another carrier in versionWith'
    createReporter(mistakes, name)(
      'version',
      `no header can carry ${describeValue(version)}, so that no request reaches it`,
      remedy,
    )
  }
}

// An application without endpoints is a mistake; if all its controllers are invalid, those are reported already.
function hasNoControllers(options: unknown): boolean {
  const controllers: unknown = form.isSettings(options) ? options['controllers'] : undefined
  return controllers === undefined || (Array.isArray(controllers) && controllers.length === 0)
}

function checkDuplicates(
  controllers: readonly AnyController[],
  endpoints: readonly ResolvedEndpoint[],
  mistakes: DefinitionMistake[],
  report: Report,
): void {
  const keys = new Set<string>()
  for (const { definition } of controllers) {
    const { name, version } = definition.resolve()
    const key = `${name} ${version ?? ''}`
    if (keys.has(key))
      report(
        'controllers',
        `two controllers implement ${name}${version === undefined ? '' : ` ${version}`}`,
        'keep one, or rename one of the endpoints',
      )
    keys.add(key)
  }
  checkCustomResponses(endpoints, mistakes)
}

function checkCustomResponses(endpoints: readonly ResolvedEndpoint[], mistakes: DefinitionMistake[]): void {
  const known = new Map<string, { readonly response: ResolvedResponse; readonly actionName: string }>()
  const checkResponse = (response: ResolvedResponse, name: string, endpoint: string, action: string): void => {
    if (builtinStatuses.has(name)) return
    const first = known.get(name)
    if (first === undefined) known.set(name, { response, actionName: `${endpoint}.${action}` })
    else if (!isSameResponse(first.response, response)) {
      createReporter(mistakes, endpoint, action)(
        `responses.${name}`,
        `${first.actionName} declares another response of this name`,
        'declare it once with response() and list that, or rename one',
      )
    }
  }
  for (const { name: endpoint, actions } of endpoints) {
    actions.forEach(({ name: action, responses }) => {
      responses.forEach((response, name) => {
        checkResponse(response, name, endpoint, action)
      })
    })
  }
}

function isSameResponse(a: ResolvedResponse, b: ResolvedResponse): boolean {
  return (
    a.status === b.status &&
    isSameRule(a.location, b.location) &&
    a.headers.length === b.headers.length &&
    a.headers.every(([name, rule], i) => name === b.headers[i]?.[0] && isSameRule(rule, b.headers[i]?.[1])) &&
    a.bodies.length === b.bodies.length &&
    a.bodies.every(({ attribute, identifier, list, stream }, i) => {
      const other = b.bodies[i] as ResolvedBody
      const names = ['spreadsheet', 'heartbeat', 'retry', 'recheck'] as const
      const isSameFormat = names.every((name) => stream?.[name] === other.stream?.[name])
      return attribute === other.attribute && identifier === other.identifier && list === other.list && isSameFormat
    })
  )
}

const isSameRule = (a: unknown, b: unknown): boolean =>
  a === b || (a instanceof RegExp && b instanceof RegExp && String(a) === String(b))
