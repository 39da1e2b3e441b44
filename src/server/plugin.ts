// Plugins: named, ordered changes of an application's options.
import type { Report } from '../design/mistakes.ts'
import { described } from '../util/described.ts'
import { isStructure } from '../util/form.ts'
import type { ApplicationOptions, Described } from './options.ts'

/** Applies plugins in order; reports names that occur twice or stand in the wrong place. */
export function applyPlugins(
  options: ApplicationOptions,
  report: Report,
  finished: () => Described,
): ApplicationOptions {
  const seen = new Set<string>()
  let current = options
  for (const plugin of options.plugins ?? []) {
    if (seen.has(plugin.name)) report('plugins', `'${plugin.name}' is registered twice`, 'register it once')
    for (const name of plugin.after ?? []) {
      if (!seen.has(name))
        report(
          'plugins',
          `'${plugin.name}' needs '${name}' before it`,
          `put the plugin ${name} in front of ${plugin.name}`,
        )
    }
    seen.add(plugin.name)
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
