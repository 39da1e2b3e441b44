// The plugin `rateLimits`: counts requests in a store, rejects those beyond a limit, and reports the rest to clients.
import {
  type ApplicationOptions,
  form,
  isThenable,
  type Plugin,
  type Policy,
  type PolicyRequest,
  type PolicyResult,
  type PolicySteps,
  problem,
  Refusal,
  reportFlaws,
} from '../../extend.ts'
import { type Counted, type Identify, identityOf, isStore, type Store } from '../stores/index.ts'
import { codes } from './codes.ts'
import { createKeyFunction, type GetCounterKey } from './counter-key.ts'
import type { ResolvedLimit } from './limit-settings.ts'
import { formatPolicy } from './policy.ts'

/** The options of `rateLimits`. */
export interface RateLimitOptions {
  /**
   * The handling of requests while the store does not respond: they `'pass'` without a limit, with a warning in the log,
   * or are `'refused'` with a 503.
   * @default `'refused'`
   */
  readonly whenDown?: 'pass' | 'refused'
  /**
   * Returns a string that identifies a principal.
   * @default the principal if it is a string or a number, or else its `id` or `sub`
   */
  readonly identify?: Identify
}

const STORE_FORM: form.SettingForm = form.custom('a store, such as memoryStore()', isStore)
const FIELDS: form.Fields<RateLimitOptions> = { whenDown: form.choice('pass', 'refused'), identify: form.callable }

/** Enforces the limits that actions declare with `rateLimit`, counting in a store. */
export function rateLimits(store: Store, options: RateLimitOptions = {}): Plugin {
  const { value, flaws } = form.accept<RateLimitOptions>(options, FIELDS)
  const { whenDown = 'refused', identify = identityOf } = value
  return Object.freeze({
    name: 'rate-limit',
    codes,
    checkOptions(report) {
      reportFlaws('rateLimits', STORE_FORM.check(store), report)
      reportFlaws('rateLimits', flaws, report)
    },
    checkPolicy({ settings }, action, report) {
      if ((settings as ResolvedLimit).by !== 'principal' || action.policies.has('security')) return
      const remedy = "give the action a security scheme, or count by: 'address'"
      report('policies.rateLimit', 'it counts by principal, and the action has no security', remedy)
    },
    enforce: (policy, action, application) =>
      new EnforcedLimit({
        limit: policy.settings as ResolvedLimit,
        scope: findScope(policy, `${action.endpoint.name}.${action.name}`, application),
        getKey: createKeyFunction((policy.settings as ResolvedLimit).by, identify),
        store,
        passesWhenDown: whenDown === 'pass',
      }),
  } satisfies Plugin)
}

// A shared policy value is one limit. It is named after the first action that has it, in the order of the application, so
// that every process uses the same name.
function findScope(policy: Policy, actionName: string, { controllers }: ApplicationOptions): string {
  for (const { definition } of controllers)
    for (const [name, { policies, endpoint }] of definition.resolve().actions)
      if (policies.get(policy.name) === policy) return `${endpoint.name}.${name}`
  return actionName
}

interface EnforcedLimitOptions {
  readonly limit: ResolvedLimit
  readonly scope: string
  readonly getKey: GetCounterKey
  readonly store: Store
  readonly passesWhenDown: boolean
}

/** A limit as enforced in one action. */
class EnforcedLimit implements PolicySteps {
  readonly #options: EnforcedLimitOptions
  readonly #prefix: string
  readonly #state = Symbol('rate limit')

  constructor(options: EnforcedLimitOptions) {
    this.#options = options
    const { name, limit, seconds } = options.limit
    this.#prefix = `limit:${options.scope}:${name}:${limit}:${seconds}:`
  }

  admission(request: PolicyRequest): PolicyResult | Promise<PolicyResult> {
    const { store, getKey, limit } = this.#options
    const key = this.#prefix + getKey(request)
    let counted: Counted | Promise<Counted>
    try {
      counted = store.count(key, limit.seconds * 1000)
    } catch (error) {
      return this.#handleOutage(request, error)
    }
    if (!isThenable(counted)) return this.#judgeCount(request, counted)
    return counted.then(
      (result) => this.#judgeCount(request, result),
      (error: unknown) => this.#handleOutage(request, error),
    )
  }

  response(...[response, { state }]: Parameters<NonNullable<PolicySteps['response']>>): void {
    const remaining = state[this.#state]
    if (remaining !== undefined) response.append('RateLimit', remaining as string)
    const { name } = this.#options.limit
    if (name !== 'default') response.append('RateLimit-Policy', formatPolicy(this.#options.limit))
  }

  #judgeCount({ state }: PolicyRequest, { count, left }: Counted): PolicyResult {
    const { name, limit } = this.#options.limit
    const seconds = Math.ceil(left / 1000)
    state[this.#state] = `"${name}";r=${Math.max(0, limit - count)};t=${seconds}`
    if (count <= limit) return undefined
    return problem({ ...codes.failures['rate-limited'], headers: { 'Retry-After': String(Math.max(1, seconds)) } })
  }

  #handleOutage(request: PolicyRequest, error: unknown): PolicyResult {
    if (!this.#options.passesWhenDown)
      throw new Refusal({ code: 'unavailable', headers: { 'Retry-After': '1' } }, { cause: error })
    request.warn(
      { err: error, limit: this.#options.limit.name },
      'A limit was not enforced: its store does not respond',
    )
  }
}
