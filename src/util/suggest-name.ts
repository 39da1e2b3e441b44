// The name that a misspelt one was probably meant to be.

/** The known name that a given one differs least from, or undefined when none is near. */
export function findNearest(given: string, known: readonly string[]): string | undefined {
  const limit = Math.max(1, Math.floor(given.length / 3))
  let best: string | undefined
  let least = limit + 1
  for (const name of known) {
    const far = computeEditDistance(given.toLowerCase(), name.toLowerCase(), limit)
    if (far >= least) continue
    best = name
    least = far
  }
  return best
}

/** How many letters have to be added, removed, replaced or swapped with their neighbour; more than `limit` is not counted out. */
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
  const least = Math.min((last[j] as number) + 1, (row[j - 1] as number) + 1, (last[j - 1] as number) + differs)
  const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
  return swapped ? Math.min(least, (before[j - 2] as number) + 1) : least
}

/** The remedy for a name that does not exist: the one that was probably meant, and all that there are. */
export function suggestName(given: string, known: readonly string[]): string {
  const near = findNearest(given, known)
  const all = known.length === 0 ? 'there is none' : `use one of: ${known.join(', ')}`
  return near === undefined ? all : `did you mean ${near}? If not, ${all}`
}
