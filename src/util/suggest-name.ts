// Suggests names for misspelled ones.

/** Returns the known name with the smallest edit distance; undefined when none is close. */
export function findNearest(name: string, known: readonly string[]): string | undefined {
  const limit = Math.max(1, Math.floor(name.length / 3))
  let best: string | undefined
  let bestDistance = limit + 1
  for (const candidate of known) {
    const distance = computeEditDistance(name.toLowerCase(), candidate.toLowerCase(), limit)
    if (distance >= bestDistance) continue
    best = candidate
    bestDistance = distance
  }
  return best
}

/**
 * Returns the number of insertions, deletions, replacements and swaps of neighbors between two texts; `limit` + 1 if
 * the lengths differ by more than `limit`.
 */
export function computeEditDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) row.push(computeCell(a, b, { i, j, row, last, before }))
    before = last
    last = row
  }
  return last[b.length] as number
}

interface DistanceCell {
  readonly i: number
  readonly j: number
  readonly row: readonly number[]
  readonly last: readonly number[]
  readonly before: readonly number[]
}

function computeCell(a: string, b: string, { i, j, row, last, before }: DistanceCell): number {
  const differs = a[i - 1] === b[j - 1] ? 0 : 1
  const distance = Math.min((last[j] as number) + 1, (row[j - 1] as number) + 1, (last[j - 1] as number) + differs)
  const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
  return swapped ? Math.min(distance, (before[j - 2] as number) + 1) : distance
}

/** Formats the remedy for an unknown name: the closest known name, and all known names. */
export function suggestName(name: string, known: readonly string[]): string {
  const nearest = findNearest(name, known)
  const all = known.length === 0 ? 'there is none' : `use one of: ${known.join(', ')}`
  return nearest === undefined ? all : `did you mean ${nearest}? If not, ${all}`
}
