// The relay of an outbox: it delivers committed messages, batch by batch, and removes those that are delivered.
import { form, waitAtMost } from '../../extend.ts'
import type { OutboxRow } from './outbox-statements.ts'
import { pause } from './pause.ts'
import type { RelayTable } from './relay-table.ts'

/** A message to deliver. */
export interface RelayedMessage {
  /** Tells a message from all others: one that is delivered again, after a crash or a failure, has the same key. */
  readonly key: string
  readonly text: string
}

/** Delivers messages of one topic, in their order; all of them are delivered again if it rejects. */
export type Deliver = (messages: readonly RelayedMessage[]) => Promise<void>

/** The options of a relay. */
export interface RelayOptions {
  /**
   * The time between two looks at the table; after messages were added in this process it is shorter for a while, and a pool of
   * `pg` tells of those of other processes.
   * @default `'200ms'`
   */
  readonly poll?: form.Duration
  /**
   * The most messages that are delivered at once.
   * @default 100
   */
  readonly batch?: number
  /**
   * The time after which a delivery counts as failed.
   * @default `'10s'`
   */
  readonly timeout?: form.Duration
  /**
   * Receives failures of deliveries and of the database; the relay tries again, after pauses of up to 5 seconds.
   * @default ignores them
   */
  readonly onFailure?: (error: unknown) => void
}

/** A relay that works. */
export interface Relay {
  /** Ends it; resolves after the delivery that has begun. */
  stop(): Promise<void>
}

/** The form of the options of a relay. */
export const RELAY_FIELDS: form.Fields<RelayOptions> = {
  poll: form.duration(1),
  batch: form.integerFrom(1),
  timeout: form.duration(1),
  onFailure: form.callable,
}

/** Milliseconds before something that failed is tried again: the first and the longest pause. */
const RETRY = { first: 50, longest: 5000 }
/** The first pause after a message was added in this process: its transaction has to commit. */
const EAGER_PAUSE = 4

/** The pause of something that has failed. */
interface Failing {
  readonly pause: number
  readonly until: number
}

/** One relay of a process. */
export class OutboxRelay implements Relay {
  readonly #table: RelayTable
  readonly #routes: ReadonlyMap<string, Deliver>
  readonly #poll: number
  readonly #batch: number
  readonly #timeout: number
  readonly #onFailure: (error: unknown) => void
  readonly #stopping = new AbortController()
  readonly #failing = new Map<string, Failing>()
  #sleeping = new AbortController()
  #idlePause: number
  #running: Promise<void> | undefined

  constructor(openTable: (timeout: number) => RelayTable, routes: ReadonlyMap<string, Deliver>, options: RelayOptions) {
    const settings = form.validateSettings('relay', options, RELAY_FIELDS)
    this.#poll = form.toMilliseconds(settings.poll ?? '200ms')
    this.#batch = settings.batch ?? 100
    this.#timeout = form.toMilliseconds(settings.timeout ?? '10s')
    this.#onFailure = settings.onFailure ?? (() => undefined)
    this.#idlePause = this.#poll
    this.#routes = routes
    this.#table = openTable(this.#timeout)
  }

  start(): void {
    this.#running ??= this.#run()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#sleeping.abort()
    await this.#running
  }

  /** Looks at the table again soon, and more often for a while. */
  wake(): void {
    this.#idlePause = EAGER_PAUSE
    this.#sleeping.abort()
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping
    let retry = RETRY.first
    while (!signal.aborted) {
      try {
        const hasMoved = await this.#moveBatch()
        retry = RETRY.first
        if (!hasMoved) await this.#idle()
      } catch (error) {
        if (!signal.aborted) this.#report(error)
        await pause(retry, signal)
        retry = Math.min(retry * 2, RETRY.longest)
      }
    }
    await this.#table.release().catch((error: unknown) => this.#report(error))
  }

  /** Moves one batch and returns whether there may be more to move now. */
  async #moveBatch(): Promise<boolean> {
    const now = Date.now()
    const topics = [...this.#routes.keys()].filter((topic) => (this.#failing.get(topic)?.until ?? 0) <= now)
    if (topics.length > 0 && (await this.#table.hasMessages(topics))) {
      const count = await this.#table.move(topics, this.#batch, (rows) => this.#deliverAll(rows))
      if (count !== undefined && count > 0) return true
    }
    await this.#table.release()
    return false
  }

  /** Waits for the next look; a call of `wake` shortens the wait. */
  async #idle(): Promise<void> {
    this.#sleeping = new AbortController()
    if (this.#stopping.signal.aborted) return
    const retries = [...this.#failing.values()].map(({ until }) => until - Date.now()).filter((left) => left > 0)
    await pause(Math.min(this.#idlePause, ...retries), this.#sleeping.signal)
    if (this.#sleeping.signal.aborted) await pause(EAGER_PAUSE, this.#stopping.signal)
    else this.#idlePause = Math.min(this.#idlePause * 2, this.#poll)
  }

  /** Delivers messages, each topic for itself, and returns those that were. */
  async #deliverAll(rows: readonly OutboxRow[]): Promise<readonly OutboxRow[]> {
    const byTopic = new Map<string, OutboxRow[]>()
    for (const row of rows) byTopic.set(row.topic, [...(byTopic.get(row.topic) ?? []), row])
    const groups = await Promise.all(
      [...byTopic].map(async ([topic, group]) => ((await this.#deliver(topic, group)) ? group : [])),
    )
    return groups.flat()
  }

  async #deliver(topic: string, rows: readonly OutboxRow[]): Promise<boolean> {
    const deliver = this.#routes.get(topic) as Deliver
    try {
      await waitAtMost(this.#timeout, startDelivery(deliver, rows), () =>
        Promise.reject(new Error(`outbox: '${topic}' was not delivered within ${this.#timeout} ms`)),
      )
      this.#failing.delete(topic)
      return true
    } catch (error) {
      const last = this.#failing.get(topic)?.pause
      const next = last === undefined ? RETRY.first : Math.min(last * 2, RETRY.longest)
      this.#failing.set(topic, { pause: next, until: Date.now() + next })
      this.#report(error)
      return false
    }
  }

  #report(error: unknown): void {
    try {
      this.#onFailure(error)
    } catch {
      // A broken report must not end the relay.
    }
  }
}

// A delivery may throw before it returns a promise.
const startDelivery = async (deliver: Deliver, rows: readonly OutboxRow[]): Promise<void> =>
  deliver(rows.map(({ key, text }) => ({ key, text })))
