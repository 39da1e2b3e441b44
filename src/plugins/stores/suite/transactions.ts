// Keys of a store in a transaction of the application: there when it commits, and never otherwise.
import type { Store, StoreTransaction } from '../store.ts'
import { expectEqual, freshKey, LONG, type Tests, withStore } from './check.ts'
import type { StoreHarness, SuiteTransaction } from './harness.ts'

interface Open extends SuiteTransaction {
  readonly keys: StoreTransaction
}

/** The tests of transactions, where there are some. */
export const locking = (harness: StoreHarness): Tests =>
  harness.transaction === undefined ? {} : { ...endings(harness), ...locks(harness) }

async function begin({ transaction }: StoreHarness, store: Store): Promise<Open> {
  const open = (await transaction?.()) as SuiteTransaction
  return { ...open, keys: (store.within as NonNullable<Store['within']>)(open.connection) }
}

const endings = (harness: StoreHarness): Tests => ({
  'a transaction that commits leaves its key, one that is rolled back leaves none': () =>
    withStore(harness, async (store) => {
      const key = freshKey()
      // The table of a store may be made by its first use, which must not be in a transaction.
      await store.get(key)
      for (const how of ['rollback', 'commit'] as const) {
        const { keys, end } = await begin(harness, store)
        expectEqual('locked', await keys.lock(key), true)
        expectEqual('nothing yet', await keys.get(key), undefined)
        expectEqual('added', await keys.add(key, how, LONG), true)
        expectEqual('seen inside', await keys.get(key), how)
        expectEqual('not seen outside', await store.get(key), undefined)
        await end(how)
      }
      expectEqual('what is left', await store.get(key), 'commit')
      const { keys, end } = await begin(harness, store)
      expectEqual('not added twice', [await keys.lock(key), await keys.add(key, 'x', LONG)], [true, false])
      await end('rollback')
    }),
})

const locks = (harness: StoreHarness): Tests => ({
  'a key that one transaction has taken is not given to another before it ends': () =>
    withStore(harness, async (store) => {
      const key = freshKey()
      await store.get(key)
      const [one, other] = await Promise.all([begin(harness, store), begin(harness, store)])
      expectEqual('taken', [await one.keys.lock(key), await other.keys.lock(key)], [true, false])
      expectEqual('another key', await other.keys.lock(`${key} other`), true)
      await one.keys.add(key, 'one', LONG)
      await one.end('commit')
      expectEqual('free again', [await other.keys.lock(key), await other.keys.get(key)], [true, 'one'])
      await other.end('rollback')
    }),
})
