// The public names of security.
export { type CrossSite, crossSiteRefusal } from './cross-site.ts'
export { verifiersPlugin } from './plugin.ts'
export { security } from './scheme.ts'
export type { BasicCredentials, SchemeForm, SecurityNeed, SecurityScheme, SecuritySet } from './types.ts'
export { forbidden, type Verdict, type Verifier, type VerifierContext, verifier } from './verifier.ts'
