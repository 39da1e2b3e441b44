// The settings of the server under test, as JSON on its command line.
import type { ServeOptions } from '../../../../src/adapters/node/index.ts'

/** Settings of the server under test; what is left out is as a careful operator would have it. */
export interface Settings {
  readonly serve?: Omit<ServeOptions, 'logger' | 'onClose'>
  /** Milliseconds for each stage that waits. */
  readonly deadline?: number
  /** `postgres://…` or `file:…`; without it there are no notes. */
  readonly database?: string
  /** Settings of the pool of PostgreSQL. */
  readonly pool?: {
    readonly max?: number
    readonly connectionTimeoutMillis?: number
    readonly statement_timeout?: number
    readonly query_timeout?: number
  }
  /** Whether errors of the pool's idle connections have a listener; true. */
  readonly poolListener?: boolean
  /** A file: while it exists, the program ends at its start, as a faulty new version does. */
  readonly trap?: string
  /** Answers writes before they are done: a mistake, to show what finds it. */
  readonly early?: boolean
  /** Keeps something of every request for ever: a mistake, to show what finds it. */
  readonly leak?: boolean
}

/** The measurements that the server under test reports. */
export interface Gauge {
  readonly pid: number
  /** Megabytes in use after a collection of garbage. */
  readonly heap: number
  /** The delay of the event loop that it stayed below in 99 % of the time since the last look, in milliseconds. */
  readonly delay: number
  /** The number of aborted actions, by the deadline and by a client that disconnected. */
  readonly late: number
  readonly gone: number
  readonly pool: { readonly total: number; readonly idle: number; readonly waiting: number }
}
