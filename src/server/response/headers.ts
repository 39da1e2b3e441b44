// Caches response headers: one frozen list for each content type, so that an adapter recognises it and writes it only
// once.
import type { HeaderBag } from '../../design/declare/action-response.ts'
import { describeValue } from '../../util/describe-value.ts'
import { memoizeLatest } from '../../util/memoize.ts'
import { formatHeaderValue } from './header-rules.ts'

/** The most cached content types: a controller may create any number of them. */
const MAX_CACHED = 32

// Beyond ASCII, the meaning of a header depends on its writer and reader (RFC 9110, section 5.5).
const FORBIDDEN = /[^\t\x20-\x7e]/

/** Returns whether a header can carry a value: other characters would split the response, or be ambiguous. */
export const isHeaderValue = (value: string): boolean => !FORBIDDEN.test(value)

const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/

/** Returns whether a text can be the name of a header (RFC 9110, section 5.6.2). */
export const isHeaderName = (name: string): boolean => HEADER_NAME.test(name)

/** Returns the headers for a content type, or undefined if a header cannot carry it. */
export type HeadersByType = (contentType: string | undefined) => readonly string[] | undefined

/** Creates the function that returns the headers of an action's responses by content type. */
export const createHeadersByType = (base: readonly string[]): HeadersByType =>
  memoizeLatest((contentType) => {
    if (contentType !== undefined && !isHeaderValue(contentType)) return undefined
    return Object.freeze(contentType === undefined ? [...base] : ['Content-Type', contentType, ...base])
  }, MAX_CACHED)

const ACCUMULATING: ReadonlySet<string> = new Set(['vary', 'link', 'set-cookie', 'server-timing'])

/** Returns whether values of a header are added to existing ones; the name is in lower case. */
export const isAccumulating = (lower: string): boolean => ACCUMULATING.has(lower)

/** Adds a header to a list, keeping others of its name; `Vary` lists each name once. */
export function addHeader(headers: string[], name: string, value: string): void {
  if (name.length !== 4 || name.toLowerCase() !== 'vary') {
    headers.push(name, value)
    return
  }
  const listed = new Set<string>()
  for (let i = 0; i < headers.length; i += 2)
    if (headers[i]?.toLowerCase() === 'vary')
      for (const one of splitHeaderList(headers[i + 1] as string)) listed.add(one.toLowerCase())
  for (const one of splitHeaderList(value)) if (!listed.has(one.toLowerCase())) headers.push(name, one)
}

const splitHeaderList = (list: string): string[] =>
  list.split(',').flatMap((one) => (one.trim() === '' ? [] : [one.trim()]))

/** Returns a list of headers without those of some names; accumulating headers and the content type always remain. */
export function withoutHeaders(headers: readonly string[], names: readonly string[]): string[] {
  const remaining: string[] = []
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i] as string
    if (isHeaderIn(name, names) && !isProtected(name)) continue
    remaining.push(name, headers[i + 1] as string)
  }
  return remaining
}

function isProtected(name: string): boolean {
  const lower = name.toLowerCase()
  return isAccumulating(lower) || lower === 'content-type'
}

function isHeaderIn(name: string, names: readonly string[]): boolean {
  for (const one of names)
    if (one.length === name.length && (one === name || one.toLowerCase() === name.toLowerCase())) return true
  return false
}

/**
 * Overlays headers: each replaces those of its name, or is added if they accumulate; an empty value removes a header.
 */
export function overlayHeaders(headers: readonly string[], added: readonly string[]): readonly string[] {
  if (added.length === 0) return headers
  const names = added.filter((_, i) => i % 2 === 0)
  const all = withoutHeaders(headers, names)
  for (const [i, name] of names.entries()) {
    const isLast = isProtected(name) || !isHeaderIn(name, names.slice(i + 1))
    if (isLast && added[2 * i + 1] !== '') addHeader(all, name, added[2 * i + 1] as string)
  }
  return all
}

/** Describes a header whose value cannot be sent. */
export const describeUnfitHeader = (name: string): string =>
  `the header ${name} has a character that a header cannot carry; encode it`

/** Returns the names of the headers that are set: undefined is no value, as in a body. */
export const listHeaderNames = (bag: HeaderBag): readonly string[] =>
  Object.keys(bag).filter((name) => bag[name] !== undefined)

/** Adds headers to a list; returns a description of the first invalid one. */
export function pushHeaders(headers: string[], bag: HeaderBag): string | undefined {
  for (const name of Object.keys(bag)) {
    const value: unknown = bag[name]
    if (value === undefined) continue
    const lower = name.toLowerCase()
    if (lower === 'content-type') continue
    if (!isHeaderName(name)) return `'${name}' is not the name of a header`
    for (const one of Array.isArray(value) ? value : [value]) {
      if (typeof one !== 'string') return `the header ${name} is ${describeValue(one)}, not a text`
      const text = formatHeaderValue(lower, one)
      if (!isHeaderValue(text)) return describeUnfitHeader(name)
      addHeader(headers, name, text)
    }
  }
  return undefined
}
