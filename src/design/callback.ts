// Callbacks: functions before, around and after the stages of a request, for some actions or all of them.
import type { Context } from './context.ts'
import type { EndpointSpec } from './endpoint.ts'
import type { ActionName } from './inference.ts'
import type { Response } from './response.ts'

/** The stages of a request, with the two halves of validate. */
export const stages = ['load', 'validate', 'validate:params', 'validate:payload', 'action', 'response'] as const

/** A stage that a callback can attach to. */
export type Stage = (typeof stages)[number]

/** A response returned by a callback ends the request with it. */
export type CallbackResult = Response | undefined | void

/** Runs before or after a stage. */
export type Callback<S extends EndpointSpec = EndpointSpec, N extends ActionName<S> = ActionName<S>> = (
  context: Context<S, N>,
) => CallbackResult | Promise<CallbackResult>

/** Runs around a stage; the stage runs when `next` is called, or not at all. */
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
}

/** Reads the arguments of before, around and after: an optional stage, optional options, the function. */
export function registration(when: Registration['when'], args: readonly unknown[]): Registration {
  const stage = args.find((one) => typeof one === 'string') ?? 'action'
  const options = args.find((one) => typeof one === 'object' && one !== null) as CallbackOptions | undefined
  const run = args.at(-1)
  if (typeof run !== 'function')
    throw new TypeError(`${when}: the last argument is not a function; pass the callback there`)
  return { when, stage: stage as Stage, actions: options?.actions, run: run as Registration['run'] }
}
