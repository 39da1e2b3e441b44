// Visibility: after admission, a request continues with the action as its client sees it.
import type { PolicyRequest } from '../../design/declare/policy.ts'
import type { CompiledAction, CompiledVariant, Step } from '../request/exchange.ts'
import type { Plugin } from '../application-options.ts'
import { getPolicyView } from '../request/policy-view.ts'

/** Returns the inputs and outputs of an action for the members of some audiences. */
export type VariantCompiler = (audiences: readonly string[]) => CompiledVariant

interface AudienceVariant {
  readonly compiled: CompiledAction
  readonly audiences: readonly string[]
}

/** The test of each audience that plugins know, by its name. */
export const collectAudienceTests = (plugins: readonly Plugin[]): ReadonlyMap<string, (request: PolicyRequest) => boolean> =>
  new Map(plugins.flatMap(({ audiences = {} }) => Object.entries(audiences)))

/** The step that finds out what a client sees; none where all see the same. */
export function createVisibilitySteps(audiences: readonly string[], plugins: readonly Plugin[], faces: VariantCompiler): readonly Step[] {
  if (audiences.length === 0) return []
  const known = collectAudienceTests(plugins)
  // Boot has asked for a test of each; an audience without one has no members.
  const tests = audiences.map((name) => known.get(name) ?? (() => false))
  const made = new Map<string, AudienceVariant>()
  return [
    {
      name: 'visibility',
      run(exchange) {
        const request = getPolicyView(exchange)
        // Only the value true grants access: a promise, for example, does not.
        const mine = audiences.filter((_, i) => tests[i]?.(request) === true)
        const key = mine.join('\n')
        let seen = made.get(key)
        if (seen === undefined) {
          seen = { compiled: Object.freeze({ ...exchange.compiled, ...faces(mine) }), audiences: Object.freeze(mine) }
          made.set(key, seen)
        }
        exchange.switchVariant(seen.compiled, seen.audiences)
        return undefined
      },
    },
  ]
}
