// A plugin: rules of our own about declarations, checked together with edict's when the application starts.
import type { Plugin } from 'edict'

/** Rejects actions without a title in the documentation. */
export const houseRules: Plugin = {
  name: 'house-rules',
  check(endpoint, report) {
    for (const { name, summary, nodoc } of endpoint.actions.values()) {
      if (!nodoc && summary === undefined) report(`actions.${name}`, 'it has no summary', 'write a few words')
    }
  },
}
