// Lists that change while a client pages through them: no row comes twice, and none that was there throughout is missed.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { enginesHere } from '../../support/engines/clients/catalogued.ts'
import { runs } from '../../support/runs.ts'
import { type Abilities, contents } from './contents.ts'
import { expectWhole, followChanging, KEY, keyOf, keysOf, Living, stepsOf } from './living.ts'
import { allClientsOn, openTarget, type Target } from './targets.ts'
import { LIMITS, pageAt, SLOW, startOf, type Walk, walks } from './walk.ts'

const RUNS = runs(10, 120)

const cases = (able: Abilities) =>
  fc.record({
    content: contents(able),
    walk: walks(able, 'cursor').map((walk): Walk => ({ ...walk, fields: KEY, total: false })),
    steps: stepsOf(able),
  })

for (const need of await enginesHere()) {
  need.describe((engine) => {
    for (const client of allClientsOn(engine.dialect)) {
      describe(client, () => {
        let target: Target
        beforeAll(async () => {
          target = await openTarget(engine, client)
        }, SLOW)
        afterAll(() => target?.close())

        test('[PGN-14] [MAP-01] [MAP-03] walks while rows come, go and change', { timeout: SLOW }, async () => {
          let [forward, backward] = [0, 0]
          await fc.assert(
            fc.asyncProperty(cases(target.able), async ({ content, walk, steps }) => {
              await target.fill(content)
              const living = new Living(target, content, walk)
              const ask = (path: string) => pageAt(target, path, walk.socket)
              const start = startOf(content, walk)
              const there = await followChanging(living, { start, relation: 'next', steps, ask })
              expectWhole(living, keysOf(there), () => true)
              forward += there.length
              const last = there.findLast(({ elements }) => elements.length > 0)
              const prev = last?.links.get('prev')
              if (last === undefined || prev === undefined) return
              living.settle()
              const reversed = { start: prev, relation: 'prev', steps: steps.toReversed(), ask } as const
              const back = await followChanging(living, reversed)
              const end = living.sequence.indexOf(keyOf(last.elements[0]))
              expectWhole(living, keysOf(back.toReversed()), (at) => at < end)
              backward += back.length
            }),
            { ...LIMITS, numRuns: RUNS },
          )
          // How many pages there are is left to chance; that there are some in both directions is not.
          expect(Math.min(forward, backward)).toBeGreaterThan(RUNS / 4)
        })
      })
    }
  })
}
