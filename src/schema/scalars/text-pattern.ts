// Patterns of users: matched against whole values in linear time, said in JSON Schema, and met by examples.
import type { Atom } from '../../regexp/atom.ts'
import { type Matcher, compileMatcher } from '../../regexp/matcher.ts'
import { type RegExpNode, parseRegExpSyntax, UnsupportedPatternError } from '../../regexp/parse-regexp.ts'

/** The greatest number of characters of a value with a pattern, if the attribute sets no maximum. */
export const MAX_PATTERN_LENGTH = 1000

const matchers = new WeakMap<RegExp, Matcher>()

/** The matcher of a pattern, which takes the whole of a value or refuses it; every use of the pattern shares it. */
export function getPatternMatcher(pattern: RegExp): Matcher {
  let matcher = matchers.get(pattern)
  if (matcher === undefined) {
    matcher = compileMatcher(pattern)
    matchers.set(pattern, matcher)
  }
  return matcher
}

/** Mistakes in a pattern: flags that carry state, and what cannot be matched in linear time. */
export function findPatternMistakes(pattern: RegExp): string[] {
  const mistakes = [...pattern.flags]
    .filter((flag) => flag === 'g' || flag === 'y')
    .map((flag) => `pattern has the flag ${flag}, which makes it remember its last match; leave it out`)
  const reason = explainUnsupportedPattern(pattern)
  return reason === undefined ? mistakes : [...mistakes, `pattern ${pattern} is not supported: ${reason}`]
}

/** Why a pattern cannot be matched in linear time, or undefined when it can. */
export function explainUnsupportedPattern(pattern: RegExp): string | undefined {
  try {
    getPatternMatcher(pattern)
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
  const node = parseRegExpSyntax(pattern)
  const { shortest, longest } = lengthsOf(node)
  // Without the flag u, two parts may be the halves of one character.
  const isWhole = /[uv]/.test(pattern.flags) || isUnicodeNeutral(node)
  return { shortest: isWhole ? shortest : Math.ceil(shortest / 2), longest }
}

function lengthsOf(node: RegExpNode): Lengths {
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
export function toJsonSchemaPattern(pattern: RegExp): string | undefined {
  const { source, flags } = pattern
  if (/[imsv]/.test(flags)) return undefined
  const node = parseRegExpSyntax(pattern)
  const whole = isAnchored(node) ? source : `^(?:${source})$`
  // JSON Schema reads patterns with the flag u, for which these escapes are no letters.
  const same = flags.includes('u') || (isValidRegExp(whole, 'u') && !/\\[upP]\{/.test(source) && isUnicodeNeutral(node))
  return same ? whole : undefined
}

/** Whether a pattern begins with ^ and ends with $ for all of its branches. */
function isAnchored(node: RegExpNode): boolean {
  if (node.type !== 'sequence') return false
  const [first, last] = [node.parts[0], node.parts.at(-1)]
  return first?.type === 'edge' && first.edge === 'start' && last?.type === 'edge' && last.edge === 'end'
}

function isValidRegExp(source: string, flags: string): boolean {
  try {
    return new RegExp(source, flags).source !== ''
  } catch {
    return false
  }
}

// Without the flag u, a character outside the basic plane is two. That makes no difference to a part that takes no such
// character, nor to one that takes any number of them.
function isUnicodeNeutral(node: RegExpNode): boolean {
  if (node.type === 'atom') return countSurrogates(node.atom) === 0
  if ('parts' in node) return node.parts.every(isUnicodeNeutral)
  if (node.type === 'edge') return true
  const many = node.type === 'repeat' && node.min <= 1 && node.max === Number.POSITIVE_INFINITY
  return (many && node.part.type === 'atom' && countSurrogates(node.part.atom) === SURROGATE_COUNT) || isUnicodeNeutral(node.part)
}

const SURROGATE_COUNT = 0x800

function countSurrogates(atom: Atom): number {
  let count = 0
  for (let code = 0xd800; code <= 0xdfff; code++) if (atom.matches(code)) count++
  return count
}

// --- examples --------------------------------------------------------------------------

/** Makes a text of at least `min` characters that matches a pattern, or undefined when none is found easily. */
export function makePatternExample(pattern: RegExp, min: number): string | undefined {
  const node = parseRegExpSyntax(pattern)
  const whole = getPatternMatcher(pattern)
  for (const extra of [0, 1, 2, min]) {
    for (const liked of ['a', 'A', '0', '-']) {
      const text = generateMatch(node, liked, extra)
      if (text.length >= min && whole.test(text)) return text
    }
  }
  return undefined
}

function generateMatch(node: RegExpNode, liked: string, extra: number): string {
  if (node.type === 'atom') return chooseCharacter(node.atom, liked)
  if (node.type === 'sequence') return node.parts.map((part) => generateMatch(part, liked, extra)).join('')
  if (node.type === 'choice') return generateMatch(node.parts[0] as RegExpNode, liked, extra)
  if (node.type !== 'repeat') return ''
  const times = Math.min(node.min + extra, node.max, MAX_PATTERN_LENGTH)
  return generateMatch(node.part, liked, extra && 1).repeat(times)
}

function chooseCharacter(atom: Atom, liked: string): string {
  const code = atom.matches(liked.charCodeAt(0)) ? liked.charCodeAt(0) : atom.findExample()
  return code === undefined ? '' : String.fromCodePoint(code)
}
