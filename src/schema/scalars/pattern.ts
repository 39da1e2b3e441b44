// Patterns of users: matched against whole values in linear time, said in JSON Schema, and met by examples.
import type { Atom } from '../../regexp/atom.ts'
import { type Matcher, wholeMatcher } from '../../regexp/matcher.ts'
import { type PatternNode, parsePattern, UnsupportedPatternError } from '../../regexp/syntax.ts'

/** The greatest number of characters of a value with a pattern, if the attribute sets no maximum. */
export const PATTERN_MAX = 1000

const matchers = new WeakMap<RegExp, Matcher>()

/** The matcher of a pattern, which takes the whole of a value or refuses it; every use of the pattern shares it. */
export function compilePattern(pattern: RegExp): Matcher {
  let matcher = matchers.get(pattern)
  if (matcher === undefined) {
    matcher = wholeMatcher(pattern)
    matchers.set(pattern, matcher)
  }
  return matcher
}

/** Mistakes in a pattern: flags that carry state, and what cannot be matched in linear time. */
export function patternMistakes(pattern: RegExp): string[] {
  const mistakes = [...pattern.flags]
    .filter((flag) => flag === 'g' || flag === 'y')
    .map((flag) => `pattern has the flag ${flag}, which makes it remember its last match; leave it out`)
  const reason = unsupportedReason(pattern)
  return reason === undefined ? mistakes : [...mistakes, `pattern ${pattern} is not supported: ${reason}`]
}

/** Why a pattern cannot be matched in linear time, or undefined when it can. */
export function unsupportedReason(pattern: RegExp): string | undefined {
  try {
    compilePattern(pattern)
    return undefined
  } catch (error) {
    if (!(error instanceof UnsupportedPatternError)) throw error
    return error.message
  }
}

/** Bounds of the length of texts, in characters. */
export interface Lengths {
  readonly shortest: number
  readonly longest: number
}

/** Bounds of the length of texts that match a pattern, derived from its structure; every match is within them. */
export function patternLengths(pattern: RegExp): Lengths {
  const node = parsePattern(pattern)
  const { shortest, longest } = lengthsOf(node)
  // Without the flag u, two parts may be the halves of one character.
  const isWhole = /[uv]/.test(pattern.flags) || countsAlike(node)
  return { shortest: isWhole ? shortest : Math.ceil(shortest / 2), longest }
}

function lengthsOf(node: PatternNode): Lengths {
  if (node.type === 'atom') return ONE
  if (node.type === 'repeat') {
    const { shortest, longest } = lengthsOf(node.part)
    return { shortest: shortest * node.min, longest: longest === 0 ? 0 : longest * node.max }
  }
  if (!('parts' in node)) return NONE
  const parts = node.parts.map(lengthsOf)
  if (node.type === 'sequence') return parts.reduce(sum, NONE)
  return {
    shortest: Math.min(...parts.map(({ shortest }) => shortest)),
    longest: Math.max(...parts.map(({ longest }) => longest)),
  }
}

const ONE: Lengths = { shortest: 1, longest: 1 }
const NONE: Lengths = { shortest: 0, longest: 0 }

const sum = (a: Lengths, b: Lengths): Lengths => ({
  shortest: a.shortest + b.shortest,
  longest: a.longest + b.longest,
})

// --- JSON Schema -----------------------------------------------------------------------

/** The pattern as JSON Schema can say it, or undefined when it would mean something else there. */
export function portablePattern(pattern: RegExp): string | undefined {
  const { source, flags } = pattern
  if (/[imsv]/.test(flags)) return undefined
  const node = parsePattern(pattern)
  const whole = isAnchored(node) ? source : `^(?:${source})$`
  // JSON Schema reads patterns with the flag u, for which these escapes are no letters.
  const same = flags.includes('u') || (isValid(whole, 'u') && !/\\[upP]\{/.test(source) && countsAlike(node))
  return same ? whole : undefined
}

/** Whether a pattern begins with ^ and ends with $ for all of its branches. */
function isAnchored(node: PatternNode): boolean {
  if (node.type !== 'sequence') return false
  const [first, last] = [node.parts[0], node.parts.at(-1)]
  return first?.type === 'edge' && first.edge === 'start' && last?.type === 'edge' && last.edge === 'end'
}

function isValid(source: string, flags: string): boolean {
  try {
    return new RegExp(source, flags).source !== ''
  } catch {
    return false
  }
}

// Without the flag u, a character outside the basic plane is two. That makes no difference to a part that takes no such
// character, nor to one that takes any number of them.
function countsAlike(node: PatternNode): boolean {
  if (node.type === 'atom') return halvesOf(node.atom) === 0
  if ('parts' in node) return node.parts.every(countsAlike)
  if (node.type === 'edge') return true
  const many = node.type === 'repeat' && node.min <= 1 && node.max === Number.POSITIVE_INFINITY
  return (many && node.part.type === 'atom' && halvesOf(node.part.atom) === HALVES) || countsAlike(node.part)
}

const HALVES = 0x800

function halvesOf(atom: Atom): number {
  let count = 0
  for (let code = 0xd800; code <= 0xdfff; code++) if (atom.holds(code)) count++
  return count
}

// --- examples --------------------------------------------------------------------------

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
  if (node.type === 'atom') return characterOf(node.atom, liked)
  if (node.type === 'sequence') return node.parts.map((part) => matching(part, liked, extra)).join('')
  if (node.type === 'choice') return matching(node.parts[0] as PatternNode, liked, extra)
  if (node.type !== 'repeat') return ''
  const times = Math.min(node.min + extra, node.max, PATTERN_MAX)
  return matching(node.part, liked, extra && 1).repeat(times)
}

function characterOf(atom: Atom, liked: string): string {
  const code = atom.holds(liked.charCodeAt(0)) ? liked.charCodeAt(0) : atom.example()
  return code === undefined ? '' : String.fromCodePoint(code)
}
