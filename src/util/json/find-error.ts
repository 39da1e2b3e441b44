// Finds the offset at which a text stops being JSON (RFC 8259): engines report it in different ways, or not at all.

/** The result for a text that nests deeper than allowed, and was therefore not read to its end. */
export const TOO_DEEP = -2

/**
 * Returns the offset of the first character that is not allowed in a JSON text; the text's length if it ends too early;
 * -1 if it is valid; `TOO_DEEP` if it nests deeper than `depth` levels.
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

/**
 * Each method scans one construct from `at` on and returns whether it was present; if not, `at` is the offset of the
 * error.
 */
class JsonScanner {
  readonly text: string
  at = 0
  /** The number of levels that may still be entered; negative when there were too many. */
  levelsLeft: number

  constructor(text: string, depth: number) {
    this.text = text
    this.levelsLeft = depth
  }

  scanValue(): boolean {
    this.skipSpace()
    const isValid = this.scanValueFrom(this.text[this.at] ?? '')
    if (isValid) this.skipSpace()
    return isValid
  }

  private scanValueFrom(first: string): boolean {
    if (first === '{') return this.scanList('}', () => this.scanMember())
    if (first === '[') return this.scanList(']', () => this.scanValue())
    if (first === '"') return this.scanString()
    const word = LITERALS[first]
    return word === undefined ? this.scanNumber() : this.scanLiteral(word)
  }

  private scanList(close: string, scanElement: () => boolean): boolean {
    if (--this.levelsLeft < 0) return false
    this.at++
    this.skipSpace()
    if (this.text[this.at] !== close && !this.scanElements(close, scanElement)) return false
    this.levelsLeft++
    return this.advance()
  }

  private scanElements(close: string, scanElement: () => boolean): boolean {
    for (;;) {
      if (!scanElement()) return false
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
    const character = this.text[++this.at]
    if (character === undefined) return false
    if (character !== 'u') return ESCAPES.includes(character)
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
