// The short way of expansion, for patterns of literals and whole-segment captures: their paths need no proof.
import { encodeCapture, encodeLiteral } from '../encode.ts'
import type { ExpandArgs, PathPattern } from '../types.ts'

/** Literal texts, encoded, and the names that stand between them. */
export interface SegmentTemplate {
  readonly texts: readonly string[]
  readonly names: readonly string[]
}

/** A segment that URL parsers remove, encoded or not. */
export const DOT_SEGMENT: RegExp = /(?:^|\/)(?:\.|%2e){1,2}(?=\/|$)/i

const ROOTED_PATH = /^\/(?!\/)/

/** The template of a pattern, or null when a path of it could be read in more than one way. */
export function buildTemplate(pattern: PathPattern): SegmentTemplate | null {
  if (pattern.root.kind !== 'seq' || pattern.except !== null) return null
  const texts: string[] = ['']
  const names: string[] = []
  for (const item of pattern.root.items) {
    if (item.kind === 'char') {
      texts[names.length] += encodeLiteral(item.code)
    } else if (item.kind === 'capture' && item.key === '') {
      names.push(item.name)
      texts.push('')
    } else return null
  }
  const bounded = texts.every((text, i) => {
    const begins = i === 0 || text === '' || text.startsWith('/')
    const ends = i === names.length || text.endsWith('/')
    return begins && ends
  })
  const sample = texts.join('x')
  return bounded && ROOTED_PATH.test(sample) && !DOT_SEGMENT.test(sample) ? { texts, names } : null
}

/** The path for the arguments, or null when they need a closer look. */
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
