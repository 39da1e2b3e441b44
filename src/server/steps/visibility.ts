// Selects the visible variant: after admission, a request continues with the action as its client sees it.
import type { PolicyRequest } from '../../design/declare/policy.ts'
import type { Plugin } from '../application-options.ts'
import type { CompiledAction, CompiledVariant, Step } from '../request/exchange.ts'
import { getUnredactedView } from '../request/policy-view.ts'

/** Compiles the inputs and outputs of an action for the members of some audiences. */
export type VariantCompiler = (audiences: readonly string[]) => CompiledVariant

interface AudienceVariant {
  readonly compiled: CompiledAction
  readonly audiences: readonly string[]
}

/** Returns the membership test of each audience, by name. */
export const collectAudienceTests = (
  plugins: readonly Plugin[],
): ReadonlyMap<string, (request: PolicyRequest) => boolean> =>
  new Map(plugins.flatMap(({ audiences = {} }) => Object.entries(audiences)))

/** Creates the step that determines the audiences of a client; none if all clients see the same. */
export function createVisibilitySteps(
  audiences: readonly string[],
  plugins: readonly Plugin[],
  compileVariant: VariantCompiler,
): readonly Step[] {
  if (audiences.length === 0) return []
  const testsByName = collectAudienceTests(plugins)
  // Boot requires a test for each audience; without one it has no members.
  const tests = audiences.map((name) => testsByName.get(name) ?? (() => false))
  const cache = new Map<string, AudienceVariant>()
  return [
    {
      name: 'visibility',
      run(exchange) {
        const request = getUnredactedView(exchange)
        // Only the value true grants access: a promise, for example, does not.
        const memberships = audiences.filter((_, i) => tests[i]?.(request) === true)
        const key = memberships.join('\n')
        let variant = cache.get(key)
        if (variant === undefined) {
          variant = {
            compiled: Object.freeze({ ...exchange.compiled, ...compileVariant(memberships) }),
            audiences: Object.freeze(memberships),
          }
          cache.set(key, variant)
        }
        exchange.switchVariant(variant.compiled, variant.audiences)
        return undefined
      },
    },
  ]
}
