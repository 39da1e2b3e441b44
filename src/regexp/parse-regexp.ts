// Reads a regular expression into a tree. Characters stay what the runtime takes them for; only the structure is read.
import { Atom } from './atom.ts'

/** A condition on a place between two characters that the characters beside it decide. */
export type Edge = 'start' | 'end' | 'line-start' | 'line-end' | 'word' | 'not-word'

/** A part of a pattern. */
export type RegExpNode =
  | AtomNode
  | { readonly type: 'sequence' | 'choice'; readonly parts: readonly RegExpNode[] }
  | RepeatNode
  | LookaroundNode
  | EdgeNode

/** One character; `at` is where it begins in the source, and `flags` those that hold there. */
export interface AtomNode {
  readonly type: 'atom'
  readonly atom: Atom
  readonly at: number
  readonly flags: string
}

/** A part several times; a lazy one takes as few as it can. */
interface RepeatNode {
  readonly type: 'repeat'
  readonly part: RegExpNode
  readonly min: number
  readonly max: number
  readonly lazy: boolean
}

/** A condition on the text ahead or behind. */
interface LookaroundNode {
  readonly type: 'look'
  readonly part: RegExpNode
  readonly behind: boolean
  readonly negated: boolean
  readonly at: number
}

/** A condition on the characters beside a place. */
export interface EdgeNode {
  readonly type: 'edge'
  readonly edge: Edge
  /** The atom of word characters, for the edges of words. */
  readonly word: Atom | undefined
  readonly at: number
  /** How many groups are around it. */
  readonly depth: number
}

/** A pattern that cannot be matched in linear time; the message says why and what to write instead. */
export class UnsupportedPatternError extends Error {
  override readonly name = 'UnsupportedPatternError'
  /** Its position in the source; undefined for the whole source. */
  readonly at: number | undefined

  constructor(message: string, at?: number) {
    super(message)
    this.at = at
  }
}

/** How a pattern is read. */
export interface RegExpParseOptions {
  /** Whether characters are whole code points, even without the flags u and v. */
  readonly codePoints?: boolean
  /** How deep groups may nest. */
  readonly maxDepth?: number
}

/** Reads a pattern; its source is valid, because a RegExp was made of it. */
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
    const [text, least, comma, most] = found
    const lazy = text.length > 1 && text.endsWith('?')
    if (least === undefined) {
      const sign = text.charAt(0)
      return { type: 'repeat', part, min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Number.POSITIVE_INFINITY, lazy }
    }
    const min = Number(least)
    if (comma === undefined) return { type: 'repeat', part, min, max: min, lazy }
    return { type: 'repeat', part, min, max: most === '' ? Number.POSITIVE_INFINITY : Number(most), lazy }
  }

  #parseTerm(): RegExpNode {
    const sign = this.#peek()
    const at = this.#at
    if (sign === '(') return this.#parseGroup()
    if (sign === '[') return this.#createAtomNode(this.#readClass(), at)
    if (sign === '\\') return this.#parseEscape()
    if (sign === '^' || sign === '$') {
      this.#at++
      const lines = this.#flags.includes('m') ? 'line-' : ''
      return this.#createEdge(`${lines}${sign === '^' ? 'start' : 'end'}`, at)
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

  // Without the flags u and v, a number above that of the groups is a character code, and k without names a letter.
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
    // Without a letter behind it, `\c` is a backslash and a c.
    if (letter === 'c') {
      this.#at++
      return '\\\\'
    }
    this.#at++
    return `\\${this.#readCharacter()}`
  }

  #readClass(): string {
    const from = this.#at
    const nested = this.#flags.includes('v')
    let depth = 0
    do {
      const sign = this.#peek()
      if (sign === '\\') this.#at++
      else if (sign === '[' && (nested || depth === 0)) depth++
      else if (sign === ']') depth--
      this.#at++
    } while (depth > 0)
    const source = this.#source.slice(from, this.#at)
    this.#refuseStrings(source)
    return source
  }

  #refuseStrings(source: string): void {
    if (this.#flags.includes('v') && STRINGS.test(source))
      throw new UnsupportedPatternError(`${source} holds texts of several characters; write them as alternatives`)
  }

  /** The source of one character: a code point or a unit, as the flags have it. */
  #readCharacter(): string {
    const from = this.#at
    const code = this.#source.codePointAt(from) as number
    this.#at += (this.#codePoints || this.#isUnicode()) && code > 0xffff ? 2 : 1
    return this.#source.slice(from, this.#at)
  }

  #createAtomNode(source: string, at: number): RegExpNode {
    return { type: 'atom', atom: this.#getAtom(source), at, flags: this.#flags }
  }

  #getAtom(source: string): Atom {
    const key = `${this.#flags} ${source}`
    const known = this.#atoms.get(key)
    if (known !== undefined) return known
    const made = new Atom(source, this.#flags)
    this.#atoms.set(key, made)
    return made
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

  #eat(sign: string): boolean {
    if (this.#peek() !== sign) return false
    this.#at++
    return true
  }
}

/** The capturing groups of a source, in order. */
function listGroups(source: string, flags: string): ('named' | 'plain')[] {
  const nested = flags.includes('v')
  const found: ('named' | 'plain')[] = []
  let depth = 0
  for (let at = 0; at < source.length; at++) {
    const sign = source.charAt(at)
    if (sign === '\\') at++
    else if (sign === '[' && (nested || depth === 0)) depth++
    else if (sign === ']' && depth > 0) depth--
    else if (sign === '(' && depth === 0) {
      const ahead = source.slice(at + 1, at + 4)
      if (!ahead.startsWith('?')) found.push('plain')
      else if (/^\?<[^=!]/.test(ahead)) found.push('named')
    }
  }
  return found
}
