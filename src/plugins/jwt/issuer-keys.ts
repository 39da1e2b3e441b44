// The keys of an issuer: found by discovery, refreshed on rotation, and never used for another issuer.
import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from 'jose'
import { readProperty } from '../../extend.ts'

const LOOPBACK = /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/

/**
 * Returns whether the content of a URL is protected against tampering in transit: by TLS, or because it is on this
 * machine.
 */
export function isProtected(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname))
}

/** The source of an issuer's keys. */
export interface KeySource {
  readonly issuer: string
  /** The URL of the keys; undefined to use discovery. */
  readonly jwks: string | undefined
  readonly timeout: number
  readonly cooldown: number
  readonly maxAge: number
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
}

/** Thrown if the keys cannot be read: the issuer is down, slow, or misconfigured. */
class KeysUnavailableError extends Error {
  override readonly name = 'KeysUnavailableError'
  readonly '~keysUnavailable' = true
}

/** Creates the function that finds the key of a token. */
export function createKeyLookup(source: KeySource): JWTVerifyGetKey {
  let keySet: Promise<JWTVerifyGetKey> | undefined
  const loadOnce = (): Promise<JWTVerifyGetKey> => {
    keySet ??= loadRemoteKeys(source).catch((error: unknown) => {
      keySet = undefined
      throw error
    })
    return keySet
  }
  return async (header, token) => {
    try {
      const keys = await loadOnce()
      return await keys(header, token)
    } catch (cause) {
      throw isTokenError(cause)
        ? cause
        : new KeysUnavailableError(`The keys of ${source.issuer} cannot be read`, { cause })
    }
  }
}

/** Codes of errors of the issuer, not of the token. */
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

// OpenID Connect Discovery 1.0, sections 4.1 and 4.3: the document must name the requested issuer.
async function fetchKeysUrl({ issuer, timeout, fetch }: KeySource): Promise<string> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const response = await fetch(url, { signal: AbortSignal.timeout(timeout), redirect: 'manual' })
  if (response.status !== 200) throw new Error(`${url} responded with ${response.status}`)
  const { issuer: documentIssuer, jwks_uri: keysUrl } = (await response.json()) as Readonly<Record<string, unknown>>
  if (documentIssuer !== issuer) throw new Error(`${url} belongs to the issuer ${String(documentIssuer)}`)
  if (typeof keysUrl !== 'string' || !URL.canParse(keysUrl)) throw new Error(`${url} names no keys`)
  const isSafe = new URL(issuer).protocol === 'https:' ? new URL(keysUrl).protocol === 'https:' : isProtected(keysUrl)
  if (!isSafe) throw new Error(`${url} names keys without TLS`)
  return keysUrl
}
