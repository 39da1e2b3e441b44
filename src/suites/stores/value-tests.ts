// Tests of a store's values: written, claimed, replaced and deleted, each only under its condition.

import { assertEqual, waitUntil } from '../assertions.ts'
import type { StoreHarness } from './harness.ts'
import { createTestKey, LONG_TTL, type StoreTests, withStore, withThreeStores } from './test-helpers.ts'

// Keys come from clients: long ones, unusual ones, and ones that differ only in characters that some encodings lose.
const TEST_KEYS = [
  '',
  ' ',
  'a',
  'A',
  'a ',
  '\u0000',
  '\ud800',
  '\ud801',
  '\ufffd',
  'é',
  'e\u0301',
  "'; drop table x; --",
  '%',
  '*',
]
const TEST_VALUES = ['', '{}', ' ', "'", '"\\u0000"', 'é\u{1f600}', '\r\n', '$1', 'x'.repeat(300_000)]

/** Creates the tests of values. */
export const createValueTests = (harness: StoreHarness): StoreTests => ({
  ...createReadTests(harness),
  ...createConditionTests(harness),
})

const createReadTests = (harness: StoreHarness): StoreTests => ({
  'a value is read as it was written, until it is removed': () =>
    withStore(harness, async (store) => {
      const key = createTestKey()
      assertEqual('nothing', await store.get(key), undefined)
      for (const value of TEST_VALUES) {
        assertEqual('written', await store.set(key, value, LONG_TTL), true)
        assertEqual('read', await store.get(key), value)
      }
      assertEqual(
        'removed',
        [await store.delete(key), await store.delete(key), await store.get(key)],
        [true, false, undefined],
      )
    }),

  'a value ends when its time has passed, and another may replace it': () =>
    withStore(harness, async (store) => {
      const key = createTestKey()
      await store.set(key, 'short', 30)
      await waitUntil(async () => (await store.get(key)) === undefined)
      assertEqual('not replaced', await store.set(key, 'x', LONG_TTL, 'short'), false)
      assertEqual('not removed', await store.delete(key), false)
      await store.set(key, 'short', 30)
      await waitUntil(async () => store.set(key, 'next', LONG_TTL, null))
      assertEqual('the next', await store.get(key), 'next')
    }),

  'keys are distinct, whatever their characters': () =>
    withStore(harness, async (store) => {
      const prefix = createTestKey()
      const long = 'x'.repeat(10_000)
      const keys = [...TEST_KEYS, `${long}a`, `${long}b`].map((key) => prefix + key)
      for (const [i, key] of keys.entries()) await store.set(key, `value ${i}`, LONG_TTL)
      for (const [i, key] of keys.entries()) assertEqual(`key ${i}`, await store.get(key), `value ${i}`)
      for (const [i, key] of keys.entries()) assertEqual(`counter ${i}`, (await store.count(key, LONG_TTL)).count, 1)
      for (const [i, key] of keys.entries()) assertEqual(`key ${i} still`, await store.get(key), `value ${i}`)
    }),
})

const createConditionTests = (harness: StoreHarness): StoreTests => ({
  'of 60 that claim a key at once in three processes, one gets it': () =>
    withThreeStores(harness, async (stores) => {
      for (let round = 0; round < 5; round++) {
        const key = createTestKey()
        const claim = async (_: unknown, i: number): Promise<boolean> =>
          stores[(i % 3) as 0].set(key, `claim ${i}`, LONG_TTL, null)
        const results = await Promise.all(Array.from({ length: 60 }, claim))
        assertEqual('how many got it', results.filter(Boolean).length, 1)
        assertEqual('whose it is', await stores[0].get(key), `claim ${results.indexOf(true)}`)
      }
    }),

  'of 60 that replace a value at once in three processes, one does': () =>
    withThreeStores(harness, async (stores) => {
      const key = createTestKey()
      await stores[1].set(key, 'first', LONG_TTL)
      const replace = async (_: unknown, i: number): Promise<boolean> =>
        stores[(i % 3) as 0].set(key, `second ${i}`, LONG_TTL, 'first')
      const results = await Promise.all(Array.from({ length: 60 }, replace))
      assertEqual('how many did', results.filter(Boolean).length, 1)
      assertEqual('whose it is', await stores[0].get(key), `second ${results.indexOf(true)}`)
    }),

  'a value is replaced and removed only when it is the expected one': () =>
    withStore(harness, async (store) => {
      const key = createTestKey()
      assertEqual('nothing is replaced', await store.set(key, 'x', LONG_TTL, 'y'), false)
      assertEqual('nothing was written', await store.get(key), undefined)
      await store.set(key, 'one', LONG_TTL)
      assertEqual('not claimed', await store.set(key, 'two', LONG_TTL, null), false)
      assertEqual('not replaced', await store.set(key, 'two', LONG_TTL, 'other'), false)
      assertEqual('not removed', await store.delete(key, 'other'), false)
      assertEqual('replaced', await store.set(key, 'two', LONG_TTL, 'one'), true)
      assertEqual('read', await store.get(key), 'two')
      assertEqual('removed', [await store.delete(key, 'two'), await store.get(key)], [true, undefined])
    }),
})
