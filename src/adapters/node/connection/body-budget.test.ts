// The budget that arriving bodies share: what is counted, which body is evicted, and that nothing stays counted.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ChunkQueue } from '../message/chunk-queue.ts'
import { BodyBudget, type BudgetedBody } from './body-budget.ts'

class Body implements BudgetedBody {
  bufferedBytes = 0
  over = false
  evict(): void {
    this.over = true
  }
}

describe('the budget', () => {
  it('is never passed by several, whoever keeps, drops and leaves', () => {
    const step = fc.record({
      who: fc.nat(9),
      what: fc.constantFrom('reserve', 'reserve', 'reserve', 'release', 'releaseAll'),
      bytes: fc.nat(60),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const budget = new BodyBudget(100)
        let bodies = Array.from({ length: 10 }, () => new Body())
        for (const { who, what, bytes } of steps) {
          const body = bodies[who] as Body
          if (what === 'releaseAll') budget.releaseAll(body)
          else budget[what as 'reserve' | 'release'](body, bytes)
          const buffered = bodies.filter((one) => one.bufferedBytes > 0)
          const sum = buffered.reduce((all, one) => all + one.bufferedBytes, 0)
          expect(sum <= 100 || buffered.length === 1).toBe(true)
          expect(bodies.every((one) => !one.over || one.bufferedBytes === 0)).toBe(true)
          // An evicted body is replaced by a new one.
          bodies = bodies.map((one) => (one.over ? new Body() : one))
        }
        for (const body of bodies) budget.releaseAll(body)
        const [a, b] = [new Body(), new Body()]
        budget.reserve(a, 50)
        budget.reserve(b, 50)
        expect([a.over, b.over]).toEqual([false, false])
      }),
    )
  })

  it('lets the one give way that has been arriving longest, and one that is alone have its own limit', () => {
    const budget = new BodyBudget(100)
    const [a, b, c] = [new Body(), new Body(), new Body()]
    budget.reserve(a, 150)
    expect(a.over).toBe(false)
    budget.reserve(b, 10)
    expect([a.over, b.over]).toEqual([true, false])
    budget.reserve(c, 50)
    budget.reserve(b, 50)
    expect([b.over, c.over]).toEqual([true, false])
  })
})

it('chunks that wait stay what they were, small ones put together', () => {
  const chunk = fc.uint8Array({ maxLength: 3000 }).filter(({ length }) => length > 0)
  fc.assert(
    fc.property(fc.array(fc.tuple(chunk, fc.boolean()), { maxLength: 40 }), (steps) => {
      const [chunks, taken] = [new ChunkQueue(), [] as Uint8Array[]]
      for (const [one, take] of steps) {
        chunks.push(one)
        const first = take ? chunks.shift() : undefined
        if (first !== undefined) taken.push(first)
      }
      taken.push(chunks.concat())
      expect(Buffer.concat(taken)).toEqual(Buffer.concat(steps.map(([one]) => one)))
    }),
  )
  const many = new ChunkQueue()
  for (let n = 0; n < 20_000; n++) many.push(new Uint8Array([n]))
  let count = 0
  while (many.shift() !== undefined) count++
  expect(count).toBeLessThan(10)
})
