// Encrypts and authenticates text with AES-256-GCM, with keys derived from secrets.

const SALT = new TextEncoder().encode('edict sessions')
const IV_LENGTH = 12
const TAG_LENGTH = 16

/** Seals text with the first secret, and opens text sealed with any of them. */
export class Sealer {
  readonly #keys: Promise<readonly CryptoKey[]>
  readonly #purpose: Uint8Array<ArrayBuffer>

  constructor(secrets: readonly string[], purpose: string) {
    this.#purpose = new TextEncoder().encode(purpose)
    this.#keys = Promise.all(secrets.map((secret) => deriveSealKey(secret, purpose)))
  }

  /** Returns the length of a text after sealing. */
  static measureSealed(text: string): number {
    return Math.ceil(((IV_LENGTH + new TextEncoder().encode(text).length + TAG_LENGTH) * 4) / 3)
  }

  /** Seals text. */
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

  /** Opens sealed text; undefined if none of the secrets sealed it. */
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

/** Encodes bytes as text that a cookie can carry. */
function toBase64Url(bytes: Uint8Array): string {
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[\w-]+$/.test(text)) return undefined
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0))
    // Rejects other encodings of the same bytes, so that a session has exactly one value.
    return toBase64Url(bytes) === text ? bytes : undefined
  } catch {
    return undefined
  }
}

/** Hashes text. */
export async function hashId(text: string): Promise<string> {
  return toBase64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))))
}

/** Generates random text that cannot be guessed. */
export const generateRandomText = (): string => toBase64Url(crypto.getRandomValues(new Uint8Array(32)))
