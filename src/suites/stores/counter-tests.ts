// Tests of a store's counters: they are exact among processes, and restart when their time has passed.

import { assertEqual, waitUntil } from '../assertions.ts'
import type { StoreHarness } from './harness.ts'
import { createTestKey, LONG_TTL, type StoreTests, withStore, withThreeStores } from './test-helpers.ts'

/** Creates the tests of counters. */
export const createCounterTests = (harness: StoreHarness): StoreTests => ({
  'a counter begins with one and reports how long it lasts': () =>
    withStore(harness, async (store) => {
      const key = createTestKey()
      const first = await store.count(key, LONG_TTL)
      const second = await store.count(key, 1)
      assertEqual('counts', [first.count, second.count], [1, 2])
      assertEqual('the first has its whole time', first.left > LONG_TTL - 60_000 && first.left <= LONG_TTL, true)
      assertEqual('a later addition does not change the end', second.left > LONG_TTL - 60_000, true)
      assertEqual('the end comes nearer', second.left <= first.left, true)
    }),

  'counters of different keys do not meet': () =>
    withStore(harness, async (store) => {
      const [one, other] = [createTestKey(), createTestKey()]
      await store.count(one, LONG_TTL)
      assertEqual('the other', (await store.count(other, LONG_TTL)).count, 1)
    }),

  'a counter begins again when its time has passed': () =>
    withStore(harness, async (store) => {
      const key = createTestKey()
      await store.count(key, 40)
      await store.count(key, 40)
      await waitUntil(async () => (await store.count(key, 40)).count === 1)
    }),

  '300 simultaneous additions in three processes are counted from 1 to 300': () =>
    withThreeStores(harness, async (stores) => {
      const key = createTestKey()
      const all = await Promise.all(
        Array.from({ length: 300 }, async (_, i) => stores[(i % 3) as 0].count(key, LONG_TTL)),
      )
      const counts = all.map(({ count }) => count).sort((a, b) => a - b)
      assertEqual(
        'counts',
        counts,
        Array.from({ length: 300 }, (_, i) => i + 1),
      )
    }),
})
