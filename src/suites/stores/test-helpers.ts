// Helpers of the store suite: stores that are closed again, separate keys, and expectations.
import type { Store } from '../../plugins/stores/store.ts'
import type { OpenedStore, StoreHarness } from './harness.ts'

/** Tests by their names. */
export type StoreTests = Readonly<Record<string, () => Promise<void>>>

/** Milliseconds that no test waits for. */
export const LONG_TTL = 600_000

/** A key that no other test has. */
export const createTestKey = (): string => `suite ${crypto.randomUUID()}`

/** Insists that two plain values are equal. */
export function assertEqual(what: string, actual: unknown, expected: unknown): void {
  const [one, other] = [JSON.stringify(actual), JSON.stringify(expected)]
  if (one !== other) throw new Error(`${what}\nexpected: ${other}\nactual:   ${one}`)
}

/** Opens a store for one test. */
export async function withStore(harness: StoreHarness, run: (store: Store) => Promise<void>): Promise<void> {
  await withStores([await harness.open()], ([store]) => run(store as Store))
}

/** Opens the store in three processes, or three times where it belongs to one. */
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

/** Waits until something holds; the runner's own time limit ends what never does. */
export async function waitUntil(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await pause(10)
}

/** Waits. */
const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))
