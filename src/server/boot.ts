// Boot: plugins applied, definitions resolved, and all mistakes of an application gathered into one error.
import { type Registration, stages } from '../design/callback.ts'
import type { AnyController } from '../design/controller.ts'
import { type DefinitionMistake, type Report, refuseMistakes, reporter } from '../design/mistakes.ts'
import type { ResolvedAction, ResolvedBody, ResolvedEndpoint, ResolvedResponse } from '../design/resolved.ts'
import { builtinStatuses } from '../design/status.ts'
import { reportConflict, routingTable, type TableEntry } from '../routing/table.ts'
import type { VersionCarrier } from '../routing/version.ts'
import type { Attributes } from '../schema/attribute.ts'
import type { ApplicationOptions, Described } from './options.ts'
import { applyPlugins } from './plugin.ts'

/** An application's declarations after boot. */
export interface Boot {
  readonly options: ApplicationOptions
  readonly basePath: string
  readonly carriers: readonly VersionCarrier[]
  readonly endpoints: readonly ResolvedEndpoint[]
  readonly table: readonly TableEntry[]
  controllerOf(entry: TableEntry): AnyController
  /** Adds routes that cannot be told apart to the mistakes, and throws when there are any. */
  refuse(conflicts: readonly (readonly [TableEntry, TableEntry])[]): void
}

const CARRIERS: readonly VersionCarrier[] = ['path', 'header', 'params']

/** Prepares an application's declarations and gathers their mistakes; `finished` gives what comes of them. */
export function boot(given: ApplicationOptions, finished: () => Described): Boot {
  const mistakes: DefinitionMistake[] = []
  const report = reporter(mistakes, '')
  const options = applyPlugins(given, report, finished)
  const basePath = basePathOf(options.basePath, report)
  const owners = new Map<ResolvedEndpoint, AnyController>()
  const registered = new Set(options.plugins?.flatMap(({ name, provides = [] }) => [name, ...provides]))
  for (const controller of controllersOf(options, report)) {
    const endpoint = controller.definition.resolve()
    owners.set(endpoint, controller)
    mistakes.push(...endpoint.mistakes)
    checkController(controller, endpoint, mistakes)
    checkNeeds(endpoint, registered, mistakes)
    checkSecurity(endpoint, options, mistakes)
    for (const plugin of options.plugins ?? []) plugin.check?.(endpoint, reporter(mistakes, endpoint.name), options)
  }
  for (const plugin of options.plugins ?? []) plugin.checkOptions?.(report, options)
  const endpoints = [...owners.keys()]
  checkTogether(controllersOf(options), endpoints, mistakes, report)
  checkLimits(options, report)
  checkCarriers(options.versionWith, report)
  return {
    options,
    basePath,
    carriers: options.versionWith ?? CARRIERS,
    endpoints,
    table: routingTable(endpoints, basePath),
    controllerOf: ({ action }) => owners.get(action.endpoint) as AnyController,
    refuse(conflicts) {
      for (const [first, second] of conflicts) {
        reportConflict(first, second, reporter(mistakes, second.action.endpoint.name, second.action.name))
      }
      refuseMistakes(mistakes)
    },
  }
}

// A kind of param may mean nothing without the plugin that reads it.
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
      reporter(mistakes, name, action.name)(`params.${param}`, problem, remedy)
    }
    checkMisplaced('headers', action, action.headers, mistakes)
    if (action.payload !== undefined)
      checkMisplaced('payload', action, action.payload.attribute.core.children, mistakes)
  })
}

// An action that nobody could enter, or anybody by mistake, must not boot.
function checkSecurity(
  { name, actions }: ResolvedEndpoint,
  { security: verifiers = [] }: ApplicationOptions,
  mistakes: DefinitionMistake[],
): void {
  actions.forEach((action) => {
    if (action.security.length === 0) return
    const report = reporter(mistakes, name, action.name)
    for (const need of action.security) {
      if (need === null || verifiers.some(({ scheme }) => scheme === need.scheme)) continue
      const remedy = "add verifier(scheme, …) to the application's security"
      report('security', `nothing verifies the scheme '${need.scheme.name}'`, remedy)
    }
  })
}

// Plugins read params; elsewhere their kinds of attributes would never be looked at.
function checkMisplaced(
  setting: string,
  { name: action, endpoint }: ResolvedAction,
  attributes: Attributes,
  mistakes: DefinitionMistake[],
): void {
  for (const name of Object.keys(attributes)) {
    if (attributes[name]?.core.needs === undefined) continue
    const report = reporter(mistakes, endpoint.name, action)
    report(`${setting}.${name}`, `a plugin reads it, which looks at params only`, 'move it to params')
  }
}

function basePathOf(basePath: string | undefined, report: Report): string {
  const trimmed = (basePath ?? '').replace(/\/+$/, '')
  if (trimmed === '') return ''
  if (/[?#:*()|\\\s]/.test(trimmed)) {
    report('basePath', `'${basePath}' is not a plain path`, 'write one like /api')
    return ''
  }
  return trimmed.startsWith('/') ? trimmed : `/${trimmed}`
}

function checkCarriers(versionWith: readonly string[] | undefined, report: Report): void {
  for (const carrier of versionWith ?? []) {
    if (!CARRIERS.includes(carrier as VersionCarrier))
      report('versionWith', `'${carrier}' cannot carry a version`, `use some of: ${CARRIERS.join(', ')}`)
  }
  if (versionWith?.length === 0)
    report('versionWith', 'there is no way left to carry a version', `use some of: ${CARRIERS.join(', ')}`)
}

function checkLimits({ limits, deadline }: ApplicationOptions, report: Report): void {
  for (const [name, limit] of Object.entries(limits ?? {})) {
    if (!(Number.isSafeInteger(limit) && limit > 0))
      report(`limits.${name}`, `${limit} is not a limit`, 'give a whole number above 0')
  }
  if (deadline !== undefined && !(deadline >= 0 && deadline < 2 ** 31))
    report('deadline', `${deadline} is not a time in milliseconds`, 'give one from 0, for none, to 24 days')
}

// --- controllers -------------------------------------------------------------------

function controllersOf({ controllers }: ApplicationOptions, report?: Report): readonly AnyController[] {
  const list: readonly unknown[] = Array.isArray(controllers) ? controllers : []
  const isController = (one: unknown): one is AnyController =>
    typeof one === 'object' && one !== null && '~controller' in one
  if (!list.every(isController))
    report?.(
      'controllers',
      'not every element is a controller',
      'make each with controller(…) or endpoint(…).implement(…)',
    )
  return list.filter(isController)
}

function checkController(
  { implementation, callbacks }: AnyController,
  endpoint: ResolvedEndpoint,
  mistakes: DefinitionMistake[],
): void {
  const isClass = typeof implementation === 'function'
  const methods: object = isClass ? (Reflect.get(implementation, 'prototype') as object) : implementation
  for (const name of endpoint.actions.keys()) {
    const method: unknown = Reflect.get(methods, name)
    // A class may make its functions in the constructor, where boot cannot see them.
    if (typeof method !== 'function' && !(isClass && method === undefined)) {
      reporter(mistakes, endpoint.name, name)(
        'controller',
        'the controller does not implement the action',
        `add a function '${name}' to it`,
      )
    }
  }
  const report = reporter(mistakes, endpoint.name)
  for (const name of Object.keys(implementation)) {
    if (!isClass && !endpoint.actions.has(name)) {
      report(
        'controller',
        `it implements '${name}', which is not an action`,
        `rename it, or declare the action; there are: ${names(endpoint)}`,
      )
    }
  }
  for (const callback of callbacks) checkCallback(callback, endpoint, report)
}

function checkCallback({ when, stage, actions }: Registration, endpoint: ResolvedEndpoint, report: Report): void {
  if (!stages.includes(stage)) report(when, `there is no stage '${stage}'`, `use one of: ${stages.join(', ')}`)
  for (const action of actions ?? []) {
    if (!endpoint.actions.has(action))
      report(when, `there is no action '${action}'`, `name some of: ${names(endpoint)}`)
  }
}

const names = ({ actions }: ResolvedEndpoint): string => [...actions.keys()].join(', ')

// --- the application as a whole -------------------------------------------------------

function checkTogether(
  controllers: readonly AnyController[],
  endpoints: readonly ResolvedEndpoint[],
  mistakes: DefinitionMistake[],
  report: Report,
): void {
  if (controllers.length === 0) report('controllers', 'there is none', 'add the controllers of your endpoints')
  const keys = new Set<string>()
  for (const controller of controllers) {
    const { name, spec } = controller.definition
    const key = `${name} ${spec.version ?? ''}`
    if (keys.has(key))
      report(
        'controllers',
        `two controllers implement ${name}${spec.version === undefined ? '' : ` ${spec.version}`}`,
        'keep one, or rename one of the endpoints',
      )
    keys.add(key)
  }
  checkCustomResponses(endpoints, mistakes)
}

function checkCustomResponses(endpoints: readonly ResolvedEndpoint[], mistakes: DefinitionMistake[]): void {
  const known = new Map<string, { readonly response: ResolvedResponse; readonly place: string }>()
  const check = (response: ResolvedResponse, name: string, endpoint: string, action: string): void => {
    if (builtinStatuses.has(name)) return
    const first = known.get(name)
    if (first === undefined) known.set(name, { response, place: `${endpoint}.${action}` })
    else if (!isSame(first.response, response)) {
      reporter(mistakes, endpoint, action)(
        `responses.${name}`,
        `${first.place} declares another response of this name`,
        'declare it once with response() and list that, or rename one',
      )
    }
  }
  for (const { name: endpoint, actions } of endpoints) {
    actions.forEach(({ name: action, responses }) => {
      responses.forEach((response, name) => {
        check(response, name, endpoint, action)
      })
    })
  }
}

function isSame(a: ResolvedResponse, b: ResolvedResponse): boolean {
  const [own, other] = [ownBodies(a), ownBodies(b)]
  return (
    a.status === b.status &&
    isSameRule(a.location, b.location) &&
    a.headers.length === b.headers.length &&
    a.headers.every(([name, rule], i) => name === b.headers[i]?.[0] && isSameRule(rule, b.headers[i]?.[1])) &&
    own.length === other.length &&
    own.every(({ attribute, identifier, list }, i) => {
      const same = other[i] as ResolvedBody
      return attribute === same.attribute && identifier === same.identifier && list === same.list
    })
  )
}

// What a response takes over from its endpoint is no part of its declaration.
const ownBodies = ({ implied, bodies }: ResolvedResponse): readonly ResolvedBody[] => (implied ? [] : bodies)

const isSameRule = (a: unknown, b: unknown): boolean =>
  a === b || (a instanceof RegExp && b instanceof RegExp && String(a) === String(b))
