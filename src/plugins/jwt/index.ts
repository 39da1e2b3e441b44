// The public entry `edict/jwt`: a verifier for the JWTs of an issuer, and for those that are signed with a secret.
export type { JwtClaims, JwtOptions, JwtSecret, JwtSecretOptions } from './jwt-options.ts'
export { jwt } from './verifier.ts'
