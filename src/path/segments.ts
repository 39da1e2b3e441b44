// Plain patterns: literal segments and captures of complete segments, which most routes consist of. They are parsed
// without a syntax tree, which is built on demand: with hundreds of routes it is most of the cost of boot.

/** The segments of a plain pattern; a capture is written `:name`. */
export type PathSegments = readonly string[]

// Only characters that need no escape in patterns and paths, and have no second form in decoded text.
const SEGMENT_PATTERN = /^(?:\/(?::[A-Za-z_]\w*|[\w.~-]*))+$/
const MAX_LENGTH = 500

/** Returns the segments of a plain pattern, or null; a pattern with a mistake is never plain. */
export function splitSegments(source: string): PathSegments | null {
  if (source.length > MAX_LENGTH || !SEGMENT_PATTERN.test(source)) return null
  const segments = source.split('/')
  for (let i = 1; i < segments.length; i++) {
    const segment = segments[i] as string
    if (isCaptureSegment(segment) && (segment === ':splat' || segments.indexOf(segment) !== i)) return null
  }
  return segments
}

export function isCaptureSegment(segment: string): boolean {
  return segment.charCodeAt(0) === 58
}

/** Returns the names that plain segments capture, in order. */
export function listSegmentNames(segments: PathSegments): string[] {
  const names: string[] = []
  for (let i = 1; i < segments.length; i++) {
    const segment = segments[i] as string
    if (isCaptureSegment(segment)) names.push(segment.slice(1))
  }
  return names
}
