// Sets of characters as sorted ranges of code points, for reasoning about patterns.

/** Ranges of code points, each with its first and last one, sorted and apart. */
export type CharSet = readonly (readonly [number, number])[]

const LAST = 0x10ffff

/** Every character. */
export const everything: CharSet = [[0, LAST]]

/** Brings ranges into order and joins those that touch. */
export function charSet(ranges: readonly (readonly [number, number])[]): CharSet {
  const joined: [number, number][] = []
  for (const [first, last] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const previous = joined.at(-1)
    if (previous !== undefined && first <= previous[1] + 1) previous[1] = Math.max(previous[1], last)
    else joined.push([first, last])
  }
  return joined
}

/** The characters that are not in a set. */
export function complement(set: CharSet): CharSet {
  const ranges: [number, number][] = []
  let next = 0
  for (const [first, last] of set) {
    if (first > next) ranges.push([next, first - 1])
    next = last + 1
  }
  if (next <= LAST) ranges.push([next, LAST])
  return ranges
}

/** The characters that two sets share. */
export function intersection(one: CharSet, other: CharSet): CharSet {
  const shared: [number, number][] = []
  for (const [a, b] of one) {
    for (const [c, d] of other) if (Math.max(a, c) <= Math.min(b, d)) shared.push([Math.max(a, c), Math.min(b, d)])
  }
  return shared
}

/** Adds the other letter case of every ASCII letter of a set. */
export function bothCases(set: CharSet): CharSet {
  const shifted = (letters: CharSet, by: number): [number, number][] =>
    intersection(set, letters).map(([first, last]) => [first + by, last + by])
  return charSet([...set, ...shifted([[65, 90]], 32), ...shifted([[97, 122]], -32)])
}

/** Tells whether a character is in a set. */
export function contains(set: CharSet, code: number): boolean {
  return set.some(([first, last]) => code >= first && code <= last)
}

const single = (text: string): CharSet => charSet([...text].map((one) => [one.charCodeAt(0), one.charCodeAt(0)]))

const DIGITS: CharSet = [[48, 57]]
const WORDS: CharSet = charSet([...DIGITS, [65, 90], [95, 95], [97, 122]])
const SPACES: CharSet = charSet([
  ...single('\t\n\v\f\r \u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff'),
  [0x2000, 0x200a],
])

/** Every character but the ends of a line. */
export const withinLine: CharSet = complement(single('\n\r\u2028\u2029'))

/** The classes that a pattern abbreviates with a letter. */
export const classes: ReadonlyMap<string, CharSet> = new Map([
  ['d', DIGITS],
  ['D', complement(DIGITS)],
  ['w', WORDS],
  ['W', complement(WORDS)],
  ['s', SPACES],
  ['S', complement(SPACES)],
])
