// Plugins: their order, the changes that they make to an application's options, their start and their end.
import type { Report } from '../../design/mistakes.ts'
import { describeValue } from '../../util/describe-value.ts'
import { isSettings } from '../../util/setting-form.ts'
import { runOnce } from '../../util/memoize.ts'
import type { Logger } from '../logger.ts'
import { type ApiDescription, type ApplicationOptions, hasPluginName, type Phase, type Plugin } from '../application-options.ts'
import type { Handler } from '../transport.ts'
import { observeStatements } from './observe-statements.ts'
import { type AcceptedOptions, acceptOptions } from './accept-options.ts'

/** Applies plugins in order, also those that plugins add; reports names that occur twice, and orders that contradict each other. */
export function applyPlugins(given: AcceptedOptions, report: Report, finished: () => ApiDescription): AcceptedOptions {
  const { plugins } = given.options
  const applied = new Set<string>()
  const flawed = [...given.invalidPlugins]
  let current = plugins === undefined ? given.options : { ...given.options, plugins: arrangePlugins(plugins, report) }
  for (;;) {
    const plugin = current.plugins?.find(({ name, apply }) => apply !== undefined && !applied.has(name))
    if (plugin === undefined) break
    applied.add(plugin.name)
    const changed = applyPlugin(plugin, current, report, finished)
    if (changed === undefined) continue
    flawed.push(...changed.invalidPlugins)
    const { options } = changed
    const isSame = options.plugins === undefined || options.plugins === current.plugins
    current = isSame ? options : { ...options, plugins: arrangePlugins(options.plugins, report) }
  }
  checkDependencies(current.plugins ?? [], report)
  return { options: current, invalidPlugins: flawed }
}

/** The options that a plugin returns, checked as those of the application are. */
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

/** Plugins by their names and in their order. */
const arrangePlugins = (plugins: readonly Plugin[], report: Report): readonly Plugin[] =>
  orderPlugins(mergePlugins(plugins, report), report)

/** Plugins by their names: those that are registered twice become one, where they say how. */
function mergePlugins(plugins: readonly Plugin[], report: Report): readonly Plugin[] {
  const named = new Map<string, Plugin>()
  for (const plugin of plugins) {
    const known = named.get(plugin.name)
    const both = known === undefined ? plugin : known.merge?.(plugin)
    if (both === undefined) report('plugins', `'${plugin.name}' is registered twice`, 'register it once')
    named.set(plugin.name, both ?? plugin)
  }
  return [...named.values()]
}

/** Reports plugins that are missing, and those that exclude each other. */
function checkDependencies(plugins: readonly Plugin[], report: Report): void {
  const others = (name: string, wanted: string): boolean =>
    plugins.some((one) => one.name !== name && hasPluginName(one, wanted))
  for (const { name, requires = [], excludes = [] } of plugins) {
    for (const one of requires)
      if (!others(name, one))
        report('plugins', `'${name}' needs '${one}', which is not registered`, `register the plugin ${one} as well`)
    for (const one of excludes)
      if (others(name, one)) report('plugins', `'${name}' and '${one}' exclude each other`, 'remove one of them')
  }
}

/** Whether a plugin runs after another one. */
const mustRunAfter = ({ after = [], requires = [], name, provides = [] }: Plugin, first: Plugin): boolean =>
  [...after, ...requires].some((wanted) => hasPluginName(first, wanted)) ||
  [name, ...provides].some((own) => first.before?.includes(own))

/** Plugins in the order of their registration, except where `before`, `after` and `requires` want another. */
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

/** Closes plugins one after the other, also where one fails. */
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

/** Starts plugins once, in their order, and closes those that have started in the reverse order. */
export function createLifecycle(
  plugins: readonly Plugin[],
  finished: () => ApiDescription,
  logger: Logger,
): Required<Pick<Handler, 'start' | 'drain' | 'close'>> & Pick<ApiDescription, 'phase'> {
  const started: Plugin[] = []
  let unfollow = (): void => {}
  let phase: Phase = 'new'
  let starting: Promise<void> | undefined
  let closing: Promise<void> | undefined
  const startAll = async (): Promise<void> => {
    phase = 'starting'
    unfollow()
    unfollow = observeStatements(plugins, logger)
    // A start that is tried again goes on with the plugin that failed.
    for (const plugin of plugins.slice(started.length)) {
      await plugin.start?.(finished())
      started.push(plugin)
    }
    if (phase === 'starting') phase = 'serving'
  }
  const start = runOnce(startAll)
  const closeAll = async (): Promise<void> => {
    await starting?.catch(() => {})
    unfollow()
    await closePlugins(started.reverse())
  }
  return {
    start: () => (starting = start()),
    drain() {
      if (phase !== 'closed') phase = 'draining'
    },
    phase: () => phase,
    close() {
      phase = 'closed'
      closing ??= closeAll()
      return closing
    },
  }
}
