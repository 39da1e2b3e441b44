// One character of a pattern: a literal, an escape, a class or a property, exactly as the runtime's engine reads it.

/** A part of a pattern that matches one character. */
export class Atom {
  readonly source: string
  /** True if characters are code points, as with the flags u and v; otherwise they are UTF-16 units. */
  readonly unicode: boolean
  readonly #flags: string
  #matcher: RegExp | undefined
  #example: number | undefined

  constructor(source: string, flags: string) {
    this.source = source
    this.unicode = /[uv]/.test(flags)
    this.#flags = flags
  }

  /** Returns whether the atom matches a character. */
  matches(code: number): boolean {
    // The runtime itself determines the characters of a class, so that case, properties and nested sets have their
    // usual meaning. On a text of one character there is nothing to backtrack.
    this.#matcher ??= new RegExp(`^(?:${this.source})$`, this.#flags.replace(/[^isuv]/g, ''))
    return this.#matcher.test(String.fromCodePoint(code))
  }

  /** Returns a character that the atom matches, preferably a printable one; undefined if there is none. */
  findExample(): number | undefined {
    this.#example ??= this.#searchExample()
    return this.#example < 0 ? undefined : this.#example
  }

  #searchExample(): number {
    for (const code of PREFERRED_EXAMPLES) if (this.matches(code)) return code
    const last = this.unicode ? 0x10ffff : 0xffff
    for (let code = 0xa1; code <= last; code++) if (!isSurrogate(code) && this.matches(code)) return code
    for (let code = 0; code < 0xa1; code++) if (this.matches(code)) return code
    return -1
  }
}

const PREFERRED_EXAMPLES: readonly number[] = [97, 65, 48, ...Array.from({ length: 95 }, (_, i) => i + 32)]

const isSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdfff
