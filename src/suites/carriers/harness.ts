// The harness of the carrier suite: a test runner and the carrier under test.
import type { Carrier } from '../../plugins/channels/index.ts'

/** An open carrier. */
export interface OpenedCarrier {
  readonly carrier: Carrier
  close(): Promise<void>
}

/** The test runner and the carrier under test that the suite needs. */
export interface CarrierHarness {
  /** Registers a test: `test` or `it` of the runner. */
  test(name: string, run: () => Promise<void>): void
  /** Opens the carrier; all open carriers share the same channels. */
  open(): Promise<OpenedCarrier>
  /** Opens the same carrier in another process; omitted for a carrier that belongs to one process. */
  elsewhere?(): Promise<OpenedCarrier>
  /** Stops the server of the carrier at once, and starts it again; omitted for a carrier that lives in the process. */
  restart?(): Promise<void>
  /** Keeps the server from responding until the returned function is called. */
  stall?(): Promise<() => Promise<void>>
}
