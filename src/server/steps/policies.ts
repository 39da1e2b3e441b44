// Policies at run time: what their plugins do at each point of a request, as steps of the action.
import type { OutgoingResponse, PolicyRequest, PolicyResult, PolicySteps } from '../../design/declare/policy.ts'
import type { ActionResponse } from '../../design/declare/response.ts'
import type { ResolvedAction } from '../../design/resolve/resolved.ts'
import { isThenable } from '../../util/thenable.ts'
import { isAccumulating } from '../answer/headers.ts'
import { answersTo } from '../boot/plugins.ts'
import type { Exchange, Outcome, Step } from '../exchange.ts'
import type { ApplicationOptions } from '../options.ts'
import type { AnswerHook } from '../points/outgoing.ts'
import { viewFor } from './policy-view.ts'

/** The steps that the policies of an action bring, by the point where they run. */
export interface CompiledPolicies {
  readonly admission: readonly Step[]
  readonly before: readonly Step[]
  readonly after: readonly Step[]
  readonly settling: readonly AnswerHook<Exchange>[]
  readonly outgoing: readonly AnswerHook<Exchange>[]
}

/** The work of one policy in an action, and the request as the policy sees it. */
interface Enforced {
  readonly name: string
  readonly steps: PolicySteps
  readonly view: (exchange: Exchange) => PolicyRequest
}

/** Compiles the policies of an action. */
export function compilePolicies(action: ResolvedAction, options: ApplicationOptions): CompiledPolicies {
  const steps = [...action.policies.values()].flatMap((policy): Enforced[] => {
    const { plugin } = policy
    const enforcing = plugin === undefined ? undefined : options.plugins?.find((one) => answersTo(one, plugin))
    const made = enforcing?.enforce?.(policy, action, options)
    return made === undefined ? [] : [{ name: policy.name, steps: made, view: viewFor(action, policy) }]
  })
  const at = (point: 'admission' | 'before'): Step[] =>
    steps.flatMap((one) => (one.steps[point] === undefined ? [] : [stepOf(one, point)]))
  const hooks = (point: 'settle' | 'answer'): AnswerHook<Exchange>[] =>
    steps.flatMap((one) => (one.steps[point] === undefined ? [] : [hookOf(one, point)]))
  return {
    admission: at('admission'),
    before: at('before'),
    after: steps.flatMap((one) => (one.steps.after === undefined ? [] : [afterOf(one)])),
    settling: hooks('settle'),
    outgoing: hooks('answer'),
  }
}

const stepOf = ({ name, steps, view }: Enforced, point: 'admission' | 'before'): Step => ({
  name: point === 'admission' ? name : `${name}: before`,
  run(exchange) {
    const result = steps[point]?.(view(exchange))
    return isThenable(result) ? (result as Promise<PolicyResult>).then(outcomeOf) : outcomeOf(result)
  },
})

const afterOf = ({ name, steps, view }: Enforced): Step => ({
  name: `${name}: after`,
  run(exchange) {
    const added = exchange.response.hasHeaders ? accumulatedIn(exchange.response) : NOTHING
    const result = steps.after?.(exchange.response, view(exchange))
    return isThenable(result)
      ? (result as Promise<PolicyResult>).then((late) => replace(exchange, late, added))
      : replace(exchange, result, added)
  },
})

// Callbacks of the response stage see the other response.
function replace(exchange: Exchange, result: PolicyResult, added: Accumulated): undefined {
  if (!exchange.sent) keepAccumulated(exchange.response, result, added)
  if (result) exchange.response = result
  else exchange.ownBody()
}

function keepAccumulated(response: ActionResponse, result: PolicyResult, added: Accumulated): void {
  if (!result || result === response) return restore(response, added)
  // What a response varies with is true of the one in its place, too.
  const vary = added.filter(([name]) => name.toLowerCase() === 'vary')
  restore(result, vary, true)
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

const hookOf = ({ name, steps, view }: Enforced, point: 'settle' | 'answer'): AnswerHook<Exchange> => ({
  name: point === 'answer' ? name : `${name}: settle`,
  run: (response: OutgoingResponse, exchange: Exchange) => steps[point]?.(response, view(exchange)),
})

const outcomeOf = (result: PolicyResult): Outcome => result ?? undefined
