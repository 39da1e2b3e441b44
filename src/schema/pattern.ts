// Patterns of users: compiled to match a whole value, in a form that loader and JSON Schema read alike.
import { type CharSet, contains } from './char-set.ts'
import { type PatternCost, patternCost } from './pattern-cost.ts'
import { type PatternNode, parsePattern } from './pattern-syntax.ts'

const MAX_LINEAR_INPUT = 1000
const MAX_POWER_INPUT = 256

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

/** Makes a text of at least `min` characters that matches a pattern, or undefined when none is found easily. */
export function exampleOfPattern(pattern: RegExp, min: number): string | undefined {
  const node = parsePattern(pattern)
  const whole = compilePattern(pattern)
  for (const extra of [0, 1, 2, min]) {
    for (const liked of ['a', 'A', '0', '-']) {
      const text = matching(node, liked, extra)
      if (text.length >= min && whole.test(text)) return text
    }
  }
  return undefined
}

function matching(node: PatternNode, liked: string, extra: number): string {
  if (node.type === 'set') return characterOf(node.set, liked)
  if (node.type === 'sequence') return node.parts.map((part) => matching(part, liked, extra)).join('')
  if (node.type === 'choice') return matching(node.parts[0] as PatternNode, liked, extra)
  if (node.type !== 'repeat') return ''
  const times = Math.min(node.min + extra, node.max, MAX_LINEAR_INPUT)
  return matching(node.part, liked, extra && 1).repeat(times)
}

function characterOf(set: CharSet, liked: string): string {
  if (contains(set, liked.charCodeAt(0))) return liked
  for (const code of [97, 65, 48]) if (contains(set, code)) return String.fromCharCode(code)
  const printable = set.find(([, last]) => last >= 32) ?? set[0]
  return printable === undefined ? '' : String.fromCodePoint(Math.max(printable[0], Math.min(32, printable[1])))
}

/** How many characters a pattern is run on when the attribute sets no maximum of its own. */
export function inputLimit(pattern: RegExp): number {
  return costOf(pattern) === 'linear' ? MAX_LINEAR_INPUT : MAX_POWER_INPUT
}

/** Mistakes in a pattern: flags that carry state, and a cost that a hostile text could drive up. */
export function patternMistakes(pattern: RegExp, max: number | undefined): string[] {
  const mistakes = [...pattern.flags]
    .filter((flag) => flag === 'g' || flag === 'y')
    .map((flag) => `pattern has the flag ${flag}, which makes it remember its last match; leave it out`)
  const cost = costOf(pattern)
  if (cost === 'exponential') {
    mistakes.push(
      `pattern ${pattern} can take exponential time: a repeated part can match one text in two ways; rewrite it`,
    )
  }
  if (cost === 'power' && max !== undefined && max > MAX_POWER_INPUT) {
    const reason = 'its time can grow as a power of the length, because two repeated parts can match the same text'
    mistakes.push(`pattern ${pattern} needs a max of ${MAX_POWER_INPUT} or less: ${reason}`)
  }
  return mistakes
}

const costs = new WeakMap<RegExp, PatternCost>()

function costOf(pattern: RegExp): PatternCost {
  let cost = costs.get(pattern)
  if (cost === undefined) {
    cost = patternCost(parsePattern(pattern))
    costs.set(pattern, cost)
  }
  return cost
}
