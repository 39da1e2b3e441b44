// The characters of one atom of a pattern, as ranges: a literal, an escape, or a class in square brackets.
import { addOtherCases, invertRanges, type Ranges } from './char-set.ts'
import { type AtomNode, UnsupportedPatternError } from './parse-regexp.ts'

const DIGIT: Ranges = [48, 57]
const WORD: Ranges = [48, 57, 65, 90, 95, 95, 97, 122]
const SPACE: Ranges = [
  9, 13, 32, 32, 0xa0, 0xa0, 0x1680, 0x1680, 0x2000, 0x200a, 0x2028, 0x2029, 0x202f, 0x202f, 0x205f, 0x205f, 0x3000,
  0x3000, 0xfeff, 0xfeff,
]
const CONTROLS: { readonly [letter: string]: number } = { t: 9, n: 10, v: 11, f: 12, r: 13 }
const HEX = /\\x([0-9A-Fa-f]{2})|\\u([0-9A-Fa-f]{4})(?:\\u([0-9A-Fa-f]{4}))?/y
const BRACED = /\\u\{([0-9A-Fa-f]+)\}/y

const NEWLINES: Ranges = [10, 10, 13, 13, 0x2028, 0x2029]

/** Returns the characters of an atom; throws an UnsupportedPatternError for escapes with unknown characters. */
export function readAtomRanges({ source }: RegExp, { at, flags }: AtomNode): Ranges {
  const cursor: SourceCursor = { source, pos: at, ignoreCase: flags.includes('i'), unicode: flags.includes('u') }
  const first = source[at]
  if (first === '.') return flags.includes('s') ? [0, 0x10ffff] : invertRanges(NEWLINES)
  if (first === '[') return readClass(cursor)
  const ranges = first === '\\' ? readEscape(cursor) : readLiteral(cursor)
  return cursor.ignoreCase ? addOtherCases(ranges) : ranges
}

/** A position in a RegExp's source, which the readers below advance. */
interface SourceCursor {
  readonly source: string
  readonly ignoreCase: boolean
  readonly unicode: boolean
  pos: number
}

function readClass(cursor: SourceCursor): Ranges {
  cursor.pos += 1
  const negated = cursor.source[cursor.pos] === '^'
  if (negated) cursor.pos += 1
  const ranges: number[] = []
  while (cursor.source[cursor.pos] !== ']') ranges.push(...readRange(cursor))
  cursor.pos += 1
  const cased = cursor.ignoreCase ? addOtherCases(ranges) : ranges
  return negated ? invertRanges(cased) : cased
}

function readRange(cursor: SourceCursor): Ranges {
  const low = readMember(cursor)
  const isRange = cursor.source[cursor.pos] === '-' && cursor.source[cursor.pos + 1] !== ']'
  if (!isRange) return low
  cursor.pos += 1
  const high = readMember(cursor)
  const single = isSingleCode(low) && isSingleCode(high)
  return single ? [low[0] as number, high[1] as number] : [...low, 45, 45, ...high]
}

function isSingleCode(ranges: Ranges): boolean {
  return ranges.length === 2 && ranges[0] === ranges[1]
}

function readMember(cursor: SourceCursor): Ranges {
  if (cursor.source.startsWith('\\b', cursor.pos)) {
    cursor.pos += 2
    return [8, 8]
  }
  return cursor.source[cursor.pos] === '\\' ? readEscape(cursor) : readLiteral(cursor)
}

function readLiteral(cursor: SourceCursor): Ranges {
  const code = cursor.source.codePointAt(cursor.pos) ?? 0
  cursor.pos += code > 0xffff ? 2 : 1
  return [code, code]
}

function readEscape(cursor: SourceCursor): Ranges {
  const at = cursor.pos
  const coded = readCodeEscape(cursor)
  if (coded >= 0) return [coded, coded]
  const letter = cursor.source[at + 1] ?? ''
  cursor.pos = at + 2
  const set = findShorthand(letter)
  if (set !== null) return set
  const control = Object.hasOwn(CONTROLS, letter) ? CONTROLS[letter] : undefined
  if (control !== undefined) return [control, control]
  if (letter === '0' && !/\d/.test(cursor.source[at + 2] ?? '')) return [0, 0]
  if (/[1-9k]/.test(letter))
    throw new UnsupportedPatternError('a back-reference is not supported; repeat the expression instead', at)
  if (/[A-Za-z0-9]/.test(letter))
    throw new UnsupportedPatternError(
      `the escape "\\${letter}" is not supported; write the characters themselves, or a class such as [a-z]`,
      at,
    )
  const code = cursor.source.codePointAt(at + 1) ?? 0
  cursor.pos = at + 1 + (code > 0xffff ? 2 : 1)
  return [code, code]
}

const SHORTHANDS: ReadonlyMap<string, Ranges> = new Map([
  ['d', DIGIT],
  ['w', WORD],
  ['s', SPACE],
])

function findShorthand(letter: string): Ranges | null {
  const lower = letter.toLowerCase()
  const set = SHORTHANDS.get(lower) ?? null
  return set === null || letter === lower ? set : invertRanges(set)
}

/** Parses `\xHH`, `\uHHHH` (a surrogate pair as one character) or `\u{H…}`; returns -1 for anything else. */
function readCodeEscape(cursor: SourceCursor): number {
  BRACED.lastIndex = cursor.pos
  const braced = cursor.unicode ? BRACED.exec(cursor.source) : null
  if (braced !== null) {
    cursor.pos = BRACED.lastIndex
    return Number.parseInt(braced[1] ?? '', 16)
  }
  HEX.lastIndex = cursor.pos
  const hex = HEX.exec(cursor.source)
  if (hex === null) return -1
  const unit = Number.parseInt(hex[1] ?? hex[2] ?? '', 16)
  const second = Number.parseInt(hex[3] ?? '0', 16)
  const isPair = unit >= 0xd800 && unit < 0xdc00 && second >= 0xdc00 && second <= 0xdfff
  const unicodeLength = isPair ? 12 : 6
  cursor.pos += hex[1] !== undefined ? 4 : unicodeLength
  return isPair ? (unit - 0xd800) * 0x400 + (second - 0xdc00) + 0x10000 : unit
}
