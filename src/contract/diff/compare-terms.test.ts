// Terms of plugins: every form of a term, changed in both directions, for params and for policies, and missing on one
// side.
import { describe, expect, it } from 'vitest'
import type { Term } from '../../design/declare/contract-terms.ts'
import { ChangeCollector } from './change.ts'
import { comparePolicies, compareTerms } from './compare-terms.ts'

type ReportedChange = [kind: string, rule: string]

function listChanges(compare: (changes: ChangeCollector) => void): ReportedChange[] {
  const changes = new ChangeCollector()
  compare(changes)
  return changes.toSorted().map(({ kind, rule }) => [kind, rule])
}
const compareInParam = (old: Term, now: Term): ReportedChange[] =>
  listChanges((changes) => compareTerms({ limit: old }, { limit: now }, 'p', changes))
const compareInPolicy = (old: Term | undefined, now: Term | undefined): ReportedChange[] => {
  const toPolicies = (term: Term | undefined) => (term === undefined ? {} : { rate: { limit: term } })
  return listChanges((changes) => comparePolicies(toPolicies(old), toPolicies(now), 'A.b', changes))
}

const MOST = [null, 1, 2, 10]
describe.each(MOST.flatMap((old) => MOST.map((now) => ({ old, now }))))('most from $old to $now', ({ old, now }) => {
  const [before, after] = [old ?? Number.POSITIVE_INFINITY, now ?? Number.POSITIVE_INFINITY]
  const lowered: ReportedChange = ['breaking', 'limit-lowered']
  const raised: ReportedChange = ['compatible', 'limit-raised']
  const expected = before === after ? [] : [after < before ? lowered : raised]

  it('is told by what clients lose', () => {
    expect(compareInParam({ most: old }, { most: now })).toEqual(expected)
    expect(compareInPolicy({ most: old }, { most: now })).toEqual(expected)
    // A missing policy limits nothing.
    if (old === null) expect(compareInPolicy(undefined, { most: now })).toEqual(expected)
    if (now === null) expect(compareInPolicy({ most: old }, undefined)).toEqual(expected)
  })
})

it.each([
  [1, 2, [['compatible', 'limit-raised']]],
  [2, 1, [['breaking', 'limit-lowered']]],
  [2, 2, []],
])('a size that is given, from %d to %d', (old, now, expected) => {
  expect(compareInParam({ gives: old }, { gives: now })).toEqual(expected)
})

const ALLOWED = [null, [], ['a'], ['b'], ['a', 'b'], ['a', 'b', 'c']]
it.each(ALLOWED.flatMap((old) => ALLOWED.map((now) => ({ old, now }))))('allowed from $old to $now', ({ old, now }) => {
  const lost = now !== null && (old === null || old.some((one) => !now.includes(one)))
  const gained = old !== null && (now === null || now.some((one) => !old.includes(one)))
  const expected = [
    ...(lost ? [['breaking', 'limit-removed']] : []),
    ...(gained ? [['compatible', 'limit-added']] : []),
  ]
  expect(compareInParam({ allows: old }, { allows: now })).toEqual(expected)
})

it('what is meant breaks when it changes, what is only told does not', () => {
  expect(compareInParam({ means: 1 }, { means: 2 })).toEqual([['breaking', 'limit-changed']])
  expect(compareInParam({ info: 'a' }, { info: 'b' })).toEqual([['compatible', 'limit-changed']])
  expect(compareInParam({ means: 1 }, { means: 1 })).toEqual([])
  expect(compareInParam({ means: 1 }, { most: 1 })).toEqual([['breaking', 'limit-changed']])
})
