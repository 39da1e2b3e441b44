// Percent-decoding of a path, exactly once, into text where an encoded separator can still be told from a real one.
//
// Decoded text is an ordinary string in which an encoded `/`, `?` or `#` stands as one lone low surrogate (0xDC00 plus
// its character code). Well-formed text never holds a lone surrogate, so nothing a client sends can be mistaken for it.

const GUARD_BITS = 0xdc00
const LONE_SURROGATE = /\p{Surrogate}/u
const GUARDED = /[\udc23\udc2f\udc3f]/gu
/** The least code point that takes so many bytes behind the first one. */
const MIN_CODE_POINTS: readonly number[] = [0, 0x80, 0x800, 0x10000]
/** How many bytes follow a first byte in UTF-8 (RFC 3629, section 4); 0 where none begins a longer sequence. */
const CONTINUATION_BYTES: Uint8Array = new Uint8Array(256).fill(1, 0xc2, 0xe0).fill(2, 0xe0, 0xf0).fill(3, 0xf0, 0xf5)

/** A path after percent-decoding. */
export interface DecodedPath {
  /** The decoded text, encoded separators in their guarded form; `plainText` gives the value to show. */
  readonly text: string
  /** False when the path holds an invalid percent-encoding or a lone surrogate; the offending text is kept as it is. */
  readonly wellFormed: boolean
  /** True when `text` holds at least one guarded separator. */
  readonly guarded: boolean
}

/** The guarded form of a separator's character code. */
export function guardSeparator(code: number): number {
  return GUARD_BITS | code
}

/** True for the three characters that structure a URL: `/`, `?` and `#`. */
export function isSeparator(code: number): boolean {
  return code === 47 || code === 63 || code === 35
}

/** True for the guarded form of a separator. */
export function isGuardedSeparator(code: number): boolean {
  return (code & 0x1fff00) === GUARD_BITS && isSeparator(code & 0xff)
}

/** Turns guarded separators back into the characters they stand for. */
export function restoreSeparators(text: string): string {
  return text.replace(GUARDED, (unit) => String.fromCharCode(unit.charCodeAt(0) & 0xff))
}

/** True when every percent-encoding of the path is valid UTF-8; a server answers 400 otherwise. */
export function isWellFormedPath(path: string): boolean {
  return decodePath(path).wellFormed
}

/** Decodes a path once; an invalid encoding stays literal text and clears `wellFormed`. */
export function decodePath(path: string): DecodedPath {
  const sane = !LONE_SURROGATE.test(path)
  const first = path.indexOf('%')
  if (first < 0) return { text: path, wellFormed: sane, guarded: false }
  // A raw code unit that looks like a guarded separator must not become one.
  return decodeFrom(sane ? path : path.replace(GUARDED, '\ufffd'), first, sane)
}

function decodeFrom(path: string, first: number, sane: boolean): DecodedPath {
  let wellFormed = sane
  let guarded = false
  let text = ''
  let copied = 0
  for (let at = first; at >= 0; at = path.indexOf('%', at)) {
    const code = readEscape(path, at)
    if (code < 0) {
      wellFormed = false
      at += 1
      continue
    }
    const separator = isSeparator(code)
    guarded ||= separator
    text += path.slice(copied, at) + String.fromCodePoint(separator ? guardSeparator(code) : code)
    at += getEscapeLength(code)
    copied = at
  }
  return { text: text + path.slice(copied), wellFormed, guarded }
}

/** The code point encoded at `at` as one to four `%XX`, or -1 when that is no valid UTF-8. */
export function readEscape(path: string, at: number): number {
  const lead = readByte(path, at)
  if (lead < 0x80) return lead
  const extra = CONTINUATION_BYTES[lead] as number
  if (extra === 0) return -1
  let code = lead & (0x3f >> extra)
  for (let i = 1; i <= extra; i++) {
    const next = readByte(path, at + 3 * i)
    if ((next & 0xc0) !== 0x80) return -1
    code = (code << 6) | (next & 0x3f)
  }
  const surrogate = code >= 0xd800 && code <= 0xdfff
  return code < (MIN_CODE_POINTS[extra] ?? 0) || code > 0x10ffff || surrogate ? -1 : code
}

/** How many characters the percent-encoding of a code point takes. */
export function getEscapeLength(code: number): number {
  let extra = 3
  while (code < (MIN_CODE_POINTS[extra] as number)) extra -= 1
  return 3 * (1 + extra)
}

function readByte(path: string, at: number): number {
  if (path.charCodeAt(at) !== 37) return -1
  const high = readHexDigit(path.charCodeAt(at + 1))
  const low = readHexDigit(path.charCodeAt(at + 2))
  return high < 0 || low < 0 ? -1 : high * 16 + low
}

function readHexDigit(code: number): number {
  if (code >= 48 && code <= 57) return code - 48
  const lower = code | 32
  return lower >= 97 && lower <= 102 ? lower - 87 : -1
}
