// Policies at run time: what their plugins do at each point of a request, as steps of the action.
import type { OutgoingResponse, PolicyRequest, PolicyResult, PolicySteps } from '../../design/declare/policy.ts'
import type { ActionResponse } from '../../design/declare/response.ts'
import type { ResolvedAction } from '../../design/resolve/resolved.ts'
import { isThenable } from '../../util/thenable.ts'
import { isAccumulating } from '../answer/headers.ts'
import { answersTo } from '../boot/plugins.ts'
import { addMember } from '../context.ts'
import type { Exchange, Outcome, Step } from '../exchange.ts'
import type { ApplicationOptions } from '../options.ts'
import type { AnswerHook } from '../points/outgoing.ts'
import { discard } from '../stream.ts'
import type { RawHeaders } from '../transport.ts'

/** The steps that the policies of an action bring, by the point where they run. */
export interface CompiledPolicies {
  readonly admission: readonly Step[]
  readonly before: readonly Step[]
  readonly after: readonly Step[]
  readonly settling: readonly AnswerHook<Exchange>[]
  readonly outgoing: readonly AnswerHook<Exchange>[]
}

/** Compiles the policies of an action. */
export function compilePolicies(action: ResolvedAction, options: ApplicationOptions): CompiledPolicies {
  const steps = [...action.policies.values()].flatMap((policy): [string, PolicySteps][] => {
    const { plugin } = policy
    const enforcing = plugin === undefined ? undefined : options.plugins?.find((one) => answersTo(one, plugin))
    const made = enforcing?.enforce?.(policy, action, options)
    return made === undefined ? [] : [[policy.name, made]]
  })
  const at = (point: 'admission' | 'before'): Step[] =>
    steps.flatMap(([name, made]) => (made[point] === undefined ? [] : [stepOf(name, made, point)]))
  const hooks = (point: 'settle' | 'answer'): AnswerHook<Exchange>[] =>
    steps.flatMap(([name, made]) => (made[point] === undefined ? [] : [hookOf(name, made, point)]))
  return {
    admission: at('admission'),
    before: at('before'),
    after: steps.flatMap(([name, made]) => (made.after === undefined ? [] : [afterOf(name, made)])),
    settling: hooks('settle'),
    outgoing: hooks('answer'),
  }
}

const stepOf = (name: string, steps: PolicySteps, point: 'admission' | 'before'): Step => ({
  name: point === 'admission' ? name : `${name}: before`,
  run(exchange) {
    const result = steps[point]?.(viewOf(exchange))
    return isThenable(result) ? (result as Promise<PolicyResult>).then(outcomeOf) : outcomeOf(result)
  },
})

const afterOf = (name: string, steps: PolicySteps): Step => ({
  name: `${name}: after`,
  run(exchange) {
    const added = exchange.response.hasHeaders ? accumulatedIn(exchange.response) : NOTHING
    const result = steps.after?.(exchange.response, viewOf(exchange))
    return isThenable(result)
      ? (result as Promise<PolicyResult>).then((late) => replace(exchange, late, added))
      : replace(exchange, result, added)
  },
})

// Callbacks of the response stage see the other response.
function replace(exchange: Exchange, result: PolicyResult, added: Accumulated): undefined {
  if (exchange.sent) return
  const { response } = exchange
  if (!result || result === response) return restore(response, added)
  discard(response.body)
  // What a response varies with is true of the one in its place, too.
  restore(
    result,
    added.filter(([name]) => name.toLowerCase() === 'vary'),
    true,
  )
  exchange.response = result
}

type Accumulated = readonly (readonly [name: string, values: readonly string[]])[]

const NOTHING: Accumulated = []

const accumulatedIn = ({ headers }: ActionResponse): Accumulated =>
  Object.entries(headers).flatMap(([name, value]) =>
    isAccumulating(name.toLowerCase()) ? [[name, [value].flat()] as const] : [],
  )

// A policy that sets such a header adds to what the action gave.
function restore(response: ActionResponse, added: Accumulated, isOther = false): undefined {
  for (const [name, values] of added) {
    const now = response.hasHeaders ? response.headers[name] : undefined
    if (now === undefined && !isOther) continue
    const all = [now ?? []].flat()
    if (!values.every((one) => all.includes(one))) response.headers[name] = [...new Set([...values, ...all])]
  }
}

const hookOf = (name: string, steps: PolicySteps, point: 'settle' | 'answer'): AnswerHook<Exchange> => ({
  name: point === 'answer' ? name : `${name}: settle`,
  run: (response: OutgoingResponse, exchange: Exchange) => steps[point]?.(response, viewOf(exchange)),
})

const outcomeOf = (result: PolicyResult): Outcome => result ?? undefined

/** The request as the policies of its action see it. */
export function viewOf(exchange: Exchange): PolicyRequest {
  exchange.policyView ??= new PolicyView(exchange)
  return exchange.policyView
}

/** One request as the policies of its action see it. */
class PolicyView implements PolicyRequest {
  readonly #exchange: Exchange
  #state: Record<PropertyKey, unknown> | undefined

  constructor(exchange: Exchange) {
    this.#exchange = exchange
  }

  get method(): string {
    return this.#exchange.request.method
  }

  get url(): string {
    return this.#exchange.request.url
  }

  get headers(): RawHeaders {
    return this.#exchange.transport.headers
  }

  get id(): string {
    return this.#exchange.request.id
  }

  get address(): string | undefined {
    return this.#exchange.transport.address
  }

  get signal(): AbortSignal {
    return this.#exchange.request.signal
  }

  get action(): string {
    return this.#exchange.compiled.actionName
  }

  get input(): PolicyRequest['input'] {
    return this.#exchange.request
  }

  get principal(): unknown {
    return this.#exchange.context.principal
  }

  get audiences(): readonly string[] | undefined {
    return this.#exchange.audiences
  }

  get repeats(): (name: string) => boolean {
    const { transport } = this.#exchange
    return (name) => transport.repeats?.(name.toLowerCase()) === true
  }

  query(name: string): readonly string[] {
    const { url, query } = this.#exchange.line
    return query < 0 ? [] : new URLSearchParams(url.slice(query)).getAll(name)
  }

  add(name: string, value: unknown): void {
    addMember(this.#exchange.context, name, value)
  }

  get(name: string): unknown {
    const { context } = this.#exchange
    return Object.hasOwn(context, name) ? Reflect.get(context, name) : undefined
  }

  get state(): Record<PropertyKey, unknown> {
    this.#state ??= {}
    return this.#state
  }

  warn(fields: object, message: string): void {
    const { services, origin } = this.#exchange
    services.logger.warn({ ...fields, ...origin }, message)
  }
}
