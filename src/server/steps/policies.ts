// Runs policies: the work of their plugins at each point of a request, as steps of the action.

import type { ActionResponse } from '../../design/declare/action-response.ts'
import type { OutgoingResponse, PolicyRequest, PolicyResult, PolicySteps } from '../../design/declare/policy.ts'
import type { ResolvedAction } from '../../design/resolve/resolved.ts'
import { isThenable } from '../../util/thenable.ts'
import { type ApplicationOptions, hasPluginName } from '../application-options.ts'
import type { Exchange, Step, StepOutcome } from '../request/exchange.ts'
import { createPolicyViewFactory } from '../request/policy-view.ts'
import { isAccumulating } from '../response/headers.ts'
import type { ResponseHook } from '../response/outgoing-response.ts'

/** The steps of an action's policies, by the point where they run. */
export interface CompiledPolicies {
  readonly admission: readonly Step[]
  readonly before: readonly Step[]
  readonly after: readonly Step[]
  readonly settleHooks: readonly ResponseHook<Exchange>[]
  readonly responseHooks: readonly ResponseHook<Exchange>[]
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
    const added = exchange.response.hasHeaders ? listAccumulated(exchange.response) : NO_HEADERS
    const result = steps.after?.(exchange.response, view(exchange))
    return isThenable(result)
      ? (result as Promise<PolicyResult>).then((resolved) => replaceResponse(exchange, resolved, added))
      : replaceResponse(exchange, result, added)
  },
})

// Callbacks of the response stage see the replacement.
function replaceResponse(exchange: Exchange, result: PolicyResult, added: AccumulatedHeaders): undefined {
  if (!exchange.sent) keepAccumulated(exchange.response, result, added)
  if (result) exchange.response = result
  else exchange.ownBody()
}

function keepAccumulated(response: ActionResponse, result: PolicyResult, added: AccumulatedHeaders): void {
  if (!result || result === response) return restoreHeaders(response, added)
  // The Vary of a response also applies to its replacement.
  const vary = added.filter(([name]) => name.toLowerCase() === 'vary')
  restoreHeaders(result, vary, true)
}

type AccumulatedHeaders = readonly (readonly [name: string, values: readonly string[]])[]

const NO_HEADERS: AccumulatedHeaders = []

const listAccumulated = ({ headers }: ActionResponse): AccumulatedHeaders =>
  Object.entries(headers).flatMap(([name, value]) =>
    isAccumulating(name.toLowerCase()) ? [[name, [value].flat()] as const] : [],
  )

// A policy that sets such a header adds to the values of the action.
function restoreHeaders(response: ActionResponse, added: AccumulatedHeaders, isReplacement = false): undefined {
  for (const [name, values] of added) {
    const current = response.hasHeaders ? response.headers[name] : undefined
    if (current === undefined && !isReplacement) continue
    const all = [current ?? []].flat()
    if (!values.every((one) => all.includes(one))) response.headers[name] = [...new Set([...values, ...all])]
  }
}

const createPolicyHook = (
  { name, steps, view }: EnforcedPolicy,
  point: 'settle' | 'response',
): ResponseHook<Exchange> => ({
  name: point === 'response' ? name : `${name}: settle`,
  run: (response: OutgoingResponse, exchange: Exchange) => steps[point]?.(response, view(exchange)),
})

const toStepOutcome = (result: PolicyResult): StepOutcome => result ?? undefined
