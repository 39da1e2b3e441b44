// Explains a request as data: every step that an action compiles into, with the plugin or callback that adds it.

import type { Plugin } from './application-options.ts'
import type { CompiledAction, Step } from './request/exchange.ts'

/** One point in the processing of a request, and the steps that run there. */
export interface ExplainedPoint {
  readonly point: 'arrival' | 'steps' | 'response' | 'end'
  readonly steps: readonly string[]
}

/** All steps of a request to one action, in order. */
export interface Explanation {
  /** The endpoint and the action, such as `Books.show`. */
  readonly action: string
  /** The version of the endpoint. */
  readonly version: string | undefined
  readonly points: readonly ExplainedPoint[]
}

/** Lists the steps of a request to an action. */
export function explainAction(compiled: CompiledAction, plugins: readonly Plugin[]): Explanation {
  const { actionName, resolved, steps, responseSteps, responseHooks } = compiled
  const listHooks = (hook: 'arrival' | 'around' | 'response' | 'end'): string[] =>
    plugins.flatMap((plugin) => (plugin[hook] === undefined ? [] : [plugin.name]))
  const listNames = (list: readonly Pick<Step, 'name' | 'parts'>[]): string[] =>
    list.flatMap(({ name, parts = [name] }) => parts)
  return {
    action: actionName,
    version: resolved.endpoint.version,
    points: [
      { point: 'arrival', steps: [...listHooks('arrival'), ...listHooks('around'), 'route'] },
      { point: 'steps', steps: listNames(steps) },
      {
        point: 'response',
        steps: [
          ...(responseSteps.length === 0 ? ['write'] : listNames(responseSteps)),
          ...listNames(responseHooks),
          ...listHooks('response'),
          'send',
        ],
      },
      { point: 'end', steps: listHooks('end') },
    ],
  }
}
