import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { measureJson } from './measure-json.ts'

const measureText = (text: string, maxDelimiters = 1000, depth = 64) =>
  measureJson(new TextEncoder().encode(text), maxDelimiters, depth)

const countDelimiters = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 0
  const count = Object.keys(value).length
  const below = Object.values(value).reduce(
    (sum: number, one) => sum + countDelimiters(one),
    1 + Math.max(0, count - 1),
  )
  return Array.isArray(value) ? below : below + count
}

const measureDepth = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(measureDepth)) : 0

describe('jsonSize', () => {
  it('counts what a value has, however it is written', () => {
    const anything = fc.jsonValue({ stringUnit: 'binary' }).map((value) => JSON.parse(JSON.stringify(value)) as unknown)
    fc.assert(
      fc.property(anything, fc.constantFrom(undefined, 2), (value, indent) => {
        expect(measureText(JSON.stringify(value, undefined, indent))).toEqual({
          delimiters: countDelimiters(value),
          depth: measureDepth(value),
        })
      }),
    )
  })

  it('passes over signs in texts, and ends with a text that does not', () => {
    expect(measureText('["[{:\\"[{:", "\\\\", {"a:[": 1}]')).toEqual({ delimiters: 5, depth: 2 })
    expect(measureText('["[[[')).toEqual({ delimiters: 1, depth: 1 })
    expect(measureText('["\\')).toEqual({ delimiters: 1, depth: 1 })
  })

  it('stops at one more than there may be', () => {
    expect(measureText('[[],[],[],[]]', 2)).toEqual({ delimiters: 3, depth: 2 })
    expect(measureText('[[[[[]]]]]', 100, 3)).toEqual({ delimiters: 4, depth: 4 })
  })
})
