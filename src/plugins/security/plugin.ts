// The plugin that enforces security: the verifiers that an application brings for the schemes of its actions.
import { type Plugin, providing, type Report, reportFlaws } from '../../extend.ts'
import { admission } from './admission.ts'
import { codes } from './codes.ts'
import { acceptScheme, policyOf } from './rules.ts'
import { securing } from './scheme.ts'
import type { Need } from './types.ts'
import { isVerifier, type Verifier, verifierFlaws } from './verifier.ts'

/** Verifies the credentials of the schemes that actions name. */
export const verifiersPlugin: (given: readonly Verifier[]) => Plugin = providing(makePlugin, [
  securing,
  { accept: acceptScheme, policyOf },
])

function makePlugin(given: readonly Verifier[]): Plugin {
  const verifiers = Array.isArray(given) ? given.filter(isVerifier) : []
  const complete = Array.isArray(given) && verifiers.length === given.length
  return Object.freeze({
    name: 'security',
    codes,
    takes: ['verifiers'],
    checkOptions: (report) => checkVerifiers(given, report),
    checkPolicy({ settings }, _, report) {
      // Where a verifier is not as it should be, schemes may only seem to have none.
      if (!complete) return
      for (const part of (settings as readonly Need[]).flatMap((need) => need ?? []))
        if (!verifiers.some(({ scheme }) => scheme === part.scheme)) {
          const remedy = "add verifier(scheme, …) to the application's verifiers"
          report('security', `nothing verifies the scheme '${part.scheme.name}'`, remedy)
        }
    },
    enforce: ({ settings }, _, { title = 'API' }) => admission(settings as readonly Need[], verifiers, title),
  } satisfies Plugin)
}

function checkVerifiers(given: unknown, report: Report): void {
  if (!Array.isArray(given)) return report('verifiers', 'it is not a list', 'give a list: verifiers: [ … ]')
  for (const [i, one] of given.entries()) reportFlaws(`verifiers[${i}]`, verifierFlaws(one), report)
}
