// The store suite: tests for your own store, with any test runner.
import { countings } from './counters.ts'
import type { StoreHarness } from './harness.ts'
import { outages } from './outages.ts'
import { locking } from './transactions.ts'
import { valueTests } from './values.ts'

export type { OpenedStore, StoreHarness, SuiteTransaction } from './harness.ts'

/** Registers tests that a store must pass to be used for limits, idempotency keys and sessions. */
export function storeSuite(harness: StoreHarness): void {
  for (const tests of [countings, valueTests, outages, locking])
    for (const [name, run] of Object.entries(tests(harness))) harness.test(name, run)
}
