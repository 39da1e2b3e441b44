// Callbacks: functions before, around and after the stages of a request, for some or all actions.
import { describeValue } from '../util/describe-value.ts'
import { accept, callable, type Fields, type Flaw, isSettings, list, text } from '../util/setting-form.ts'
import type { Context } from './action-context.ts'
import type { ActionResponse } from './declare/action-response.ts'
import type { EndpointSpec } from './declare/endpoint.ts'
import type { ActionName } from './infer/inference.ts'

/** The stages of a request, with the two halves of `validate`. */
export const stages = ['load', 'validate', 'validate:params', 'validate:payload', 'action', 'response'] as const

/** A stage that a callback can attach to. */
export type Stage = (typeof stages)[number]

/** The result of a callback: a response ends the request with it. */
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

/** A registered callback at run time. */
export interface Registration {
  readonly when: 'before' | 'around' | 'after'
  readonly stage: Stage
  readonly actions: readonly string[] | undefined
  readonly run: (context: never, next: () => Promise<void>) => unknown
  /** Mistakes in the arguments; boot reports them. */
  readonly flaws: readonly Flaw[]
}

/** Parses the arguments of before, around and after: an optional stage, optional options, the function. */
export function parseRegistration(when: Registration['when'], args: readonly unknown[]): Registration {
  const { stage, options, run } = splitArguments(args)
  const actions: unknown = isSettings(options) ? options['actions'] : undefined
  return {
    when,
    stage: stage as Stage,
    actions: Array.isArray(actions) ? actions.filter((one) => typeof one === 'string') : undefined,
    run: run as Registration['run'],
    get flaws() {
      return findCallbackFlaws(args)
    },
  }
}

function splitArguments(args: readonly unknown[]) {
  const rest = args.slice(0, -1)
  const stage = typeof rest[0] === 'string' ? rest.shift() : 'action'
  return { stage, options: rest.shift(), run: args.at(-1), rest }
}

const CALLBACK_OPTIONS: Fields<CallbackOptions> = { actions: list(text) }

const ARGUMENTS_REMEDY = 'pass a stage, options, and the function last; stage and options may be left out'

function findCallbackFlaws(args: readonly unknown[]): readonly Flaw[] {
  const { options, run, rest } = splitArguments(args)
  return [
    ...accept(options, CALLBACK_OPTIONS).flaws,
    ...callable.check(run).map((flaw) => ({ ...flaw, problem: `the callback is ${describeValue(run)}` })),
    ...rest.map((one) => ({
      at: '',
      problem: `there is ${describeValue(one)} among the arguments`,
      remedy: ARGUMENTS_REMEDY,
    })),
  ]
}
