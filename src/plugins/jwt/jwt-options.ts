// The options of `jwt`: an issuer or a secret, never both, and only the algorithms of that family.
import type { JWTPayload } from 'jose'
import { form, readProperty } from '../../extend.ts'
import type { Verdict } from '../../index.ts'
import { isProtected } from './issuer-keys.ts'

/** The claims of a token whose signature, issuer, audience and times are valid. */
export type JwtClaims = Readonly<JWTPayload>

/** The options of `jwt` for the tokens of an issuer; P is the principal of the scheme. */
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

/** The options of `jwt` for tokens that are signed with a shared secret; P is the principal of the scheme. */
export interface JwtSecretOptions<P>
  extends Pick<JwtOptions<P>, 'principal' | 'clockTolerance' | 'type' | 'maxLength'> {
  /**
   * The secret of at least 32 bytes (48 for HS384, 64 for HS512), as bytes or as a text in UTF-8. Of several, each is
   * accepted: add the new one before the tokens change, remove the old one after they have expired.
   */
  readonly secret: JwtSecret | readonly JwtSecret[]
  /**
   * The audience of this API in `aud`; of several, a token must have one.
   * @default none: tokens with an `aud` are rejected
   */
  readonly audience?: string | readonly string[]
  /**
   * The accepted signature algorithms.
   * @default `['HS256']`
   */
  readonly algorithms?: readonly ('HS256' | 'HS384' | 'HS512')[]
}

/** A secret, as bytes or as a text in UTF-8. */
export type JwtSecret = string | Uint8Array

// If shared secrets were accepted for an issuer, anyone could sign with its published key.
const ISSUER_ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
]

// RFC 7518, section 3.2: a key has at least the size of the hash.
const SECRET_BYTES: Readonly<Record<string, number>> = { HS256: 32, HS384: 48, HS512: 64 }

// An attacker who replaces the keys in transit can sign any token.
const URL_FORM: form.SettingForm = form.custom(
  'a URL with https; http is for this machine only, such as http://localhost',
  (value) => typeof value === 'string' && isProtected(value),
)

// Nothing is accepted by an empty list: it is a mistake, and never what "any" is written as.
const notEmpty = (list: form.SettingForm): form.SettingForm => ({
  ...list,
  check: (value) =>
    Array.isArray(value) && value.length === 0
      ? [{ at: '', problem: 'it is an empty list', remedy: 'name one at least, or leave it out' }]
      : list.check(value),
})

const AUDIENCE_FORM = notEmpty(form.either(form.name, form.list(form.name)))

const COMMON_FIELDS = {
  principal: form.required(form.callable),
  clockTolerance: form.duration(0),
  type: form.name,
  maxLength: form.integerFrom(1),
}

const ISSUER_FIELDS: form.Fields<JwtOptions<unknown>> = {
  ...COMMON_FIELDS,
  issuer: form.required({ ...URL_FORM, expected: `${URL_FORM.expected}; or a secret instead` }),
  audience: form.required(AUDIENCE_FORM),
  algorithms: notEmpty(form.list(form.choice(...ISSUER_ALGORITHMS))),
  jwks: URL_FORM,
  timeout: form.integerFrom(1),
  cooldown: form.duration(0),
  maxAge: form.duration(0),
  fetch: form.callable,
}

const SECRET_FIELDS: form.Fields<JwtSecretOptions<unknown>> = {
  ...COMMON_FIELDS,
  // Its form reveals nothing of a secret that does not fit: messages reach logs.
  secret: form.required({ expected: 'a text or bytes, or a list of these', check: findSecretFlaws }),
  audience: AUDIENCE_FORM,
  algorithms: notEmpty(form.list(form.choice(...Object.keys(SECRET_BYTES)))),
}

function findSecretFlaws(value: unknown): readonly form.Flaw[] {
  const secrets = Array.isArray(value) ? value : [value]
  const isValid = secrets.length > 0 && secrets.every((one) => typeof one === 'string' || one instanceof Uint8Array)
  if (!isValid) return [{ at: '', problem: 'it is no secret', remedy: 'give a text or bytes, or a list of these' }]
  return secrets.flatMap((one: JwtSecret, i) => {
    if (!isWrittenKey(one)) return []
    const at = Array.isArray(value) ? `[${i}]` : ''
    return [{ at, problem: 'it is a key in a form in which keys are published', remedy: KEY_REMEDY }]
  })
}

const KEY_REMEDY =
  'give random bytes; tokens that are signed with the key of an issuer need its URL as issuer, or as jwks'

/** Matches the forms in which keys are published: PEM, lines of SSH, and JWK. */
const WRITTEN_KEY =
  /-----BEGIN [A-Z0-9 ]+-----|^\s*(?:ssh-|ecdsa-sha2-|sk-ssh-|sk-ecdsa-)\S+ |^\s*\{[\s\S]*"k(?:ty|eys)"\s*:/

/**
 * Returns whether a secret is the text of a key. Who has the public key of an issuer could sign with it, where it is taken
 * for a secret.
 */
const isWrittenKey = (secret: JwtSecret): boolean =>
  WRITTEN_KEY.test(typeof secret === 'string' ? secret : new TextDecoder('latin1').decode(secret))

/** The bytes of a secret. */
const encodeSecret = (secret: JwtSecret): Uint8Array<ArrayBuffer> =>
  typeof secret === 'string' ? new TextEncoder().encode(secret) : Uint8Array.from(secret)

/** Validated options, with the signature algorithms that are accepted. */
export type JwtSettings<P> =
  | (Omit<JwtOptions<P>, 'algorithms'> & { readonly algorithms: readonly string[]; readonly secrets?: undefined })
  | (Omit<JwtSecretOptions<P>, 'algorithms' | 'secret'> & {
      readonly algorithms: readonly string[]
      readonly secrets: readonly Uint8Array<ArrayBuffer>[]
    })

/** Validates the options of `jwt`; throws a TypeError that names each mistake. */
export function readJwtOptions<P>(options: JwtOptions<P> | JwtSecretOptions<P>): JwtSettings<P> {
  if (!isOfSecret(options)) {
    const settings = form.validateSettings('jwt', options as JwtOptions<P>, ISSUER_FIELDS as form.Fields<JwtOptions<P>>)
    return { ...settings, algorithms: settings.algorithms ?? ISSUER_ALGORITHMS }
  }
  if (readProperty(options, 'issuer') !== undefined) {
    throw new TypeError(
      'jwt: there is an issuer beside a secret: give one of them, or write a verifier for each of two schemes',
    )
  }
  const fields = SECRET_FIELDS as form.Fields<JwtSecretOptions<P>>
  const { secret, algorithms = ['HS256'], ...settings } = form.validateSettings('jwt', options, fields)
  const secrets = (isSecretList(secret) ? secret : [secret]).map(encodeSecret)
  checkLengths(secrets, algorithms)
  return { ...settings, algorithms, secrets }
}

// A secret that is undefined, such as a missing variable of the environment, is a mistake and no issuer.
const isOfSecret = <P>(options: JwtOptions<P> | JwtSecretOptions<P>): options is JwtSecretOptions<P> =>
  typeof options === 'object' && options !== null && 'secret' in options

const isSecretList = (secret: JwtSecret | readonly JwtSecret[]): secret is readonly JwtSecret[] => Array.isArray(secret)

function checkLengths(secrets: readonly Uint8Array[], algorithms: readonly string[]): void {
  const [algorithm, minimum] = algorithms
    .map((one) => [one, SECRET_BYTES[one] as number] as const)
    .reduce((one, other) => (other[1] > one[1] ? other : one), ['HS256', 0])
  const short = secrets.findIndex(({ length }) => length < minimum)
  if (short === -1) return
  const at = secrets.length === 1 ? 'secret' : `secret[${short}]`
  throw new TypeError(
    `jwt: ${at} has ${secrets[short]?.length} bytes: give at least ${minimum} random bytes for ${algorithm}, such as those of openssl rand -base64 ${minimum}`,
  )
}
