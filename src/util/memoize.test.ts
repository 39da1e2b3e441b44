import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { memoize, memoizeByKey, memoizeLatest, runOnce } from './memoize.ts'

describe('memoizeLatest', () => {
  it('returns what the function returns, computes a kept key once, and keeps the latest ones', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 6 })), fc.integer({ min: 1, max: 4 }), (keys, limit) => {
        const make = vi.fn((key: number) => (key === 0 ? undefined : { key }))
        const get = memoizeLatest(make, limit)
        let kept: number[] = []
        for (const key of keys) {
          const calls = make.mock.calls.length
          expect(get(key)).toEqual(key === 0 ? undefined : { key })
          expect(make.mock.calls.length - calls).toBe(kept.includes(key) ? 0 : 1)
          if (!kept.includes(key)) kept = [...kept, key].slice(-limit)
        }
      }),
    )
  })
})

it('memoizeByKey caches the single result of a function without a parameter', () => {
  const get = memoizeByKey(() => ({})) as () => object
  expect(get()).toBe(get())
})

it('memoize computes once per object, also a value that is false', () => {
  const make = vi.fn(() => false)
  const get = memoize(make)
  const [one, other] = [{}, {}]
  expect([get(one), get(one), get(other)]).toEqual([false, false, false])
  expect(make).toHaveBeenCalledTimes(2)
})

it('runOnce shares one run, and runs again after a failure only', async () => {
  const results = [Promise.reject(new Error('first')), Promise.resolve(2)]
  const run = runOnce(vi.fn(() => results.shift() as Promise<number>))
  await expect(Promise.all([run(), run()])).rejects.toThrow('first')
  expect(await Promise.all([run(), run()])).toEqual([2, 2])
})
