// The parser of capture constraints given as RegExp: the regular subset, so that matching stays linear in time.

import { PatternError } from '../errors.ts'
import type { Node } from './ast.ts'
import { complement, decodedSet, ignoreCase, type Ranges } from './char-set.ts'
import { type Cursor, readClass, readEscapedSet } from './regexp-class.ts'

const NEWLINES: Ranges = [10, 10, 13, 13, 0x2028, 0x2029]
const BRACES = /\{(\d+)(?:(,)(\d*))?\}/y
const GROUP_NAME = /\?<[^=!>][^>]*>/y
const MAX_DEPTH = 50

/** Parses the RegExp that constrains a capture; it must match the whole value, so anchors at its ends change nothing. */
export function parseRegExp(regexp: RegExp, capture: string): Node {
  const parser = new RegExpParser(regexp, `capture "${capture}", RegExp`)
  return parser.alternatives(0)
}

class RegExpParser implements Cursor {
  readonly source: string
  readonly place: string
  readonly ignoreCase: boolean
  readonly unicode: boolean
  readonly dotAll: boolean
  pos = 0

  constructor(regexp: RegExp, place: string) {
    this.source = regexp.source
    this.place = place
    this.ignoreCase = regexp.ignoreCase
    this.unicode = regexp.unicode
    this.dotAll = regexp.dotAll
    const odd = /[^isu]/.exec(regexp.flags)
    if (odd !== null) throw this.unsupported(`the flag "${odd[0]}"`, 'Remove it; i, s and u are understood')
    if (regexp.ignoreCase && regexp.unicode)
      throw this.unsupported('the flags "i" and "u" together', 'Remove one of them')
  }

  unsupported(what: string, remedy: string, at: number = this.pos): PatternError {
    return new PatternError(
      { place: this.place, text: this.source },
      at,
      `${what} is not supported in a capture`,
      remedy,
    )
  }

  alternatives(depth: number): Node {
    if (depth > MAX_DEPTH) throw this.unsupported('such deep nesting', `Use at most ${MAX_DEPTH} levels`)
    const branches: Node[] = [this.sequence(depth)]
    while (this.source[this.pos] === '|') {
      this.pos += 1
      branches.push(this.sequence(depth))
    }
    return branches.length === 1 ? (branches[0] as Node) : { kind: 'alt', branches }
  }

  sequence(depth: number): Node {
    const items: Node[] = []
    if (depth === 0 && this.source[this.pos] === '^') this.pos += 1
    while (this.pos < this.source.length) {
      const next = this.source[this.pos]
      if (next === '|' || next === ')') break
      if (next === '$' && depth === 0 && /^\$(?:\||$)/.test(this.source.slice(this.pos, this.pos + 2))) {
        this.pos += 1
        break
      }
      items.push(this.quantified(this.atom(depth)))
    }
    return items.length === 1 ? (items[0] as Node) : { kind: 'seq', items }
  }

  atom(depth: number): Node {
    const next = this.source[this.pos]
    if (next === '(') return this.group(depth)
    if (next === '^' || next === '$')
      throw this.unsupported(
        `"${next}" inside the expression`,
        'Anchors may stand at the ends only, where they change nothing',
      )
    if (next === '.') {
      this.pos += 1
      return { kind: 'set', set: decodedSet(this.dotAll ? [0, 0x10ffff] : complement(NEWLINES)) }
    }
    if (next === '[') return { kind: 'set', set: decodedSet(readClass(this)) }
    if (next === '\\') return { kind: 'set', set: decodedSet(readEscapedSet(this)) }
    const code = this.source.codePointAt(this.pos) ?? 0
    this.pos += code > 0xffff ? 2 : 1
    return { kind: 'set', set: decodedSet(this.ignoreCase ? ignoreCase([code, code]) : [code, code]) }
  }

  group(depth: number): Node {
    const at = this.pos
    this.pos += 1
    GROUP_NAME.lastIndex = this.pos
    if (this.source.startsWith('?:', this.pos)) this.pos += 2
    else if (GROUP_NAME.test(this.source)) this.pos = GROUP_NAME.lastIndex
    else if (/^\?<?[=!]/.test(this.source.slice(this.pos, this.pos + 3))) {
      throw this.unsupported(
        'lookaround',
        'Express the exclusion with the option "except", or with character classes',
        at,
      )
    } else if (this.source[this.pos] === '?') throw this.unsupported('this kind of group', 'Write "(?:…)"', at)
    const node = this.alternatives(depth + 1)
    this.pos += 1
    return node
  }

  quantified(item: Node): Node {
    const bounds = this.bounds()
    if (bounds === null) return item
    const lazy = this.source[this.pos] === '?'
    if (lazy) this.pos += 1
    return { kind: 'repeat', item, min: bounds[0], max: bounds[1], lazy }
  }

  bounds(): readonly [number, number] | null {
    const next = this.source[this.pos]
    if (next === '*' || next === '+' || next === '?') {
      this.pos += 1
      return [next === '+' ? 1 : 0, next === '?' ? 1 : Number.POSITIVE_INFINITY]
    }
    BRACES.lastIndex = this.pos
    const braces = BRACES.exec(this.source)
    if (braces === null) return null
    this.pos = BRACES.lastIndex
    const [, min, comma, max] = braces
    if (comma === undefined) return [Number(min), Number(min)]
    return [Number(min), max === '' ? Number.POSITIVE_INFINITY : Number(max)]
  }
}
