// JSON written byte by byte into memory that is used again: no text is made only to be encoded afterwards.
import { dateOf } from './calendar.ts'

/** Texts are written one behind the other into pieces of memory of this size; a longer one has a piece of its own. */
const SLAB = 128 * 1024

const QUOTE = 34
const BACKSLASH = 92
const COMMA = 44
const ZERO = 48
const DAY = 86_400_000

const ascii = (text: string): Uint8Array => Uint8Array.from(text, (sign) => sign.charCodeAt(0))

/** Constant pieces of JSON. */
export const JSON_NULL: Uint8Array = ascii('null')
export const JSON_TRUE: Uint8Array = ascii('true')
export const JSON_FALSE: Uint8Array = ascii('false')

/** Collects the bytes of one JSON text. */
export class JsonBytes {
  #bytes = new Uint8Array(SLAB)
  #from = 0
  #at = 0

  /** How much has been written. */
  get length(): number {
    return this.#at - this.#from
  }

  /** Begins again; what was written since the last text was taken is forgotten. */
  reset(): void {
    this.#at = this.#from
  }

  /** The text that was written; its memory is not written to again. */
  take(): Uint8Array {
    const text = this.#bytes.subarray(this.#from, this.#at)
    this.#from = this.#at
    if (this.#bytes.length > SLAB) {
      this.#bytes = new Uint8Array(SLAB)
      this.#from = this.#at = 0
    }
    return text
  }

  /** Opens a container whose members each begin with a comma; `close` puts the sign in the first comma's place. */
  close(from: number, open: number, end: number): void {
    this.#reserve(2)
    const first = this.#from + from
    if (this.#at === first) this.#at++
    this.#bytes[first] = open
    this.#bytes[this.#at++] = end
  }

  comma(): void {
    this.#reserve(1)
    this.#bytes[this.#at++] = COMMA
  }

  /** Adds bytes as they are. */
  raw(piece: Uint8Array): void {
    this.#reserve(piece.length)
    const bytes = this.#bytes
    let at = this.#at
    for (let i = 0; i < piece.length; i++) bytes[at++] = piece[i] as number
    this.#at = at
  }

  /** Adds a text between quotes. */
  text(value: string): void {
    const { length } = value
    this.#reserve(length * 2 + 2)
    const bytes = this.#bytes
    let at = this.#at
    bytes[at++] = QUOTE
    for (let i = 0; i < length; i++) {
      const code = value.charCodeAt(i)
      if (code < 32 || code > 126) {
        this.#at = at
        return this.#rest(value, i)
      }
      if (code === QUOTE || code === BACKSLASH) bytes[at++] = BACKSLASH
      bytes[at++] = code
    }
    bytes[at++] = QUOTE
    this.#at = at
  }

  /** Adds JSON that was written elsewhere. */
  json(text: string): void {
    this.#reserve(text.length * 3)
    for (let i = 0; i < text.length; i++) i += this.#encode(text, i)
  }

  /** Adds a finite number. */
  number(value: number): void {
    if (value >= 0 && value < 1e9 && Number.isInteger(value)) return this.#digits(value)
    this.json(value === 0 ? '0' : String(value))
  }

  /** Adds a moment of the years 0 to 9999 between quotes, given in milliseconds. */
  moment(time: number): void {
    this.#reserve(26)
    const days = Math.floor(time / DAY)
    // Year, month and day as one number, so that nothing has to be made for them.
    const date = dateOf(days)
    this.#bytes[this.#at++] = QUOTE
    const century = Math.floor(date / 1_000_000)
    this.#bytes[this.#at++] = ZERO + Math.floor(century / 10)
    this.#bytes[this.#at++] = ZERO + (century % 10)
    this.#pair(Math.floor(date / 10_000) % 100, 45)
    this.#pair(Math.floor(date / 100) % 100, 45)
    this.#pair(date % 100, 84)
    const rest = time - days * DAY
    const seconds = Math.floor(rest / 1000)
    const minutes = Math.floor(seconds / 60)
    this.#pair(Math.floor(minutes / 60), 58)
    this.#pair(minutes % 60, 58)
    this.#pair(seconds % 60, 46)
    const thousandths = rest % 1000
    this.#bytes[this.#at++] = ZERO + Math.floor(thousandths / 100)
    this.#pair(thousandths % 100, 90)
    this.#bytes[this.#at++] = QUOTE
  }

  #pair(value: number, behind: number): void {
    const bytes = this.#bytes
    const tens = Math.floor(value / 10)
    bytes[this.#at++] = ZERO + tens
    bytes[this.#at++] = ZERO + value - tens * 10
    bytes[this.#at++] = behind
  }

  #digits(value: number): void {
    this.#reserve(10)
    let end = this.#at + 1
    for (let limit = 10; value >= limit; limit *= 10) end++
    this.#at = end
    const bytes = this.#bytes
    let rest = value
    do {
      const tenth = Math.floor(rest / 10)
      bytes[--end] = ZERO + rest - tenth * 10
      rest = tenth
    } while (rest > 0)
  }

  // From the first sign that is not itself in JSON and in UTF-8.
  #rest(value: string, from: number): void {
    this.#reserve((value.length - from) * 6 + 1)
    for (let i = from; i < value.length; i++) {
      const code = value.charCodeAt(i)
      if (code === QUOTE || code === BACKSLASH) {
        this.#bytes[this.#at++] = BACKSLASH
        this.#bytes[this.#at++] = code
      } else if (code < 32 || (code >= 0xd800 && code < 0xe000 && !isPair(value, i))) this.raw(escapeOf(code))
      else i += this.#encode(value, i)
    }
    this.#bytes[this.#at++] = QUOTE
  }

  /** Writes one sign as UTF-8 where there is room; gives how many further units of the text it took. */
  #encode(text: string, i: number): number {
    const bytes = this.#bytes
    const code = text.charCodeAt(i)
    if (code < 0x80) bytes[this.#at++] = code
    else if (code < 0x800) {
      bytes[this.#at++] = 0xc0 | (code >> 6)
      bytes[this.#at++] = 0x80 | (code & 63)
    } else if (code >= 0xd800 && code < 0xdc00) {
      const whole = text.codePointAt(i) as number
      bytes[this.#at++] = 0xf0 | (whole >> 18)
      bytes[this.#at++] = 0x80 | ((whole >> 12) & 63)
      bytes[this.#at++] = 0x80 | ((whole >> 6) & 63)
      bytes[this.#at++] = 0x80 | (whole & 63)
      return 1
    } else {
      bytes[this.#at++] = 0xe0 | (code >> 12)
      bytes[this.#at++] = 0x80 | ((code >> 6) & 63)
      bytes[this.#at++] = 0x80 | (code & 63)
    }
    return 0
  }

  #reserve(more: number): void {
    if (this.#at + more <= this.#bytes.length) return
    const written = this.#bytes.subarray(this.#from, this.#at)
    this.#bytes = new Uint8Array(Math.max(SLAB, (written.length + more) * 2))
    this.#bytes.set(written)
    this.#from = 0
    this.#at = written.length
  }
}

const isPair = (text: string, i: number): boolean => text.codePointAt(i) !== text.charCodeAt(i)

// The engine's own way of writing what JSON cannot hold as it is.
const escapeOf = (code: number): Uint8Array => ascii(JSON.stringify(String.fromCharCode(code)).slice(1, -1))
