// The fast path of expansion, for patterns of literals and whole-segment captures: their paths need no verification.
import { encodeCapture, encodeLiteral } from '../encode.ts'
import type { ExpandArgs, PathPattern } from '../types.ts'

/** The encoded literal texts, and the names between them. */
export interface SegmentTemplate {
  readonly texts: readonly string[]
  readonly names: readonly string[]
}

/** A segment that URL parsers remove, encoded or not. */
export const DOT_SEGMENT: RegExp = /(?:^|\/)(?:\.|%2e){1,2}(?=\/|$)/i

const ROOTED_PATH = /^\/(?!\/)/

/** Builds the template of a pattern; null if a path of it could match in more than one way. */
export function buildTemplate(pattern: PathPattern): SegmentTemplate | null {
  if (pattern.root.kind !== 'seq' || pattern.except !== null) return null
  const texts: string[] = ['']
  const names: string[] = []
  for (const item of pattern.root.items) {
    if (item.kind === 'char') {
      texts[names.length] += encodeLiteral(item.code)
    } else if (item.kind === 'capture' && item.constraintKey === '') {
      names.push(item.name)
      texts.push('')
    } else return null
  }
  const isBounded = texts.every((text, i) => {
    const startsSegment = i === 0 || text === '' || text.startsWith('/')
    const endsSegment = i === names.length || text.endsWith('/')
    return startsSegment && endsSegment
  })
  const sample = texts.join('x')
  return isBounded && ROOTED_PATH.test(sample) && !DOT_SEGMENT.test(sample) ? { texts, names } : null
}

/** Returns the path for the arguments; null if they need the complete expansion. */
export function fillTemplate({ texts, names }: SegmentTemplate, args: ExpandArgs): string | null {
  let path = texts[0] as string
  for (let i = 0; i < names.length; i++) {
    const name = names[i] as string
    const value = Object.hasOwn(args, name) ? args[name] : undefined
    const text = typeof value === 'string' || Number.isSafeInteger(value) ? String(value) : ''
    if (text === '' || text === '.' || text === '..') return null
    const encoded = tryEncode(text)
    if (encoded === null) return null
    path += encoded + (texts[i + 1] as string)
  }
  for (const name of Object.keys(args)) if (!names.includes(name)) return null
  return path
}

function tryEncode(text: string): string | null {
  try {
    return encodeCapture(text)
  } catch {
    return null
  }
}
