// Steps that plugins watch: each tells of its beginning and its end. Without such plugins steps stay as they are.
import { isThenable } from '../../util/thenable.ts'
import { type Exchange, LATER, type Step } from '../request/exchange.ts'
import type { Plugin } from '../application-options.ts'
import { getRedactedView } from '../request/policy-view.ts'

type StepWatcher = Plugin & Required<Pick<Plugin, 'step'>>

/** Returns steps that tell plugins of themselves; the same ones if no plugin watches. */
export function watchSteps(steps: readonly Step[], plugins: readonly Plugin[]): readonly Step[] {
  const watching = plugins.filter((one): one is StepWatcher => one.step !== undefined)
  return watching.length === 0 ? steps : steps.map((step) => watchStep(step, watching))
}

const watchStep = (step: Step, watching: readonly StepWatcher[]): Step => ({
  ...step,
  run(exchange) {
    const end = beginWatch(step.name, watching, exchange)
    let ended: ReturnType<Step['run']>
    try {
      ended = step.run(exchange)
    } catch (error) {
      end()
      throw error
    }
    if (ended === LATER) exchange.stepEnd = end
    else if (isThenable(ended)) return ended.finally(end)
    else end()
    return ended
  },
})

// A plugin that watches must not cost a client its answer.
function beginWatch(name: string, watching: readonly StepWatcher[], exchange: Exchange): () => void {
  const safely = <R>(plugin: Plugin, work: () => R): R | undefined => {
    try {
      return work()
    } catch (err) {
      const fields = { err, plugin: plugin.name, hook: 'step', ...exchange.logFields }
      exchange.services.logger.error(fields, 'A plugin failed')
      return undefined
    }
  }
  const ends = watching.map(
    (plugin) => [plugin, safely(plugin, () => plugin.step(name, getRedactedView(exchange)))] as const,
  )
  return () => {
    exchange.stepEnd = undefined
    for (const [plugin, end] of ends) if (typeof end === 'function') safely(plugin, end)
  }
}
