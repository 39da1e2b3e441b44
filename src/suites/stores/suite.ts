// The store suite: tests for your own store, with any test runner.
import { createCounterTests } from './counter-tests.ts'
import type { StoreHarness } from './harness.ts'
import { createOutageTests } from './outage-tests.ts'
import { createTransactionTests } from './transaction-tests.ts'
import { createValueTests } from './value-tests.ts'

export type { OpenedStore, StoreHarness, SuiteTransaction } from './harness.ts'

/** Registers tests that a store must pass to be used for limits, idempotency keys and sessions. */
export function storeSuite(harness: StoreHarness): void {
  for (const tests of [createCounterTests, createValueTests, createOutageTests, createTransactionTests])
    for (const [name, run] of Object.entries(tests(harness))) harness.test(name, run)
}
