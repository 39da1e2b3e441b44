// User-defined patterns: matched against complete values in linear time, converted to JSON Schema, and used to generate
// examples.
import type { Atom } from '../../regexp/atom.ts'
import { compileMatcher, type Matcher } from '../../regexp/matcher.ts'
import { parseRegExpSyntax, type RegExpNode, UnsupportedPatternError } from '../../regexp/parse-regexp.ts'
import { memoize } from '../../util/memoize.ts'
import type { ExampleSeed } from '../example.ts'

/** The maximum length of a value with a pattern, if the attribute has no `max`. */
export const MAX_PATTERN_LENGTH = 1000

/** Returns the matcher of a pattern, which must match a complete value; it is compiled once per RegExp. */
export const getPatternMatcher: (pattern: RegExp) => Matcher = memoize(compileMatcher)

/** Finds mistakes in a pattern: flags that carry state, and syntax that cannot be matched in linear time. */
export function findPatternMistakes(pattern: RegExp): string[] {
  const mistakes = [...pattern.flags]
    .filter((flag) => flag === 'g' || flag === 'y')
    .map((flag) => `pattern has the flag ${flag}, which makes it remember its last match; leave it out`)
  const reason = explainUnsupportedPattern(pattern)
  return reason === undefined ? mistakes : [...mistakes, `pattern ${pattern} is not supported: ${reason}`]
}

/** Returns the reason why a pattern cannot be matched in linear time; undefined if it can. */
export function explainUnsupportedPattern(pattern: RegExp): string | undefined {
  try {
    getPatternMatcher(pattern)
    return undefined
  } catch (error) {
    if (!(error instanceof UnsupportedPatternError)) throw error
    return error.message
  }
}

/** The length limits of texts, in characters. */
export interface Lengths {
  readonly shortest: number
  readonly longest: number
}

/** Computes length limits for the texts that match a pattern from its structure; every match is within them. */
export function computePatternLengths(pattern: RegExp): Lengths {
  const node = parseRegExpSyntax(pattern)
  const { shortest, longest } = computeLengths(node)
  // Without the flag u, two parts may match the halves of one surrogate pair.
  const countsCodePoints = /[uv]/.test(pattern.flags) || isUnicodeNeutral(node)
  return { shortest: countsCodePoints ? shortest : Math.ceil(shortest / 2), longest }
}

function computeLengths(node: RegExpNode): Lengths {
  if (node.type === 'atom') return ONE
  if (node.type === 'repeat') {
    const { shortest, longest } = computeLengths(node.part)
    return { shortest: shortest * node.min, longest: longest === 0 ? 0 : longest * node.max }
  }
  if (!('parts' in node)) return NONE
  const parts = node.parts.map(computeLengths)
  if (node.type === 'sequence') return parts.reduce(addLengths, NONE)
  return {
    shortest: Math.min(...parts.map(({ shortest }) => shortest)),
    longest: Math.max(...parts.map(({ longest }) => longest)),
  }
}

const ONE: Lengths = { shortest: 1, longest: 1 }
const NONE: Lengths = { shortest: 0, longest: 0 }

const addLengths = (a: Lengths, b: Lengths): Lengths => ({
  shortest: a.shortest + b.shortest,
  longest: a.longest + b.longest,
})

// --- JSON Schema -----------------------------------------------------------------------

/** Converts a pattern to JSON Schema; undefined if it would mean something else there. */
export function toJsonSchemaPattern(pattern: RegExp): string | undefined {
  const { source, flags } = pattern
  if (/[imsv]/.test(flags)) return undefined
  const node = parseRegExpSyntax(pattern)
  const anchored = isAnchored(node) ? source : `^(?:${source})$`
  // JSON Schema reads patterns with the flag u, which gives these escapes another meaning.
  const isEquivalent =
    flags.includes('u') || (isValidRegExp(anchored, 'u') && !/\\[upP]\{/.test(source) && isUnicodeNeutral(node))
  return isEquivalent ? anchored : undefined
}

/** Returns whether a pattern begins with ^ and ends with $ in all its branches. */
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

// Without the flag u, a character outside the basic plane counts as two. That makes no difference to a part that
// matches no such character, nor to one that matches any number of them.
// Two parts that each need one of them could share the halves of a pair.
const isUnicodeNeutral = (node: RegExpNode): boolean => isPartNeutral(node) && countNeeded(node) < 2

function isPartNeutral(node: RegExpNode): boolean {
  if (node.type === 'atom') return countSurrogates(node.atom) === 0
  if ('parts' in node) return node.parts.every(isPartNeutral)
  if (node.type === 'edge') return true
  return isAnyNumber(node) || isPartNeutral(node.part)
}

/** Returns whether a node repeats any character without a limit, from none or one on. */
const isAnyNumber = (node: RegExpNode): boolean =>
  node.type === 'repeat' &&
  node.min <= 1 &&
  node.max === Number.POSITIVE_INFINITY &&
  node.part.type === 'atom' &&
  countSurrogates(node.part.atom) === SURROGATE_COUNT

/** Counts the parts that need at least one character of any kind. */
function countNeeded(node: RegExpNode): number {
  if (node.type === 'atom' || node.type === 'edge') return 0
  if ('parts' in node) {
    const counts = node.parts.map(countNeeded)
    return node.type === 'choice' ? Math.max(0, ...counts) : counts.reduce((sum, count) => sum + count, 0)
  }
  if (isAnyNumber(node)) return node.type === 'repeat' && node.min === 1 ? 1 : 0
  return node.type === 'repeat' && node.max > 1 ? 2 * countNeeded(node.part) : countNeeded(node.part)
}

const SURROGATE_COUNT = 0x800

function countSurrogates(atom: Atom): number {
  let count = 0
  for (let code = 0xd800; code <= 0xdfff; code++) if (atom.matches(code)) count++
  return count
}

// --- examples --------------------------------------------------------------------------

const PREFERRED_CODES: readonly number[] = Array.from(
  'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-_ ',
  (char) => char.charCodeAt(0),
)
const MAX_ATTEMPTS = 12

/** Generates a text of `min` to `max` characters that matches a pattern; undefined if a few attempts find none. */
export function makePatternExample(
  pattern: RegExp,
  seed: ExampleSeed,
  min = 0,
  max: number = Number.POSITIVE_INFINITY,
): string | undefined {
  const node = parseRegExpSyntax(pattern)
  const matcher = getPatternMatcher(pattern)
  const isMatch = (text: string): boolean => text.length >= min && text.length <= max && matcher.test(text)
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const text = generateMatch(node, createRandomChoices(seed.at(attempt)), attempt < MAX_ATTEMPTS / 2 ? 5 : min)
    if (isMatch(text)) return text
  }
  for (const extra of [0, 1, 2, min]) {
    for (const preferred of ['a', 'A', '0', '-']) {
      const text = generateMatch(node, createPlainChoices(preferred), extra)
      if (isMatch(text)) return text
    }
  }
  return undefined
}

/** The choices within a pattern. */
interface PatternChoices {
  readonly branch: (count: number) => number
  /** Returns the times that a part is repeated beyond its minimum. */
  readonly extra: (limit: number) => number
  readonly character: (atom: Atom) => number | undefined
}

function createRandomChoices(seed: ExampleSeed): PatternChoices {
  let picks = 0
  const pick = (below: number): number => seed.at(picks++).numberBelow(below)
  return {
    branch: pick,
    extra: (limit) => pick(limit + 1),
    character(atom) {
      const preferred = PREFERRED_CODES.filter((code) => atom.matches(code))
      return preferred[pick(Math.max(1, preferred.length))] ?? atom.findExample()
    },
  }
}

const createPlainChoices = (preferred: string): PatternChoices => ({
  branch: () => 0,
  extra: (limit) => limit,
  character: (atom) => (atom.matches(preferred.charCodeAt(0)) ? preferred.charCodeAt(0) : atom.findExample()),
})

function generateMatch(node: RegExpNode, choices: PatternChoices, spread: number): string {
  if (node.type === 'atom') {
    const code = choices.character(node.atom)
    return code === undefined ? '' : String.fromCodePoint(code)
  }
  if (node.type === 'sequence') return node.parts.map((part) => generateMatch(part, choices, spread)).join('')
  if (node.type === 'choice')
    return generateMatch(node.parts[choices.branch(node.parts.length)] as RegExpNode, choices, spread)
  if (node.type !== 'repeat') return ''
  const times = Math.min(node.min + choices.extra(Math.min(node.max - node.min, spread)), MAX_PATTERN_LENGTH)
  return Array.from({ length: times }, () => generateMatch(node.part, choices, Math.min(spread, 1))).join('')
}
