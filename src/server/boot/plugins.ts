// Plugins: their order, the changes that they make to an application's options, their start and their end.
import type { Report } from '../../design/resolve/mistakes.ts'
import { described } from '../../util/described.ts'
import { isStructure } from '../../util/form.ts'
import { once } from '../../util/memo.ts'
import type { Logger } from '../logger.ts'
import type { ApiDescription, ApplicationOptions, Phase, Plugin } from '../options.ts'
import type { Handler } from '../transport.ts'
import { followStatements } from './following.ts'

/** Applies plugins in order; reports names that occur twice, and orders that contradict each other. */
export function applyPlugins(
  options: ApplicationOptions,
  report: Report,
  finished: () => ApiDescription,
): ApplicationOptions {
  const plugins = inOrder(merged(options.plugins ?? [], report), report)
  let current: ApplicationOptions = options.plugins === undefined ? options : { ...options, plugins }
  for (const plugin of plugins) {
    if (plugin.apply === undefined) continue
    const changed: unknown = plugin.apply(current, finished)
    if (isStructure(changed)) current = changed as unknown as ApplicationOptions
    else
      report(
        'plugins',
        `apply of '${plugin.name}' gives ${described(changed)}`,
        'return the options of the application',
      )
  }
  return current
}

/** Whether a plugin is meant by a name. */
export const answersTo = ({ name, provides = [] }: Plugin, wanted: string): boolean =>
  name === wanted || provides.includes(wanted)

/** Plugins by their names: those that are registered twice become one, where they say how. */
function merged(plugins: readonly Plugin[], report: Report): readonly Plugin[] {
  const named = new Map<string, Plugin>()
  for (const plugin of plugins) {
    const known = named.get(plugin.name)
    const both = known === undefined ? plugin : known.merge?.(plugin)
    if (both === undefined) report('plugins', `'${plugin.name}' is registered twice`, 'register it once')
    named.set(plugin.name, both ?? plugin)
  }
  return [...named.values()]
}

/** Plugins in the order of their registration, except where `before` and `after` want another. */
function inOrder(plugins: readonly Plugin[], report: Report): readonly Plugin[] {
  const named = new Set(plugins.map(({ name }) => name))
  for (const { name, after = [] } of plugins)
    for (const one of after)
      if (!named.has(one))
        report('plugins', `'${name}' needs '${one}', which is not registered`, `register the plugin ${one} as well`)
  for (const { name, excludes = [] } of plugins)
    for (const one of excludes)
      if (named.has(one) && one !== name)
        report('plugins', `'${name}' and '${one}' exclude each other`, 'remove one of them')
  const ordered: Plugin[] = []
  const visit = (plugin: Plugin, trail: readonly Plugin[]): void => {
    if (ordered.includes(plugin)) return
    if (trail.includes(plugin)) {
      const last = trail.at(-1) as Plugin
      const problem = `'${plugin.name}' and '${last.name}' must each run before the other`
      report('plugins', problem, 'remove one of them, or change their before and after')
      return
    }
    const first = plugins.filter(
      (one) => one !== plugin && (plugin.after?.includes(one.name) || one.before?.includes(plugin.name)),
    )
    for (const one of first) visit(one, [...trail, plugin])
    if (!ordered.includes(plugin)) ordered.push(plugin)
  }
  for (const plugin of plugins) visit(plugin, [])
  return ordered
}

/** Closes plugins one after the other, also where one fails. */
async function closeEach(plugins: readonly Plugin[]): Promise<void> {
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
export function lifetime(
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
    unfollow = followStatements(plugins, logger)
    // A start that is tried again goes on with the plugin that failed.
    for (const plugin of plugins.slice(started.length)) {
      await plugin.start?.(finished())
      started.push(plugin)
    }
    if (phase === 'starting') phase = 'serving'
  }
  const start = once(startAll)
  const closeAll = async (): Promise<void> => {
    await starting?.catch(() => {})
    unfollow()
    await closeEach(started.reverse())
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
