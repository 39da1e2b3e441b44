// The snippets of docs/guide/stores.md.
import type { Shown } from '../../scripts/snippets.ts'

// #region memory
import { memoryStore, type Store } from 'edict/stores'

const store: Store = memoryStore()
// #endregion

// #region outside
import { postgresStore, type PostgresClient, type RedisClient, redisStore } from 'edict/stores'

/** The client of ioredis or of node-redis that the application has. */
export const inRedis = (client: RedisClient): Store => redisStore(client, { prefix: 'shop:', timeout: 250 })

/** The pool of pg that the application has. */
export const inPostgres = (pool: PostgresClient): Store => postgresStore(pool)
// #endregion

// #region kysely
import { CompiledQuery, type Kysely } from 'kysely'

/** Any other client, through a function that runs a statement. */
export const throughKysely = <DB>(db: Kysely<DB>): Store =>
  postgresStore(async (text, values) => (await db.executeQuery(CompiledQuery.raw(text, [...values]))).rows)
// #endregion

// #region own
import { StoreError } from 'edict/stores'

/** A store that counts what it is asked for. */
export function counting(inner: Store): Store & { readonly asked: () => number } {
  let asked = 0
  const counted = <T>(value: T): T => {
    asked += 1
    return value
  }
  return {
    asked: () => asked,
    count: (key, ttl) => counted(inner.count(key, ttl)),
    get: (key) => counted(inner.get(key)),
    set: (key, value, ttl, expected) => counted(inner.set(key, value, ttl, expected)),
    delete: (key, expected) => counted(inner.delete(key, expected)),
  }
}
// #endregion

// #region suite
import { type StoreHarness, storeSuite } from 'edict/stores/suite'

/** Registers the tests of a store with a test runner. */
export const testCounting = (test: StoreHarness['test']): void => {
  const shared = counting(memoryStore())
  storeSuite({ test, open: async () => ({ store: shared, close: async () => {} }) })
}
// #endregion

async function asked(): Promise<string> {
  // #region use
  const first = await store.count('visits', 60_000)
  const second = await store.count('visits', 60_000)
  const claims = [await store.set('seat 12', 'Ada', 60_000, null), await store.set('seat 12', 'Alan', 60_000, null)]
  const holder = await store.get('seat 12')
  // #endregion
  return [first.count, second.count, ...claims, holder].join(', ')
}

async function full(): Promise<string> {
  try {
    await memoryStore({ characters: 10 }).set('key', 'a long value', 60_000)
    return 'kept'
  } catch (error) {
    return error instanceof StoreError ? `StoreError: ${error.message}` : 'another error'
  }
}

/** The answers that the page shows. */
export const shown: Shown = { asked, full }
