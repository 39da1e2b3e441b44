// Terms of plugins: every form of a term, changed in both directions, for params and for policies, and missing on one
// side.
import { describe, expect, it } from 'vitest'
import type { Term } from '../../design/declare/contract-terms.ts'
import { ChangeCollector } from './change.ts'
import { comparePolicies, compareTerms } from './compare-terms.ts'

type Told = [kind: string, rule: string]

function told(compare: (changes: ChangeCollector) => void): Told[] {
  const changes = new ChangeCollector()
  compare(changes)
  return changes.toSorted().map(({ kind, rule }) => [kind, rule])
}
const inParam = (old: Term, now: Term): Told[] =>
  told((changes) => compareTerms({ limit: old }, { limit: now }, 'p', changes))
const inPolicy = (old: Term | undefined, now: Term | undefined): Told[] => {
  const of = (term: Term | undefined) => (term === undefined ? {} : { rate: { limit: term } })
  return told((changes) => comparePolicies(of(old), of(now), 'A.b', changes))
}

const MOST = [null, 1, 2, 10]
describe.each(MOST.flatMap((old) => MOST.map((now) => ({ old, now }))))('most from $old to $now', ({ old, now }) => {
  const [before, after] = [old ?? Number.POSITIVE_INFINITY, now ?? Number.POSITIVE_INFINITY]
  const lowered: Told = ['breaking', 'limit-lowered']
  const raised: Told = ['compatible', 'limit-raised']
  const expected = before === after ? [] : [after < before ? lowered : raised]

  it('is told by what clients lose', () => {
    expect(inParam({ most: old }, { most: now })).toEqual(expected)
    expect(inPolicy({ most: old }, { most: now })).toEqual(expected)
    // A missing policy limits nothing.
    if (old === null) expect(inPolicy(undefined, { most: now })).toEqual(expected)
    if (now === null) expect(inPolicy({ most: old }, undefined)).toEqual(expected)
  })
})

it.each([
  [1, 2, [['compatible', 'limit-raised']]],
  [2, 1, [['breaking', 'limit-lowered']]],
  [2, 2, []],
])('a size that is given, from %d to %d', (old, now, expected) => {
  expect(inParam({ gives: old }, { gives: now })).toEqual(expected)
})

const ALLOWED = [null, [], ['a'], ['b'], ['a', 'b'], ['a', 'b', 'c']]
it.each(ALLOWED.flatMap((old) => ALLOWED.map((now) => ({ old, now }))))('allowed from $old to $now', ({ old, now }) => {
  const lost = now !== null && (old === null || old.some((one) => !now.includes(one)))
  const gained = old !== null && (now === null || now.some((one) => !old.includes(one)))
  const expected = [
    ...(lost ? [['breaking', 'limit-removed']] : []),
    ...(gained ? [['compatible', 'limit-added']] : []),
  ]
  expect(inParam({ allows: old }, { allows: now })).toEqual(expected)
})

it('what is meant breaks when it changes, what is only told does not', () => {
  expect(inParam({ means: 1 }, { means: 2 })).toEqual([['breaking', 'limit-changed']])
  expect(inParam({ tells: 'a' }, { tells: 'b' })).toEqual([['compatible', 'limit-changed']])
  expect(inParam({ means: 1 }, { means: 1 })).toEqual([])
  expect(inParam({ means: 1 }, { most: 1 })).toEqual([['breaking', 'limit-changed']])
})
