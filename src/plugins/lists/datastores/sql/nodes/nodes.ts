// The nodes of a database: writes go to the primary one, reads to replicas that have what their caller has seen. One that
// fails is left alone for a while, and its reads go to the primary node.
import type { Caller } from '../../../replication.ts'
import { judged, marksOf, sqlFault } from '../fault.ts'
import type { SqlClient } from '../sql.ts'
import { discreet } from './discreet.ts'
import { logOf, type PositionLog } from './positions.ts'
import { fateOf, type Intent, retried } from './retry.ts'

/** Runs work with a client, on a node that is right for it. */
export type Run = <V>(intent: Intent, work: (client: SqlClient) => Promise<V>) => Promise<V>

/** Runs everything on one connection, which may be within a transaction: an attempt by itself could not be repeated. */
export const once =
  (client: SqlClient): Run =>
  (_, work) =>
    work(client)

/** Runs everything on the connections of a pool, again where that is safe. */
export const repeatable =
  (client: SqlClient): Run =>
  (intent, work) =>
    retried(intent, () => work(client))

/** Milliseconds for which a replica is left alone after its first failure, and at most. */
const [REST, LONGEST_REST] = [500, 15_000]

/** Milliseconds that a node has to tell its position. */
const PATIENCE = 1000

class Replica {
  readonly client: SqlClient
  #failures = 0
  #restingUntil = 0
  #probe: Promise<void> | undefined

  constructor(client: SqlClient) {
    this.client = client
  }

  fail(): void {
    this.#restingUntil = performance.now() + Math.min(REST * 2 ** this.#failures, LONGEST_REST)
    this.#failures = Math.min(this.#failures + 1, 10)
  }

  /** Returns whether it may be read from. One that has failed is probed in the background. */
  isUp(ask: (client: SqlClient) => Promise<unknown>): boolean {
    if (this.#failures === 0) return true
    if (performance.now() < this.#restingUntil) return false
    this.#probe ??= ask(this.client)
      .then(
        () => {
          this.#failures = 0
        },
        () => this.fail(),
      )
      .finally(() => {
        this.#probe = undefined
      })
    return false
  }
}

/** A caller, with the replica that was chosen for it, and the wait until the primary node has what it has seen. */
type Served = Caller & { chosen?: Promise<Replica | undefined> | undefined; caughtUp?: Promise<void> | undefined }

/** The part of Node's AsyncLocalStorage that is needed. */
interface Storage {
  run<V>(caller: Served, work: () => V): V
  getStore(): Served | undefined
}

function makeStorage(): Storage {
  const { process } = globalThis as { readonly process?: { getBuiltinModule?(name: string): unknown } }
  const found = process?.getBuiltinModule?.('node:async_hooks') as { AsyncLocalStorage: new () => Storage } | undefined
  if (found === undefined)
    throw new TypeError(
      'A datastore with replicas needs AsyncLocalStorage, to know for which request it reads. ' +
        'Remedy: use Node 20.16 or newer, Deno or Bun, or leave out replicas',
    )
  return new found.AsyncLocalStorage()
}

/** A primary node and its replicas. */
export class Nodes {
  readonly #primary: SqlClient
  readonly #replicas: readonly Replica[]
  readonly #callers: Storage = makeStorage()
  #log: Promise<PositionLog> | undefined
  #turn = 0
  #newest: string | undefined
  #asking: Promise<string> | undefined

  constructor(primary: SqlClient, replicas: readonly SqlClient[]) {
    this.#primary = discreet(primary)
    this.#replicas = replicas.map((client) => new Replica(discreet(client)))
  }

  /** Runs work on behalf of a caller. */
  callAs<V>(caller: Caller, work: () => V): V {
    return this.#callers.run(caller, work)
  }

  /** Fails where the database has no positions. */
  async ready(): Promise<void> {
    await this.#positions()
  }

  /** Gives a position that everything is before which has been written until now. */
  async position(): Promise<string> {
    const log = await this.#positions()
    this.#newest = await within(PATIENCE, log.ask(this.#primary))
    return this.#newest
  }

  readonly run: Run = async (intent, work) => {
    if (intent === 'write') return this.runOnPrimary(intent, work)
    const caller = this.#callers.getStore()
    const replica = await this.#replicaFor(caller)
    if (replica === undefined) return this.runOnPrimary(intent, work)
    try {
      return await work(replica.client)
    } catch (error) {
      if (!isPassing(error)) throw error
      // A statement that gave way to the log says nothing against its node.
      if (fateOf(error) !== 'undone' || !isServing(error)) replica.fail()
      if (caller !== undefined) caller.chosen = Promise.resolve(undefined)
      return this.runOnPrimary(intent, work)
    }
  }

  /** Runs everything on the primary node. */
  readonly runOnPrimary: Run = async (intent, work) => {
    if (intent === 'write') this.noteWrite()
    const caller = this.#callers.getStore()
    const position = caller?.position
    if (caller !== undefined && position !== undefined) {
      caller.caughtUp ??= retried('read', () => this.#catchUp(position))
      await caller.caughtUp
    }
    return retried(intent, () => work(this.#primary))
  }

  // A node that others write to as well has their writes a little later. A position that it has not reached then was never written.
  async #catchUp(position: string): Promise<void> {
    const log = await this.#positions()
    if (log.askSettled === undefined || !log.isPosition(position)) return
    if (this.#newest !== undefined && log.reaches(this.#newest, position)) return
    if (!log.reaches(await this.position(), position))
      this.#newest = await within(PATIENCE, log.askSettled(this.#primary))
  }

  /** Notes that the caller writes: from here on it reads from the primary node. */
  noteWrite(): void {
    const caller = this.#callers.getStore()
    if (caller !== undefined) caller.wrote = true
  }

  // All reads of a request have one node, so that what belongs together has one age.
  #replicaFor(caller: Served | undefined): Promise<Replica | undefined> {
    if (caller === undefined) return Promise.resolve(this.#next())
    if (caller.wrote) return Promise.resolve(undefined)
    caller.chosen ??= this.#choose(caller.position)
    return caller.chosen
  }

  async #choose(position: string | undefined): Promise<Replica | undefined> {
    const replica = this.#next()
    if (replica === undefined || position === undefined) return replica
    const log = await this.#positions()
    if (!log.isPosition(position)) return replica
    try {
      if (log.reaches(await within(PATIENCE, log.ask(replica.client)), position)) return replica
    } catch {
      replica.fail()
      return undefined
    }
    const isWritten = await this.#isWritten(position, log)
    if (log.askSettled === undefined) return isWritten ? undefined : replica
    return isWritten ? undefined : this.#writerOf(position, log, replica)
  }

  /** Finds another replica that has a position; where all nodes take writes, one of them may have written what it stands for. */
  async #writerOf(position: string, log: PositionLog, lagging: Replica): Promise<Replica | undefined> {
    for (const replica of this.#replicas) {
      if (replica === lagging || !replica.isUp((client) => this.#probe(client))) continue
      try {
        if (log.reaches(await within(PATIENCE, log.ask(replica.client)), position)) return replica
      } catch {
        replica.fail()
      }
    }
    return undefined
  }

  // A position that the primary node has not reached was invented, or was lost with another primary node: it is ignored.
  async #isWritten(position: string, log: PositionLog): Promise<boolean> {
    if (this.#newest !== undefined && log.reaches(this.#newest, position)) return true
    this.#asking ??= this.position().finally(() => {
      this.#asking = undefined
    })
    try {
      return log.reaches(await this.#asking, position)
    } catch {
      return true
    }
  }

  #next(): Replica | undefined {
    const all = this.#replicas
    for (let i = 0; i < all.length; i++) {
      this.#turn = (this.#turn + 1) % all.length
      const replica = all[this.#turn] as Replica
      if (replica.isUp((client) => this.#probe(client))) return replica
    }
    return undefined
  }

  async #probe(client: SqlClient): Promise<void> {
    await within(PATIENCE, (await this.#positions()).ask(client))
  }

  #positions(): Promise<PositionLog> {
    this.#log ??= logOf(this.#primary).catch((error: unknown) => {
      this.#log = undefined
      throw error
    })
    return this.#log
  }
}

/** Makes the nodes of a database with replicas, when it has told that it can have some; undefined without replicas. */
export async function readyNodes(primary: SqlClient, replicas: readonly SqlClient[]): Promise<Nodes | undefined> {
  if (replicas.length === 0) return undefined
  const nodes = new Nodes(primary, replicas)
  await nodes.ready()
  return nodes
}

const isPassing = (error: unknown): boolean =>
  fateOf(error) !== undefined || (sqlFault(error) === 'unavailable' && !isCancelled(error))

/** Returns whether a node has answered, with a statement that it has undone. */
const isServing = (error: unknown): boolean => hasCode(error, SERVING)

const SERVING: ReadonlySet<unknown> = new Set(['40001', '40P01', 1213])

/** Returns whether a statement timed out or was cancelled: it would only take as long on another node. */
const isCancelled = (error: unknown): boolean => hasCode(error, CANCELLED)

const CANCELLED: ReadonlySet<unknown> = new Set(['57014', '55P03', 1205, 1317, 1969, 3024])

const hasCode = (error: unknown, wanted: ReadonlySet<unknown>): boolean =>
  judged(error, (one) => marksOf(one).codes.some((code) => wanted.has(code)) || undefined) ?? false

function within<V>(milliseconds: number, work: Promise<V>): Promise<V> {
  return new Promise((resolve, reject) => {
    const late = (): void => {
      const message = `A node did not tell its position within ${milliseconds} ms`
      reject(Object.assign(new Error(message), { code: 'ETIMEDOUT' }))
    }
    const timer = setTimeout(late, milliseconds)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
