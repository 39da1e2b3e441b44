// Converts patterns of JSON Schema, which match a part of a text, to patterns of attributes, which match all of it.
import { parseRegExpSyntax, type RegExpNode } from '../../../regexp/parse-regexp.ts'
import { findPatternMistakes, MAX_PATTERN_LENGTH, toJsonSchemaPattern } from '../../../schema/scalars/text-pattern.ts'

/** A pattern, and whether it can match texts longer than the default maximum of attributes with a pattern. */
export interface AnchoredPattern {
  readonly pattern: RegExp
  readonly isLong: boolean
}

/** Returns the equivalent attribute pattern of a JSON Schema pattern, or the reason why there is none. */
export function toAnchoredPattern(source: string): AnchoredPattern | string {
  const anchored = toAnchoredSource(source)
  for (const flags of ['', 'u']) {
    try {
      const pattern = new RegExp(anchored, flags)
      const [reason] = findPatternMistakes(pattern)
      if (reason !== undefined) return reason
      if (toJsonSchemaPattern(pattern) !== undefined)
        return { pattern, isLong: getMaxLength(parseRegExpSyntax(pattern)) > MAX_PATTERN_LENGTH }
    } catch {
      // Another flag may help.
    }
  }
  return 'it is no pattern of JavaScript'
}

// `^…$` matches the whole text already; otherwise anything may surround the match.
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

// Top-level alternatives have separate anchors.
function hasAlternatives(source: string): boolean {
  let [depth, inClass] = [0, false]
  for (let i = 0; i < source.length; i++) {
    const character = source[i]
    if (character === '\\') i++
    else if (inClass) inClass = character !== ']'
    else if (character === '[') inClass = true
    else if (character === '(') depth++
    else if (character === ')') depth--
    else if (character === '|' && depth === 0) return true
  }
  return false
}

function getMaxLength(node: RegExpNode): number {
  if (node.type === 'atom') return 1
  if (node.type === 'sequence') return node.parts.reduce((sum, part) => sum + getMaxLength(part), 0)
  if (node.type === 'choice') return Math.max(0, ...node.parts.map(getMaxLength))
  // Avoids NaN: zero length times infinite repetitions is zero.
  return node.type === 'repeat' ? getMaxLength(node.part) * node.max || 0 : 0
}
