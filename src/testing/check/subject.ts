// The subject of a check: an application with all that its declarations say, and what is known of its elements.
import type { Application } from '../../application.ts'
import type { Terms } from '../../design/declare/terms.ts'
import type { ResolvedAction, ResolvedEndpoint } from '../../design/resolve/resolved.ts'
import { Registry } from '../../mock/registry.ts'
import { routingTable, type TableEntry } from '../../routing/table.ts'
import { type Call, nameOf } from './call.ts'
import type { Settled } from './options.ts'
import { Places } from './places.ts'
import { type Resource, resourceIn } from './resource.ts'
import { type Exchange, isLater, type Reachable, Session } from './session.ts'

/** The parts of an application that are checked: its declarations, and its responses. */
export type Checked = Pick<Application, 'fetch' | 'basePath' | 'endpoints' | 'contract'>

/** An application that is checked. */
export class Subject implements Reachable {
  readonly options: Settled
  readonly principals: Settled['principals']
  readonly basePath: string
  readonly table: readonly TableEntry[]
  readonly actions: readonly ResolvedAction[]
  readonly validationStatus: number
  readonly problems: string
  readonly carriers: readonly string[]
  readonly places: Places
  readonly app: Checked
  /** How many requests were sent. */
  requests = 0
  /** How many of them the server wanted later. */
  limited = 0
  /** The actions that some request had success with. */
  readonly reached: Set<string> = new Set()
  readonly #contract: ReturnType<Checked['contract']>
  readonly #registry: Registry
  readonly #resources = new Map<ResolvedEndpoint, Resource | undefined>()

  /** With `like`, an application of the same declarations: they are not worked out again. */
  constructor(app: Checked, options: Settled, like?: Subject) {
    this.app = app
    this.options = options
    this.principals = options.principals
    this.basePath = app.basePath
    this.table = like?.table ?? routingTable(app.endpoints, app.basePath)
    this.actions = like?.actions ?? app.endpoints.flatMap(({ actions }) => [...actions.values()])
    this.#contract = like === undefined ? app.contract() : like.#contract
    this.validationStatus = this.#contract.validationStatus
    this.problems = this.#contract.problems
    this.carriers = this.#contract.versionWith
    this.places = new Places(this.table)
    this.#registry = like === undefined ? new Registry(app.endpoints) : like.#registry
  }

  /** The actions of an endpoint on its elements. */
  resourceOf({ endpoint }: ResolvedAction): Resource | undefined {
    if (!this.#resources.has(endpoint)) this.#resources.set(endpoint, resourceIn(this, this.#registry, endpoint))
    return this.#resources.get(endpoint)
  }

  /** The routes whose paths fit an address. */
  routesAt(url: string, version: string | undefined): TableEntry[] {
    const path = new URL(url).pathname
    const plain = version === undefined ? path : path.replace(`/v${encodeURIComponent(version)}`, '')
    return this.table.filter(
      (entry) => (entry.version === version || entry.version === undefined) && entry.pattern.match(plain) !== null,
    )
  }

  reaches({ action, method }: Call, { url, method: verb }: Request): boolean {
    if (method !== undefined) return true
    const found = servedBy(verb, this.routesAt(url, action.endpoint.version))
    const own = found.filter((entry) => entry.action === action).map(literals)
    return found.every((entry) => entry.action === action || literals(entry) < Math.max(...own))
  }

  heard(exchange: Exchange): void {
    this.requests++
    if (isLater(exchange.answer)) this.limited++
    const { action, method } = exchange.call
    const least = Math.min(...[...action.responses.values()].map(({ status }) => status))
    // Another method at the path of an action reaches no action.
    const isReached = method === undefined && exchange.answer.status < Math.max(400, least + 1)
    if (isReached) this.reached.add(nameOf(action))
    const isGone = method === undefined && exchange.answer.status < 300 && this.resourceOf(action)?.remove === action
    if (isGone) this.places.forget(action.endpoint, exchange.call.params)
    else this.places.learn(exchange)
  }

  session(): Session {
    return new Session(this)
  }

  /** The terms that the contract has for a param. */
  termsOf({ endpoint, name }: ResolvedAction, param: string): Terms {
    const found = this.#contract.endpoints.find((one) => one.name === endpoint.name && one.version === endpoint.version)
    return found?.actions[name]?.params[param]?.terms ?? {}
  }

  /** Names of inputs that the application ignores in an action. */
  ignores({ endpoint, name }: ResolvedAction): readonly string[] {
    const found = this.#contract.endpoints.find((one) => one.name === endpoint.name && one.version === endpoint.version)
    return found?.actions[name]?.ignore ?? []
  }
}

/** Of routes at a path those that a verb goes to, as the router has it: its own, else those for any verb, else GET for HEAD. */
function servedBy(verb: string, routes: readonly TableEntry[]): readonly TableEntry[] {
  const levels = [verb, 'ANY', ...(verb === 'HEAD' ? ['GET'] : [])]
  const declared = levels.find((one) => routes.some(({ route }) => route.verb === one))
  return routes.filter(({ route }) => route.verb === declared)
}

// Texts of a path come before captures: the more of it is text, the sooner it is taken.
const literals = ({ pattern }: TableEntry): number => pattern.source.replace(/[:*]\w*/g, '').length
