// Tests of a store's keys in a transaction of the application: they exist if it commits, and never otherwise.

import type { Store, StoreTransaction } from '../../plugins/stores/index.ts'
import { assertEqual } from '../assertions.ts'
import type { StoreHarness, SuiteTransaction } from './harness.ts'
import { createTestKey, LONG_TTL, type StoreTests, withStore } from './test-helpers.ts'

interface BegunTransaction extends SuiteTransaction {
  readonly storeKeys: StoreTransaction
}

/** Creates the tests of transactions, if the harness has them. */
export const createTransactionTests = (harness: StoreHarness): StoreTests =>
  harness.transaction === undefined ? {} : { ...createCommitTests(harness), ...createLockTests(harness) }

async function beginTransaction({ transaction }: StoreHarness, store: Store): Promise<BegunTransaction> {
  const opened = (await transaction?.()) as SuiteTransaction
  return { ...opened, storeKeys: (store.within as NonNullable<Store['within']>)(opened.connection) }
}

const createCommitTests = (harness: StoreHarness): StoreTests => ({
  'a transaction that commits leaves its key, one that is rolled back leaves none': () =>
    withStore(harness, async (store) => {
      const key = createTestKey()
      // A store may create its table at first use, which must not be in a transaction.
      await store.get(key)
      for (const how of ['rollback', 'commit'] as const) {
        const { storeKeys: keys, end } = await beginTransaction(harness, store)
        assertEqual('locked', await keys.lock(key), true)
        assertEqual('nothing yet', await keys.get(key), undefined)
        assertEqual('added', await keys.add(key, how, LONG_TTL), true)
        assertEqual('seen inside', await keys.get(key), how)
        assertEqual('not seen outside', await store.get(key), undefined)
        await end(how)
      }
      assertEqual('what is left', await store.get(key), 'commit')
      const { storeKeys: keys, end } = await beginTransaction(harness, store)
      assertEqual('not added twice', [await keys.lock(key), await keys.add(key, 'x', LONG_TTL)], [true, false])
      await end('rollback')
    }),
})

const createLockTests = (harness: StoreHarness): StoreTests => ({
  'a key that one transaction has taken is not given to another before it ends': () =>
    withStore(harness, async (store) => {
      const key = createTestKey()
      await store.get(key)
      const [one, other] = await Promise.all([beginTransaction(harness, store), beginTransaction(harness, store)])
      assertEqual('taken', [await one.storeKeys.lock(key), await other.storeKeys.lock(key)], [true, false])
      assertEqual('another key', await other.storeKeys.lock(`${key} other`), true)
      await one.storeKeys.add(key, 'one', LONG_TTL)
      await one.end('commit')
      assertEqual('free again', [await other.storeKeys.lock(key), await other.storeKeys.get(key)], [true, 'one'])
      await other.end('rollback')
    }),
})
