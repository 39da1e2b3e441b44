// Parses the Content-Type of a body strictly (RFC 9110, 8.3), and matches it against the types that an action consumes.
import { getEssence } from '../../util/media-type.ts'

/** A parsed Content-Type: names in lower case, parameter values as sent. */
export interface ContentType {
  /** `type/subtype` in lower case. */
  readonly essence: string
  readonly parameters: ReadonlyMap<string, string>
}

const NO_PARAMETERS: ReadonlyMap<string, string> = new Map()
const JSON_TYPE: ContentType = { essence: 'application/json', parameters: NO_PARAMETERS }
const ESSENCE = /^[!#$%&'*+.^_`|~\w-]+\/[!#$%&'*+.^_`|~\w-]+/
// No text matches in two ways.
const PARAMETER = /[ \t]*;[ \t]*(?:([!#$%&'*+.^_`|~\w-]+)=(?:"((?:[^"\\]|\\.)*)"|([!#$%&'*+.^_`|~\w-]+)))?/y
const MAX_LENGTH = 1024

/** Parses a Content-Type; returns undefined if it is malformed. */
export function parseContentType(header: string): ContentType | undefined {
  if (header === 'application/json' || header === 'application/json; charset=utf-8') return JSON_TYPE
  if (header.length > MAX_LENGTH) return undefined
  const text = header.trim()
  const essence = ESSENCE.exec(text)?.[0]
  if (essence === undefined) return undefined
  const parameters =
    essence.length === text.length ? NO_PARAMETERS : parseParameters(text, essence.length, PARAMETER, /\\(.)/g)
  return parameters && { essence: essence.toLowerCase(), parameters }
}

/**
 * Parses `; name=value` pairs from `from` to the end; returns undefined if they are malformed or a name is repeated. The
 * groups of `form` are the name, the value within quotes and the value without; `escaped` finds escaped characters within
 * quotes.
 */
export function parseParameters(
  text: string,
  from: number,
  form: RegExp,
  escaped?: RegExp,
): ReadonlyMap<string, string> | undefined {
  const parameters = new Map<string, string>()
  for (let at = from; at < text.length; at = form.lastIndex) {
    form.lastIndex = at
    const match = form.exec(text)
    if (match === null) return undefined
    const [, name, quoted, token] = match
    if (name === undefined) continue
    if (parameters.has(name.toLowerCase())) return undefined
    const value = escaped === undefined ? quoted : quoted?.replace(escaped, '$1')
    parameters.set(name.toLowerCase(), value ?? (token as string))
  }
  return parameters
}

/** Returns whether text of this charset can be decoded: UTF-8, or ASCII, which is a subset of it. */
export function isReadableCharset({ parameters }: ContentType): boolean {
  const charset = parameters.get('charset')?.toLowerCase()
  return charset === undefined || charset === 'utf-8' || charset === 'utf8' || charset === 'us-ascii'
}

/**
 * Creates a function that tests whether a type matches one of the patterns: `a/b`, `a/*`, `a/*+suffix` or `*` for both.
 */
export function createTypeMatcher(patterns: readonly string[]): (essence: string) => boolean {
  const exact = new Set<string>()
  const ranges: { readonly start: string; readonly end: string }[] = []
  for (const pattern of patterns) {
    const essence = getEssence(pattern)
    const star = essence.indexOf('*')
    if (essence === '*/*') ranges.push({ start: '', end: '' })
    else if (star < 0) exact.add(essence)
    else ranges.push({ start: essence.slice(0, star), end: essence.slice(star + 1) })
  }
  return (essence) => exact.has(essence) || ranges.some(({ start, end }) => hasAffixes(essence, start, end))
}

const hasAffixes = (essence: string, start: string, end: string): boolean =>
  essence.length > start.length + end.length && essence.startsWith(start) && essence.endsWith(end)
