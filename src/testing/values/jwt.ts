// Reads and writes JSON Web Tokens, without verifying them.

/** The parts of a token. */
export interface Jwt {
  readonly header: string
  readonly claims: string
  readonly signature: string
  /** The claims. */
  readonly values: Readonly<Record<string, unknown>>
}

/** The claims that are times, or differ in every token. */
export const TOKEN_TIMES: ReadonlySet<string> = new Set(['exp', 'iat', 'nbf', 'jti'])

/** Returns the parts of a token; undefined for any other text. */
export function parseJwt(text: string): Jwt | undefined {
  const [header = '', claims = '', signature, ...more] = text.split('.')
  if (signature === undefined || more.length > 0) return undefined
  const [first, values] = [header, claims].map(decodeJson)
  return isJsonObject(first) && 'alg' in first && isJsonObject(values)
    ? { header, claims, signature, values }
    : undefined
}

/** Returns a text with the claims of each token in its place: tokens that are made at other times differ, and mean the same. */
export const replaceTokens = (text: string): string =>
  text.replace(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, (token) => {
    const values = Object.entries(parseJwt(token)?.values ?? { token }).filter(([name]) => !TOKEN_TIMES.has(name))
    return JSON.stringify(values)
  })

const isJsonObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/** Returns base64 as URLs have it. */
export const toUrlForm = (text: string): string => text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')

/** Encodes a text as base64. */
export const encodeBase64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)))

/** Encodes a value as a part of a token. */
export const encodeJson = (value: object): string => toUrlForm(encodeBase64(JSON.stringify(value)))

/** Decodes base64 in either form; returns an empty text for anything else. */
export function decodeBase64(text: string): string {
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0))
    return new TextDecoder().decode(bytes)
  } catch {
    return ''
  }
}

function decodeJson(text: string): unknown {
  try {
    return JSON.parse(decodeBase64(text))
  } catch {
    return undefined
  }
}
