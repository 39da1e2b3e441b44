// Routes that no request can tell apart, which a definition must not contain.
import { type PatternForm, listForms, isCaptureSegment, type PathNode, type PathSegments } from '../../path/index.ts'
import type { RouteConflict, RouteEntry } from './types.ts'

/** Pairs of routes of one verb that have the same shape and the same options; names of captures do not count. */
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
  if (pattern.segments !== null && trailingSlash !== true) return joinIdentity(verb, buildSegmentSignature(pattern.segments))
  const own = listSignatures(pattern.root, pattern.source)
  const slashed =
    trailingSlash === true
      ? own.filter((each) => !each.endsWith('/') && !each.endsWith(WILDCARD)).map((each) => `${each}/`)
      : []
  const except = pattern.except === null ? null : listSignatures(pattern.except, pattern.options.except ?? '')
  const [first, ...others] = new Set([...own, ...slashed])
  if (first !== undefined && others.length === 0 && except === null) return joinIdentity(verb, first)
  return JSON.stringify([verb, [first, ...others].sort(), except?.sort()])
}

// Routes of one form are most of all, and need no list to be told apart.
const joinIdentity = (verb: string, signature: string): string => `${verb} ${signature}`

const CAPTURE = '\0:'
const WILDCARD = '\0*'

function listSignatures(root: PathNode, source: string): string[] {
  return listForms(root)?.map(buildFormSignature) ?? [source]
}

const FREE_CAPTURE = `${CAPTURE}\0`

function buildSegmentSignature(plain: PathSegments): string {
  let signature = ''
  for (let i = 0; i < plain.length; i++) {
    const segment = plain[i] as string
    signature += (i > 0 ? '/' : '') + (isCaptureSegment(segment) ? FREE_CAPTURE : segment)
  }
  return signature
}

function buildFormSignature(form: PatternForm): string {
  return form
    .map((piece) => {
      if (piece.kind === 'char') return String.fromCodePoint(piece.code)
      return piece.kind === 'wildcard' ? WILDCARD : `${CAPTURE}${piece.key}\0`
    })
    .join('')
}
