// Finds the place where a text stops being JSON (RFC 8259): engines tell it in different ways, or not at all.

/** Stands for a text that nests deeper than allowed, and was therefore not read to its end. */
export const DEEP = -2

/**
 * The offset of the first character that cannot stand in a JSON text; the text's length when only its end comes too
 * early; -1 when it is valid; `DEEP` when it nests deeper than `depth` levels.
 */
export function jsonErrorAt(text: string, depth: number): number {
  const scanner = new Scanner(text, depth)
  if (scanner.value()) return scanner.at === text.length ? -1 : scanner.at
  return scanner.left < 0 ? DEEP : scanner.at
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
class Scanner {
  readonly text: string
  at = 0
  /** How many more levels may be entered; negative when that was tried too often. */
  left: number

  constructor(text: string, depth: number) {
    this.text = text
    this.left = depth
  }

  value(): boolean {
    this.space()
    const read = this.valueAt(this.text[this.at] ?? '')
    if (read) this.space()
    return read
  }

  private valueAt(first: string): boolean {
    if (first === '{') return this.list('}', () => this.member())
    if (first === '[') return this.list(']', () => this.value())
    if (first === '"') return this.string()
    const word = LITERALS[first]
    return word === undefined ? this.number() : this.literal(word)
  }

  private list(close: string, element: () => boolean): boolean {
    if (--this.left < 0) return false
    this.at++
    this.space()
    if (this.text[this.at] !== close && !this.elements(close, element)) return false
    this.left++
    return this.skip()
  }

  private elements(close: string, element: () => boolean): boolean {
    for (;;) {
      if (!element()) return false
      if (this.text[this.at] === close) return true
      if (!this.expect(COMMA)) return false
    }
  }

  private member(): boolean {
    this.space()
    if (this.text.charCodeAt(this.at) !== QUOTE || !this.string()) return false
    this.space()
    return this.expect(COLON) && this.value()
  }

  private string(): boolean {
    for (this.at++; this.at < this.text.length; this.at++) {
      const code = this.text.charCodeAt(this.at)
      if (code === QUOTE) return this.skip()
      if (code < 32 || (code === BACKSLASH && !this.escape())) return false
    }
    return false
  }

  // Leaves `at` on the last character of the escape.
  private escape(): boolean {
    const sign = this.text[++this.at]
    if (sign === undefined) return false
    if (sign !== 'u') return ESCAPES.includes(sign)
    for (let digit = 0; digit < 4; digit++) {
      this.at++
      if (!/^[0-9a-f]$/i.test(this.text[this.at] ?? '')) return false
    }
    return true
  }

  private literal(word: string): boolean {
    for (const letter of word) {
      if (this.text[this.at] !== letter) return false
      this.at++
    }
    return true
  }

  private number(): boolean {
    if (this.text.charCodeAt(this.at) === MINUS) this.at++
    if (this.text.charCodeAt(this.at) === ZERO) this.at++
    else if (!this.digits()) return false
    if (this.text.charCodeAt(this.at) === DOT) {
      this.at++
      if (!this.digits()) return false
    }
    if ((this.text.charCodeAt(this.at) | 32) !== 101) return true
    this.at++
    if (this.text[this.at] === '+' || this.text[this.at] === '-') this.at++
    return this.digits()
  }

  private digits(): boolean {
    const start = this.at
    while (isDigit(this.text.charCodeAt(this.at))) this.at++
    return this.at > start
  }

  private space(): void {
    while (isSpace(this.text.charCodeAt(this.at))) this.at++
  }

  private expect(code: number): boolean {
    return this.text.charCodeAt(this.at) === code && this.skip()
  }

  private skip(): true {
    this.at++
    return true
  }
}

const isDigit = (code: number): boolean => code >= ZERO && code <= 57
const isSpace = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9
