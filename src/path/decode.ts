// Decodes a path exactly once, into text in which an encoded separator differs from a real one.
//
// Decoded text is an ordinary string in which an encoded `/`, `?` or `#` is one lone low surrogate (0xDC00 plus its
// character code). Well-formed text never contains a lone surrogate, so clients cannot forge one.

const GUARD_BITS = 0xdc00
const LONE_SURROGATE = /\p{Surrogate}/u
const GUARDED = /[\udc23\udc2f\udc3f]/gu
/** The smallest code point that takes so many bytes after the first one. */
const MIN_CODE_POINTS: readonly number[] = [0, 0x80, 0x800, 0x10000]
/**
 * The number of bytes after a first byte in UTF-8 (RFC 3629, section 4); 0 for bytes that do not begin a longer
 * sequence.
 */
const CONTINUATION_BYTES: Uint8Array = new Uint8Array(256).fill(1, 0xc2, 0xe0).fill(2, 0xe0, 0xf0).fill(3, 0xf0, 0xf5)

/** A path after percent-decoding. */
export interface DecodedPath {
  /** The decoded text, with encoded separators in their guarded form; `restoreSeparators` converts it for display. */
  readonly text: string
  /** False when the path has an invalid percent-encoding or a lone surrogate; the invalid text is kept unchanged. */
  readonly wellFormed: boolean
  /** True when `text` has at least one guarded separator. */
  readonly guarded: boolean
}

/** Returns the guarded form of a separator's character code. */
export function guardSeparator(code: number): number {
  return GUARD_BITS | code
}

/** Returns whether a character structures a URL: `/`, `?` or `#`. */
export function isSeparator(code: number): boolean {
  return code === 47 || code === 63 || code === 35
}

/** Returns whether a character is the guarded form of a separator. */
export function isGuardedSeparator(code: number): boolean {
  return (code & 0x1fff00) === GUARD_BITS && isSeparator(code & 0xff)
}

/** Converts guarded separators back to the original characters. */
export function restoreSeparators(text: string): string {
  return text.replace(GUARDED, (unit) => String.fromCharCode(unit.charCodeAt(0) & 0xff))
}

/** Returns whether every percent-encoding of the path is valid UTF-8; a server responds with 400 otherwise. */
export function isWellFormedPath(path: string): boolean {
  return decodePath(path).wellFormed
}

/** Decodes a path once; an invalid encoding stays literal text and clears `wellFormed`. */
export function decodePath(path: string): DecodedPath {
  const isWellFormed = !LONE_SURROGATE.test(path)
  const first = path.indexOf('%')
  if (first < 0) return { text: path, wellFormed: isWellFormed, guarded: false }
  // A raw code unit that looks like a guarded separator must not become one.
  return decodeFrom(isWellFormed ? path : path.replace(GUARDED, '\ufffd'), first, isWellFormed)
}

function decodeFrom(path: string, first: number, isWellFormed: boolean): DecodedPath {
  let wellFormed = isWellFormed
  let guarded = false
  let text = ''
  let copied = 0
  for (let i = first; i >= 0; i = path.indexOf('%', i)) {
    const code = readEscape(path, i)
    if (code < 0) {
      wellFormed = false
      i += 1
      continue
    }
    const separator = isSeparator(code)
    guarded ||= separator
    text += path.slice(copied, i) + String.fromCodePoint(separator ? guardSeparator(code) : code)
    i += getEscapeLength(code)
    copied = i
  }
  return { text: text + path.slice(copied), wellFormed, guarded }
}

/** Returns the code point encoded at `index` as one to four `%XX`; -1 if it is not valid UTF-8. */
export function readEscape(path: string, index: number): number {
  const first = readByte(path, index)
  if (first < 0x80) return first
  const extra = CONTINUATION_BYTES[first] as number
  if (extra === 0) return -1
  let code = first & (0x3f >> extra)
  for (let i = 1; i <= extra; i++) {
    const next = readByte(path, index + 3 * i)
    if ((next & 0xc0) !== 0x80) return -1
    code = (code << 6) | (next & 0x3f)
  }
  const surrogate = code >= 0xd800 && code <= 0xdfff
  return code < (MIN_CODE_POINTS[extra] ?? 0) || code > 0x10ffff || surrogate ? -1 : code
}

/** Returns the number of characters in the percent-encoding of a code point. */
export function getEscapeLength(code: number): number {
  let extra = 3
  while (code < (MIN_CODE_POINTS[extra] as number)) extra -= 1
  return 3 * (1 + extra)
}

function readByte(path: string, index: number): number {
  if (path.charCodeAt(index) !== 37) return -1
  const high = readHexDigit(path.charCodeAt(index + 1))
  const low = readHexDigit(path.charCodeAt(index + 2))
  return high < 0 || low < 0 ? -1 : high * 16 + low
}

function readHexDigit(code: number): number {
  if (code >= 48 && code <= 57) return code - 48
  const lower = code | 32
  return lower >= 97 && lower <= 102 ? lower - 87 : -1
}
