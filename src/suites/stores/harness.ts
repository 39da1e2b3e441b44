// The harness of the store suite: a test runner and the store under test.
import type { Store } from '../../plugins/stores/index.ts'

/** An open store. */
export interface OpenedStore {
  readonly store: Store
  close(): Promise<void>
}

/** A transaction of the application, in the database of a store. */
export interface SuiteTransaction {
  /** The argument of the store's `within`. */
  readonly connection: unknown
  /** Ends the transaction. */
  end(how: 'commit' | 'rollback'): Promise<void>
}

/** The test runner and the store under test that the suite needs. */
export interface StoreHarness {
  /** Registers a test: `test` or `it` of the runner. */
  test(name: string, run: () => Promise<void>): void
  /** Opens the store; all open stores share the same keys. */
  open(): Promise<OpenedStore>
  /** Opens the same store in another process; omitted for a store that belongs to one process. */
  elsewhere?(): Promise<OpenedStore>
  /** Stops the server of the store at once, and starts it again; omitted for a store that lives in the process. */
  restart?(): Promise<void>
  /** Keeps the server from responding until the returned function is called. */
  stall?(): Promise<() => Promise<void>>
  /** Begins a transaction; omitted for a store without `within`. */
  transaction?(): Promise<SuiteTransaction>
}
