// The public entry `edict/jwt`: a verifier for the JWTs of an issuer.
export { type JwtClaims, type JwtOptions, jwt } from './verifier.ts'
