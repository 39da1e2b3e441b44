// The life of a request as data: every step that an action compiles into, with the plugin or callback that brings it.
import type { CompiledAction, Step } from './request/exchange.ts'
import type { Plugin } from './application-options.ts'

/** One point in the life of a request, and the steps that run there. */
export interface ExplainedPoint {
  readonly point: 'arrival' | 'steps' | 'answer' | 'end'
  readonly steps: readonly string[]
}

/** All steps of a request to one action, in order. */
export interface Explanation {
  /** The endpoint and the action, as `Books.show`. */
  readonly action: string
  /** The version of the endpoint. */
  readonly version: string | undefined
  readonly points: readonly ExplainedPoint[]
}

/** Lists what a request to an action goes through. */
export function explainAction(compiled: CompiledAction, plugins: readonly Plugin[]): Explanation {
  const { actionName, resolved, steps, responseSteps: answer, responseHooks: outgoing } = compiled
  const hooks = (hook: 'arrival' | 'around' | 'answer' | 'end'): string[] =>
    plugins.flatMap((plugin) => (plugin[hook] === undefined ? [] : [plugin.name]))
  const names = (list: readonly Pick<Step, 'name' | 'parts'>[]): string[] =>
    list.flatMap(({ name, parts = [name] }) => parts)
  return {
    action: actionName,
    version: resolved.endpoint.version,
    points: [
      { point: 'arrival', steps: [...hooks('arrival'), ...hooks('around'), 'route'] },
      { point: 'steps', steps: names(steps) },
      {
        point: 'answer',
        steps: [...(answer.length === 0 ? ['write'] : names(answer)), ...names(outgoing), ...hooks('answer'), 'send'],
      },
      { point: 'end', steps: hooks('end') },
    ],
  }
}
