// Differences between the terms that plugins set for a param; each form of a term says which changes break clients.

import type { Term, Terms } from '../../design/declare/contract-terms.ts'
import { isSameData } from '../canonical.ts'
import { getRecordValue, type ChangeCollector, collectNames, quoteList, subtractNames } from './change.ts'
import { compareAlternatives } from './compare-alternatives.ts'

/** Compares what policies settle about an action; one that is not there settles nothing. */
export function comparePolicies(
  old: Readonly<Record<string, Terms>>,
  now: Readonly<Record<string, Terms>>,
  action: string,
  changes: ChangeCollector,
): void {
  for (const policy of collectNames(old, now)) {
    const [was, is] = [getRecordValue(old, policy) ?? {}, getRecordValue(now, policy) ?? {}]
    for (const name of collectNames(was, is)) {
      const [before, after] = [getRecordValue(was, name), getRecordValue(is, name)]
      const terms = [before ?? makeAbsentTerm(after as Term), after ?? makeAbsentTerm(before as Term)] as const
      compareAllTerms({ [name]: terms[0] }, { [name]: terms[1] }, { place: `${action} › ${policy}`, changes, linked: false })
    }
  }
}

/** The term of a policy that is not there, in the form of one that is. */
function makeAbsentTerm(term: Term): Term {
  if ('ways' in term) return { ways: [], words: term.words }
  if ('allows' in term) return { allows: null }
  if ('most' in term) return { most: null }
  if ('each' in term) return { each: {} }
  if ('gives' in term) return { gives: 0 }
  return 'tells' in term ? { tells: null } : { means: null }
}

/** Compares the terms of a param. */
export function compareTerms(old: Terms, now: Terms, place: string, changes: ChangeCollector): void {
  compareAllTerms(old, now, { place, changes, linked: true })
}

interface TermsComparison {
  readonly place: string
  readonly changes: ChangeCollector
  /** Whether links of lists carry it. */
  readonly linked: boolean
}

function compareAllTerms(old: Terms, now: Terms, site: TermsComparison): void {
  const { place, changes } = site
  for (const name of collectNames(old, now)) {
    const [was, is] = [getRecordValue(old, name), getRecordValue(now, name)]
    if (was === undefined || is === undefined || getTermForm(was) !== getTermForm(is))
      changes.add('breaking', place, `${toKebabCase(name)}-changed`, `${name} is settled in another way`)
    else compareTerm({ ...site, name }, was, is)
  }
}

interface TermComparison extends TermsComparison {
  readonly name: string
}

const getTermForm = (term: Term): string => Object.keys(term).join()

// Rules are written as the other ones are.
const toKebabCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

function compareTerm(site: TermComparison, was: Term, is: Term): void {
  if ('allows' in was && 'allows' in is) compareAllowed(site, was.allows, is.allows)
  else if ('most' in was && 'most' in is) compareTermLimits(site, was.most, is.most)
  else if ('gives' in was && 'gives' in is) compareSizes(site, was.gives, is.gives)
  else if ('each' in was && 'each' in is) compareEachTerms(site, was.each, is.each)
  else if ('ways' in was && 'ways' in is) compareAlternatives(was, is, site)
  else if (!isSameData(was, is)) {
    const [before, after] = [was, is].map((term) => formatTermValue(Object.values(term)[0]))
    const kind = 'tells' in is ? 'compatible' : 'breaking'
    const links = kind === 'compatible' && site.linked ? '; links that were given out may not be followed any more' : ''
    reportTermChange(site, kind, 'changed', `${site.name} is ${after} now, and was ${before}${links}`)
  }
}

function reportTermChange(
  { name, place, changes }: TermComparison,
  kind: 'breaking' | 'compatible',
  what: string,
  sentence: string,
): void {
  changes.add(kind, place, `${toKebabCase(name)}-${what}`, sentence)
}

const formatTermValue = (value: unknown): string => (value === null ? 'none' : JSON.stringify(value))

function compareAllowed(site: TermComparison, was: readonly string[] | null, is: readonly string[] | null): void {
  const { name } = site
  if (was === null && is === null) return
  if (was === null) return reportTermChange(site, 'breaking', 'removed', `${name} allows only ${quoteList(is ?? [])} now`)
  if (is === null) return reportTermChange(site, 'compatible', 'added', `${name} allows anything now`)
  const [gone, fresh] = [subtractNames(was, is), subtractNames(is, was)]
  if (gone.length > 0) reportTermChange(site, 'breaking', 'removed', `${name} does not allow ${quoteList(gone)} any more`)
  if (fresh.length > 0) reportTermChange(site, 'compatible', 'added', `${name} allows ${quoteList(fresh)} now`)
}

function compareTermLimits(site: TermComparison, was: number | null, is: number | null): void {
  if (was === is) return
  const lowered = (is ?? Number.POSITIVE_INFINITY) < (was ?? Number.POSITIVE_INFINITY)
  const what = `${site.name} is ${is ?? 'not limited'} now, and was ${was ?? 'not limited'}`
  reportTermChange(site, lowered ? 'breaking' : 'compatible', lowered ? 'lowered' : 'raised', what)
}

// A client that sends no size loses elements if the default falls; a larger default still has them all.
function compareSizes(site: TermComparison, was: number, is: number): void {
  if (was === is) return
  const what = `${site.name} is ${is} now, and was ${was}`
  if (is < was) reportTermChange(site, 'breaking', 'lowered', `${what}: clients that name no size get fewer elements`)
  else reportTermChange(site, 'compatible', 'raised', `${what}: clients that name no size get more elements`)
}

function compareEachTerms(
  site: TermComparison,
  was: Readonly<Record<string, Terms>>,
  is: Readonly<Record<string, Terms>>,
): void {
  for (const name of collectNames(was, is)) {
    const [before, after] = [getRecordValue(was, name), getRecordValue(is, name)]
    if (before === undefined) reportTermChange(site, 'compatible', 'added', `there is a new one of ${site.name}: '${name}'`)
    else if (after === undefined) reportTermChange(site, 'breaking', 'removed', `'${name}' is none of ${site.name} any more`)
    else compareAllTerms(before, after, { ...site, place: `${site.place}.${name}` })
  }
}
