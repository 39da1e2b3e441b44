// Differences between the terms that plugins set for a param; each form of a term says which changes break clients.

import type { Term, Terms } from '../../design/declare/terms.ts'
import { isSame } from '../canonical.ts'
import { at, type Changes, namesOf, quoted, without } from './change.ts'
import { compareWays } from './ways.ts'

/** Compares what policies settle about an action; one that is not there settles nothing. */
export function comparePolicies(
  old: Readonly<Record<string, Terms>>,
  now: Readonly<Record<string, Terms>>,
  action: string,
  changes: Changes,
): void {
  for (const policy of namesOf(old, now)) {
    const [was, is] = [at(old, policy) ?? {}, at(now, policy) ?? {}]
    for (const name of namesOf(was, is)) {
      const [before, after] = [at(was, name), at(is, name)]
      const terms = [before ?? absent(after as Term), after ?? absent(before as Term)] as const
      compareAll({ [name]: terms[0] }, { [name]: terms[1] }, { place: `${action} › ${policy}`, changes, linked: false })
    }
  }
}

/** The term of a policy that is not there, in the form of one that is. */
function absent(term: Term): Term {
  if ('ways' in term) return { ways: [], words: term.words }
  if ('allows' in term) return { allows: null }
  if ('most' in term) return { most: null }
  if ('each' in term) return { each: {} }
  if ('gives' in term) return { gives: 0 }
  return 'tells' in term ? { tells: null } : { means: null }
}

/** Compares the terms of a param. */
export function compareTerms(old: Terms, now: Terms, place: string, changes: Changes): void {
  compareAll(old, now, { place, changes, linked: true })
}

interface TermSite {
  readonly place: string
  readonly changes: Changes
  /** Whether links of lists carry it. */
  readonly linked: boolean
}

function compareAll(old: Terms, now: Terms, site: TermSite): void {
  const { place, changes } = site
  for (const name of namesOf(old, now)) {
    const [was, is] = [at(old, name), at(now, name)]
    if (was === undefined || is === undefined || formOf(was) !== formOf(is))
      changes.add('breaking', place, `${kebab(name)}-changed`, `${name} is settled in another way`)
    else compareTerm({ ...site, name }, was, is)
  }
}

interface ComparedTerm extends TermSite {
  readonly name: string
}

const formOf = (term: Term): string => Object.keys(term).join()

// Rules are written as the other ones are.
const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

function compareTerm(site: ComparedTerm, was: Term, is: Term): void {
  if ('allows' in was && 'allows' in is) compareAllowed(site, was.allows, is.allows)
  else if ('most' in was && 'most' in is) compareLimits(site, was.most, is.most)
  else if ('gives' in was && 'gives' in is) compareSizes(site, was.gives, is.gives)
  else if ('each' in was && 'each' in is) compareEach(site, was.each, is.each)
  else if ('ways' in was && 'ways' in is) compareWays(was, is, site)
  else if (!isSame(was, is)) {
    const [before, after] = [was, is].map((term) => written(Object.values(term)[0]))
    const kind = 'tells' in is ? 'compatible' : 'breaking'
    const links = kind === 'compatible' && site.linked ? '; links that were given out may not be followed any more' : ''
    tell(site, kind, 'changed', `${site.name} is ${after} now, and was ${before}${links}`)
  }
}

function tell(
  { name, place, changes }: ComparedTerm,
  kind: 'breaking' | 'compatible',
  what: string,
  sentence: string,
): void {
  changes.add(kind, place, `${kebab(name)}-${what}`, sentence)
}

const written = (value: unknown): string => (value === null ? 'none' : JSON.stringify(value))

function compareAllowed(site: ComparedTerm, was: readonly string[] | null, is: readonly string[] | null): void {
  const { name } = site
  if (was === null && is === null) return
  if (was === null) return tell(site, 'breaking', 'removed', `${name} allows only ${quoted(is ?? [])} now`)
  if (is === null) return tell(site, 'compatible', 'added', `${name} allows anything now`)
  const [gone, fresh] = [without(was, is), without(is, was)]
  if (gone.length > 0) tell(site, 'breaking', 'removed', `${name} does not allow ${quoted(gone)} any more`)
  if (fresh.length > 0) tell(site, 'compatible', 'added', `${name} allows ${quoted(fresh)} now`)
}

function compareLimits(site: ComparedTerm, was: number | null, is: number | null): void {
  if (was === is) return
  const lowered = (is ?? Number.POSITIVE_INFINITY) < (was ?? Number.POSITIVE_INFINITY)
  const what = `${site.name} is ${is ?? 'not limited'} now, and was ${was ?? 'not limited'}`
  tell(site, lowered ? 'breaking' : 'compatible', lowered ? 'lowered' : 'raised', what)
}

// A client that sends no size loses elements if the default falls; a larger default still has them all.
function compareSizes(site: ComparedTerm, was: number, is: number): void {
  if (was === is) return
  const what = `${site.name} is ${is} now, and was ${was}`
  if (is < was) tell(site, 'breaking', 'lowered', `${what}: clients that name no size get fewer elements`)
  else tell(site, 'compatible', 'raised', `${what}: clients that name no size get more elements`)
}

function compareEach(
  site: ComparedTerm,
  was: Readonly<Record<string, Terms>>,
  is: Readonly<Record<string, Terms>>,
): void {
  for (const name of namesOf(was, is)) {
    const [before, after] = [at(was, name), at(is, name)]
    if (before === undefined) tell(site, 'compatible', 'added', `there is a new one of ${site.name}: '${name}'`)
    else if (after === undefined) tell(site, 'breaking', 'removed', `'${name}' is none of ${site.name} any more`)
    else compareAll(before, after, { ...site, place: `${site.place}.${name}` })
  }
}
