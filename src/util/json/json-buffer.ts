// Writes JSON byte by byte into reused memory, so that no string is created only to be encoded.
import { toDateNumber } from '../calendar.ts'

/** The size of a memory slab: texts are written one after the other into it; a longer text gets a separate one. */
const SLAB_SIZE = 128 * 1024

const QUOTE = 34
const BACKSLASH = 92
const COMMA = 44
const MINUS = 45
const POINT = 46
const ZERO = 48
const DAY_MS = 86_400_000

/** A constant JSON text, in 32-bit words. */
export interface JsonFragment {
  readonly words: readonly number[]
  readonly length: number
}

/** Encodes a text as a fragment. */
export function encodeFragment(text: string): JsonFragment {
  const bytes = new TextEncoder().encode(text)
  const padded = new Uint8Array(Math.ceil(bytes.length / 4) * 4)
  padded.set(bytes)
  const view = new DataView(padded.buffer)
  const words = Array.from({ length: padded.length / 4 }, (_, i) => view.getInt32(i * 4, true))
  return { words, length: bytes.length }
}

export const JSON_NULL: JsonFragment = encodeFragment('null')
export const JSON_TRUE: JsonFragment = encodeFragment('true')
export const JSON_FALSE: JsonFragment = encodeFragment('false')

/** The ASCII characters that must be escaped within a string. */
const NEEDS_ESCAPE = Uint8Array.from({ length: 128 }, (_, code) =>
  Number(code < 32 || code === QUOTE || code === BACKSLASH),
)

/** Two digits as one 16-bit word. */
const DIGIT_PAIRS = Int16Array.from({ length: 100 }, (_, i) => ZERO + Math.floor(i / 10) + ((ZERO + (i % 10)) << 8))

/** Packs two digits between two characters into one 32-bit word. */
const packDigitPair = (before: number, value: number, after: number): number =>
  before | (DIGIT_PAIRS[value]! << 8) | (after << 24)

/** Collects the bytes of one JSON text. */
export class JsonBuffer {
  #bytes = new Uint8Array(SLAB_SIZE)
  #view = new DataView(this.#bytes.buffer)
  #start = 0
  #end = 0

  /** The number of bytes written. */
  get length(): number {
    return this.#end - this.#start
  }

  /** Starts again; discards everything written since the last `take`. */
  reset(): void {
    this.#end = this.#start
  }

  /** Discards the bytes beyond a length. */
  truncate(length: number): void {
    this.#end = this.#start + length
  }

  /** Returns the bytes written; their memory is not written to again. */
  take(): Uint8Array {
    const text = this.#bytes.subarray(this.#start, this.#end)
    this.#start = this.#end
    if (this.#bytes.length > SLAB_SIZE) {
      this.#useBuffer(new Uint8Array(SLAB_SIZE))
      this.#start = this.#end = 0
    }
    return text
  }

  /** Closes a container whose members each begin with a comma; the opening character replaces the first comma. */
  closeContainer(start: number, open: number, close: number): void {
    this.#reserve(2)
    const first = this.#start + start
    if (this.#end === first) this.#end++
    this.#bytes[first] = open
    this.#bytes[this.#end++] = close
  }

  writeComma(): void {
    this.#reserve(1)
    this.#bytes[this.#end++] = COMMA
  }

  /** Writes a fragment unchanged. */
  writeFragment({ words, length }: JsonFragment): void {
    this.#reserve(length + 3)
    const view = this.#view
    let at = this.#end
    // The last word may reach beyond the fragment, where nothing is written yet.
    for (let i = 0; i < words.length; i++, at += 4) view.setInt32(at, words[i] as number, true)
    this.#end += length
  }

  /** Writes a string in quotes. */
  writeString(value: string): void {
    this.#reserve(value.length + 2)
    this.#bytes[this.#end++] = QUOTE
    const asciiEnd = this.#writeAscii(value, 0)
    if (asciiEnd < value.length) this.#writeEscaped(value, asciiEnd)
    this.#bytes[this.#end++] = QUOTE
  }

  /**
   * Writes characters that are the same in JSON and UTF-8, four at a time, without reserving memory; returns the index
   * of the first other character.
   */
  #writeAscii(value: string, start: number): number {
    const { length } = value
    const view = this.#view
    let at = this.#end
    let i = start
    for (; i + 3 < length; i += 4, at += 4) {
      const one = value.charCodeAt(i)
      const two = value.charCodeAt(i + 1)
      const three = value.charCodeAt(i + 2)
      const four = value.charCodeAt(i + 3)
      if (
        (one | two | three | four) > 127 ||
        NEEDS_ESCAPE[one]! | NEEDS_ESCAPE[two]! | NEEDS_ESCAPE[three]! | NEEDS_ESCAPE[four]!
      )
        break
      view.setInt32(at, one | (two << 8) | (three << 16) | (four << 24), true)
    }
    for (; i < length; i++) {
      const code = value.charCodeAt(i)
      if (code > 127 || NEEDS_ESCAPE[code] === 1) break
      view.setInt8(at++, code)
    }
    this.#end = at
    return i
  }

  /** Writes JSON text. */
  writeJson(text: string): void {
    this.#reserve(text.length * 3)
    for (let i = 0; i < text.length; i++) i += this.#writeUtf8(text, i)
  }

  /** Writes a finite number. */
  writeNumber(value: number): void {
    const integer = value | 0
    if (integer === value) return integer < 0 ? this.#writeNegative(integer) : this.#writeDigits(integer)
    // Two decimals of at most fifteen digits are the same number only if they are equal, so this is the shortest text.
    const thousandths = Math.round(value * 1000)
    if (value > 0 && value < 2_000_000 && thousandths / 1000 === value) this.#writeDecimal(thousandths | 0)
    else this.writeJson(String(value))
  }

  #writeNegative(value: number): void {
    this.#reserve(12)
    this.#bytes[this.#end++] = MINUS
    this.#writeDigits(-value)
  }

  #writeDecimal(thousandths: number): void {
    const integer = (thousandths / 1000) | 0
    this.#writeDigits(integer)
    this.#reserve(4)
    const bytes = this.#bytes
    const rest = thousandths - integer * 1000
    const tenths = (rest / 100) | 0
    const hundredths = ((rest / 10) | 0) - tenths * 10
    const last = rest % 10
    bytes[this.#end++] = POINT
    bytes[this.#end++] = ZERO + tenths
    if (hundredths + last > 0) bytes[this.#end++] = ZERO + hundredths
    if (last > 0) bytes[this.#end++] = ZERO + last
  }

  /** Writes a timestamp of the years 0 to 9999 in quotes, given in milliseconds. */
  writeTimestamp(time: number): void {
    this.#reserve(26)
    const days = Math.floor(time / DAY_MS)
    // Year, month and day as one number, which avoids an allocation.
    const date = toDateNumber(days)
    const years = (date / 10_000) | 0
    const months = (date / 100) | 0
    const rest = (time - days * DAY_MS) | 0
    const seconds = (rest / 1000) | 0
    const minutes = (seconds / 60) | 0
    const hours = (minutes / 60) | 0
    const thousandths = rest - seconds * 1000
    const hundreds = (thousandths / 100) | 0
    const view = this.#view
    const at = this.#end
    view.setInt8(at, QUOTE)
    view.setInt16(at + 1, DIGIT_PAIRS[(years / 100) | 0]!, true)
    view.setInt16(at + 3, DIGIT_PAIRS[years % 100]!, true)
    view.setInt32(at + 5, packDigitPair(45, months % 100, 45), true)
    view.setInt16(at + 9, DIGIT_PAIRS[date - months * 100]!, true)
    view.setInt32(at + 11, packDigitPair(84, hours, 58), true)
    view.setInt16(at + 15, DIGIT_PAIRS[minutes - hours * 60]!, true)
    view.setInt32(at + 17, packDigitPair(58, seconds - minutes * 60, 46), true)
    view.setInt32(at + 21, packDigitPair(ZERO + hundreds, thousandths - hundreds * 100, 90), true)
    view.setInt8(at + 25, QUOTE)
    this.#end = at + 26
  }

  #writeDigits(value: number): void {
    this.#reserve(11)
    let end = this.#end + 1
    for (let limit = 10; value >= limit; limit *= 10) end++
    this.#end = end
    const bytes = this.#bytes
    let rest = value
    do {
      const tenth = (rest / 10) | 0
      bytes[--end] = ZERO + rest - tenth * 10
      rest = tenth
    } while (rest > 0)
  }

  // Writes from the first character that is not the same in JSON and UTF-8.
  #writeEscaped(value: string, start: number): void {
    this.#reserve((value.length - start) * 6 + 4)
    for (let i = start; i < value.length; i = this.#writeAscii(value, i + 1)) {
      const code = value.charCodeAt(i)
      if (code === QUOTE || code === BACKSLASH) {
        this.#bytes[this.#end++] = BACKSLASH
        this.#bytes[this.#end++] = code
      } else if (code < 32 || (code >= 0xd800 && code < 0xe000 && !isSurrogatePair(value, i)))
        this.writeFragment(encodeEscape(code))
      else i += this.#writeUtf8(value, i)
    }
  }

  /**
   * Writes one character as UTF-8 without reserving memory; returns the number of additional UTF-16 units it consumed.
   */
  #writeUtf8(text: string, i: number): number {
    const bytes = this.#bytes
    const code = text.charCodeAt(i)
    if (code < 0x80) bytes[this.#end++] = code
    else if (code < 0x800) {
      bytes[this.#end++] = 0xc0 | (code >> 6)
      bytes[this.#end++] = 0x80 | (code & 63)
    } else if (code >= 0xd800 && code < 0xdc00) {
      const codePoint = text.codePointAt(i) as number
      bytes[this.#end++] = 0xf0 | (codePoint >> 18)
      bytes[this.#end++] = 0x80 | ((codePoint >> 12) & 63)
      bytes[this.#end++] = 0x80 | ((codePoint >> 6) & 63)
      bytes[this.#end++] = 0x80 | (codePoint & 63)
      return 1
    } else {
      bytes[this.#end++] = 0xe0 | (code >> 12)
      bytes[this.#end++] = 0x80 | ((code >> 6) & 63)
      bytes[this.#end++] = 0x80 | (code & 63)
    }
    return 0
  }

  #reserve(more: number): void {
    if (this.#end + more <= this.#bytes.length) return
    const written = this.#bytes.subarray(this.#start, this.#end)
    this.#useBuffer(new Uint8Array(Math.max(SLAB_SIZE, (written.length + more) * 2)))
    this.#bytes.set(written)
    this.#start = 0
    this.#end = written.length
  }

  #useBuffer(bytes: Uint8Array<ArrayBuffer>): void {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer)
  }
}

const isSurrogatePair = (text: string, i: number): boolean => text.codePointAt(i) !== text.charCodeAt(i)

// The engine's own escape sequence.
const encodeEscape = (code: number): JsonFragment =>
  encodeFragment(JSON.stringify(String.fromCharCode(code)).slice(1, -1))
