// The nearest name: a misspelled name finds the intended one, and an unrelated name finds none.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { computeEditDistance, findNearest, suggestName } from './suggest-name.ts'

describe('the nearest name', () => {
  it('is the one with other letter case, swapped, missing, added or replaced letters', () => {
    const known = ['params', 'payload', 'mediaType', 'name']
    expect(['parms', 'pramas', 'mediatype', 'paylaod', 'nmae', 'names'].map((one) => findNearest(one, known))).toEqual([
      'params',
      'params',
      'mediaType',
      'payload',
      'name',
      'name',
    ])
    expect(findNearest('color', known)).toBeUndefined()
    expect(suggestName('color', known)).toBe('use one of: params, payload, mediaType, name')
  })

  it('has a distance that is symmetric, and zero only from itself', () => {
    const word = fc.string({ maxLength: 8 })
    fc.assert(
      fc.property(word, word, (a, b) => {
        const far = computeEditDistance(a, b, 8)
        expect(far).toBe(computeEditDistance(b, a, 8))
        expect(far === 0).toBe(a === b)
        expect(far).toBeLessThanOrEqual(Math.max(a.length, b.length))
      }),
    )
  })
})
