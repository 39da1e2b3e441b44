// Feature flags: an action whose feature is switched off does not exist, in no document and no contract.
import type { Plugin } from 'edict'
import { describeValue, type Policy, policy } from 'edict/extend'

/** Marks actions that belong to a feature. */
export const feature = (name: string): Policy => policy({ name: 'feature', plugin: 'feature-flags', settings: name })

/** Takes the actions of all features away that are not on. */
export const featureFlags = (on: readonly string[]): Plugin => ({
  name: 'feature-flags',
  checkOptions(report) {
    if (!Array.isArray(on)) report('featureFlags', `it is ${describeValue(on)}`, 'give a list of names')
  },
  removeAction({ policies }) {
    const marked = policies.get('feature')
    return marked !== undefined && !on.includes(String(marked.settings))
  },
  enforce: () => ({}),
  operation: ({ policies }) => {
    const marked = policies.get('feature')
    return marked === undefined ? {} : { 'x-feature': marked.settings }
  },
})
