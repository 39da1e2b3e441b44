// Texts that only this application can read and write: AES-256 in GCM, by keys that follow from secrets.

const SALT = new TextEncoder().encode('edict sessions')
const IV_LENGTH = 12
const TAG_LENGTH = 16

/** Seals texts with the first of some secrets, and opens what any of them has sealed. */
export class Sealer {
  readonly #keys: Promise<readonly CryptoKey[]>
  readonly #purpose: Uint8Array<ArrayBuffer>

  constructor(secrets: readonly string[], purpose: string) {
    this.#purpose = new TextEncoder().encode(purpose)
    this.#keys = Promise.all(secrets.map((secret) => deriveSealKey(secret, purpose)))
  }

  /** The length of what a text becomes when it is sealed. */
  static measureSealed(text: string): number {
    return Math.ceil(((IV_LENGTH + new TextEncoder().encode(text).length + TAG_LENGTH) * 4) / 3)
  }

  /** Seals a text. */
  async seal(text: string): Promise<string> {
    const [key] = await this.#keys
    const iv = crypto.getRandomValues(new Uint8Array(IV_LENGTH))
    const bytes = new TextEncoder().encode(text)
    const sealed = new Uint8Array(await crypto.subtle.encrypt(this.#getAlgorithm(iv), key as CryptoKey, bytes))
    const all = new Uint8Array(IV_LENGTH + sealed.length)
    all.set(iv)
    all.set(sealed, IV_LENGTH)
    return toBase64Url(all)
  }

  /** The sealed text; undefined for what none of the secrets has sealed. */
  async open(sealed: string): Promise<string | undefined> {
    const all = fromBase64Url(sealed)
    if (all === undefined || all.length <= IV_LENGTH) return undefined
    for (const key of await this.#keys) {
      const opened = await crypto.subtle
        .decrypt(this.#getAlgorithm(all.subarray(0, IV_LENGTH)), key, all.subarray(IV_LENGTH))
        .catch(() => undefined)
      if (opened !== undefined) return new TextDecoder().decode(opened)
    }
    return undefined
  }

  #getAlgorithm(iv: Uint8Array<ArrayBuffer>): AesGcmParams {
    return { name: 'AES-GCM', iv, additionalData: this.#purpose }
  }
}

async function deriveSealKey(secret: string, purpose: string): Promise<CryptoKey> {
  const bytes = new TextEncoder().encode(secret)
  const base = await crypto.subtle.importKey('raw', bytes, 'HKDF', false, ['deriveKey'])
  const derived = { name: 'HKDF', hash: 'SHA-256', salt: SALT, info: new TextEncoder().encode(purpose) }
  return crypto.subtle.deriveKey(derived, base, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
}

/** Bytes as text that a cookie can carry. */
function toBase64Url(bytes: Uint8Array): string {
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[\w-]+$/.test(text)) return undefined
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0))
    // One session is one text: spare bits at the end would give it others.
    return toBase64Url(bytes) === text ? bytes : undefined
  } catch {
    return undefined
  }
}

/** The hash of a text. */
export async function hashId(text: string): Promise<string> {
  return toBase64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))))
}

/** A random text that cannot be guessed. */
export const generateRandomText = (): string => toBase64Url(crypto.getRandomValues(new Uint8Array(32)))
