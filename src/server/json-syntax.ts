// Finds the place where a text stops being JSON (RFC 8259): engines tell it in different ways, or not at all.

/**
 * The offset of the first character that cannot stand in a JSON text; the text's length when only its end comes too
 * early; -1 when it is valid. It recurses with the nesting of the text, which the caller has bounded.
 */
export function jsonErrorAt(text: string): number {
  const scanner = new Scanner(text)
  return scanner.value() && scanner.at === text.length ? -1 : scanner.at
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

  constructor(text: string) {
    this.text = text
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
    this.at++
    this.space()
    if (this.text[this.at] === close) return this.skip()
    for (;;) {
      if (!element()) return false
      if (this.text[this.at] === close) return this.skip()
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
