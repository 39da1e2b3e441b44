// Runs policies: the work of their plugins at each point of a request, as steps of the action.

import type { OutgoingResponse, PolicyRequest, PolicyResult, PolicySteps } from '../../design/declare/policy.ts'
import type { ResolvedAction } from '../../design/resolve/resolved.ts'
import { isThenable } from '../../util/thenable.ts'
import { type ApplicationOptions, hasPluginName } from '../application-options.ts'
import type { Exchange, Step, StepOutcome } from '../request/exchange.ts'
import { createPolicyViewFactory } from '../request/policy-view.ts'
import { listAccumulated, restoreAccumulated } from '../response/accumulated-headers.ts'
import type { ResponseHook } from '../response/outgoing-response.ts'

/** The steps of an action's policies, by the point where they run. */
export interface CompiledPolicies {
  readonly admission: readonly Step[]
  readonly before: readonly Step[]
  readonly after: readonly Step[]
  readonly settleHooks: readonly ResponseHook<Exchange>[]
  readonly responseHooks: readonly ResponseHook<Exchange>[]
  /** Returns whether all of them still admit the client of a stream; absent if none of them asks again. */
  readonly recheck: ((exchange: Exchange) => Promise<boolean>) | undefined
}

/** The steps of one policy in an action, and the request as the policy sees it. */
interface EnforcedPolicy {
  readonly name: string
  readonly steps: PolicySteps
  readonly view: (exchange: Exchange) => PolicyRequest
}

/** Compiles the policies of an action. */
export function compilePolicies(action: ResolvedAction, options: ApplicationOptions): CompiledPolicies {
  const policies = [...action.policies.values()].flatMap((policy): EnforcedPolicy[] => {
    const { plugin } = policy
    const enforcing = plugin === undefined ? undefined : options.plugins?.find((one) => hasPluginName(one, plugin))
    const steps = enforcing?.enforce?.(policy, action, options)
    return steps === undefined ? [] : [{ name: policy.name, steps, view: createPolicyViewFactory(action, policy) }]
  })
  const listSteps = (point: 'admission' | 'before'): Step[] =>
    policies.flatMap((one) => (one.steps[point] === undefined ? [] : [createPolicyStep(one, point)]))
  const listHooks = (point: 'settle' | 'response'): ResponseHook<Exchange>[] =>
    policies.flatMap((one) => (one.steps[point] === undefined ? [] : [createPolicyHook(one, point)]))
  return {
    admission: listSteps('admission'),
    before: listSteps('before'),
    after: policies.flatMap((one) => (one.steps.after === undefined ? [] : [createAfterStep(one)])),
    settleHooks: listHooks('settle'),
    responseHooks: listHooks('response'),
    recheck: compileRecheck(policies.filter(({ steps }) => steps.recheck !== undefined)),
  }
}

function compileRecheck(policies: readonly EnforcedPolicy[]): CompiledPolicies['recheck'] {
  if (policies.length === 0) return undefined
  return async (exchange) => {
    for (const { steps, view } of policies) if ((await steps.recheck?.(view(exchange))) !== true) return false
    return true
  }
}

const createPolicyStep = ({ name, steps, view }: EnforcedPolicy, point: 'admission' | 'before'): Step => ({
  name: point === 'admission' ? name : `${name}: before`,
  run(exchange) {
    const result = steps[point]?.(view(exchange))
    return isThenable(result) ? (result as Promise<PolicyResult>).then(toStepOutcome) : toStepOutcome(result)
  },
})

const createAfterStep = ({ name, steps, view }: EnforcedPolicy): Step => ({
  name: `${name}: after`,
  run(exchange) {
    const { response } = exchange
    const former = listAccumulated(response)
    const result = steps.after?.(response, view(exchange))
    const finish = (resolved: PolicyResult): undefined => {
      restoreAccumulated(response, former)
      // Callbacks of the response stage see the replacement.
      if (resolved) exchange.response = resolved
      else exchange.ownBody()
    }
    return isThenable(result) ? (result as Promise<PolicyResult>).then(finish) : finish(result)
  },
})

const createPolicyHook = (
  { name, steps, view }: EnforcedPolicy,
  point: 'settle' | 'response',
): ResponseHook<Exchange> => ({
  name: point === 'response' ? name : `${name}: settle`,
  run: (response: OutgoingResponse, exchange: Exchange) => steps[point]?.(response, view(exchange)),
})

const toStepOutcome = (result: PolicyResult): StepOutcome => result ?? undefined
