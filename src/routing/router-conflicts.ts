// Routes that no request can tell apart, which a definition must not contain.
import { type Form, formsOf, type Node } from '../path/index.ts'
import type { Conflict, RouteEntry } from './router-types.ts'

/** Pairs of routes of one verb that have the same shape and the same options; names of captures do not count. */
export function indistinguishable<T>(entries: readonly RouteEntry<T>[]): readonly Conflict<T>[] {
  const firsts = new Map<string, RouteEntry<T>>()
  const conflicts: Conflict<T>[] = []
  for (const entry of entries) {
    const identity = identityOf(entry)
    const first = firsts.get(identity)
    if (first === undefined) firsts.set(identity, entry)
    else conflicts.push(Object.freeze({ first, second: entry }))
  }
  return Object.freeze(conflicts)
}

function identityOf({ verb, pattern, trailingSlash }: RouteEntry<unknown>): string {
  const own = signatures(pattern.root, pattern.source)
  const slashed =
    trailingSlash === true
      ? own.filter((each) => !each.endsWith('/') && !each.endsWith(WILDCARD)).map((each) => `${each}/`)
      : []
  const except = pattern.except === null ? null : signatures(pattern.except, pattern.options.except ?? '')
  return JSON.stringify([verb, [...new Set([...own, ...slashed])].sort(), except?.sort()])
}

const CAPTURE = '\0:'
const WILDCARD = '\0*'

function signatures(root: Node, source: string): string[] {
  return formsOf(root)?.map(signature) ?? [source]
}

function signature(form: Form): string {
  return form
    .map((piece) => {
      if (piece.kind === 'char') return String.fromCodePoint(piece.code)
      return piece.kind === 'wildcard' ? WILDCARD : `${CAPTURE}${piece.key}\0`
    })
    .join('')
}
