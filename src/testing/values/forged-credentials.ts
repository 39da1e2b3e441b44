// Forges credentials from valid ones: tokens with another signature, other claims or another character, and wrong passwords.

import { decodeBase64, encodeBase64, encodeJson, type Jwt, parseJwt, TOKEN_TIMES, toUrlForm } from './jwt.ts'

/** Credentials that a sound application refuses. */
interface Forgery {
  /** The kind of forgery: a token with a changed signature. */
  readonly what: string
  readonly value: string
}

/** Returns forgeries of a secret; `other` is the secret of another client. */
export async function forgeSecret(secret: string, other: string | undefined): Promise<Forgery[]> {
  const token = parseJwt(secret)
  const forged = token === undefined ? forgeOpaque(secret) : await forgeJwt(token, parseJwt(other ?? ''))
  return forged.filter(({ value }) => value !== secret && value !== other)
}

/** Returns forgeries of the credentials of the scheme Basic: a name and a password. */
export function forgeBasic(secret: string): Forgery[] {
  const [user = '', ...rest] = decodeBase64(secret).split(':')
  const password = rest.join(':')
  const write = (name: string, word: string): string => encodeBase64(`${name}:${word}`)
  return [
    { what: 'another password', value: write(user, `${password}x`) },
    { what: 'half of the password', value: write(user, password.slice(0, Math.floor(password.length / 2))) },
    { what: 'no password', value: write(user, '') },
    { what: 'the password of an unknown user', value: write(`${user}x`, password) },
  ].filter(({ value }) => value !== secret)
}

// --- opaque tokens -----------------------------------------------------------------------

function forgeOpaque(secret: string): Forgery[] {
  const half = Math.floor(secret.length / 2)
  return [
    { what: 'a token with another character', value: withOtherCharacter(secret, half) },
    { what: 'half of a token', value: secret.slice(0, half) },
    { what: 'a token with more characters', value: `${secret}${secret.slice(0, half)}zz` },
  ].filter(({ value }) => value !== '')
}

// The last character of base64 may hold bits that no byte has, so one in the middle is changed.
function withOtherCharacter(text: string, at: number): string {
  const other = text[at] === 'z' ? 'y' : 'z'
  return text.slice(0, at) + other + text.slice(at + 1)
}

// --- JSON Web Tokens ---------------------------------------------------------------------

async function forgeJwt({ header, claims, signature, values }: Jwt, other: Jwt | undefined): Promise<Forgery[]> {
  const middle = Math.floor(signature.length / 2)
  const hmacHeader = encodeJson({ alg: 'HS256', typ: 'JWT' })
  const forged: Forgery[] = [
    {
      what: 'a token with a changed signature',
      value: `${header}.${claims}.${withOtherCharacter(signature, middle)}`,
    },
    { what: 'a token without a signature', value: `${header}.${claims}.` },
    { what: 'a token of the algorithm none', value: `${encodeJson({ alg: 'none', typ: 'JWT' })}.${claims}.` },
    { what: 'a token with changed claims', value: `${header}.${encodeJson(changeClaims(values))}.${signature}` },
    { what: 'a token that is signed with another key', value: await signHmac(`${hmacHeader}.${claims}`, 'secret') },
    {
      what: 'an expired token',
      value: await signHmac(`${hmacHeader}.${encodeJson({ ...values, exp: 1 })}`, 'secret'),
    },
  ]
  const spliced = {
    what: 'a token with the signature of another client',
    value: `${header}.${claims}.${other?.signature}`,
  }
  return other === undefined || other.claims === claims ? forged : [...forged, spliced]
}

// The times of a token stay, so that the signature is all that is wrong with it.
function changeClaims(values: Jwt['values']): object {
  const changed = Object.entries(values).map(([name, value]): [string, unknown] => {
    if (TOKEN_TIMES.has(name)) return [name, value]
    if (typeof value === 'number') return [name, value + 1]
    return [name, typeof value === 'string' && /^\d+$/.test(value) ? String(BigInt(value) + 1n) : value]
  })
  return { ...Object.fromEntries(changed), admin: true }
}

async function signHmac(content: string, secret: string): Promise<string> {
  const bytes = new TextEncoder().encode(secret)
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const signature = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(content))
  return `${content}.${toUrlForm(btoa(String.fromCharCode(...new Uint8Array(signature))))}`
}
