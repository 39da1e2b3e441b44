// Character sets of decoded paths, and the named classes for the `capture` option.
import { type CharSet, createCharSet, invertRanges, isInRanges, type Ranges } from '../../regexp/char-set.ts'
import { guardSeparator, isSeparator } from '../decode.ts'

/** Creates a set that treats an encoded separator like the original character. */
export function createDecodedSet(ranges: Ranges): CharSet {
  const separators = [35, 47, 63]
  const outside = [
    ...separators.flatMap((code) => [guardSeparator(code), guardSeparator(code)]),
    ...invertRanges(ranges),
  ]
  const inside = separators.filter((code) => isInRanges(ranges, code)).map(guardSeparator)
  return createCharSet([...invertRanges(outside), ...inside.flatMap((code) => [code, code])])
}

/** The default set of a capture: every character except a raw `/`, `?` or `#`. */
export const SEGMENT_CHARS: CharSet = createCharSet(invertRanges([35, 35, 47, 47, 63, 63]))

/** Returns the characters that a literal matches in decoded text. */
export function getLiteralRanges(code: number): number[] {
  if (code === 32) return [32, 32, 43, 43]
  // A literal `/` is a separator and never its encoded form; `?` and `#` can only arrive encoded in a request.
  return code !== 47 && isSeparator(code) ? [code, code, guardSeparator(code), guardSeparator(code)] : [code, code]
}

const CLASS_RANGES: { readonly [name: string]: Ranges } = {
  digit: [48, 57],
  alpha: [65, 90, 97, 122],
  alnum: [48, 57, 65, 90, 97, 122],
  word: [48, 57, 65, 90, 95, 95, 97, 122],
  space: [9, 13, 32, 32],
  upper: [65, 90],
  lower: [97, 122],
  xdigit: [48, 57, 65, 70, 97, 102],
}

/** The names of the character classes. */
export type CharClassName = 'digit' | 'alpha' | 'alnum' | 'word' | 'space' | 'upper' | 'lower' | 'xdigit'

/** A member of `charClasses`; a capture constrained by it takes one or more of its characters. */
export interface CaptureClass {
  readonly '~class': CharClassName
}

function createCharClass(name: CharClassName): CaptureClass {
  return Object.freeze({ '~class': name })
}

/** ASCII character classes that constrain captures. */
export const charClasses: { readonly [N in CharClassName]: CaptureClass } = Object.freeze({
  digit: createCharClass('digit'),
  alpha: createCharClass('alpha'),
  alnum: createCharClass('alnum'),
  word: createCharClass('word'),
  space: createCharClass('space'),
  upper: createCharClass('upper'),
  lower: createCharClass('lower'),
  xdigit: createCharClass('xdigit'),
})

/** Returns the ranges of a character class. */
export function getClassRanges(charClass: CaptureClass): Ranges {
  return CLASS_RANGES[charClass['~class']] ?? []
}
