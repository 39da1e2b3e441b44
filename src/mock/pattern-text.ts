// Generates strings that match a pattern, different ones for different seeds.
import type { Atom } from '../regexp/atom.ts'
import { parseRegExpSyntax, type RegExpNode } from '../regexp/parse-regexp.ts'
import type { ExampleSeed } from '../schema/example.ts'
import { getPatternMatcher, makePatternExample } from '../schema/scalars/text-pattern.ts'

const PREFERRED_CODES: readonly number[] = Array.from(
  'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-_ ',
  (char) => char.charCodeAt(0),
)
const MAX_ATTEMPTS = 12

/** Generates a string that matches a pattern and the limits; undefined if none is found easily. */
export function generateMatchingText(
  pattern: RegExp,
  seed: ExampleSeed,
  min = 0,
  max: number = Number.POSITIVE_INFINITY,
): string | undefined {
  const node = parseRegExpSyntax(pattern)
  const matcher = getPatternMatcher(pattern)
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    let picks = 0
    const pick = (below: number): number => seed.at(`${attempt}.${picks++}`).numberBelow(below)
    const text = writeNode(node, pick, attempt < MAX_ATTEMPTS / 2 ? 5 : min)
    if (text.length >= min && text.length <= max && matcher.test(text)) return text
  }
  return makePatternExample(pattern, min)
}

function writeNode(node: RegExpNode, pick: (below: number) => number, spread: number): string {
  if (node.type === 'atom') return String.fromCodePoint(pickCharacter(node.atom, pick))
  if (node.type === 'sequence') return node.parts.map((part) => writeNode(part, pick, spread)).join('')
  if (node.type === 'choice') return writeNode(node.parts[pick(node.parts.length)] as RegExpNode, pick, spread)
  if (node.type !== 'repeat') return ''
  const times = node.min + pick(Math.min(node.max - node.min, spread) + 1)
  return Array.from({ length: times }, () => writeNode(node.part, pick, Math.min(spread, 1))).join('')
}

function pickCharacter(atom: Atom, pick: (below: number) => number): number {
  const preferred = PREFERRED_CODES.filter((code) => atom.matches(code))
  return preferred.length > 0 ? (preferred[pick(preferred.length)] as number) : (atom.findExample() ?? 97)
}
