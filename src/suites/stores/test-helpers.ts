// Helpers of the store suite: open and close stores, and create unique keys.
import type { Store } from '../../plugins/stores/index.ts'
import type { OpenedStore, StoreHarness } from './harness.ts'

/** Tests by their names. */
export type StoreTests = Readonly<Record<string, () => Promise<void>>>

/** A time in milliseconds that no test waits for. */
export const LONG_TTL = 600_000

/** Creates a key that no other test uses. */
export const createTestKey = (): string => `suite ${crypto.randomUUID()}`

/** Runs a test with a store, and closes it. */
export async function withStore(harness: StoreHarness, run: (store: Store) => Promise<void>): Promise<void> {
  await withStores([await harness.open()], ([store]) => run(store as Store))
}

/** Runs a test with the store in three processes, or opened three times if it lives in one. */
export async function withThreeStores(
  harness: StoreHarness,
  run: (stores: readonly [Store, Store, Store]) => Promise<void>,
): Promise<void> {
  const open = (): Promise<OpenedStore> => harness.elsewhere?.() ?? harness.open()
  await withStores(await Promise.all([open(), open(), open()]), (stores) =>
    run(stores as unknown as readonly [Store, Store, Store]),
  )
}

async function withStores(
  opened: readonly OpenedStore[],
  run: (stores: readonly Store[]) => Promise<void>,
): Promise<void> {
  try {
    await run(opened.map(({ store }) => store))
  } finally {
    await Promise.all(opened.map((one) => one.close()))
  }
}
