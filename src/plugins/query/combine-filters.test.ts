// Filters combined by `and` and `or` are simplified.
import { expect, it } from 'vitest'
import { and, or } from './combine-filters.ts'
import type { Filter } from './query.ts'

it('conditions alone stand for themselves, and what is impossible is left out', () => {
  const none = or([])
  const one: Filter = { op: 'and', of: [] }
  const other: Filter = { op: 'or', of: [one] }
  expect(and([one])).toBe(one)
  expect(or([none, one])).toBe(one)
  expect(or([none, none])).toEqual({ op: 'or', of: [] })
  expect(and([one, none])).toEqual({ op: 'or', of: [] })
  expect(and([one, other])).toEqual({ op: 'and', of: [one, other] })
})
