// Policies at run time: what their plugins do at each point of a request, as steps of the action.
import type { OutgoingResponse, PolicyRequest, PolicyResult, PolicySteps } from '../../design/declare/policy.ts'
import type { ActionResponse } from '../../design/declare/action-response.ts'
import type { ResolvedAction } from '../../design/resolve/resolved.ts'
import { isThenable } from '../../util/thenable.ts'
import { isAccumulating } from '../response/headers.ts'
import type { Exchange, StepOutcome, Step } from '../request/exchange.ts'
import { type ApplicationOptions, hasPluginName } from '../application-options.ts'
import type { ResponseHook } from '../response/outgoing-response.ts'
import { createPolicyViewer } from '../request/policy-view.ts'

/** The steps that the policies of an action bring, by the point where they run. */
export interface CompiledPolicies {
  readonly admission: readonly Step[]
  readonly before: readonly Step[]
  readonly after: readonly Step[]
  readonly settleHooks: readonly ResponseHook<Exchange>[]
  readonly responseHooks: readonly ResponseHook<Exchange>[]
}

/** The work of one policy in an action, and the request as the policy sees it. */
interface EnforcedPolicy {
  readonly name: string
  readonly steps: PolicySteps
  readonly view: (exchange: Exchange) => PolicyRequest
}

/** Compiles the policies of an action. */
export function compilePolicies(action: ResolvedAction, options: ApplicationOptions): CompiledPolicies {
  const steps = [...action.policies.values()].flatMap((policy): EnforcedPolicy[] => {
    const { plugin } = policy
    const enforcing = plugin === undefined ? undefined : options.plugins?.find((one) => hasPluginName(one, plugin))
    const made = enforcing?.enforce?.(policy, action, options)
    return made === undefined ? [] : [{ name: policy.name, steps: made, view: createPolicyViewer(action, policy) }]
  })
  const at = (point: 'admission' | 'before'): Step[] =>
    steps.flatMap((one) => (one.steps[point] === undefined ? [] : [createPolicyStep(one, point)]))
  const hooks = (point: 'settle' | 'answer'): ResponseHook<Exchange>[] =>
    steps.flatMap((one) => (one.steps[point] === undefined ? [] : [createPolicyHook(one, point)]))
  return {
    admission: at('admission'),
    before: at('before'),
    after: steps.flatMap((one) => (one.steps.after === undefined ? [] : [createAfterStep(one)])),
    settleHooks: hooks('settle'),
    responseHooks: hooks('answer'),
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
      ? (result as Promise<PolicyResult>).then((late) => replaceResponse(exchange, late, added))
      : replaceResponse(exchange, result, added)
  },
})

// Callbacks of the response stage see the other response.
function replaceResponse(exchange: Exchange, result: PolicyResult, added: AccumulatedHeaders): undefined {
  if (!exchange.sent) keepAccumulated(exchange.response, result, added)
  if (result) exchange.response = result
  else exchange.ownBody()
}

function keepAccumulated(response: ActionResponse, result: PolicyResult, added: AccumulatedHeaders): void {
  if (!result || result === response) return restoreHeaders(response, added)
  // What a response varies with is true of the one in its place, too.
  const vary = added.filter(([name]) => name.toLowerCase() === 'vary')
  restoreHeaders(result, vary, true)
}

type AccumulatedHeaders = readonly (readonly [name: string, values: readonly string[]])[]

const NO_HEADERS: AccumulatedHeaders = []

const listAccumulated = ({ headers }: ActionResponse): AccumulatedHeaders =>
  Object.entries(headers).flatMap(([name, value]) =>
    isAccumulating(name.toLowerCase()) ? [[name, [value].flat()] as const] : [],
  )

// A policy that sets such a header adds to what the action gave.
function restoreHeaders(response: ActionResponse, added: AccumulatedHeaders, isOther = false): undefined {
  for (const [name, values] of added) {
    const now = response.hasHeaders ? response.headers[name] : undefined
    if (now === undefined && !isOther) continue
    const all = [now ?? []].flat()
    if (!values.every((one) => all.includes(one))) response.headers[name] = [...new Set([...values, ...all])]
  }
}

const createPolicyHook = ({ name, steps, view }: EnforcedPolicy, point: 'settle' | 'answer'): ResponseHook<Exchange> => ({
  name: point === 'answer' ? name : `${name}: settle`,
  run: (response: OutgoingResponse, exchange: Exchange) => steps[point]?.(response, view(exchange)),
})

const toStepOutcome = (result: PolicyResult): StepOutcome => result ?? undefined
