// The carrier suite: tests for your own carrier of events, with any test runner.
import { createGapTests } from './gap-tests.ts'
import type { CarrierHarness } from './harness.ts'
import { createKeyTests } from './key-tests.ts'
import { createNameTests } from './name-tests.ts'
import { createOrderTests } from './order-tests.ts'
import { createOutageTests } from './outage-tests.ts'
import { createWaitTests } from './wait-tests.ts'
import { createWalkTests } from './walk-tests.ts'

export type { CarrierHarness, OpenedCarrier } from './harness.ts'

const GROUPS = [
  createOrderTests,
  createKeyTests,
  createGapTests,
  createNameTests,
  createWaitTests,
  createWalkTests,
  createOutageTests,
]

/** Registers tests that a carrier must pass to carry the events of channels. */
export function carrierSuite(harness: CarrierHarness): void {
  for (const createTests of GROUPS)
    for (const [name, run] of Object.entries(createTests(harness))) harness.test(name, run)
}
