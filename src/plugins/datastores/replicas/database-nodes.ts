// The nodes of a database: writes run on the primary, reads on replicas that have caught up with their caller. A replica that
// fails is skipped for a while, and its reads run on the primary.
import type { Caller } from '../../query/replication.ts'
import { classifySqlError, findInCauses, readErrorDetails } from '../sql/classify-error.ts'
import { redactErrors } from '../sql/redact-errors.ts'
import { findFailureEffect, runWithRetries } from '../sql/retry-statements.ts'
import type { SqlClient } from '../sql/sql.ts'
import { detectPositionLog, type PositionLog } from './positions.ts'

/** A node of a database: the datastore of it, and its client, which reads its position in the log. */
export interface DatabaseNode<D> {
  readonly datastore: D
  readonly client: SqlClient
}

/** The milliseconds for which a replica is skipped after its first failure, and at most. */
const [BACKOFF_MS, MAX_BACKOFF_MS] = [500, 15_000]

/** The milliseconds in which a node must report its position. */
const POSITION_TIMEOUT_MS = 1000

class Replica<D> {
  readonly datastore: D
  readonly client: SqlClient
  #failures = 0
  #retryAfter = 0
  #probe: Promise<void> | undefined

  constructor({ datastore, client }: DatabaseNode<D>) {
    this.datastore = datastore
    this.client = redactErrors(client)
  }

  markFailed(): void {
    this.#retryAfter = performance.now() + Math.min(BACKOFF_MS * 2 ** this.#failures, MAX_BACKOFF_MS)
    this.#failures = Math.min(this.#failures + 1, 10)
  }

  /** Returns whether the replica can be read from. Probes a failed one in the background. */
  isAvailable(probe: (client: SqlClient) => Promise<unknown>): boolean {
    if (this.#failures === 0) return true
    if (performance.now() < this.#retryAfter) return false
    this.#probe ??= probe(this.client)
      .then(
        () => {
          this.#failures = 0
        },
        () => this.markFailed(),
      )
      .finally(() => {
        this.#probe = undefined
      })
    return false
  }
}

/** A caller, with the replica chosen for it, and the wait until the primary has reached the caller's position. */
type TrackedCaller<D> = Caller & {
  chosen?: Promise<Replica<D> | undefined> | undefined
  caughtUp?: Promise<void> | undefined
}

/** The members of Node's AsyncLocalStorage that are needed. */
interface CallerStorage<D> {
  run<V>(caller: TrackedCaller<D>, work: () => V): V
  getStore(): TrackedCaller<D> | undefined
}

function createCallerStorage<D>(): CallerStorage<D> {
  const { process } = globalThis as { readonly process?: { getBuiltinModule?(name: string): unknown } }
  const found = process?.getBuiltinModule?.('node:async_hooks') as
    | { AsyncLocalStorage: new () => CallerStorage<D> }
    | undefined
  if (found === undefined)
    throw new TypeError(
      'A datastore with replicas needs AsyncLocalStorage, to know for which request it reads. ' +
        'Remedy: use Node 20.16 or newer, Deno or Bun, or leave out replicas',
    )
  return new found.AsyncLocalStorage()
}

/** A primary node and its replicas; D is the type of their datastores. */
export class DatabaseNodes<D> {
  /** The datastore of the primary node. */
  readonly primary: D
  readonly #client: SqlClient
  readonly #replicas: readonly Replica<D>[]
  readonly #callers: CallerStorage<D> = createCallerStorage()
  #log: Promise<PositionLog> | undefined
  #lastIndex = 0
  #lastPosition: string | undefined
  #pendingPosition: Promise<string> | undefined

  constructor(primary: DatabaseNode<D>, replicas: readonly DatabaseNode<D>[]) {
    this.primary = primary.datastore
    this.#client = redactErrors(primary.client)
    this.#replicas = replicas.map((node) => new Replica(node))
  }

  /** Runs work on behalf of a caller. */
  callAs<V>(caller: Caller, work: () => V): V {
    return this.#callers.run(caller, work)
  }

  /** Throws if the database does not report positions. */
  async ready(): Promise<void> {
    await this.#getLog()
  }

  /** Returns a position that includes everything written until now. */
  async position(): Promise<string> {
    const log = await this.#getLog()
    this.#lastPosition = await withTimeout(POSITION_TIMEOUT_MS, log.readPosition(this.#client))
    return this.#lastPosition
  }

  /** Reads from a replica that has caught up with the caller, or else from the primary. */
  async read<V>(work: (datastore: D) => Promise<V>): Promise<V> {
    const caller = this.#callers.getStore()
    const replica = await this.#getReplica(caller)
    if (replica === undefined) return this.readPrimary(work)
    try {
      return await work(replica.datastore)
    } catch (error) {
      if (!isTransient(error)) throw error
      // A statement cancelled in favour of replication does not mean that its node failed.
      if (findFailureEffect(error) !== 'undone' || !isServerRollback(error)) replica.markFailed()
      if (caller !== undefined) caller.chosen = Promise.resolve(undefined)
      return this.readPrimary(work)
    }
  }

  /** Reads from the primary, once it has caught up with the caller. */
  async readPrimary<V>(work: (datastore: D) => Promise<V>): Promise<V> {
    const caller = this.#callers.getStore()
    const position = caller?.position
    if (caller !== undefined && position !== undefined) {
      caller.caughtUp ??= runWithRetries('read', () => this.#catchUp(position))
      await caller.caughtUp
    }
    return work(this.primary)
  }

  /** Writes to the primary. */
  write<V>(work: (datastore: D) => Promise<V>): Promise<V> {
    this.markWrite()
    return this.readPrimary(work)
  }

  // A node of a cluster receives the writes of others a little later. A position that it has not reached then was never
  // written.
  async #catchUp(position: string): Promise<void> {
    const log = await this.#getLog()
    if (log.readSyncedPosition === undefined || !log.isPosition(position)) return
    if (this.#lastPosition !== undefined && log.hasReached(this.#lastPosition, position)) return
    if (!log.hasReached(await this.position(), position))
      this.#lastPosition = await withTimeout(POSITION_TIMEOUT_MS, log.readSyncedPosition(this.#client))
  }

  /** Records that the caller writes: from now on it reads from the primary. */
  markWrite(): void {
    const caller = this.#callers.getStore()
    if (caller !== undefined) caller.wrote = true
  }

  // All reads of a request use one node, so that related rows are equally recent.
  #getReplica(caller: TrackedCaller<D> | undefined): Promise<Replica<D> | undefined> {
    if (caller === undefined) return Promise.resolve(this.#pickNextReplica())
    if (caller.wrote) return Promise.resolve(undefined)
    caller.chosen ??= this.#chooseReplica(caller.position)
    return caller.chosen
  }

  async #chooseReplica(position: string | undefined): Promise<Replica<D> | undefined> {
    const replica = this.#pickNextReplica()
    if (replica === undefined || position === undefined) return replica
    const log = await this.#getLog()
    if (!log.isPosition(position)) return replica
    try {
      if (log.hasReached(await withTimeout(POSITION_TIMEOUT_MS, log.readPosition(replica.client)), position))
        return replica
    } catch {
      replica.markFailed()
      return undefined
    }
    const isWritten = await this.#isWritten(position, log)
    if (log.readSyncedPosition === undefined) return isWritten ? undefined : replica
    return isWritten ? undefined : this.#findCaughtUpReplica(position, log, replica)
  }

  /** Finds another replica that has reached a position; if all nodes accept writes, one of them may have written it. */
  async #findCaughtUpReplica(position: string, log: PositionLog, lagging: Replica<D>): Promise<Replica<D> | undefined> {
    for (const replica of this.#replicas) {
      if (replica === lagging || !replica.isAvailable((client) => this.#probe(client))) continue
      try {
        if (log.hasReached(await withTimeout(POSITION_TIMEOUT_MS, log.readPosition(replica.client)), position))
          return replica
      } catch {
        replica.markFailed()
      }
    }
    return undefined
  }

  // A position that the primary has not reached was invented, or was lost with a former primary: it is ignored.
  async #isWritten(position: string, log: PositionLog): Promise<boolean> {
    if (this.#lastPosition !== undefined && log.hasReached(this.#lastPosition, position)) return true
    this.#pendingPosition ??= this.position().finally(() => {
      this.#pendingPosition = undefined
    })
    try {
      return log.hasReached(await this.#pendingPosition, position)
    } catch {
      return true
    }
  }

  #pickNextReplica(): Replica<D> | undefined {
    const all = this.#replicas
    for (let i = 0; i < all.length; i++) {
      this.#lastIndex = (this.#lastIndex + 1) % all.length
      const replica = all[this.#lastIndex] as Replica<D>
      if (replica.isAvailable((client) => this.#probe(client))) return replica
    }
    return undefined
  }

  async #probe(client: SqlClient): Promise<void> {
    await withTimeout(POSITION_TIMEOUT_MS, (await this.#getLog()).readPosition(client))
  }

  #getLog(): Promise<PositionLog> {
    this.#log ??= detectPositionLog(this.#client).catch((error: unknown) => {
      this.#log = undefined
      throw error
    })
    return this.#log
  }
}

const isTransient = (error: unknown): boolean =>
  findFailureEffect(error) !== undefined || (classifySqlError(error) === 'unavailable' && !isTimeoutOrCancel(error))

/** Returns whether a node responded that it has rolled a statement back. */
const isServerRollback = (error: unknown): boolean => hasErrorCode(error, SERVER_ROLLBACK_CODES)

const SERVER_ROLLBACK_CODES: ReadonlySet<unknown> = new Set(['40001', '40P01', 1213])

/** Returns whether a statement timed out or was cancelled: it would take as long on another node. */
const isTimeoutOrCancel = (error: unknown): boolean => hasErrorCode(error, TIMEOUT_OR_CANCEL_CODES)

const TIMEOUT_OR_CANCEL_CODES: ReadonlySet<unknown> = new Set(['57014', '55P03', 1205, 1317, 1969, 3024])

const hasErrorCode = (error: unknown, wanted: ReadonlySet<unknown>): boolean =>
  findInCauses(error, (one) => readErrorDetails(one).codes.some((code) => wanted.has(code)) || undefined) ?? false

function withTimeout<V>(milliseconds: number, work: Promise<V>): Promise<V> {
  return new Promise((resolve, reject) => {
    const onTimeout = (): void => {
      const message = `A node did not report its position within ${milliseconds} ms`
      reject(Object.assign(new Error(message), { code: 'ETIMEDOUT' }))
    }
    const timer = setTimeout(onTimeout, milliseconds)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
