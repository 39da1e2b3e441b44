// Edits of a pattern's source text, for callers that compose patterns out of parts.

import { looksPlain } from '../plain.ts'
import { variablesOf } from './ast.ts'
import { resolver } from './constraint.ts'
import { parsePattern } from './parse.ts'

/** The source in parentheses when it has alternatives at its top, so that text can be put before or after it. */
export function groupAlternatives(source: string): string {
  // Mistakes in names that this lets pass are found in the whole that the source becomes part of.
  if (looksPlain(source)) return source
  return parsePattern(source, resolver(source, undefined)).kind === 'alt' ? `(${source})` : source
}

/** The source with captures and named wildcards renamed; names that the map does not hold stay. */
export function renameCaptures(source: string, names: { readonly [from: string]: string }): string {
  let renamed = ''
  let copied = 0
  for (const { name, at } of variablesOf(parsePattern(source, resolver(source, undefined)))) {
    const to = name !== null && Object.hasOwn(names, name) ? names[name] : undefined
    if (name === null || to === undefined) continue
    renamed += source.slice(copied, at + 1) + to
    copied = at + 1 + name.length
  }
  return renamed + source.slice(copied)
}
