// The plugin that enforces limits: it counts in a store, refuses what is too much, and tells clients how much is left.
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
  providing,
  Refusal,
  reportFlaws,
} from '../../extend.ts'
import { type Counted, type Identify, identityOf, isStore, type Store } from '../stores/index.ts'
import { codes } from './codes.ts'
import { type KeyOf, keyMaker } from './key.ts'
import { policyText, type SettledLimit, settledLimit, settling } from './policy.ts'

/** Settings of `rateLimits`. */
export interface RateLimitOptions {
  /**
   * The handling of requests while the store does not respond: they `'pass'` without a limit, with a warning in the log, or
   * are `'refused'` with a 503.
   * @default `'refused'`
   */
  readonly whenDown?: 'pass' | 'refused'
  /**
   * Returns the text that identifies a principal.
   * @default the principal if it is a text or a number, or else its `id` or `sub`
   */
  readonly identify?: Identify
}

const STORE: form.Form = form.tested('a store, such as memoryStore()', isStore)
const FIELDS: form.Fields<RateLimitOptions> = { whenDown: form.choice('pass', 'refused'), identify: form.callable }

/** Enforces the limits that actions declare with `rateLimit`, counting in a store. */
const provided: (store: Store, options?: RateLimitOptions) => Plugin = providing(rateLimits, [settling, settledLimit])

export { provided as rateLimits }

function rateLimits(store: Store, options: RateLimitOptions = {}): Plugin {
  const { value, flaws } = form.accept<RateLimitOptions>(options, FIELDS)
  const { whenDown = 'refused', identify = identityOf } = value
  return Object.freeze({
    name: 'rate-limit',
    codes,
    checkOptions(report) {
      reportFlaws('rateLimits', STORE.check(store), report)
      reportFlaws('rateLimits', flaws, report)
    },
    checkPolicy({ settings }, action, report) {
      if ((settings as SettledLimit).by !== 'principal' || action.policies.has('security')) return
      const remedy = "give the action a security scheme, or count by: 'address'"
      report('policies.rateLimit', 'it counts by principal, and the action has no security', remedy)
    },
    enforce: (policy, action, application) =>
      new Enforced({
        limit: policy.settings as SettledLimit,
        scope: scopeOf(policy, `${action.endpoint.name}.${action.name}`, application),
        keyOf: keyMaker((policy.settings as SettledLimit).by, identify),
        store,
        passes: whenDown === 'pass',
      }),
  } satisfies Plugin)
}

// One value is one limit: it is named after the first action that has it, in the order of the application, so that every
// process gives it the same name.
function scopeOf(policy: Policy, own: string, { controllers }: ApplicationOptions): string {
  for (const { definition } of controllers)
    for (const [name, { policies, endpoint }] of definition.resolve().actions)
      if (policies.get(policy.name) === policy) return `${endpoint.name}.${name}`
  return own
}

interface Parts {
  readonly limit: SettledLimit
  readonly scope: string
  readonly keyOf: KeyOf
  readonly store: Store
  readonly passes: boolean
}

/** One limit at work in one action. */
class Enforced implements PolicySteps {
  readonly #parts: Parts
  readonly #prefix: string
  readonly #state = Symbol('rate limit')

  constructor(parts: Parts) {
    this.#parts = parts
    const { name, limit, seconds } = parts.limit
    this.#prefix = `limit:${parts.scope}:${name}:${limit}:${seconds}:`
  }

  admission(request: PolicyRequest): PolicyResult | Promise<PolicyResult> {
    const { store, keyOf, limit } = this.#parts
    const key = this.#prefix + keyOf(request)
    let counted: Counted | Promise<Counted>
    try {
      counted = store.count(key, limit.seconds * 1000)
    } catch (error) {
      return this.#down(request, error)
    }
    if (!isThenable(counted)) return this.#judge(request, counted)
    return counted.then(
      (late) => this.#judge(request, late),
      (error: unknown) => this.#down(request, error),
    )
  }

  answer(...[response, { state }]: Parameters<NonNullable<PolicySteps['answer']>>): void {
    const left = state[this.#state]
    if (left !== undefined) response.append('RateLimit', left as string)
    const { name } = this.#parts.limit
    if (name !== 'default') response.append('RateLimit-Policy', policyText(this.#parts.limit))
  }

  #judge({ state }: PolicyRequest, { count, left }: Counted): PolicyResult {
    const { name, limit } = this.#parts.limit
    const seconds = Math.ceil(left / 1000)
    state[this.#state] = `"${name}";r=${Math.max(0, limit - count)};t=${seconds}`
    if (count <= limit) return undefined
    return problem({ ...codes.failures['rate-limited'], headers: { 'Retry-After': String(Math.max(1, seconds)) } })
  }

  #down(request: PolicyRequest, error: unknown): PolicyResult {
    if (!this.#parts.passes)
      throw new Refusal({ code: 'unavailable', headers: { 'Retry-After': '1' } }, { cause: error })
    request.warn({ err: error, limit: this.#parts.limit.name }, 'A limit was not enforced: its store does not answer')
  }
}
