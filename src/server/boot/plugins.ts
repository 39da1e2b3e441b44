// Orders plugins, applies their changes to an application's options, starts them and closes them.
import type { Report } from '../../design/mistakes.ts'
import { describeValue } from '../../util/describe-value.ts'
import { runOnce } from '../../util/memoize.ts'
import { isSettings } from '../../util/setting-form.ts'
import {
  type ApiDescription,
  type ApplicationOptions,
  hasPluginName,
  type Phase,
  type Plugin,
} from '../application-options.ts'
import type { Services } from '../services.ts'
import type { Handler } from '../transport.ts'
import { type AcceptedOptions, acceptOptions } from './accept-options.ts'
import { observeStatements } from './observe-statements.ts'

/** Applies plugins in order, including plugins that plugins add; reports duplicate names and contradictory orders. */
export function applyPlugins(
  accepted: AcceptedOptions,
  report: Report,
  finished: () => ApiDescription,
): AcceptedOptions {
  const { plugins } = accepted.options
  const applied = new Set<string>()
  const invalidPlugins = [...accepted.invalidPlugins]
  let current =
    plugins === undefined ? accepted.options : { ...accepted.options, plugins: arrangePlugins(plugins, report) }
  for (;;) {
    const plugin = current.plugins?.find(({ name, apply }) => apply !== undefined && !applied.has(name))
    if (plugin === undefined) break
    applied.add(plugin.name)
    const changed = applyPlugin(plugin, current, report, finished)
    if (changed === undefined) continue
    invalidPlugins.push(...changed.invalidPlugins)
    const { options } = changed
    const isSame = options.plugins === undefined || options.plugins === current.plugins
    current = isSame ? options : { ...options, plugins: arrangePlugins(options.plugins, report) }
  }
  checkDependencies(current.plugins ?? [], report)
  return { options: current, invalidPlugins }
}

/** Returns the options that a plugin returns, validated like those of the application. */
function applyPlugin(
  plugin: Plugin,
  current: ApplicationOptions,
  report: Report,
  finished: () => ApiDescription,
): AcceptedOptions | undefined {
  const { name } = plugin
  const changed: unknown = plugin.apply?.(current, finished)
  if (changed === current) return undefined
  if (isSettings(changed))
    return acceptOptions(changed, (setting, problem, remedy) =>
      report(setting, `${problem}, by apply of the plugin '${name}'`, remedy),
    )
  report('plugins', `apply of '${name}' gives ${describeValue(changed)}`, 'return the options of the application')
  return undefined
}

/** Merges plugins of the same name and orders them. */
const arrangePlugins = (plugins: readonly Plugin[], report: Report): readonly Plugin[] =>
  orderPlugins(mergePlugins(plugins, report), report)

/** Merges plugins of the same name with their `merge` method; reports those that cannot be merged. */
function mergePlugins(plugins: readonly Plugin[], report: Report): readonly Plugin[] {
  const byName = new Map<string, Plugin>()
  for (const plugin of plugins) {
    const existing = byName.get(plugin.name)
    const merged = existing === undefined ? plugin : existing.merge?.(plugin)
    if (merged === undefined) report('plugins', `'${plugin.name}' is registered twice`, 'register it once')
    byName.set(plugin.name, merged ?? plugin)
  }
  return [...byName.values()]
}

/** Reports missing plugins, and registered plugins that exclude each other. */
function checkDependencies(plugins: readonly Plugin[], report: Report): void {
  const hasOther = (name: string, wanted: string): boolean =>
    plugins.some((one) => one.name !== name && hasPluginName(one, wanted))
  for (const { name, requires = [], excludes = [] } of plugins) {
    for (const one of requires)
      if (!hasOther(name, one))
        report('plugins', `'${name}' needs '${one}', which is not registered`, `register the plugin ${one} as well`)
    for (const one of excludes)
      if (hasOther(name, one)) report('plugins', `'${name}' and '${one}' exclude each other`, 'remove one of them')
  }
}

/** Returns whether a plugin runs after another one. */
const mustRunAfter = ({ after = [], requires = [], name, provides = [] }: Plugin, first: Plugin): boolean =>
  [...after, ...requires].some((wanted) => hasPluginName(first, wanted)) ||
  [name, ...provides].some((own) => first.before?.includes(own))

/** Orders plugins by their registration, except where `before`, `after` and `requires` state otherwise. */
function orderPlugins(plugins: readonly Plugin[], report: Report): readonly Plugin[] {
  const ordered: Plugin[] = []
  const visit = (plugin: Plugin, trail: readonly Plugin[]): void => {
    if (ordered.includes(plugin)) return
    if (trail.includes(plugin)) {
      const last = trail.at(-1) as Plugin
      const problem = `'${plugin.name}' and '${last.name}' must each run before the other`
      report('plugins', problem, 'remove one of them, or change their before and after')
      return
    }
    for (const one of plugins.filter((other) => other !== plugin && mustRunAfter(plugin, other)))
      visit(one, [...trail, plugin])
    if (!ordered.includes(plugin)) ordered.push(plugin)
  }
  for (const plugin of plugins) visit(plugin, [])
  return ordered
}

/** Closes plugins one after the other, even if one fails. */
async function closePlugins(plugins: readonly Plugin[]): Promise<void> {
  const failed: unknown[] = []
  for (const plugin of plugins) {
    try {
      await plugin.close?.()
    } catch (error) {
      failed.push(error)
    }
  }
  if (failed.length > 0) throw new AggregateError(failed, 'Plugins could not be closed')
}

/** Returns functions that start plugins once, in order, and close the started ones in reverse order. */
export function createLifecycle(
  plugins: readonly Plugin[],
  finished: () => ApiDescription,
  { logger, streams }: Pick<Services, 'logger' | 'streams'>,
): Required<Pick<Handler, 'start' | 'drain' | 'close'>> & Pick<ApiDescription, 'phase'> {
  const started: Plugin[] = []
  let stopObserving = (): void => {}
  let phase: Phase = 'new'
  let starting: Promise<void> | undefined
  let closing: Promise<void> | undefined
  const startAll = async (): Promise<void> => {
    phase = 'starting'
    stopObserving()
    stopObserving = observeStatements(plugins, logger)
    // A repeated start continues with the plugin that failed.
    for (const plugin of plugins.slice(started.length)) {
      await plugin.start?.(finished())
      started.push(plugin)
    }
    if (phase === 'starting') phase = 'serving'
  }
  const start = runOnce(startAll)
  const closeAll = async (): Promise<void> => {
    await starting?.catch(() => {})
    stopObserving()
    await closePlugins(started.reverse())
  }
  return {
    start: () => (starting = start()),
    drain() {
      if (phase !== 'closed') phase = 'draining'
      streams.stop()
    },
    phase: () => phase,
    close() {
      phase = 'closed'
      streams.stop()
      closing ??= closeAll()
      return closing
    },
  }
}
