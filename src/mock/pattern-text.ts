// Texts that match a pattern, a different one for each place they are made for.
import type { Atom } from '../regexp/atom.ts'
import { type PatternNode, parsePattern } from '../regexp/syntax.ts'
import type { ExampleSeed } from '../schema/example.ts'
import { compilePattern, exampleOfPattern } from '../schema/scalars/pattern.ts'

const LETTERS: readonly number[] = Array.from(
  'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-_ ',
  (char) => char.charCodeAt(0),
)
const ATTEMPTS = 12

/** Makes a text that matches a pattern and keeps to the limits; undefined when none is found easily. */
export function textOfPattern(
  pattern: RegExp,
  seed: ExampleSeed,
  min = 0,
  max: number = Number.POSITIVE_INFINITY,
): string | undefined {
  const node = parsePattern(pattern)
  const whole = compilePattern(pattern)
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    let picks = 0
    const pick = (below: number): number => seed.at(`${attempt}.${picks++}`).pick(below)
    const text = written(node, pick, attempt < ATTEMPTS / 2 ? 5 : min)
    if (text.length >= min && text.length <= max && whole.test(text)) return text
  }
  return exampleOfPattern(pattern, min)
}

function written(node: PatternNode, pick: (below: number) => number, spread: number): string {
  if (node.type === 'atom') return String.fromCodePoint(characterOf(node.atom, pick))
  if (node.type === 'sequence') return node.parts.map((part) => written(part, pick, spread)).join('')
  if (node.type === 'choice') return written(node.parts[pick(node.parts.length)] as PatternNode, pick, spread)
  if (node.type !== 'repeat') return ''
  const times = node.min + pick(Math.min(node.max - node.min, spread) + 1)
  return Array.from({ length: times }, () => written(node.part, pick, Math.min(spread, 1))).join('')
}

function characterOf(atom: Atom, pick: (below: number) => number): number {
  const liked = LETTERS.filter((code) => atom.holds(code))
  return liked.length > 0 ? (liked[pick(liked.length)] as number) : (atom.example() ?? 97)
}
