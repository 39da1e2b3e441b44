// Tests of a store whose server stalls or restarts: it fails in bounded time, and continues with its data.

import type { Store } from '../../plugins/stores/index.ts'
import { assertEqual, waitUntil } from '../assertions.ts'
import type { StoreHarness } from './harness.ts'
import { createTestKey, LONG_TTL, type StoreTests, withStore, withThreeStores } from './test-helpers.ts'

/** Creates the tests of outages, as far as the harness can cause them. */
export function createOutageTests(harness: StoreHarness): StoreTests {
  return { ...(harness.stall && createStallTests(harness)), ...(harness.restart && createRestartTests(harness)) }
}

const isStoreError = (error: unknown): boolean => Reflect.get(Object(error), '~storeError') === true

async function describeOutcome(work: unknown): Promise<string> {
  try {
    await work
    return 'answered'
  } catch (error) {
    return isStoreError(error) ? 'StoreError' : `another error: ${String(error)}`
  }
}

const createStallTests = (harness: StoreHarness): StoreTests => ({
  'a server that does not respond is a StoreError in every method, and its replies are read when it does again': () =>
    withStore(harness, async (store) => {
      const key = createTestKey()
      await store.set(key, 'kept', LONG_TTL)
      const resume = await harness.stall?.()
      const calls = [
        store.count(key, LONG_TTL),
        store.get(key),
        store.set(key, 'x', LONG_TTL, null),
        store.delete(key, 'x'),
      ]
      const outcomes = await Promise.all(calls.map(describeOutcome))
      await resume?.()
      assertEqual('outcomes', outcomes, Array(4).fill('StoreError'))
      await waitUntil(async () => (await describeOutcome(store.get(key))) === 'answered')
      assertEqual('the value', await store.get(key), 'kept')
    }),
})

// A process may not know yet that its connection is lost: only another attempt shows it.
async function retryWhileDown<T>(work: () => T | Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isStoreError(error)) throw error
    }
  }
}

const createRestartTests = (harness: StoreHarness): StoreTests => ({
  'values and counters outlive a restart of the server, in three processes': () =>
    withThreeStores(harness, async (stores) => {
      const [key, counter] = [createTestKey(), createTestKey()]
      for (const store of stores) await store.count(counter, LONG_TTL)
      await stores[0].set(key, 'before', LONG_TTL)
      await harness.restart?.()
      for (const store of stores) assertEqual('the value', await retryWhileDown(() => store.get(key)), 'before')
      // An increment whose response was lost may have been counted: the counter is at least the acknowledged value.
      const { count } = await retryWhileDown(() => stores[1].count(counter, LONG_TTL))
      assertEqual('the counter goes on', count >= 4, true)
      assertEqual('not claimed twice', await retryWhileDown(() => stores[2].set(key, 'after', LONG_TTL, null)), false)
    }),

  'every call during a restart gets a reply or a StoreError': () =>
    withThreeStores(harness, async (stores) => {
      let isOver = false
      const seen = new Set<string>()
      const running = stores.map(async (store: Store) => {
        while (!isOver) seen.add(await describeOutcome(store.count(createTestKey(), LONG_TTL)))
      })
      await harness.restart?.()
      for (const store of stores) await retryWhileDown(() => store.get('x'))
      isOver = true
      await Promise.all(running)
      assertEqual(
        'outcomes',
        [...seen].filter((one) => one !== 'answered' && one !== 'StoreError'),
        [],
      )
    }),
})
