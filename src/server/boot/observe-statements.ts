// Connects plugins to the database statements that they observe while the application is served.

import type { Plugin } from '../application-options.ts'
import type { Logger } from '../logger.ts'
import type { StatementObserver } from '../sent-statement.ts'

/** Passes the statements of an application's plugins to observers; the returned function stops that. */
export function observeStatements(plugins: readonly Plugin[], logger: Logger): () => void {
  const observers = plugins.filter((one) => one.statement !== undefined)
  const sources = new Set(observers.length === 0 ? [] : plugins.flatMap(({ statements = [] }) => statements))
  const stops = [...sources].flatMap((source) =>
    observers.map((plugin) => source.observe(createSafeObserver(plugin, logger))),
  )
  return () => {
    for (const stop of stops) stop()
  }
}

// A failing plugin must not make the statement fail.
function createSafeObserver(plugin: Plugin, logger: Logger): StatementObserver {
  const runSafely = <R>(work: () => R): R | undefined => {
    try {
      return work()
    } catch (err) {
      logger.error({ err, plugin: plugin.name, hook: 'statement' }, 'A plugin failed')
      return undefined
    }
  }
  return (statement) => {
    const end = runSafely(() => plugin.statement?.(statement))
    return end && ((ended) => runSafely(() => end(ended)))
  }
}
