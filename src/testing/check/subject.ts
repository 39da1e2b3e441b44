// The subject of a check: an application, its declarations, and its known elements.
import type { Application } from '../../application.ts'
import type { Terms } from '../../design/declare/contract-terms.ts'
import type { ResolvedAction, ResolvedEndpoint } from '../../design/resolve/resolved.ts'
import { EntityRegistry } from '../../mock/entity-registry.ts'
import { buildRouteTable, type TableEntry } from '../../routing/route-table.ts'
import type { ResolvedCheckOptions } from '../session/check-options.ts'
import { getActionName, type TestCall } from '../session/test-call.ts'
import { isUnavailable, type SessionTarget, type TestExchange, TestSession } from '../session/test-session.ts'
import { type CheckedResource, findCheckedResource } from './checked-resource.ts'
import { KnownElements } from './known-elements.ts'

/** The parts of an application that are checked: its declarations, and its responses. */
export type CheckedApplication = Pick<Application, 'fetch' | 'basePath' | 'endpoints' | 'contract'>

/** An application that is checked. */
export class Subject implements SessionTarget {
  readonly options: ResolvedCheckOptions
  readonly principals: ResolvedCheckOptions['principals']
  readonly basePath: string
  readonly table: readonly TableEntry[]
  readonly actions: readonly ResolvedAction[]
  readonly validationStatus: number
  readonly problems: string
  readonly versionCarriers: readonly string[]
  readonly knownElements: KnownElements
  readonly app: CheckedApplication
  /** The number of requests sent. */
  requests = 0
  /** The number of requests answered with 429 or 503. */
  limited = 0
  /** The names of actions with at least one successful request. */
  readonly reached: Set<string> = new Set()
  readonly #contract: ReturnType<CheckedApplication['contract']>
  readonly #registry: EntityRegistry
  readonly #resources = new Map<ResolvedEndpoint, CheckedResource | undefined>()

  /** With `like`, reuses the resolved declarations of another subject for the same application. */
  constructor(app: CheckedApplication, options: ResolvedCheckOptions, like?: Subject) {
    this.app = app
    this.options = options
    this.principals = options.principals
    this.basePath = app.basePath
    this.table = like?.table ?? buildRouteTable(app.endpoints, app.basePath)
    this.actions = like?.actions ?? app.endpoints.flatMap(({ actions }) => [...actions.values()])
    this.#contract = like === undefined ? app.contract() : like.#contract
    this.validationStatus = this.#contract.validationStatus
    this.problems = this.#contract.problems
    this.versionCarriers = this.#contract.versionWith
    this.knownElements = new KnownElements(this.table)
    this.#registry = like === undefined ? new EntityRegistry(app.endpoints) : like.#registry
  }

  /** Returns the actions of an endpoint on its elements. */
  getResource({ endpoint }: ResolvedAction): CheckedResource | undefined {
    if (!this.#resources.has(endpoint))
      this.#resources.set(endpoint, findCheckedResource(this, this.#registry, endpoint))
    return this.#resources.get(endpoint)
  }

  /** Returns the routes whose paths match a URL. */
  findRoutes(url: string, version: string | undefined): TableEntry[] {
    const path = new URL(url).pathname
    const plain = version === undefined ? path : path.replace(`/v${encodeURIComponent(version)}`, '')
    return this.table.filter(
      (entry) => (entry.version === version || entry.version === undefined) && entry.pattern.match(plain) !== null,
    )
  }

  reaches({ action, method }: TestCall, { url, method: verb }: Request): boolean {
    if (method !== undefined) return true
    const found = filterByVerb(verb, this.findRoutes(url, action.endpoint.version))
    const own = found.filter((entry) => entry.action === action).map(countLiterals)
    return found.every((entry) => entry.action === action || countLiterals(entry) < Math.max(...own))
  }

  recordExchange(exchange: TestExchange): void {
    this.requests++
    if (isUnavailable(exchange.response)) this.limited++
    const { action, method } = exchange.call
    const lowestStatus = Math.min(...[...action.responses.values()].map(({ status }) => status))
    // A call with another method than the action's does not reach the action.
    const isReached = method === undefined && exchange.response.status < Math.max(400, lowestStatus + 1)
    if (isReached) this.reached.add(getActionName(action))
    const isGone = method === undefined && exchange.response.status < 300 && this.getResource(action)?.remove === action
    if (isGone) this.knownElements.forget(action.endpoint, exchange.call.params)
    else this.knownElements.learn(exchange)
  }

  createSession(): TestSession {
    return new TestSession(this)
  }

  /** Returns the terms of a param in the contract. */
  getTerms({ endpoint, name }: ResolvedAction, param: string): Terms {
    const found = this.#contract.endpoints.find((one) => one.name === endpoint.name && one.version === endpoint.version)
    return found?.actions[name]?.params[param]?.terms ?? {}
  }

  /** Returns the names of inputs that the application ignores in an action. */
  getIgnoredNames({ endpoint, name }: ResolvedAction): readonly string[] {
    const found = this.#contract.endpoints.find((one) => one.name === endpoint.name && one.version === endpoint.version)
    return found?.actions[name]?.ignore ?? []
  }
}

/**
 * Returns the routes that serve a method, by the router's precedence: its own, then those for any method, then GET for HEAD.
 */
function filterByVerb(verb: string, routes: readonly TableEntry[]): readonly TableEntry[] {
  const levels = [verb, 'ANY', ...(verb === 'HEAD' ? ['GET'] : [])]
  const declared = levels.find((one) => routes.some(({ route }) => route.verb === one))
  return routes.filter(({ route }) => route.verb === declared)
}

// The router prefers literal segments over captures: the route with more literal text wins.
const countLiterals = ({ pattern }: TableEntry): number => pattern.source.replace(/[:*]\w*/g, '').length
