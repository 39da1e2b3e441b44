// Counters of a store: exact among processes, and beginning again in time.
import { expectEqual, freshKey, LONG, type Tests, until, withStore, withThree } from './check.ts'
import type { StoreHarness } from './harness.ts'

/** The tests of counters. */
export const countings = (harness: StoreHarness): Tests => ({
  'a counter begins with one and tells how long it lasts': () =>
    withStore(harness, async (store) => {
      const key = freshKey()
      const first = await store.count(key, LONG)
      const second = await store.count(key, 1)
      expectEqual('counts', [first.count, second.count], [1, 2])
      expectEqual('the first has its whole time', first.left > LONG - 60_000 && first.left <= LONG, true)
      expectEqual('a later addition does not change the end', second.left > LONG - 60_000, true)
      expectEqual('the end comes nearer', second.left <= first.left, true)
    }),

  'counters of different keys do not meet': () =>
    withStore(harness, async (store) => {
      const [one, other] = [freshKey(), freshKey()]
      await store.count(one, LONG)
      expectEqual('the other', (await store.count(other, LONG)).count, 1)
    }),

  'a counter begins again when its time has passed': () =>
    withStore(harness, async (store) => {
      const key = freshKey()
      await store.count(key, 40)
      await store.count(key, 40)
      await until(async () => (await store.count(key, 40)).count === 1)
    }),

  '300 simultaneous additions in three places are counted from 1 to 300': () =>
    withThree(harness, async (stores) => {
      const key = freshKey()
      const all = await Promise.all(Array.from({ length: 300 }, async (_, i) => stores[(i % 3) as 0].count(key, LONG)))
      const counts = all.map(({ count }) => count).sort((a, b) => a - b)
      expectEqual(
        'counts',
        counts,
        Array.from({ length: 300 }, (_, i) => i + 1),
      )
    }),
})
