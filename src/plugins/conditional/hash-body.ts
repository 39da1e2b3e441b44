// Hashes bodies with the scheme of MurmurHash3 (128 bits). It distinguishes versions and is not secure against forgery.

const rotl32 = (value: number, by: number): number => (value << by) | (value >>> (32 - by))

const C1 = 0x239b961b
const C2 = 0xab0e9789 | 0
const C3 = 0x38b34ae5
const C4 = 0xa1e38b93 | 0

/** The state of the hash: four words, updated by four words of input at a time. */
class MurmurHash {
  #a: number
  #b: number
  #c: number
  #d: number

  constructor(length: number) {
    this.#a = this.#b = this.#c = this.#d = length
  }

  addBlock(one: number, two: number, three: number, four: number): void {
    const a = this.#a ^ Math.imul(rotl32(Math.imul(one, C1), 15), C2)
    this.#a = (Math.imul((rotl32(a, 19) + this.#b) | 0, 5) + 0x561ccd1b) | 0
    const b = this.#b ^ Math.imul(rotl32(Math.imul(two, C2), 16), C3)
    this.#b = (Math.imul((rotl32(b, 17) + this.#c) | 0, 5) + 0x0bcaa747) | 0
    const c = this.#c ^ Math.imul(rotl32(Math.imul(three, C3), 17), C4)
    this.#c = (Math.imul((rotl32(c, 15) + this.#d) | 0, 5) + 0x96cd1c35) | 0
    const d = this.#d ^ Math.imul(rotl32(Math.imul(four, C4), 18), C1)
    this.#d = (Math.imul((rotl32(d, 13) + this.#a) | 0, 5) + 0x32ac3b17) | 0
  }

  toDigest(): string {
    const sum = (this.#a + this.#b + this.#c + this.#d) | 0
    return [this.#a, this.#b, this.#c, this.#d].map((one) => (fmix32((one + sum) | 0) >>> 0).toString(36)).join('')
  }
}

function fmix32(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}

/** Returns the hash of a string or of bytes, with their length, as text for a tag. */
export function hashBody(body: string | Uint8Array): string {
  const hash = new MurmurHash(body.length)
  if (typeof body === 'string') addText(hash, body)
  else addBytes(hash, body)
  return `${body.length.toString(36)}-${hash.toDigest()}`
}

// `charCodeAt` returns NaN beyond the end, which counts as 0 in bitwise operations.
function addText(hash: MurmurHash, text: string): void {
  const readWord = (i: number): number => text.charCodeAt(i) | (text.charCodeAt(i + 1) << 16)
  for (let i = 0; i < text.length; i += 8) hash.addBlock(readWord(i), readWord(i + 2), readWord(i + 4), readWord(i + 6))
}

function addBytes(hash: MurmurHash, bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const aligned = bytes.length - (bytes.length % 16)
  for (let i = 0; i < aligned; i += 16)
    hash.addBlock(view.getInt32(i), view.getInt32(i + 4), view.getInt32(i + 8), view.getInt32(i + 12))
  if (aligned === bytes.length) return
  const rest = new DataView(new ArrayBuffer(16))
  for (let i = aligned; i < bytes.length; i++) rest.setUint8(i - aligned, bytes[i] as number)
  hash.addBlock(rest.getInt32(0), rest.getInt32(4), rest.getInt32(8), rest.getInt32(12))
}
