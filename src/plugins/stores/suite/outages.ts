// A store whose server stalls or restarts: it fails in bounded time, and continues with its data.
import type { Store } from '../store.ts'
import { expectEqual, freshKey, LONG, type Tests, until, withStore, withThree } from './check.ts'
import type { StoreHarness } from './harness.ts'

/** The tests of outages, as far as the harness can cause them. */
export function outages(harness: StoreHarness): Tests {
  return { ...(harness.stall && stalls(harness)), ...(harness.restart && restarts(harness)) }
}

const isStoreError = (error: unknown): boolean => Reflect.get(Object(error), '~storeError') === true

async function outcome(work: unknown): Promise<string> {
  try {
    await work
    return 'answered'
  } catch (error) {
    return isStoreError(error) ? 'StoreError' : `another error: ${String(error)}`
  }
}

const stalls = (harness: StoreHarness): Tests => ({
  'a server that does not answer is a StoreError in every method, and answers are taken when it does again': () =>
    withStore(harness, async (store) => {
      const key = freshKey()
      await store.set(key, 'kept', LONG)
      const resume = await harness.stall?.()
      const asked = [store.count(key, LONG), store.get(key), store.set(key, 'x', LONG, null), store.delete(key, 'x')]
      const outcomes = await Promise.all(asked.map(outcome))
      await resume?.()
      expectEqual('outcomes', outcomes, Array(4).fill('StoreError'))
      await until(async () => (await outcome(store.get(key))) === 'answered')
      expectEqual('the value', await store.get(key), 'kept')
    }),
})

// A process may not know yet that its connection has gone: it has to be told by trying.
async function patiently<T>(work: () => T | Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isStoreError(error)) throw error
    }
  }
}

const restarts = (harness: StoreHarness): Tests => ({
  'values and counters outlive a restart of the server, in three places': () =>
    withThree(harness, async (stores) => {
      const [key, counter] = [freshKey(), freshKey()]
      for (const store of stores) await store.count(counter, LONG)
      await stores[0].set(key, 'before', LONG)
      await harness.restart?.()
      for (const store of stores) expectEqual('the value', await patiently(() => store.get(key)), 'before')
      // An addition whose answer was lost may have been counted: never less than what was acknowledged.
      const { count } = await patiently(() => stores[1].count(counter, LONG))
      expectEqual('the counter goes on', count >= 4, true)
      expectEqual('not claimed twice', await patiently(() => stores[2].set(key, 'after', LONG, null)), false)
    }),

  'whatever is asked during a restart is answered or a StoreError': () =>
    withThree(harness, async (stores) => {
      let over = false
      const seen = new Set<string>()
      const asking = stores.map(async (store: Store) => {
        while (!over) seen.add(await outcome(store.count(freshKey(), LONG)))
      })
      await harness.restart?.()
      for (const store of stores) await patiently(() => store.get('x'))
      over = true
      await Promise.all(asking)
      expectEqual(
        'outcomes',
        [...seen].filter((one) => one !== 'answered' && one !== 'StoreError'),
        [],
      )
    }),
})
