// Finds the place where a text stops being JSON (RFC 8259): engines tell it in different ways, or not at all.

/** Stands for a text that nests deeper than allowed, and was therefore not read to its end. */
export const TOO_DEEP = -2

/**
 * The offset of the first character that cannot stand in a JSON text; the text's length when only its end comes too
 * early; -1 when it is valid; `DEEP` when it nests deeper than `depth` levels.
 */
export function findJsonError(text: string, depth: number): number {
  const scanner = new JsonScanner(text, depth)
  if (scanner.scanValue()) return scanner.at === text.length ? -1 : scanner.at
  return scanner.levelsLeft < 0 ? TOO_DEEP : scanner.at
}

const QUOTE = 34
const COMMA = 44
const MINUS = 45
const DOT = 46
const ZERO = 48
const COLON = 58
const BACKSLASH = 92
const ESCAPES = '"\\/bfnrt'
const LITERALS: Readonly<Record<string, string | undefined>> = { t: 'true', f: 'false', n: 'null' }

/** Each method reads one thing from `at` on and tells whether it was there; if not, `at` is the place of the error. */
class JsonScanner {
  readonly text: string
  at = 0
  /** How many more levels may be entered; negative when that was tried too often. */
  levelsLeft: number

  constructor(text: string, depth: number) {
    this.text = text
    this.levelsLeft = depth
  }

  scanValue(): boolean {
    this.skipSpace()
    const read = this.scanValueFrom(this.text[this.at] ?? '')
    if (read) this.skipSpace()
    return read
  }

  private scanValueFrom(first: string): boolean {
    if (first === '{') return this.scanList('}', () => this.scanMember())
    if (first === '[') return this.scanList(']', () => this.scanValue())
    if (first === '"') return this.scanString()
    const word = LITERALS[first]
    return word === undefined ? this.scanNumber() : this.scanLiteral(word)
  }

  private scanList(close: string, element: () => boolean): boolean {
    if (--this.levelsLeft < 0) return false
    this.at++
    this.skipSpace()
    if (this.text[this.at] !== close && !this.scanElements(close, element)) return false
    this.levelsLeft++
    return this.advance()
  }

  private scanElements(close: string, element: () => boolean): boolean {
    for (;;) {
      if (!element()) return false
      if (this.text[this.at] === close) return true
      if (!this.expect(COMMA)) return false
    }
  }

  private scanMember(): boolean {
    this.skipSpace()
    if (this.text.charCodeAt(this.at) !== QUOTE || !this.scanString()) return false
    this.skipSpace()
    return this.expect(COLON) && this.scanValue()
  }

  private scanString(): boolean {
    for (this.at++; this.at < this.text.length; this.at++) {
      const code = this.text.charCodeAt(this.at)
      if (code === QUOTE) return this.advance()
      if (code < 32 || (code === BACKSLASH && !this.scanEscape())) return false
    }
    return false
  }

  // Leaves `at` on the last character of the escape.
  private scanEscape(): boolean {
    const sign = this.text[++this.at]
    if (sign === undefined) return false
    if (sign !== 'u') return ESCAPES.includes(sign)
    for (let digit = 0; digit < 4; digit++) {
      this.at++
      if (!/^[0-9a-f]$/i.test(this.text[this.at] ?? '')) return false
    }
    return true
  }

  private scanLiteral(word: string): boolean {
    for (const letter of word) {
      if (this.text[this.at] !== letter) return false
      this.at++
    }
    return true
  }

  private scanNumber(): boolean {
    if (this.text.charCodeAt(this.at) === MINUS) this.at++
    if (this.text.charCodeAt(this.at) === ZERO) this.at++
    else if (!this.scanDigits()) return false
    if (this.text.charCodeAt(this.at) === DOT) {
      this.at++
      if (!this.scanDigits()) return false
    }
    if ((this.text.charCodeAt(this.at) | 32) !== 101) return true
    this.at++
    if (this.text[this.at] === '+' || this.text[this.at] === '-') this.at++
    return this.scanDigits()
  }

  private scanDigits(): boolean {
    const start = this.at
    while (isDigit(this.text.charCodeAt(this.at))) this.at++
    return this.at > start
  }

  private skipSpace(): void {
    while (isSpace(this.text.charCodeAt(this.at))) this.at++
  }

  private expect(code: number): boolean {
    return this.text.charCodeAt(this.at) === code && this.advance()
  }

  private advance(): true {
    this.at++
    return true
  }
}

const isDigit = (code: number): boolean => code >= ZERO && code <= 57
const isSpace = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9
