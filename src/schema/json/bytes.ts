// JSON written byte by byte into memory that is used again: no text is made only to be encoded afterwards.
import { dateOf } from '../scalars/calendar.ts'

/** Texts are written one behind the other into pieces of memory of this size; a longer one has its own piece. */
const SLAB = 128 * 1024

const QUOTE = 34
const BACKSLASH = 92
const COMMA = 44
const MINUS = 45
const POINT = 46
const ZERO = 48
const DAY = 86_400_000

/** A constant piece of JSON, in words of four bytes. */
export interface Piece {
  readonly words: readonly number[]
  readonly length: number
}

/** Makes a piece of a text. */
export function pieceOf(text: string): Piece {
  const bytes = new TextEncoder().encode(text)
  const padded = new Uint8Array(Math.ceil(bytes.length / 4) * 4)
  padded.set(bytes)
  const view = new DataView(padded.buffer)
  const words = Array.from({ length: padded.length / 4 }, (_, i) => view.getInt32(i * 4, true))
  return { words, length: bytes.length }
}

/** Constant pieces of JSON. */
export const JSON_NULL: Piece = pieceOf('null')
export const JSON_TRUE: Piece = pieceOf('true')
export const JSON_FALSE: Piece = pieceOf('false')

/** Which ASCII signs are written in another way between quotes. */
const ESCAPED = Uint8Array.from({ length: 128 }, (_, code) => Number(code < 32 || code === QUOTE || code === BACKSLASH))

/** Two digits as one word. */
const PAIRS = Int16Array.from({ length: 100 }, (_, i) => ZERO + Math.floor(i / 10) + ((ZERO + (i % 10)) << 8))

/** Two digits between two signs as one word. */
const between = (before: number, value: number, behind: number): number =>
  before | (PAIRS[value]! << 8) | (behind << 24)

/** Collects the bytes of one JSON text. */
export class JsonBytes {
  #bytes = new Uint8Array(SLAB)
  #view = new DataView(this.#bytes.buffer)
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

  /** Takes back what was written beyond a length. */
  cut(length: number): void {
    this.#at = this.#from + length
  }

  /** The text that was written; its memory is not written to again. */
  take(): Uint8Array {
    const text = this.#bytes.subarray(this.#from, this.#at)
    this.#from = this.#at
    if (this.#bytes.length > SLAB) {
      this.#use(new Uint8Array(SLAB))
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

  /** Adds a piece as it is. */
  piece({ words, length }: Piece): void {
    this.#reserve(length + 3)
    const view = this.#view
    let at = this.#at
    // The last word may reach beyond the piece, where nothing is written yet.
    for (let i = 0; i < words.length; i++, at += 4) view.setInt32(at, words[i] as number, true)
    this.#at += length
  }

  /** Adds a text between quotes. */
  text(value: string): void {
    this.#reserve(value.length + 2)
    this.#bytes[this.#at++] = QUOTE
    const plain = this.#plain(value, 0)
    if (plain < value.length) this.#rest(value, plain)
    this.#bytes[this.#at++] = QUOTE
  }

  /** Writes signs that are themselves in JSON and in UTF-8, four at a time, where there is room; gives the index of the first that is not. */
  #plain(value: string, from: number): number {
    const { length } = value
    const view = this.#view
    let at = this.#at
    let i = from
    for (; i + 3 < length; i += 4, at += 4) {
      const one = value.charCodeAt(i)
      const two = value.charCodeAt(i + 1)
      const three = value.charCodeAt(i + 2)
      const four = value.charCodeAt(i + 3)
      if ((one | two | three | four) > 127 || ESCAPED[one]! | ESCAPED[two]! | ESCAPED[three]! | ESCAPED[four]!) break
      view.setInt32(at, one | (two << 8) | (three << 16) | (four << 24), true)
    }
    for (; i < length; i++) {
      const code = value.charCodeAt(i)
      if (code > 127 || ESCAPED[code] === 1) break
      view.setInt8(at++, code)
    }
    this.#at = at
    return i
  }

  /** Adds JSON that was written elsewhere. */
  json(text: string): void {
    this.#reserve(text.length * 3)
    for (let i = 0; i < text.length; i++) i += this.#encode(text, i)
  }

  /** Adds a finite number. */
  number(value: number): void {
    const whole = value | 0
    if (whole === value) return whole < 0 ? this.#negative(whole) : this.#digits(whole)
    // Two decimals of at most fifteen digits are the same number only if they are the same decimal, so this is the shortest.
    const thousandths = Math.round(value * 1000)
    if (value > 0 && value < 2_000_000 && thousandths / 1000 === value) this.#decimal(thousandths | 0)
    else this.json(String(value))
  }

  #negative(value: number): void {
    this.#reserve(12)
    this.#bytes[this.#at++] = MINUS
    this.#digits(-value)
  }

  #decimal(thousandths: number): void {
    const whole = (thousandths / 1000) | 0
    this.#digits(whole)
    this.#reserve(4)
    const bytes = this.#bytes
    const rest = thousandths - whole * 1000
    const tenths = (rest / 100) | 0
    const hundredths = ((rest / 10) | 0) - tenths * 10
    const last = rest % 10
    bytes[this.#at++] = POINT
    bytes[this.#at++] = ZERO + tenths
    if (hundredths + last > 0) bytes[this.#at++] = ZERO + hundredths
    if (last > 0) bytes[this.#at++] = ZERO + last
  }

  /** Adds a moment of the years 0 to 9999 between quotes, given in milliseconds. */
  moment(time: number): void {
    this.#reserve(26)
    const days = Math.floor(time / DAY)
    // Year, month and day as one number, so that nothing has to be made for them.
    const date = dateOf(days)
    const years = (date / 10_000) | 0
    const months = (date / 100) | 0
    const rest = (time - days * DAY) | 0
    const seconds = (rest / 1000) | 0
    const minutes = (seconds / 60) | 0
    const hours = (minutes / 60) | 0
    const thousandths = rest - seconds * 1000
    const hundreds = (thousandths / 100) | 0
    const view = this.#view
    const at = this.#at
    view.setInt8(at, QUOTE)
    view.setInt16(at + 1, PAIRS[(years / 100) | 0]!, true)
    view.setInt16(at + 3, PAIRS[years % 100]!, true)
    view.setInt32(at + 5, between(45, months % 100, 45), true)
    view.setInt16(at + 9, PAIRS[date - months * 100]!, true)
    view.setInt32(at + 11, between(84, hours, 58), true)
    view.setInt16(at + 15, PAIRS[minutes - hours * 60]!, true)
    view.setInt32(at + 17, between(58, seconds - minutes * 60, 46), true)
    view.setInt32(at + 21, between(ZERO + hundreds, thousandths - hundreds * 100, 90), true)
    view.setInt8(at + 25, QUOTE)
    this.#at = at + 26
  }

  #digits(value: number): void {
    this.#reserve(11)
    let end = this.#at + 1
    for (let limit = 10; value >= limit; limit *= 10) end++
    this.#at = end
    const bytes = this.#bytes
    let rest = value
    do {
      const tenth = (rest / 10) | 0
      bytes[--end] = ZERO + rest - tenth * 10
      rest = tenth
    } while (rest > 0)
  }

  // From the first sign that is not itself in JSON and in UTF-8.
  #rest(value: string, from: number): void {
    this.#reserve((value.length - from) * 6 + 4)
    for (let i = from; i < value.length; i = this.#plain(value, i + 1)) {
      const code = value.charCodeAt(i)
      if (code === QUOTE || code === BACKSLASH) {
        this.#bytes[this.#at++] = BACKSLASH
        this.#bytes[this.#at++] = code
      } else if (code < 32 || (code >= 0xd800 && code < 0xe000 && !isPair(value, i))) this.piece(escapeOf(code))
      else i += this.#encode(value, i)
    }
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
    this.#use(new Uint8Array(Math.max(SLAB, (written.length + more) * 2)))
    this.#bytes.set(written)
    this.#from = 0
    this.#at = written.length
  }

  #use(bytes: Uint8Array<ArrayBuffer>): void {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer)
  }
}

const isPair = (text: string, i: number): boolean => text.codePointAt(i) !== text.charCodeAt(i)

// The engine's own way of writing what JSON cannot hold as it is.
const escapeOf = (code: number): Piece => pieceOf(JSON.stringify(String.fromCharCode(code)).slice(1, -1))
