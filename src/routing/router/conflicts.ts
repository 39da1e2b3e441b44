// Finds routes that no request can distinguish, which a definition must not contain.
import { isCaptureSegment, listForms, type PathNode, type PathSegments, type PatternForm } from '../../path/index.ts'
import type { RouteConflict, RouteEntry } from './types.ts'

/** Returns pairs of routes of one method with the same shape and the same options; names of captures do not count. */
export function findIndistinguishable<T>(entries: readonly RouteEntry<T>[]): readonly RouteConflict<T>[] {
  const firsts = new Map<string, RouteEntry<T>>()
  const conflicts: RouteConflict<T>[] = []
  for (const entry of entries) {
    const identity = buildIdentity(entry)
    const first = firsts.get(identity)
    if (first === undefined) firsts.set(identity, entry)
    else conflicts.push(Object.freeze({ first, second: entry }))
  }
  return Object.freeze(conflicts)
}

function buildIdentity({ verb, pattern, trailingSlash }: RouteEntry<unknown>): string {
  if (pattern.segments !== null && trailingSlash !== true)
    return joinIdentity(verb, buildSegmentSignature(pattern.segments))
  const signatures = listSignatures(pattern.root, pattern.source)
  const slashed =
    trailingSlash === true
      ? signatures.filter((each) => !each.endsWith('/') && !each.endsWith(WILDCARD)).map((each) => `${each}/`)
      : []
  const except = pattern.except === null ? null : listSignatures(pattern.except, pattern.options.except ?? '')
  const [first, ...others] = new Set([...signatures, ...slashed])
  if (first !== undefined && others.length === 0 && except === null) return joinIdentity(verb, first)
  return JSON.stringify([verb, [first, ...others].sort(), except?.sort()])
}

// Most routes have one form, and need no list as their identity.
const joinIdentity = (verb: string, signature: string): string => `${verb} ${signature}`

const CAPTURE = '\0:'
const WILDCARD = '\0*'

function listSignatures(root: PathNode, source: string): string[] {
  return listForms(root)?.map(buildFormSignature) ?? [source]
}

const FREE_CAPTURE = `${CAPTURE}\0`

function buildSegmentSignature(segments: PathSegments): string {
  let signature = ''
  for (let i = 0; i < segments.length; i++) {
    const segment = segments[i] as string
    signature += (i > 0 ? '/' : '') + (isCaptureSegment(segment) ? FREE_CAPTURE : segment)
  }
  return signature
}

function buildFormSignature(form: PatternForm): string {
  return form
    .map((piece) => {
      if (piece.kind === 'char') return String.fromCodePoint(piece.code)
      return piece.kind === 'wildcard' ? WILDCARD : `${CAPTURE}${piece.constraintKey}\0`
    })
    .join('')
}
