// One character of a pattern: a literal, an escape, a class or a property, exactly as the engine of the runtime reads it.

/** A part of a pattern that takes one character. */
export class Atom {
  readonly source: string
  /** True where characters are whole code points, as the flags u and v have it; otherwise they are UTF-16 units. */
  readonly unicode: boolean
  readonly #flags: string
  #matcher: RegExp | undefined
  #example: number | undefined

  constructor(source: string, flags: string) {
    this.source = source
    this.unicode = /[uv]/.test(flags)
    this.#flags = flags
  }

  /** Returns whether the atom takes a character. */
  matches(code: number): boolean {
    // The runtime itself says which characters a class holds, so that letter case, properties and sets of sets mean here
    // what they mean everywhere else. On a text of one character there is nothing to backtrack into.
    this.#matcher ??= new RegExp(`^(?:${this.source})$`, this.#flags.replace(/[^isuv]/g, ''))
    return this.#matcher.test(String.fromCodePoint(code))
  }

  /** A character that the atom takes, printable ones first; undefined when it takes none. */
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
