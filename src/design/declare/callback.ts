// Callbacks: functions before, around and after the stages of a request, for some actions or all of them.
import { described } from '../../util/described.ts'
import { accept, callable, type Fields, type Flaw, list, text } from '../../util/form.ts'
import type { Context } from '../infer/context.ts'
import type { ActionName } from '../infer/inference.ts'
import type { EndpointSpec } from './endpoint.ts'
import type { ActionResponse } from './response.ts'

/** The stages of a request, with the two halves of validate. */
export const stages = ['load', 'validate', 'validate:params', 'validate:payload', 'action', 'response'] as const

/** A stage that a callback can attach to. */
export type Stage = (typeof stages)[number]

/** A response returned by a callback ends the request with it. */
export type CallbackResult = ActionResponse | undefined | void

/** Runs before or after a stage. */
export type Callback<S extends EndpointSpec = EndpointSpec, N extends ActionName<S> = ActionName<S>> = (
  context: Context<S, N>,
) => CallbackResult | Promise<CallbackResult>

/** Runs around a stage; `next` runs the stage. */
export type AroundCallback<S extends EndpointSpec = EndpointSpec, N extends ActionName<S> = ActionName<S>> = (
  context: Context<S, N>,
  next: () => Promise<void>,
) => CallbackResult | Promise<CallbackResult>

/** Limits a callback to some actions. */
export interface CallbackOptions<N extends string = string> {
  /**
   * The actions for which the callback runs.
   * @default all
   */
  readonly actions?: readonly N[]
}

/** A registered callback as the run time sees it. */
export interface Registration {
  readonly when: 'before' | 'around' | 'after'
  readonly stage: Stage
  readonly actions: readonly string[] | undefined
  readonly run: (context: never, next: () => Promise<void>) => unknown
  /** Mistakes in the arguments; boot reports them. */
  readonly flaws: readonly Flaw[]
}

const OPTIONS: Fields<CallbackOptions> = { actions: list(text) }

const REMEDY = 'pass a stage, options, and the function last; stage and options may be left out'

/** Reads the arguments of before, around and after: an optional stage, optional options, the function. */
export function registration(when: Registration['when'], args: readonly unknown[]): Registration {
  const run = args.at(-1)
  const before = args.slice(0, -1)
  const stage = typeof before[0] === 'string' ? before.shift() : 'action'
  const options = before.shift()
  const { value, flaws } = accept(options, OPTIONS)
  const wrong = [
    ...flaws,
    ...callable.check(run).map((flaw) => ({ ...flaw, problem: `the callback is ${described(run)}` })),
    ...before.map((one) => ({ at: '', problem: `there is ${described(one)} among the arguments`, remedy: REMEDY })),
  ]
  return { when, stage: stage as Stage, actions: value.actions, run: run as Registration['run'], flaws: wrong }
}
