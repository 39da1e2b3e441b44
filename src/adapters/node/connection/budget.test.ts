// The room that bodies share while they arrive: what is counted, who gives way, and that nothing stays counted.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Chunks } from '../message/chunks.ts'
import { Budget, type Receiving } from './budget.ts'

class Body implements Receiving {
  kept = 0
  over = false
  giveWay(): void {
    this.over = true
  }
}

describe('the budget', () => {
  it('is never passed by several, whoever keeps, drops and leaves', () => {
    const step = fc.record({
      who: fc.nat(9),
      what: fc.constantFrom('keep', 'keep', 'keep', 'drop', 'free'),
      bytes: fc.nat(60),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const budget = new Budget(100)
        let bodies = Array.from({ length: 10 }, () => new Body())
        for (const { who, what, bytes } of steps) {
          const body = bodies[who] as Body
          if (what === 'free') budget.free(body)
          else budget[what as 'keep' | 'drop'](body, bytes)
          const kept = bodies.filter((one) => one.kept > 0)
          const sum = kept.reduce((all, one) => all + one.kept, 0)
          expect(sum <= 100 || kept.length === 1).toBe(true)
          expect(bodies.every((one) => !one.over || one.kept === 0)).toBe(true)
          // A body that had to give way is replaced by a new one.
          bodies = bodies.map((one) => (one.over ? new Body() : one))
        }
        for (const body of bodies) budget.free(body)
        const [a, b] = [new Body(), new Body()]
        budget.keep(a, 50)
        budget.keep(b, 50)
        expect([a.over, b.over]).toEqual([false, false])
      }),
    )
  })

  it('lets the one give way that has been arriving longest, and one that is alone have its own limit', () => {
    const budget = new Budget(100)
    const [a, b, c] = [new Body(), new Body(), new Body()]
    budget.keep(a, 150)
    expect(a.over).toBe(false)
    budget.keep(b, 10)
    expect([a.over, b.over]).toEqual([true, false])
    budget.keep(c, 50)
    budget.keep(b, 50)
    expect([b.over, c.over]).toEqual([true, false])
  })
})

it('chunks that wait stay what they were, small ones put together', () => {
  const chunk = fc.uint8Array({ maxLength: 3000 }).filter(({ length }) => length > 0)
  fc.assert(
    fc.property(fc.array(fc.tuple(chunk, fc.boolean()), { maxLength: 40 }), (steps) => {
      const [chunks, taken] = [new Chunks(), [] as Uint8Array[]]
      for (const [one, take] of steps) {
        chunks.push(one)
        const first = take ? chunks.shift() : undefined
        if (first !== undefined) taken.push(first)
      }
      taken.push(chunks.joined())
      expect(Buffer.concat(taken)).toEqual(Buffer.concat(steps.map(([one]) => one)))
    }),
  )
  const many = new Chunks()
  for (let n = 0; n < 20_000; n++) many.push(new Uint8Array([n]))
  let count = 0
  while (many.shift() !== undefined) count++
  expect(count).toBeLessThan(10)
})
