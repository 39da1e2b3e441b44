// Values of a store: written, claimed, replaced and removed, each only under its condition.
import { expectEqual, freshKey, LONG, type Tests, until, withStore, withThree } from './check.ts'
import type { StoreHarness } from './harness.ts'

// Keys come from clients: long ones, unusual ones, and ones that differ only in what some encodings lose.
const KEYS = [
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
const VALUES = ['', '{}', ' ', "'", '"\\u0000"', 'é\u{1f600}', '\r\n', '$1', 'x'.repeat(300_000)]

/** The tests of values. */
export const valueTests = (harness: StoreHarness): Tests => ({ ...plain(harness), ...conditions(harness) })

const plain = (harness: StoreHarness): Tests => ({
  'a value is read as it was written, until it is removed': () =>
    withStore(harness, async (store) => {
      const key = freshKey()
      expectEqual('nothing', await store.get(key), undefined)
      for (const value of VALUES) {
        expectEqual('written', await store.set(key, value, LONG), true)
        expectEqual('read', await store.get(key), value)
      }
      expectEqual(
        'removed',
        [await store.delete(key), await store.delete(key), await store.get(key)],
        [true, false, undefined],
      )
    }),

  'a value ends when its time has passed, and another may take its place': () =>
    withStore(harness, async (store) => {
      const key = freshKey()
      await store.set(key, 'short', 30)
      await until(async () => (await store.get(key)) === undefined)
      expectEqual('not replaced', await store.set(key, 'x', LONG, 'short'), false)
      expectEqual('not removed', await store.delete(key), false)
      await store.set(key, 'short', 30)
      await until(async () => store.set(key, 'next', LONG, null))
      expectEqual('the next', await store.get(key), 'next')
    }),

  'keys are told apart, whatever their characters': () =>
    withStore(harness, async (store) => {
      const start = freshKey()
      const long = 'x'.repeat(10_000)
      const keys = [...KEYS, `${long}a`, `${long}b`].map((key) => start + key)
      for (const [i, key] of keys.entries()) await store.set(key, `value ${i}`, LONG)
      for (const [i, key] of keys.entries()) expectEqual(`key ${i}`, await store.get(key), `value ${i}`)
      for (const [i, key] of keys.entries()) expectEqual(`counter ${i}`, (await store.count(key, LONG)).count, 1)
      for (const [i, key] of keys.entries()) expectEqual(`key ${i} still`, await store.get(key), `value ${i}`)
    }),
})

const conditions = (harness: StoreHarness): Tests => ({
  'of 60 that claim a key at once in three places, one gets it': () =>
    withThree(harness, async (stores) => {
      for (let round = 0; round < 5; round++) {
        const key = freshKey()
        const claim = async (_: unknown, i: number): Promise<boolean> =>
          stores[(i % 3) as 0].set(key, `claim ${i}`, LONG, null)
        const got = await Promise.all(Array.from({ length: 60 }, claim))
        expectEqual('how many got it', got.filter(Boolean).length, 1)
        expectEqual('whose it is', await stores[0].get(key), `claim ${got.indexOf(true)}`)
      }
    }),

  'of 60 that replace a value at once in three places, one does': () =>
    withThree(harness, async (stores) => {
      const key = freshKey()
      await stores[1].set(key, 'first', LONG)
      const replace = async (_: unknown, i: number): Promise<boolean> =>
        stores[(i % 3) as 0].set(key, `second ${i}`, LONG, 'first')
      const got = await Promise.all(Array.from({ length: 60 }, replace))
      expectEqual('how many did', got.filter(Boolean).length, 1)
      expectEqual('whose it is', await stores[0].get(key), `second ${got.indexOf(true)}`)
    }),

  'a value is replaced and removed only when it is the expected one': () =>
    withStore(harness, async (store) => {
      const key = freshKey()
      expectEqual('nothing is replaced', await store.set(key, 'x', LONG, 'y'), false)
      expectEqual('nothing was written', await store.get(key), undefined)
      await store.set(key, 'one', LONG)
      expectEqual('not claimed', await store.set(key, 'two', LONG, null), false)
      expectEqual('not replaced', await store.set(key, 'two', LONG, 'other'), false)
      expectEqual('not removed', await store.delete(key, 'other'), false)
      expectEqual('replaced', await store.set(key, 'two', LONG, 'one'), true)
      expectEqual('read', await store.get(key), 'two')
      expectEqual('removed', [await store.delete(key, 'two'), await store.get(key)], [true, undefined])
    }),
})
