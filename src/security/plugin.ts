// The plugin that enforces security: the verifiers that an application brings for the schemes of its actions.
import { type Plugin, provideLate, type Report, reportFlaws } from '../extend.ts'
import { createAdmission } from './admit-client.ts'
import { codes } from './codes.ts'
import { acceptScheme, buildPolicy } from './scheme-rules.ts'
import { schemeRules } from './scheme.ts'
import type { SecurityAlternative } from './types.ts'
import { isVerifier, findVerifierFlaws } from './verifier.ts'

/** Verifies the credentials of the schemes that actions name. */
export const verifiersPlugin: () => Plugin = provideLate(createSecurityPlugin, [schemeRules, { accept: acceptScheme, buildPolicy }])

// Other plugins may add verifiers: which there are is known when all of them have been applied.
function createSecurityPlugin(): Plugin {
  return Object.freeze({
    name: 'security',
    codes,
    checkOptions: (report, { verifiers }) => checkVerifiers(verifiers, report),
    checkPolicy({ settings }, _, report, { verifiers = [] }) {
      // Where a verifier is not as it should be, schemes may only seem to have none.
      if (!Array.isArray(verifiers) || !verifiers.every(isVerifier)) return
      for (const part of (settings as readonly SecurityAlternative[]).flatMap((need) => need ?? []))
        if (!verifiers.some(({ scheme }) => scheme === part.scheme)) {
          const remedy = "add verifier(scheme, …) to the application's verifiers"
          report('security', `nothing verifies the scheme '${part.scheme.name}'`, remedy)
        }
    },
    enforce: ({ settings }, _, { title = 'API', verifiers = [] }) =>
      createAdmission(settings as readonly SecurityAlternative[], verifiers.filter(isVerifier), title),
  } satisfies Plugin)
}

function checkVerifiers(given: unknown, report: Report): void {
  if (given === undefined) return
  if (!Array.isArray(given)) return report('verifiers', 'it is not a list', 'give a list: verifiers: [ … ]')
  for (const [i, one] of given.entries()) reportFlaws(`verifiers[${i}]`, findVerifierFlaws(one), report)
}
