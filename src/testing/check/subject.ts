// The subject of a check: an application, its declarations, and its known elements.
import type { Application } from '../../application.ts'
import type { Terms } from '../../design/declare/contract-terms.ts'
import type { ResolvedAction } from '../../design/resolve/resolved.ts'
import { ResourceIndex } from '../../mock/resource-index.ts'
import { buildRouteTable, type TableEntry } from '../../routing/route-table.ts'
import { type CheckedList, findCheckedList } from '../lists/checked-list.ts'
import type { ResolvedCheckOptions, TestClients } from '../session/check-options.ts'
import { getActionName, type TestCall } from '../session/test-call.ts'
import { isUnavailable, type SessionTarget, type TestExchange, TestSession } from '../session/test-session.ts'
import type { CheckedResource } from './checked-resource.ts'
import { KnownElements } from './known-elements.ts'
import { StatementCounter } from './statement-counter.ts'

/** The parts of an application that are checked: its declarations, and its responses. */
export type CheckedApplication = Pick<Application, 'fetch' | 'basePath' | 'endpoints' | 'contract'> &
  Partial<Pick<Application, '~options'>>

/** An application that is checked. */
export class Subject implements SessionTarget {
  readonly options: ResolvedCheckOptions
  readonly principals: TestClients['principals']
  readonly refused: TestClients['refused']
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
  /** The number of responses with each status, by action, to requests that fit its declaration. */
  readonly statuses: Map<ResolvedAction, Map<number, number>> = new Map()
  /** The number of database statements sent so far; undefined if nothing counts them. */
  readonly statements: StatementCounter
  readonly #contract: ReturnType<CheckedApplication['contract']>
  readonly index: ResourceIndex<CheckedList>

  private constructor(app: CheckedApplication, options: ResolvedCheckOptions, clients: TestClients, like?: Subject) {
    this.app = app
    this.options = options
    this.principals = clients.principals
    this.refused = clients.refused
    this.statements = new StatementCounter(app, options.statements)
    this.basePath = app.basePath
    this.table = like?.table ?? buildRouteTable(app.endpoints, app.basePath)
    this.actions = like?.actions ?? app.endpoints.flatMap(({ actions }) => [...actions.values()])
    this.#contract = like === undefined ? app.contract() : like.#contract
    this.validationStatus = this.#contract.validationStatus
    this.problems = this.#contract.problems
    this.versionCarriers = this.#contract.versionWith
    this.index = like?.index ?? new ResourceIndex(this.actions, (action) => findCheckedList(this, action))
    this.knownElements = new KnownElements(this.table, this.index)
  }

  /** With `like`, reuses the resolved declarations of another subject for the same application. */
  static async create(app: CheckedApplication, options: ResolvedCheckOptions, like?: Subject): Promise<Subject> {
    return new Subject(app, options, await options.findClients(app), like)
  }

  /** Returns the resource of an action: that of its elements, or of those that its path passes. */
  getResource(action: ResolvedAction): CheckedResource | undefined {
    return this.index.get(action)
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
    else if (isOrdinary(exchange.call)) this.#countStatus(action, exchange.response.status)
    const resource = this.getResource(action)
    const isGone = method === undefined && exchange.response.status < 300 && resource?.remove === action
    if (isGone) this.knownElements.forget(resource, exchange.call.params)
    else this.knownElements.learn(exchange)
  }

  #countStatus(action: ResolvedAction, status: number): void {
    const counts = this.statuses.get(action) ?? new Map<number, number>()
    this.statuses.set(action, counts.set(status, (counts.get(status) ?? 0) + 1))
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

// Calls that break a rule on purpose say nothing about why an action is not reached.
const isOrdinary = ({ method, body, rawHeaders, link }: TestCall): boolean =>
  (method ?? body ?? rawHeaders ?? link) === undefined

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
