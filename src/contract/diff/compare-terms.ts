// Compares the terms that plugins set for params and policies. The form of a term determines which changes are breaking.

import type { Term, Terms } from '../../design/declare/contract-terms.ts'
import { isSameData } from '../canonical.ts'
import { type ChangeCollector, collectNames, getRecordValue, quoteList, subtractNames } from './change.ts'
import { compareAlternatives } from './compare-alternatives.ts'

/** Compares the terms of an action's policies. A missing policy is treated as one without limits. */
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
      compareAllTerms(
        { [name]: terms[0] },
        { [name]: terms[1] },
        { location: `${action} › ${policy}`, changes, linked: false },
      )
    }
  }
}

/** Returns the term that a missing policy has, in the form of the given term. */
function makeAbsentTerm(term: Term): Term {
  if ('ways' in term) return { ways: [], words: term.words }
  if ('allows' in term) return { allows: null }
  if ('most' in term) return { most: null }
  if ('each' in term) return { each: {} }
  if ('gives' in term) return { gives: 0 }
  return 'info' in term ? { info: null } : { means: null }
}

/** Compares the terms of a param. */
export function compareTerms(old: Terms, now: Terms, location: string, changes: ChangeCollector): void {
  compareAllTerms(old, now, { location, changes, linked: true })
}

interface TermsComparison {
  readonly location: string
  readonly changes: ChangeCollector
  /** Whether pagination links carry the param. */
  readonly linked: boolean
}

function compareAllTerms(old: Terms, now: Terms, context: TermsComparison): void {
  const { location, changes } = context
  for (const name of collectNames(old, now)) {
    const [was, is] = [getRecordValue(old, name), getRecordValue(now, name)]
    if (was === undefined || is === undefined || getTermForm(was) !== getTermForm(is))
      changes.add('breaking', location, `${toKebabCase(name)}-changed`, `${name} has another meaning`)
    else compareTerm({ ...context, name }, was, is)
  }
}

interface TermComparison extends TermsComparison {
  readonly name: string
}

const getTermForm = (term: Term): string => Object.keys(term).join()

// Rule codes are in kebab case.
const toKebabCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

function compareTerm(context: TermComparison, was: Term, is: Term): void {
  if ('allows' in was && 'allows' in is) compareAllowed(context, was.allows, is.allows)
  else if ('most' in was && 'most' in is) compareTermLimits(context, was.most, is.most)
  else if ('gives' in was && 'gives' in is) compareSizes(context, was.gives, is.gives)
  else if ('each' in was && 'each' in is) compareEachTerms(context, was.each, is.each)
  else if ('ways' in was && 'ways' in is) compareAlternatives(was, is, context)
  else if (!isSameData(was, is)) {
    const [before, after] = [was, is].map((term) => formatTermValue(Object.values(term)[0]))
    const kind = 'info' in is ? 'compatible' : 'breaking'
    const links =
      kind === 'compatible' && context.linked ? '; links that were given out may not be followed any more' : ''
    reportTermChange(context, kind, 'changed', `${context.name} is ${after} now, and was ${before}${links}`)
  }
}

function reportTermChange(
  { name, location, changes }: TermComparison,
  kind: 'breaking' | 'compatible',
  what: string,
  sentence: string,
): void {
  changes.add(kind, location, `${toKebabCase(name)}-${what}`, sentence)
}

const formatTermValue = (value: unknown): string => (value === null ? 'none' : JSON.stringify(value))

function compareAllowed(context: TermComparison, was: readonly string[] | null, is: readonly string[] | null): void {
  const { name } = context
  if (was === null && is === null) return
  if (was === null)
    return reportTermChange(context, 'breaking', 'removed', `${name} allows only ${quoteList(is ?? [])} now`)
  if (is === null) return reportTermChange(context, 'compatible', 'added', `${name} allows anything now`)
  const [removed, added] = [subtractNames(was, is), subtractNames(is, was)]
  if (removed.length > 0)
    reportTermChange(context, 'breaking', 'removed', `${name} does not allow ${quoteList(removed)} any more`)
  if (added.length > 0) reportTermChange(context, 'compatible', 'added', `${name} allows ${quoteList(added)} now`)
}

function compareTermLimits(context: TermComparison, was: number | null, is: number | null): void {
  if (was === is) return
  const lowered = (is ?? Number.POSITIVE_INFINITY) < (was ?? Number.POSITIVE_INFINITY)
  const what = `${context.name} is ${is ?? 'not limited'} now, and was ${was ?? 'not limited'}`
  reportTermChange(context, lowered ? 'breaking' : 'compatible', lowered ? 'lowered' : 'raised', what)
}

// A client that sends no size gets fewer elements if the default falls, but still all of them if it rises.
function compareSizes(context: TermComparison, was: number, is: number): void {
  if (was === is) return
  const what = `${context.name} is ${is} now, and was ${was}`
  if (is < was)
    reportTermChange(context, 'breaking', 'lowered', `${what}: clients that name no size get fewer elements`)
  else reportTermChange(context, 'compatible', 'raised', `${what}: clients that name no size get more elements`)
}

function compareEachTerms(
  context: TermComparison,
  was: Readonly<Record<string, Terms>>,
  is: Readonly<Record<string, Terms>>,
): void {
  for (const name of collectNames(was, is)) {
    const [before, after] = [getRecordValue(was, name), getRecordValue(is, name)]
    if (before === undefined)
      reportTermChange(context, 'compatible', 'added', `there is a new one of ${context.name}: '${name}'`)
    else if (after === undefined)
      reportTermChange(context, 'breaking', 'removed', `'${name}' is none of ${context.name} any more`)
    else compareAllTerms(before, after, { ...context, location: `${context.location}.${name}` })
  }
}
