// The subject of a check: an application with all that its declarations say, and what is known of its elements.
import type { Application } from '../../application.ts'
import type { Terms } from '../../design/declare/contract-terms.ts'
import type { ResolvedAction, ResolvedEndpoint } from '../../design/resolve/resolved.ts'
import { EntityRegistry } from '../../mock/entity-registry.ts'
import { buildRouteTable, type TableEntry } from '../../routing/route-table.ts'
import { type TestCall, getActionName } from '../session/test-call.ts'
import type { ResolvedCheckOptions } from '../session/check-options.ts'
import { KnownElements } from './known-elements.ts'
import { type CheckedResource, findCheckedResource } from './checked-resource.ts'
import { type TestExchange, isUnavailable, type SessionTarget, TestSession } from '../session/test-session.ts'

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
  readonly carriers: readonly string[]
  readonly knownElements: KnownElements
  readonly app: CheckedApplication
  /** How many requests were sent. */
  requests = 0
  /** How many of them the server wanted later. */
  limited = 0
  /** The actions that some request had success with. */
  readonly reached: Set<string> = new Set()
  readonly #contract: ReturnType<CheckedApplication['contract']>
  readonly #registry: EntityRegistry
  readonly #resources = new Map<ResolvedEndpoint, CheckedResource | undefined>()

  /** With `like`, an application of the same declarations: they are not worked out again. */
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
    this.carriers = this.#contract.versionWith
    this.knownElements = new KnownElements(this.table)
    this.#registry = like === undefined ? new EntityRegistry(app.endpoints) : like.#registry
  }

  /** The actions of an endpoint on its elements. */
  getResource({ endpoint }: ResolvedAction): CheckedResource | undefined {
    if (!this.#resources.has(endpoint)) this.#resources.set(endpoint, findCheckedResource(this, this.#registry, endpoint))
    return this.#resources.get(endpoint)
  }

  /** The routes whose paths fit an address. */
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
    if (isUnavailable(exchange.answer)) this.limited++
    const { action, method } = exchange.call
    const least = Math.min(...[...action.responses.values()].map(({ status }) => status))
    // Another method at the path of an action reaches no action.
    const isReached = method === undefined && exchange.answer.status < Math.max(400, least + 1)
    if (isReached) this.reached.add(getActionName(action))
    const isGone = method === undefined && exchange.answer.status < 300 && this.getResource(action)?.remove === action
    if (isGone) this.knownElements.forget(action.endpoint, exchange.call.params)
    else this.knownElements.learn(exchange)
  }

  createSession(): TestSession {
    return new TestSession(this)
  }

  /** The terms that the contract has for a param. */
  getTerms({ endpoint, name }: ResolvedAction, param: string): Terms {
    const found = this.#contract.endpoints.find((one) => one.name === endpoint.name && one.version === endpoint.version)
    return found?.actions[name]?.params[param]?.terms ?? {}
  }

  /** Names of inputs that the application ignores in an action. */
  getIgnoredNames({ endpoint, name }: ResolvedAction): readonly string[] {
    const found = this.#contract.endpoints.find((one) => one.name === endpoint.name && one.version === endpoint.version)
    return found?.actions[name]?.ignore ?? []
  }
}

/** Of routes at a path those that a verb goes to, as the router has it: its own, else those for any verb, else GET for HEAD. */
function filterByVerb(verb: string, routes: readonly TableEntry[]): readonly TableEntry[] {
  const levels = [verb, 'ANY', ...(verb === 'HEAD' ? ['GET'] : [])]
  const declared = levels.find((one) => routes.some(({ route }) => route.verb === one))
  return routes.filter(({ route }) => route.verb === declared)
}

// Texts of a path come before captures: the more of it is text, the sooner it is taken.
const countLiterals = ({ pattern }: TableEntry): number => pattern.source.replace(/[:*]\w*/g, '').length
