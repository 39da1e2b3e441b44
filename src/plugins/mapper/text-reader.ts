// Reads a text of a client token by token.

/** A text, and the position up to which it was read. */
export class TextReader {
  readonly #text: string
  #position = 0

  constructor(text: string) {
    this.#text = text
  }

  get isAtEnd(): boolean {
    return this.#position === this.#text.length
  }

  /** The next character; empty at the end. */
  get character(): string {
    const code = this.#text.codePointAt(this.#position)
    return code === undefined ? '' : String.fromCodePoint(code)
  }

  /** The position from 1 on, counted in characters and not in UTF-16 code units. */
  get characterNumber(): number {
    return [...this.#text.slice(0, this.#position)].length + 1
  }

  /** Reads a token, given by a sticky pattern; empty if the text goes on differently. */
  take(token: RegExp): string {
    token.lastIndex = this.#position
    const taken = token.exec(this.#text)?.[0] ?? ''
    this.#position += taken.length
    return taken
  }

  /** Reads a sign, if it is next. */
  skip(sign: string): boolean {
    const isNext = this.isNext(sign)
    if (isNext) this.#position += sign.length
    return isNext
  }

  /** Returns whether a sign is next. */
  isNext(sign: string): boolean {
    return this.#text.startsWith(sign, this.#position)
  }
}
