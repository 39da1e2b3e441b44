// Parses a regular expression into a tree. Only the structure is parsed; the runtime interprets the characters.
import { Atom } from './atom.ts'

/** A condition on a position between two characters, decided by its neighbors. */
export type Edge = 'start' | 'end' | 'line-start' | 'line-end' | 'word' | 'not-word'

/** A part of a pattern. */
export type RegExpNode =
  | AtomNode
  | { readonly type: 'sequence' | 'choice'; readonly parts: readonly RegExpNode[] }
  | RepeatNode
  | LookaroundNode
  | EdgeNode

/** One character; `at` is its offset in the source, and `flags` are those in effect there. */
export interface AtomNode {
  readonly type: 'atom'
  readonly atom: Atom
  readonly at: number
  readonly flags: string
}

/** A repeated part; a lazy one matches as few times as possible. */
interface RepeatNode {
  readonly type: 'repeat'
  readonly part: RegExpNode
  readonly min: number
  readonly max: number
  readonly lazy: boolean
}

/** A condition on the text before or after a position. */
interface LookaroundNode {
  readonly type: 'look'
  readonly part: RegExpNode
  readonly behind: boolean
  readonly negated: boolean
  readonly at: number
}

/** A condition on the characters before and after a position. */
export interface EdgeNode {
  readonly type: 'edge'
  readonly edge: Edge
  /** The atom of word characters, for word boundaries. */
  readonly word: Atom | undefined
  readonly at: number
  /** The number of enclosing groups. */
  readonly depth: number
}

/** Thrown for a pattern that cannot be matched in linear time; the message states the reason and an alternative. */
export class UnsupportedPatternError extends Error {
  override readonly name = 'UnsupportedPatternError'
  /** The offset in the source; undefined for the complete source. */
  readonly at: number | undefined

  constructor(message: string, at?: number) {
    super(message)
    this.at = at
  }
}

/** The options of the parser. */
export interface RegExpParseOptions {
  /** Whether characters are code points even without the flags u and v. */
  readonly codePoints?: boolean
  /** The maximum nesting depth of groups. */
  readonly maxDepth?: number
}

/** Parses a pattern; its source is valid, because it comes from a RegExp. */
export function parseRegExpSyntax(pattern: RegExp, options: RegExpParseOptions = {}): RegExpNode {
  return new RegExpParser(pattern, options).parse()
}

const QUANTIFIER = /(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})\??/y
const GROUP = /\((?:\?(?:(<?[=!])|<[^>]*>|([ims]*)(?:-([ims]*))?:))?/y
const REFERENCE = /\\(?:[1-9]\d*|k<[^>]*>)/y
const LEGACY_OCTAL = /\\(?:[0-3][0-7]{0,2}|[4-7][0-7]?|[89])/y
const CODED = /\\(?:x[0-9a-f]{2}|u[0-9a-f]{4}|c[a-z])/iy
const CODED_UNICODE = /\\(?:u\{[0-9a-f]+\}|u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|p\{[^}]*\})/iy
const CODED_PAIR = /\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}/y
const STRINGS = /\\q\{|\\p\{(?:RGI_|Basic_Emoji|Emoji_Keycap_Sequence)/
const MAX_DEPTH = 200

class RegExpParser {
  readonly #source: string
  readonly #groups: number
  readonly #named: boolean
  readonly #atoms = new Map<string, Atom>()
  readonly #codePoints: boolean
  readonly #maxDepth: number
  #flags: string
  #at = 0
  #depth = -1

  constructor({ source, flags }: RegExp, { codePoints = false, maxDepth = MAX_DEPTH }: RegExpParseOptions) {
    this.#source = source
    this.#flags = flags
    this.#codePoints = codePoints
    this.#maxDepth = maxDepth
    const openings = listGroups(source, flags)
    this.#groups = openings.length
    this.#named = openings.includes('named')
  }

  parse(): RegExpNode {
    return this.#parseChoice()
  }

  #parseChoice(): RegExpNode {
    if (++this.#depth > this.#maxDepth)
      throw new UnsupportedPatternError(`its groups nest deeper than ${this.#maxDepth}`, this.#at)
    const parts = [this.#parseSequence()]
    while (this.#eat('|')) parts.push(this.#parseSequence())
    this.#depth--
    return parts.length === 1 ? (parts[0] as RegExpNode) : { type: 'choice', parts }
  }

  #parseSequence(): RegExpNode {
    const parts: RegExpNode[] = []
    while (this.#at < this.#source.length && this.#peek() !== '|' && this.#peek() !== ')')
      parts.push(this.#parseQuantifier(this.#parseTerm()))
    return parts.length === 1 ? (parts[0] as RegExpNode) : { type: 'sequence', parts }
  }

  #parseQuantifier(part: RegExpNode): RegExpNode {
    const found = this.#take(QUANTIFIER)
    if (found === undefined) return part
    const [text, lower, comma, upper] = found
    const lazy = text.length > 1 && text.endsWith('?')
    if (lower === undefined) {
      const character = text.charAt(0)
      return {
        type: 'repeat',
        part,
        min: character === '+' ? 1 : 0,
        max: character === '?' ? 1 : Number.POSITIVE_INFINITY,
        lazy,
      }
    }
    const min = Number(lower)
    if (comma === undefined) return { type: 'repeat', part, min, max: min, lazy }
    return { type: 'repeat', part, min, max: upper === '' ? Number.POSITIVE_INFINITY : Number(upper), lazy }
  }

  #parseTerm(): RegExpNode {
    const character = this.#peek()
    const at = this.#at
    if (character === '(') return this.#parseGroup()
    if (character === '[') return this.#createAtomNode(this.#readClass(), at)
    if (character === '\\') return this.#parseEscape()
    if (character === '^' || character === '$') {
      this.#at++
      const prefix = this.#flags.includes('m') ? 'line-' : ''
      return this.#createEdge(`${prefix}${character === '^' ? 'start' : 'end'}`, at)
    }
    return this.#createAtomNode(this.#readCharacter(), at)
  }

  #createEdge(edge: Edge, at: number, word?: Atom): RegExpNode {
    return { type: 'edge', edge, word, at, depth: this.#depth }
  }

  #parseGroup(): RegExpNode {
    const at = this.#at
    const [, look, on, off] = this.#take(GROUP) as RegExpExecArray
    const outer = this.#flags
    if (on !== undefined) this.#flags = `${outer.replace(/[ims]/g, (one) => (off?.includes(one) ? '' : one))}${on}`
    const part = this.#parseChoice()
    this.#flags = outer
    this.#eat(')')
    if (look === undefined) return part
    return { type: 'look', part, behind: look.startsWith('<'), negated: look.endsWith('!'), at }
  }

  #parseEscape(): RegExpNode {
    const at = this.#at
    const letter = this.#source.charAt(at + 1)
    if (letter === 'b' || letter === 'B') {
      this.#at += 2
      return this.#createEdge(letter === 'b' ? 'word' : 'not-word', at, this.#getAtom('\\w'))
    }
    if (this.#isBackReference(letter)) {
      const [reference] = this.#take(REFERENCE) as RegExpExecArray
      throw new UnsupportedPatternError(
        `the back-reference ${reference} cannot be matched in linear time; repeat the expression itself`,
        at,
      )
    }
    return this.#createAtomNode(this.#readEscaped(letter), at)
  }

  // Without the flags u and v, a number greater than the number of groups is a character code, and k without named
  // groups a letter.
  #isBackReference(letter: string): boolean {
    if (letter === 'k') return this.#isUnicode() || this.#named
    if (!/[1-9]/.test(letter)) return false
    REFERENCE.lastIndex = this.#at
    const number = Number(REFERENCE.exec(this.#source)?.[0].slice(1))
    return this.#isUnicode() || number <= this.#groups
  }

  #readEscaped(letter: string): string {
    const special = this.#isUnicode() ? CODED_UNICODE : LEGACY_OCTAL
    const pair = this.#codePoints ? this.#take(CODED_PAIR) : undefined
    const found = pair ?? this.#take(special) ?? this.#take(CODED)
    if (found !== undefined) {
      this.#refuseStrings(found[0])
      return found[0]
    }
    // Without a letter after it, `\c` is a backslash and a c.
    if (letter === 'c') {
      this.#at++
      return '\\\\'
    }
    this.#at++
    return `\\${this.#readCharacter()}`
  }

  #readClass(): string {
    const start = this.#at
    const nested = this.#flags.includes('v')
    let depth = 0
    do {
      const character = this.#peek()
      if (character === '\\') this.#at++
      else if (character === '[' && (nested || depth === 0)) depth++
      else if (character === ']') depth--
      this.#at++
    } while (depth > 0)
    const source = this.#source.slice(start, this.#at)
    this.#refuseStrings(source)
    return source
  }

  #refuseStrings(source: string): void {
    if (this.#flags.includes('v') && STRINGS.test(source))
      throw new UnsupportedPatternError(`${source} holds texts of several characters; write them as alternatives`)
  }

  /** Reads the source of one character: a code point or a unit, depending on the flags. */
  #readCharacter(): string {
    const start = this.#at
    const code = this.#source.codePointAt(start) as number
    this.#at += (this.#codePoints || this.#isUnicode()) && code > 0xffff ? 2 : 1
    return this.#source.slice(start, this.#at)
  }

  #createAtomNode(source: string, at: number): RegExpNode {
    return { type: 'atom', atom: this.#getAtom(source), at, flags: this.#flags }
  }

  #getAtom(source: string): Atom {
    const key = `${this.#flags} ${source}`
    const known = this.#atoms.get(key)
    if (known !== undefined) return known
    const atom = new Atom(source, this.#flags)
    this.#atoms.set(key, atom)
    return atom
  }

  #isUnicode(): boolean {
    return /[uv]/.test(this.#flags)
  }

  #take(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at
    const found = expression.exec(this.#source)
    if (found === null) return undefined
    this.#at = expression.lastIndex
    return found
  }

  #peek(): string {
    return this.#source.charAt(this.#at)
  }

  #eat(character: string): boolean {
    if (this.#peek() !== character) return false
    this.#at++
    return true
  }
}

/** Returns the capturing groups of a source, in order. */
function listGroups(source: string, flags: string): ('named' | 'plain')[] {
  const nested = flags.includes('v')
  const found: ('named' | 'plain')[] = []
  let depth = 0
  for (let i = 0; i < source.length; i++) {
    const character = source.charAt(i)
    if (character === '\\') i++
    else if (character === '[' && (nested || depth === 0)) depth++
    else if (character === ']' && depth > 0) depth--
    else if (character === '(' && depth === 0) {
      const ahead = source.slice(i + 1, i + 4)
      if (!ahead.startsWith('?')) found.push('plain')
      else if (/^\?<[^=!]/.test(ahead)) found.push('named')
    }
  }
  return found
}
