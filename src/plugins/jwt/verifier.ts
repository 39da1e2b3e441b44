// Verifies JWTs: signature, issuer, audience, times and scopes, with the keys that the issuer publishes.
import { type JWTPayload, jwtVerify } from 'jose'
import { form, Refusal, readProperty } from '../../extend.ts'
import { forbidden, type SecurityScheme, type Verdict, type Verifier, verifier } from '../../index.ts'
import { createKeyLookup, isProtected } from './issuer-keys.ts'

/** The claims of a token whose signature, issuer, audience and times are valid. */
export type JwtClaims = Readonly<JWTPayload>

/** The options of `jwt`; P is the principal of the scheme. */
export interface JwtOptions<P> {
  /** The URL of the issuer, exactly as in the `iss` claim; https, or http on this machine. */
  readonly issuer: string
  /** The audience of this API in `aud`; of several, a token must have one. */
  readonly audience: string | readonly string[]
  /**
   * Returns the principal from the claims of a token; undefined for an unknown client, `forbidden` for one without
   * permission.
   */
  readonly principal: (claims: JwtClaims) => Verdict<P> | Promise<Verdict<P>>
  /**
   * The accepted signature algorithms; shared secrets and `none` are never accepted.
   * @default all of RSA, ECDSA and EdDSA
   */
  readonly algorithms?: readonly string[]
  /**
   * The tolerated difference between the clocks of the issuer and this server.
   * @default `'10s'`
   */
  readonly clockTolerance?: form.Duration
  /**
   * The required type in the header of tokens, such as `at+jwt`.
   * @default any
   */
  readonly type?: string
  /**
   * The URL of the keys, for an issuer without discovery; https, or http on this machine.
   * @default that of the issuer's `/.well-known/openid-configuration`
   */
  readonly jwks?: string
  /**
   * The maximum length of a token in characters.
   * @default 8,192
   */
  readonly maxLength?: number
  /**
   * The timeout of a request to the issuer, in milliseconds.
   * @default 5,000
   */
  readonly timeout?: number
  /**
   * The minimum time between two requests for keys because of an unknown key.
   * @default `'30s'`
   */
  readonly cooldown?: form.Duration
  /**
   * The time after which keys are fetched again. A withdrawn key is accepted at most that long.
   * @default `'10m'`
   */
  readonly maxAge?: form.Duration
  /**
   * Sends the requests to the issuer.
   * @default the global `fetch`
   */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
}

// If shared secrets were accepted, anyone could sign with the issuer's published key.
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
]

// An attacker who replaces the keys in transit can sign any token.
const URL_FORM: form.SettingForm = form.custom(
  'a URL with https; http is for this machine only, such as http://localhost',
  (value) => typeof value === 'string' && isProtected(value),
)

const FIELDS: form.Fields<JwtOptions<unknown>> = {
  issuer: form.required(URL_FORM),
  audience: form.required(form.either(form.name, form.list(form.name))),
  principal: form.required(form.callable),
  algorithms: form.list(form.choice(...ALGORITHMS)),
  clockTolerance: form.duration(0),
  type: form.name,
  jwks: URL_FORM,
  maxLength: form.integerFrom(1),
  timeout: form.integerFrom(1),
  cooldown: form.duration(0),
  maxAge: form.duration(0),
  fetch: form.callable,
}

/** Verifies the JWTs of an issuer; discovers its keys and follows their rotation. */
export function jwt<P>(scheme: SecurityScheme<P, string>, options: JwtOptions<P>): Verifier {
  const settings = form.validateSettings<JwtOptions<P>>('jwt', options, FIELDS as form.Fields<JwtOptions<P>>)
  const { issuer, audience, maxLength = 8192, clockTolerance = '10s', cooldown = '30s', maxAge = '10m' } = settings
  const keys = createKeyLookup({
    issuer,
    jwks: settings.jwks,
    timeout: settings.timeout ?? 5000,
    cooldown: form.toMilliseconds(cooldown),
    maxAge: form.toMilliseconds(maxAge),
    fetch: settings.fetch ?? ((url, init) => fetch(url, init)),
  })
  const checks = {
    issuer,
    audience: typeof audience === 'string' ? audience : [...audience],
    algorithms: [...(settings.algorithms ?? ALGORITHMS)],
    clockTolerance: form.toMilliseconds(clockTolerance) / 1000,
    // A token without an expiry could never be revoked.
    requiredClaims: ['exp'],
    ...(settings.type !== undefined && { typ: settings.type }),
  }
  return verifier<P, string>(scheme, async (token, { scopes }) => {
    if (token.length > maxLength) return undefined
    const claims = await jwtVerify(token, keys, checks).then(({ payload }) => payload, throwIfUnavailable)
    if (claims === undefined) return undefined
    return hasScopes(claims, scopes) ? settings.principal(claims) : forbidden
  })
}

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
