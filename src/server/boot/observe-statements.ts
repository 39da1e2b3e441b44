// Connects plugins with the statements that they observe while the application is served.
import type { Logger } from '../logger.ts'
import type { Plugin } from '../application-options.ts'
import type { StatementObserver } from '../sent-statement.ts'

/** Passes the statements of an application's plugins to observers; the result stops that. */
export function observeStatements(plugins: readonly Plugin[], logger: Logger): () => void {
  const followers = plugins.filter((one) => one.statement !== undefined)
  const sources = new Set(followers.length === 0 ? [] : plugins.flatMap(({ statements = [] }) => statements))
  const ends = [...sources].flatMap((source) => followers.map((plugin) => source.observe(createSafeObserver(plugin, logger))))
  return () => {
    for (const end of ends) end()
  }
}

// A plugin that fails must not fail the statement.
function createSafeObserver(plugin: Plugin, logger: Logger): StatementObserver {
  const safely = <R>(work: () => R): R | undefined => {
    try {
      return work()
    } catch (err) {
      logger.error({ err, plugin: plugin.name, hook: 'statement' }, 'A plugin failed')
      return undefined
    }
  }
  return (statement) => {
    const end = safely(() => plugin.statement?.(statement))
    return end && ((ended) => safely(() => end(ended)))
  }
}
