// Verifies JWTs: signature, audience, times and scopes, with the keys that an issuer publishes or with shared secrets.
import { errors, type JWTVerifyOptions, jwtVerify } from 'jose'
import { form, memoizeByKey, Refusal, readProperty } from '../../extend.ts'
import { forbidden, type SecurityScheme, type Verifier, verifier } from '../../index.ts'
import { createKeyLookup } from './issuer-keys.ts'
import { type JwtClaims, type JwtOptions, type JwtSecretOptions, readJwtOptions } from './jwt-options.ts'

/**
 * Verifies JWTs: those of an issuer, whose keys it discovers and whose rotation it follows, or those that are signed
 * with a shared secret.
 */
export function jwt<P>(
  scheme: SecurityScheme<P, string>,
  options: (JwtOptions<P> & { readonly secret?: never }) | (JwtSecretOptions<P> & { readonly issuer?: never }),
): Verifier {
  const settings = readJwtOptions<P>(options)
  const { principal, audience, algorithms, maxLength = 8192, clockTolerance = '10s', type } = settings
  const verify = settings.secrets ? createSecretVerifier(settings.secrets) : createIssuerVerifier(settings)
  const checks = {
    algorithms: [...algorithms],
    clockTolerance: form.toMilliseconds(clockTolerance) / 1000,
    // A token without an expiry could never be revoked.
    requiredClaims: ['exp'],
    ...(audience !== undefined && { audience: typeof audience === 'string' ? audience : [...audience] }),
    ...(type !== undefined && { typ: type }),
  }
  return verifier<P, string>(scheme, async (token, { scopes, expiresAt }) => {
    if (token.length > maxLength) return undefined
    const claims = await verify(token, checks).catch(throwIfUnavailable)
    // RFC 7519, section 4.1.3: an API refuses a token with an audience other than its own.
    if (claims === undefined || (audience === undefined && claims.aud !== undefined)) return undefined
    // A token is valid up to its expiry and the tolerance for clocks.
    expiresAt(new Date((Number(claims['exp']) + checks.clockTolerance) * 1000))
    return hasScopes(claims, scopes) ? principal(claims) : forbidden
  })
}

type VerifyToken = (token: string, checks: JWTVerifyOptions) => Promise<JwtClaims>

function createIssuerVerifier<P>(options: Omit<JwtOptions<P>, 'algorithms'>): VerifyToken {
  const { issuer, jwks, timeout = 5000, cooldown = '30s', maxAge = '10m' } = options
  const keys = createKeyLookup({
    issuer,
    jwks,
    timeout,
    cooldown: form.toMilliseconds(cooldown),
    maxAge: form.toMilliseconds(maxAge),
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
  })
  return async (token, checks) => (await jwtVerify(token, keys, { ...checks, issuer })).payload
}

function createSecretVerifier(secrets: readonly Uint8Array<ArrayBuffer>[]): VerifyToken {
  const keys = secrets.map((secret) => memoizeByKey((algorithm: string) => importSecret(secret, algorithm)))
  return async (token, checks) => {
    let failure: unknown
    for (const findKey of keys) {
      try {
        return (await jwtVerify(token, ({ alg }) => findKey(alg as string), checks)).payload
      } catch (error) {
        failure = error
        if (readProperty(error, 'code') !== errors.JWSSignatureVerificationFailed.code) break
      }
    }
    throw failure
  }
}

// Only accepted algorithms get here: jose checks that of a token before it asks for a key.
const importSecret = (secret: Uint8Array<ArrayBuffer>, algorithm: string): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: algorithm.replace('HS', 'SHA-') }, false, ['verify'])

// An invalid token means an unknown client. Only unavailable keys are a failure of the server.
function throwIfUnavailable(error: unknown): undefined {
  if (readProperty(error, '~keysUnavailable') !== true) return undefined
  throw new Refusal({ code: 'unavailable', headers: { 'Retry-After': '5' } }, { cause: error })
}

// RFC 8693, section 4.2, defines a string; some issuers send a list.
function hasScopes({ scope, scp }: JwtClaims, required: readonly string[]): boolean {
  const granted = [scope, scp].flatMap((one) => (typeof one === 'string' ? one.split(' ') : one))
  return required.every((one) => granted.includes(one))
}
