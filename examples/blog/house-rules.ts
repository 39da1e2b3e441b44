// A plugin: rules of our own about declarations, checked together with edict's when the application starts.
import type { Plugin } from 'edict'

/** Rejects actions without a description. */
export const houseRules: Plugin = {
  name: 'house-rules',
  check(endpoint, report) {
    for (const { name, description, nodoc } of endpoint.actions.values()) {
      if (!nodoc && description === undefined) report(`actions.${name}`, 'it has no description', 'write a sentence')
    }
  },
}
