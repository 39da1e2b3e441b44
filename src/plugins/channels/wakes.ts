// Wakes readers when events come, over one connection for all channels of a carrier, or after a pause where there is none.
import { waitAtMost } from '../../extend.ts'
import { comparePositions, type Position, parsePosition } from './carrier.ts'
import { sleep } from './tail.ts'

/** A connection that tells of new events. */
export interface WakeSource {
  /** Begins to tell of the events of a channel. */
  follow(channel: string): Promise<unknown>
  /** Ends what `follow` began. */
  leave(channel: string): void
  /** Fails if the connection does not respond. */
  check(): Promise<unknown>
  close(): void
}

/** The reports of a connection. */
export interface WakeReports {
  /** An event has come, at this position. */
  readonly heard: (channel: string, position: string) => void
  /** The connection is lost. */
  readonly lost: () => void
}

/** Opens a connection, which the first `follow` waits for. */
export type OpenWakeSource = (reports: WakeReports) => WakeSource

/** The parts of `Wakes`. */
export interface WakeParts {
  /** Opens the connection; undefined if there is none. */
  readonly open: OpenWakeSource | undefined
  /** Returns the position of the last event of a channel. */
  readonly last: (channel: string) => Promise<string>
  /** The pause between two reads without a connection, in milliseconds. */
  readonly poll: number
  /** The timeout of the connection, in milliseconds. */
  readonly timeout: number
}

/** A reader looks again after this time even if nothing was heard: a connection can be dead without a sign. */
const LONGEST_WAIT = 5000
/** The pause after a connection that failed, before the next one. */
const RETRY_PAUSE = 2000
/** The time for which a channel without readers is followed, because its reader is about to come back. */
const LINGER = 10_000

interface FollowedChannel {
  readonly waiting: Set<() => void>
  /** Resolves when the channel is followed: false if it cannot be. */
  readonly started: Promise<boolean>
  isLive: boolean
  /** The last position that was heard of. */
  heard?: Position | undefined
  usedAt: number
}

/** One connection, and the channels that are followed over it. */
class Session {
  readonly source: WakeSource
  readonly channels = new Map<string, FollowedChannel>()
  readonly #parts: WakeParts

  constructor(source: WakeSource, parts: WakeParts) {
    this.source = source
    this.#parts = parts
  }

  follow(channel: string): FollowedChannel {
    const known = this.channels.get(channel)
    if (known !== undefined) return known
    const start = async (): Promise<void> => {
      await this.bound(this.source.follow(channel))
      // Nothing was heard before.
      followed.heard = parsePosition(await this.#parts.last(channel))
      followed.isLive = true
    }
    const started = start().then(
      () => true,
      () => false,
    )
    const followed: FollowedChannel = { waiting: new Set(), started, isLive: false, usedAt: Date.now() }
    this.channels.set(channel, followed)
    return followed
  }

  bound(work: Promise<unknown>): Promise<unknown> {
    return waitAtMost(this.#parts.timeout, work, () => Promise.reject(new Error('The connection does not respond')))
  }

  hear(channel: string, position: string): void {
    const followed = this.channels.get(channel)
    if (followed === undefined) return
    const heard = parsePosition(position)
    if (heard?.generation === followed.heard?.generation) followed.heard = heard
    // A position of another generation may be that of another database, whose notifications come here, too.
    else this.#ask(channel, followed)
    wakeAll(followed.waiting)
  }

  #ask(channel: string, followed: FollowedChannel): void {
    const learn = async (): Promise<void> => {
      followed.heard = parsePosition(await this.#parts.last(channel))
    }
    learn().catch(() => {})
  }

  /** Leaves the channels that nobody has waited for of late; returns whether any is left. */
  leaveUnused(): boolean {
    for (const [name, { waiting, usedAt }] of this.channels) {
      if (waiting.size > 0 || usedAt > Date.now() - LINGER) continue
      this.channels.delete(name)
      this.source.leave(name)
    }
    return this.channels.size > 0
  }

  end(): void {
    this.source.close()
    for (const { waiting } of this.channels.values()) wakeAll(waiting)
    this.channels.clear()
  }
}

function wakeAll(waiting: Set<() => void>): void {
  const all = [...waiting]
  waiting.clear()
  for (const wake of all) wake()
}

/** Wakes the readers of a carrier. */
export class Wakes {
  readonly #parts: WakeParts
  #session: Session | undefined
  #sweep: ReturnType<typeof setInterval> | undefined
  #failedAt = Number.NEGATIVE_INFINITY

  constructor(parts: WakeParts) {
    this.#parts = parts
  }

  /** Waits until there may be an event behind a position. */
  async wait(channel: string, after: string, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return
    const session = this.#ensureSession()
    if (session === undefined) return sleep(this.#parts.poll, signal)
    const followed = session.follow(channel)
    followed.usedAt = Date.now()
    if (followed.isLive || (await untilAborted(followed.started, signal))) return park(followed, after, signal)
    if (signal.aborted) return
    this.#fail(session)
    return sleep(this.#parts.poll, signal)
  }

  #ensureSession(): Session | undefined {
    if (this.#session !== undefined) return this.#session
    const { open } = this.#parts
    if (open === undefined || Date.now() - this.#failedAt < RETRY_PAUSE) return undefined
    const reports: WakeReports = {
      heard: (channel, position) => session.hear(channel, position),
      lost: () => this.#end(session),
    }
    const session: Session = new Session(open(reports), this.#parts)
    this.#session = session
    this.#sweep = setInterval(() => void this.#tidy(session), LONGEST_WAIT)
    releaseTimer(this.#sweep)
    return session
  }

  async #tidy(session: Session): Promise<void> {
    if (!session.leaveUnused()) return this.#end(session)
    await session.bound(session.source.check()).catch(() => this.#end(session))
  }

  #fail(session: Session): void {
    this.#failedAt = Date.now()
    this.#end(session)
  }

  #end(session: Session): void {
    if (this.#session !== session) return
    this.#session = undefined
    clearInterval(this.#sweep)
    session.end()
  }

  /** Closes the connection; readers that wait look once more. */
  close(): void {
    if (this.#session !== undefined) this.#fail(this.#session)
  }
}

/** Waits for an event behind a position that was not heard of yet. */
function park({ waiting, heard }: FollowedChannel, after: string, signal: AbortSignal): Promise<void> {
  const position = parsePosition(after)
  const isBehind = position === undefined || (heard !== undefined && comparePositions(heard, position) > 0)
  if (isBehind || signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      waiting.delete(end)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, LONGEST_WAIT)
    waiting.add(end)
    signal.addEventListener('abort', end)
  })
}

function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const end = (): void => resolve(undefined)
    signal.addEventListener('abort', end)
    work.finally(() => signal.removeEventListener('abort', end)).then(resolve, reject)
  })
}

/** A timer that tidies up must not keep a process alive; browsers have numbers for timers. */
function releaseTimer(timer: unknown): void {
  if (typeof timer === 'object' && timer !== null && 'unref' in timer && typeof timer.unref === 'function')
    timer.unref()
}
