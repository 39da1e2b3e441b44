// Patterns of JSON Schema, which look for a part of a text, as patterns of attributes, which match the whole of it.
import { type PatternNode, parsePattern } from '../../../regexp/syntax.ts'
import { PATTERN_MAX, patternMistakes, portablePattern } from '../../../schema/scalars/pattern.ts'

/** A pattern, and whether texts that match it may be longer than attributes with a pattern take by themselves. */
export interface WholePattern {
  readonly pattern: RegExp
  readonly long: boolean
}

/** The pattern of an attribute that takes what a pattern of JSON Schema finds; the reason when there is none. */
export function wholePattern(source: string): WholePattern | string {
  const plain = whole(source)
  for (const flags of ['', 'u']) {
    try {
      const pattern = new RegExp(plain, flags)
      const [reason] = patternMistakes(pattern)
      if (reason !== undefined) return reason
      if (portablePattern(pattern) !== undefined) return { pattern, long: longest(parsePattern(pattern)) > PATTERN_MAX }
    } catch {
      // Another flag may help.
    }
  }
  return 'it is no pattern of JavaScript'
}

// `^…$` is the whole already; elsewhere anything may stand around the part.
function whole(source: string): string {
  const [, wrapped] = /^\^\(\?:([\s\S]*)\)\$$/.exec(source) ?? []
  if (wrapped !== undefined && isPattern(wrapped)) return wrapped
  if (hasAlternatives(source)) return `[\\s\\S]*(?:${source})[\\s\\S]*`
  const begins = source.startsWith('^')
  const ends = /(?<!\\)(?:\\\\)*\$$/.test(source)
  const inner = source.slice(begins ? 1 : 0, ends ? -1 : undefined)
  return `${begins ? '' : '[\\s\\S]*'}${inner}${ends ? '' : '[\\s\\S]*'}`
}

function isPattern(source: string): boolean {
  try {
    return new RegExp(source, 'u').source !== ''
  } catch {
    return false
  }
}

// Alternatives at the top level have anchors of their own.
function hasAlternatives(source: string): boolean {
  let [depth, inClass] = [0, false]
  for (let i = 0; i < source.length; i++) {
    const sign = source[i]
    if (sign === '\\') i++
    else if (inClass) inClass = sign !== ']'
    else if (sign === '[') inClass = true
    else if (sign === '(') depth++
    else if (sign === ')') depth--
    else if (sign === '|' && depth === 0) return true
  }
  return false
}

function longest(node: PatternNode): number {
  if (node.type === 'atom') return 1
  if (node.type === 'sequence') return node.parts.reduce((sum, part) => sum + longest(part), 0)
  if (node.type === 'choice') return Math.max(0, ...node.parts.map(longest))
  // An optional nothing is nothing, however often.
  return node.type === 'repeat' ? longest(node.part) * node.max || 0 : 0
}
