// Numbers drawn from a seed: the same seed always draws the same requests, so that a failure can be seen again.

/** The sources of values; what each can carry differs. */
export type Source = 'json' | 'query' | 'path' | 'header'

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_'
const SIGNS = ' !"#$%&\'()*+,-./:;<=>?@[\\]^`{|}~'
const WIDE = ['é', 'ü', 'ß', '漢', '字', '😀', '𝒳', '\u0301', '\u00a0', '\u2028', '\ufeff', '\n', '\t', '\u0001']

/** Draws from a seed. */
export class Draw {
  #state: number

  constructor(seed: number) {
    this.#state = seed | 0
  }

  /** A number from 0 up to 1, which is not drawn itself. */
  unit(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }

  /** A whole number between two others, both included. */
  int(min: number, max: number): number {
    return min + Math.floor(this.unit() * (max - min + 1))
  }

  chance(probability: number): boolean {
    return this.unit() < probability
  }

  pick<T>(from: readonly T[]): T {
    return from[this.int(0, from.length - 1)] as T
  }

  /** Some elements of a list, in its order. */
  some<T>(from: readonly T[], probability: number): T[] {
    return from.filter(() => this.chance(probability))
  }

  /** A text of so many characters (code points) that its source can carry. */
  text(length: number, source: Source): string {
    let text = ''
    for (let i = 0; i < length; i++) text += this.#character(source)
    // A mark of the byte order at the beginning of a plain text is not a part of it.
    return text.startsWith('\ufeff') ? `x${text.slice(1)}` : text
  }

  #character(source: Source): string {
    // A header loses blanks around it, and commas separate the items of a list.
    if (source === 'header') return this.pick([...LETTERS, '-', '.', '/'])
    const kind = this.unit()
    if (kind < 0.6) return LETTERS[this.int(0, LETTERS.length - 1)] as string
    return kind < 0.85 ? (SIGNS[this.int(0, SIGNS.length - 1)] as string) : this.pick(WIDE)
  }

  /** A short word of letters and digits. */
  word(): string {
    let word = ''
    for (let i = this.int(1, 6); i > 0; i--) word += LETTERS[this.int(0, 61)]
    return word
  }
}
