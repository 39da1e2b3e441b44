// Matches names against patterns with `*`, for names that an application ignores.

/** Creates a function that tests whether a name matches one of the patterns; `*` matches any characters. */
export function createNameMatcher(patterns: readonly string[]): (name: string) => boolean {
  const exact = new Set(patterns.filter((pattern) => !pattern.includes('*')))
  const parts = patterns.filter((pattern) => pattern.includes('*')).map((pattern) => pattern.split('*'))
  return (name) => exact.has(name) || parts.some((pieces) => isWildcardMatch(name, pieces))
}

function isWildcardMatch(name: string, pieces: readonly string[]): boolean {
  const first = pieces[0] as string
  const last = pieces.at(-1) as string
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length) return false
  let from = first.length
  for (const piece of pieces.slice(1, -1)) {
    const at = name.indexOf(piece, from)
    if (at < 0) return false
    from = at + piece.length
  }
  return from <= name.length - last.length
}
