// The security plugin: applies the application's verifiers to the schemes of its actions.
import { type Plugin, type Report, reportFlaws } from '../extend.ts'
import { createAdmission } from './admit-client.ts'
import { codes } from './codes.ts'
import type { SecurityAlternative } from './types.ts'
import { findVerifierFlaws, isVerifier } from './verifier.ts'

// Other plugins may add verifiers, so they are known only after all plugins were applied.
/** Verifies the credentials of the schemes that actions declare. */
export function verifiersPlugin(): Plugin {
  return Object.freeze({
    name: 'security',
    codes,
    checkOptions: (report, { verifiers }) => checkVerifiers(verifiers, report),
    checkPolicy({ settings }, _, report, { verifiers = [] }) {
      // An invalid verifier is reported elsewhere; here its scheme would only appear to have none.
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

function checkVerifiers(verifiers: unknown, report: Report): void {
  if (verifiers === undefined) return
  if (!Array.isArray(verifiers)) return report('verifiers', 'it is not a list', 'give a list: verifiers: [ … ]')
  for (const [i, one] of verifiers.entries()) reportFlaws(`verifiers[${i}]`, findVerifierFlaws(one), report)
}
