// Texts that only this application can read and write: AES-256 in GCM, by keys that follow from secrets.

const SALT = new TextEncoder().encode('edict sessions')
const IV = 12
const TAG = 16

/** Seals texts with the first of some secrets, and opens what any of them has sealed. */
export class Sealer {
  readonly #keys: Promise<readonly CryptoKey[]>
  readonly #purpose: Uint8Array<ArrayBuffer>

  constructor(secrets: readonly string[], purpose: string) {
    this.#purpose = new TextEncoder().encode(purpose)
    this.#keys = Promise.all(secrets.map((secret) => keyOf(secret, purpose)))
  }

  /** The length of what a text becomes when it is sealed. */
  static lengthOf(text: string): number {
    return Math.ceil(((IV + new TextEncoder().encode(text).length + TAG) * 4) / 3)
  }

  /** Seals a text. */
  async seal(text: string): Promise<string> {
    const [key] = await this.#keys
    const iv = crypto.getRandomValues(new Uint8Array(IV))
    const bytes = new TextEncoder().encode(text)
    const sealed = new Uint8Array(await crypto.subtle.encrypt(this.#algorithm(iv), key as CryptoKey, bytes))
    const all = new Uint8Array(IV + sealed.length)
    all.set(iv)
    all.set(sealed, IV)
    return toText(all)
  }

  /** The sealed text; undefined for what none of the secrets has sealed. */
  async open(sealed: string): Promise<string | undefined> {
    const all = fromText(sealed)
    if (all === undefined || all.length <= IV) return undefined
    for (const key of await this.#keys) {
      const opened = await crypto.subtle
        .decrypt(this.#algorithm(all.subarray(0, IV)), key, all.subarray(IV))
        .catch(() => undefined)
      if (opened !== undefined) return new TextDecoder().decode(opened)
    }
    return undefined
  }

  #algorithm(iv: Uint8Array<ArrayBuffer>): AesGcmParams {
    return { name: 'AES-GCM', iv, additionalData: this.#purpose }
  }
}

async function keyOf(secret: string, purpose: string): Promise<CryptoKey> {
  const bytes = new TextEncoder().encode(secret)
  const base = await crypto.subtle.importKey('raw', bytes, 'HKDF', false, ['deriveKey'])
  const derived = { name: 'HKDF', hash: 'SHA-256', salt: SALT, info: new TextEncoder().encode(purpose) }
  return crypto.subtle.deriveKey(derived, base, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
}

/** Bytes as text that a cookie can carry. */
function toText(bytes: Uint8Array): string {
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

function fromText(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[\w-]+$/.test(text)) return undefined
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0))
    // One session is one text: spare bits at the end would give it others.
    return toText(bytes) === text ? bytes : undefined
  } catch {
    return undefined
  }
}

/** The hash of a text. */
export async function hashOf(text: string): Promise<string> {
  return toText(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))))
}

/** A random text that cannot be guessed. */
export const randomText = (): string => toText(crypto.getRandomValues(new Uint8Array(32)))
