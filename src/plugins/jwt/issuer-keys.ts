// The keys of an issuer: found by discovery, read again when they change, and never trusted to another issuer.
import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from 'jose'
import { readProperty } from '../../extend.ts'

const LOOPBACK = /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/

/** Returns whether nobody on the way can exchange what a URL gives: it has TLS, or does not leave this machine. */
export function isProtected(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname))
}

/** How the keys of an issuer are read. */
export interface KeySource {
  readonly issuer: string
  /** Where the keys are; undefined to ask the issuer. */
  readonly jwks: string | undefined
  readonly timeout: number
  readonly cooldown: number
  readonly maxAge: number
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
}

/** The keys cannot be read: the issuer is down, slow, or not what it should be. */
class KeysUnavailableError extends Error {
  override readonly name = 'KeysUnavailableError'
  readonly '~keysUnavailable' = true
}

/** Makes the function that finds the key of a token. */
export function createKeyLookup(source: KeySource): JWTVerifyGetKey {
  let finding: Promise<JWTVerifyGetKey> | undefined
  const found = (): Promise<JWTVerifyGetKey> => {
    finding ??= loadRemoteKeys(source).catch((error: unknown) => {
      finding = undefined
      throw error
    })
    return finding
  }
  return async (header, token) => {
    try {
      const keys = await found()
      return await keys(header, token)
    } catch (cause) {
      throw isTokenError(cause) ? cause : new KeysUnavailableError(`The keys of ${source.issuer} cannot be read`, { cause })
    }
  }
}

/** Codes of failures that are the issuer's, not the token's. */
const ISSUER_ERROR_CODES: ReadonlySet<string> = new Set([
  errors.JWKSTimeout.code,
  errors.JWKSInvalid.code,
  errors.JOSEError.code,
])

function isTokenError(error: unknown): boolean {
  const code = readProperty(error, 'code')
  return typeof code === 'string' && code.startsWith('ERR_J') && !ISSUER_ERROR_CODES.has(code)
}

async function loadRemoteKeys(source: KeySource): Promise<JWTVerifyGetKey> {
  const { timeout, cooldown, maxAge, fetch } = source
  return createRemoteJWKSet(new URL(source.jwks ?? (await fetchKeysUrl(source))), {
    timeoutDuration: timeout,
    cooldownDuration: cooldown,
    cacheMaxAge: maxAge,
    [customFetch]: fetch,
  })
}

// OpenID Connect Discovery 1.0, sections 4.1 and 4.3: the document must name the issuer that was asked.
async function fetchKeysUrl({ issuer, timeout, fetch }: KeySource): Promise<string> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const answer = await fetch(url, { signal: AbortSignal.timeout(timeout), redirect: 'manual' })
  if (answer.status !== 200) throw new Error(`${url} answered with ${answer.status}`)
  const { issuer: named, jwks_uri: keys } = (await answer.json()) as Readonly<Record<string, unknown>>
  if (named !== issuer) throw new Error(`${url} belongs to the issuer ${String(named)}`)
  if (typeof keys !== 'string' || !URL.canParse(keys)) throw new Error(`${url} names no keys`)
  const isSafe = new URL(issuer).protocol === 'https:' ? new URL(keys).protocol === 'https:' : isProtected(keys)
  if (!isSafe) throw new Error(`${url} names keys without TLS`)
  return keys
}
