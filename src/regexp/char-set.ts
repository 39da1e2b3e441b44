// Sets of characters as sorted ranges.

const LAST = 0x10ffff

/** Pairs of first and last code point, flat: `[48, 57, 97, 102]`. */
export type Ranges = readonly number[]

/** A set of characters, ready for membership tests. */
export interface CharSet {
  readonly ascii: Uint8Array
  readonly ranges: Ranges
}

/** True when the set holds the code point. */
export function holds(set: CharSet, code: number): boolean {
  if (code < 128) return set.ascii[code] === 1
  return within(set.ranges, code)
}

/** Builds a set from ranges in any order. */
export function charSet(ranges: Ranges): CharSet {
  const merged = merge(ranges)
  const ascii = new Uint8Array(128)
  for (let i = 0; i < merged.length; i += 2) ascii.fill(1, merged[i], (merged[i + 1] as number) + 1)
  return { ascii, ranges: merged }
}

/** Sorts ranges and joins those that touch. */
function merge(ranges: Ranges): number[] {
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

/** Every code point that is not in the ranges. */
export function complement(ranges: Ranges): number[] {
  const out: number[] = []
  let next = 0
  const merged = merge(ranges)
  for (let i = 0; i < merged.length; i += 2) {
    const low = merged[i] as number
    if (low > next) out.push(next, low - 1)
    next = (merged[i + 1] as number) + 1
  }
  if (next <= LAST) out.push(next, LAST)
  return out
}

/** True when the ranges hold the code point. */
export function within(ranges: Ranges, code: number): boolean {
  for (let i = 0; i < ranges.length; i += 2) {
    if (code >= (ranges[i] as number) && code <= (ranges[i + 1] as number)) return true
  }
  return false
}

/** Adds the other cases of every character, as the `i` flag of a RegExp without `u` does. */
export function ignoreCase(ranges: Ranges): number[] {
  const merged = merge(ranges)
  // Case mapping never leads from outside ASCII into it, so an ASCII set needs only ASCII partners.
  const limit = (merged.at(-1) ?? 0) < 128 ? 127 : 0xffff
  const wanted = new Uint8Array(limit + 1)
  for (let i = 0; i < merged.length; i += 2) {
    const last = Math.min(merged[i + 1] as number, limit)
    for (let code = merged[i] as number; code <= last; code++) wanted[upperCase(code)] = 1
  }
  const added: number[] = []
  for (let code = 0; code <= limit; code++) {
    if (wanted[upperCase(code)] === 0) continue
    if (added.at(-1) === code - 1) added[added.length - 1] = code
    else added.push(code, code)
  }
  return merge([...merged, ...added])
}

function upperCase(code: number): number {
  const upper = String.fromCharCode(code).toUpperCase()
  const mapped = upper.length === 1 ? upper.charCodeAt(0) : code
  return code >= 128 && mapped < 128 ? code : mapped
}

/** Every character. */
export const ANYTHING: CharSet = charSet([0, LAST])
