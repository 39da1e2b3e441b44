// Lets plugins observe steps: reports the beginning and the end of each. Without such plugins steps are unchanged.
import { isThenable } from '../../util/thenable.ts'
import type { Plugin } from '../application-options.ts'
import { type Exchange, RESUMES_LATER, type Step } from '../request/exchange.ts'
import { getRedactedView } from '../request/policy-view.ts'

type StepWatcher = Plugin & Required<Pick<Plugin, 'step'>>

/** Returns steps that notify plugins; the same steps if no plugin observes them. */
export function watchSteps(steps: readonly Step[], plugins: readonly Plugin[]): readonly Step[] {
  const watchers = plugins.filter((one): one is StepWatcher => one.step !== undefined)
  return watchers.length === 0 ? steps : steps.map((step) => watchStep(step, watchers))
}

const watchStep = (step: Step, watchers: readonly StepWatcher[]): Step => ({
  ...step,
  run(exchange) {
    const end = beginWatch(step.name, watchers, exchange)
    let result: ReturnType<Step['run']>
    try {
      result = step.run(exchange)
    } catch (error) {
      end()
      throw error
    }
    if (result === RESUMES_LATER) exchange.stepEnd = end
    else if (isThenable(result)) return result.finally(end)
    else end()
    return result
  },
})

// A plugin that fails must not prevent the response.
function beginWatch(name: string, watchers: readonly StepWatcher[], exchange: Exchange): () => void {
  const runSafely = <R>(plugin: Plugin, work: () => R): R | undefined => {
    try {
      return work()
    } catch (err) {
      const fields = { err, plugin: plugin.name, hook: 'step', ...exchange.logFields }
      exchange.services.logger.error(fields, 'A plugin failed')
      return undefined
    }
  }
  const ends = watchers.map(
    (plugin) => [plugin, runSafely(plugin, () => plugin.step(name, getRedactedView(exchange)))] as const,
  )
  return () => {
    exchange.stepEnd = undefined
    for (const [plugin, end] of ends) if (typeof end === 'function') runSafely(plugin, end)
  }
}
