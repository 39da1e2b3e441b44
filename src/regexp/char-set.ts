// Character sets as sorted ranges.

const LAST_CODE_POINT = 0x10ffff

/** Pairs of first and last code point, flat: `[48, 57, 97, 102]`. */
export type Ranges = readonly number[]

/** A set of characters, ready for membership tests. */
export interface CharSet {
  readonly ascii: Uint8Array
  readonly ranges: Ranges
}

/** Returns whether the set contains the code point. */
export function hasChar(set: CharSet, code: number): boolean {
  if (code < 128) return set.ascii[code] === 1
  return isInRanges(set.ranges, code)
}

/** Builds a set from ranges in any order. */
export function createCharSet(ranges: Ranges): CharSet {
  const merged = mergeRanges(ranges)
  const ascii = new Uint8Array(128)
  for (let i = 0; i < merged.length; i += 2) ascii.fill(1, merged[i], (merged[i + 1] as number) + 1)
  return { ascii, ranges: merged }
}

/** Sorts ranges and joins those that touch. */
function mergeRanges(ranges: Ranges): number[] {
  const pairs: [number, number][] = []
  for (let i = 0; i < ranges.length; i += 2) pairs.push([ranges[i] as number, ranges[i + 1] as number])
  pairs.sort((a, b) => a[0] - b[0])
  const out: number[] = []
  for (const [low, high] of pairs) {
    const end = out.length - 1
    if (end > 0 && low <= (out[end] as number) + 1) out[end] = Math.max(out[end] as number, high)
    else out.push(low, high)
  }
  return out
}

/** Returns the ranges of all other code points. */
export function invertRanges(ranges: Ranges): number[] {
  const out: number[] = []
  let next = 0
  const merged = mergeRanges(ranges)
  for (let i = 0; i < merged.length; i += 2) {
    const low = merged[i] as number
    if (low > next) out.push(next, low - 1)
    next = (merged[i + 1] as number) + 1
  }
  if (next <= LAST_CODE_POINT) out.push(next, LAST_CODE_POINT)
  return out
}

/** Returns whether the ranges contain the code point. */
export function isInRanges(ranges: Ranges, code: number): boolean {
  for (let i = 0; i < ranges.length; i += 2) {
    if (code >= (ranges[i] as number) && code <= (ranges[i + 1] as number)) return true
  }
  return false
}

/** Adds the other cases of every character, as the `i` flag of a RegExp without `u` does. */
export function addOtherCases(ranges: Ranges): number[] {
  const merged = mergeRanges(ranges)
  // Case mapping never leads from outside ASCII into it, so an ASCII set needs only ASCII partners.
  const limit = (merged.at(-1) ?? 0) < 128 ? 127 : 0xffff
  const wanted = new Uint8Array(limit + 1)
  for (let i = 0; i < merged.length; i += 2) {
    const last = Math.min(merged[i + 1] as number, limit)
    for (let code = merged[i] as number; code <= last; code++) wanted[toUpperCode(code)] = 1
  }
  const added: number[] = []
  for (let code = 0; code <= limit; code++) {
    if (wanted[toUpperCode(code)] === 0) continue
    if (added.at(-1) === code - 1) added[added.length - 1] = code
    else added.push(code, code)
  }
  return mergeRanges([...merged, ...added])
}

function toUpperCode(code: number): number {
  const upper = String.fromCharCode(code).toUpperCase()
  const mapped = upper.length === 1 ? upper.charCodeAt(0) : code
  return code >= 128 && mapped < 128 ? code : mapped
}

/** Every character. */
export const ALL_CHARS: CharSet = createCharSet([0, LAST_CODE_POINT])
