// Patterns of JSON Schema, which look for a part of a text, as patterns of attributes, which match the whole of it.
import { type RegExpNode, parseRegExpSyntax } from '../../../regexp/parse-regexp.ts'
import { MAX_PATTERN_LENGTH, findPatternMistakes, toJsonSchemaPattern } from '../../../schema/scalars/text-pattern.ts'

/** A pattern, and whether texts that match it may be longer than attributes with a pattern take by themselves. */
export interface AnchoredPattern {
  readonly pattern: RegExp
  readonly isLong: boolean
}

/** The pattern of an attribute that takes what a pattern of JSON Schema finds; the reason when there is none. */
export function toAnchoredPattern(source: string): AnchoredPattern | string {
  const plain = toAnchoredSource(source)
  for (const flags of ['', 'u']) {
    try {
      const pattern = new RegExp(plain, flags)
      const [reason] = findPatternMistakes(pattern)
      if (reason !== undefined) return reason
      if (toJsonSchemaPattern(pattern) !== undefined) return { pattern, isLong: getMaxLength(parseRegExpSyntax(pattern)) > MAX_PATTERN_LENGTH }
    } catch {
      // Another flag may help.
    }
  }
  return 'it is no pattern of JavaScript'
}

// `^…$` is the whole already; elsewhere anything may stand around the part.
function toAnchoredSource(source: string): string {
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

function getMaxLength(node: RegExpNode): number {
  if (node.type === 'atom') return 1
  if (node.type === 'sequence') return node.parts.reduce((sum, part) => sum + getMaxLength(part), 0)
  if (node.type === 'choice') return Math.max(0, ...node.parts.map(getMaxLength))
  // An optional nothing is nothing, however often.
  return node.type === 'repeat' ? getMaxLength(node.part) * node.max || 0 : 0
}
