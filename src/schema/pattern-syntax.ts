// Reads the source of a regular expression into a tree, as far as its cost and an example need it.
import { bothCases, type CharSet, charSet, classes, complement, everything, withinLine } from './char-set.ts'

/** A part of a pattern. `look` is a condition beside the text, `back` repeats what a group matched. */
export type PatternNode =
  | { readonly type: 'set'; readonly set: CharSet }
  | { readonly type: 'sequence' | 'choice'; readonly parts: readonly PatternNode[] }
  | { readonly type: 'repeat'; readonly part: PatternNode; readonly min: number; readonly max: number }
  | { readonly type: 'look'; readonly part: PatternNode }
  | { readonly type: 'back' }

/** Reads a pattern; the source is valid, because a RegExp was made of it. */
export function parsePattern({ source, flags }: RegExp): PatternNode {
  return new Reader(source, flags).choice()
}

const NOTHING: PatternNode = { type: 'sequence', parts: [] }
const QUANTIFIER = /^(?:[*+?]|\{(\d+)(,(\d*))?\})\??/
const GROUP = /^\((?:\?(?:(<?[=!])|<[^>]*>|[a-z-]*:))?/
const CODE = /^\\(?:u\{([0-9a-f]+)\}|u([0-9a-f]{4})|x([0-9a-f]{2})|c([a-z]))/i
const PROPERTY = /^\\p\{[^}]*\}/i
const CONTROLS: ReadonlyMap<string, number> = new Map([
  ['t', 9],
  ['n', 10],
  ['v', 11],
  ['f', 12],
  ['r', 13],
  ['0', 0],
])

class Reader {
  readonly #source: string
  readonly #flags: string
  #at = 0

  constructor(source: string, flags: string) {
    this.#source = source
    this.#flags = flags
  }

  choice(): PatternNode {
    const parts = [this.#sequence()]
    while (this.#eat('|')) parts.push(this.#sequence())
    return parts.length === 1 ? (parts[0] as PatternNode) : { type: 'choice', parts }
  }

  #sequence(): PatternNode {
    const parts: PatternNode[] = []
    while (this.#at < this.#source.length && this.#peek() !== '|' && this.#peek() !== ')') {
      parts.push(this.#quantified(this.#atom()))
    }
    return parts.length === 1 ? (parts[0] as PatternNode) : { type: 'sequence', parts }
  }

  #quantified(part: PatternNode): PatternNode {
    const found = QUANTIFIER.exec(this.#rest())
    if (found === null) return part
    this.#at += found[0].length
    const [, least, more, most] = found
    if (least !== undefined) {
      const max = more === undefined ? Number(least) : most ? Number(most) : Number.POSITIVE_INFINITY
      return { type: 'repeat', part, min: Number(least), max }
    }
    const sign = found[0].charAt(0)
    return { type: 'repeat', part, min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Number.POSITIVE_INFINITY }
  }

  #atom(): PatternNode {
    const sign = this.#peek()
    if (sign === '(') return this.#group()
    if (sign === '[') return { type: 'set', set: this.#class() }
    if (sign === '\\') return this.#escape()
    const code = this.#source.codePointAt(this.#at) ?? 0
    this.#at += code > 0xffff ? 2 : 1
    if (sign === '^' || sign === '$') return NOTHING
    if (sign === '.') return { type: 'set', set: this.#flags.includes('s') ? everything : withinLine }
    return this.#literal(code)
  }

  #group(): PatternNode {
    const opening = GROUP.exec(this.#rest()) as RegExpExecArray
    this.#at += opening[0].length
    const part = this.choice()
    this.#eat(')')
    return opening[1] === undefined ? part : { type: 'look', part }
  }

  #escape(): PatternNode {
    const letter = this.#source.charAt(this.#at + 1)
    const named = letter === 'k' ? /^\\k<[^>]*>/.exec(this.#rest()) : /^\\[1-9]\d*/.exec(this.#rest())
    if (named !== null) {
      this.#at += named[0].length
      return { type: 'back' }
    }
    if (letter === 'b' || letter === 'B') {
      this.#at += 2
      return NOTHING
    }
    const read = this.#escaped()
    return typeof read === 'number' ? this.#literal(read) : { type: 'set', set: read }
  }

  /** Reads an escape that stands for one character or for a class of them. */
  #escaped(): number | CharSet {
    const property = this.#unicode() ? PROPERTY.exec(this.#rest()) : null
    const code = property ? null : CODE.exec(this.#rest())
    const letter = this.#source.charAt(this.#at + 1)
    this.#at += (property ?? code)?.[0].length ?? 2
    // A property could be any set; taking it for everything errs on the side of caution.
    if (property) return everything
    if (code)
      return code[4] === undefined ? Number.parseInt(code[1] ?? code[2] ?? code[3] ?? '', 16) : letterCode(code[4]) % 32
    return classes.get(letter) ?? CONTROLS.get(letter) ?? letterCode(letter)
  }

  #class(): CharSet {
    if (this.#flags.includes('v')) return this.#skipClassOfSets()
    this.#at++
    const negated = this.#eat('^')
    const ranges: (readonly [number, number])[] = []
    while (!this.#eat(']')) {
      const first = this.#member()
      if (typeof first !== 'number') ranges.push(...first)
      else ranges.push([first, this.#rangeEnd(first, ranges)])
    }
    const set = this.#fold(charSet(ranges))
    return negated ? complement(set) : set
  }

  #rangeEnd(first: number, ranges: (readonly [number, number])[]): number {
    if (this.#peek() !== '-' || this.#source.charAt(this.#at + 1) === ']') return first
    this.#at++
    const last = this.#member()
    if (typeof last === 'number') return last
    ranges.push([45, 45], ...last)
    return first
  }

  #member(): number | CharSet {
    if (this.#peek() === '\\') {
      if (this.#source.charAt(this.#at + 1) !== 'b') return this.#escaped()
      this.#at += 2
      return 8
    }
    const code = this.#source.codePointAt(this.#at) ?? 0
    this.#at += code > 0xffff ? 2 : 1
    return code
  }

  // Classes with set operations nest; they are taken for everything, like properties.
  #skipClassOfSets(): CharSet {
    let depth = 0
    do {
      const sign = this.#peek()
      if (sign === '\\') this.#at++
      else if (sign === '[') depth++
      else if (sign === ']') depth--
      this.#at++
    } while (depth > 0)
    return everything
  }

  #literal(code: number): PatternNode {
    return { type: 'set', set: this.#fold([[code, code]]) }
  }

  #fold(set: CharSet): CharSet {
    return this.#flags.includes('i') ? bothCases(set) : set
  }

  #unicode(): boolean {
    return /[uv]/.test(this.#flags)
  }

  #rest(): string {
    return this.#source.slice(this.#at)
  }

  #peek(): string {
    return this.#source.charAt(this.#at)
  }

  #eat(sign: string): boolean {
    if (this.#peek() !== sign) return false
    this.#at++
    return true
  }
}

const letterCode = (letter: string): number => letter.codePointAt(0) ?? 0
