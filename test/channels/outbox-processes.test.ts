// The outbox of several processes, of which some are killed: between commit and delivery, and between delivery and removal.
import { type ChildProcess, fork } from 'node:child_process'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { DialectName } from '../../src/plugins/datastores/sql/sql.ts'
import { bundled } from '../support/bundle.ts'
import { enginesHere, isNewer } from '../support/engines/clients/catalogued.ts'
import type { Engine } from '../support/engines/engine.ts'
import type { BoxClient } from '../support/outbox/clients.ts'
import type { Order, Report } from '../support/outbox/process.ts'

const PROGRAM = new URL('../support/outbox/process.ts', import.meta.url)
const CLIENTS: Readonly<Record<DialectName, readonly BoxClient[]>> = isNewer
  ? { sqlite: ['better-sqlite3', 'node:sqlite'], postgres: [], mysql: [] }
  : { sqlite: ['Drizzle'], postgres: ['pg'], mysql: ['mysql2'] }

/** Processes start slowly on a busy machine. */
const SLOW = 180_000

/** What all processes have delivered: a message of a known key is the same message again. */
class Mailbox {
  readonly texts: string[] = []
  /** The messages that came again. */
  repeated = 0
  readonly #keys = new Set<string>()

  keep(key: string, text: string): void {
    if (this.#keys.has(key)) this.repeated++
    else this.texts.push(text)
    this.#keys.add(key)
  }
}

/** A process with an outbox. */
class Peer {
  readonly reports: Report[] = []
  delivered = 0
  readonly #process: ChildProcess
  readonly #ended: Promise<void>

  constructor(child: ChildProcess, mailbox: Mailbox) {
    this.#process = child
    this.#ended = new Promise((resolve) => child.once('exit', () => resolve()))
    child.on('message', (report: Report) => {
      this.reports.push(report)
      if (!('delivered' in report)) return
      this.delivered += report.delivered.length
      for (const { key, text } of report.delivered) mailbox.keep(key, text)
      if (child.connected) child.send({ kept: report.number } satisfies Order, () => {})
    })
  }

  async tell(order: Order, answer: string): Promise<void> {
    const before = this.#count(answer)
    this.#process.send(order)
    await this.hears(answer, before + 1)
  }

  async hears(answer: string, times = 1): Promise<void> {
    await expect.poll(() => this.#count(answer), { timeout: 60_000, interval: 5 }).toBeGreaterThanOrEqual(times)
  }

  #count(answer: string): number {
    return this.reports.filter((report) => answer in report).length
  }

  async kill(): Promise<void> {
    this.#process.kill('SIGKILL')
    await this.#ended
  }
}

for (const need of await enginesHere()) {
  need.describe((engine) => {
    for (const client of CLIENTS[engine.dialect]) describe(client, () => testClient(engine, client))
  })
}

function testClient(engine: Engine, client: BoxClient): void {
  async function openPeers() {
    const base = await engine.createDatabase()
    // As every database of SQLite that several processes write.
    if (engine.dialect === 'sqlite') await base.run('pragma journal_mode = wal')
    const mailbox = new Mailbox()
    const peers: Peer[] = []
    onTestFinished(async () => {
      for (const peer of peers) await peer.kill()
      await base.close()
    })
    const program = await bundled(PROGRAM, { guarded: false })
    const startPeer = async (): Promise<Peer> => {
      const peer = new Peer(fork(program, [client, engine.dialect, base.url], { execArgv: [] }), mailbox)
      peers.push(peer)
      await peer.hears('ready')
      return peer
    }
    return { mailbox, startPeer }
  }

  const receives = (mailbox: Mailbox, texts: readonly string[]) =>
    expect.poll(() => mailbox.texts, { timeout: 60_000 }).toEqual(texts)

  test(
    '[EVT-05] delivers once what a process committed that was killed before it delivered',
    async () => {
      const { mailbox, startPeer } = await openPeers()
      const first = await startPeer()
      await first.tell({ add: ['1', '2'] }, 'added')
      await first.kill()
      const second = await startPeer()
      await second.tell({ relay: 'hold before' }, 'relays')
      await second.hears('holds')
      await second.kill()
      expect(mailbox.texts).toEqual([])
      const third = await startPeer()
      await third.tell({ add: ['3'] }, 'added')
      await third.tell({ relay: 'deliver' }, 'relays')
      await receives(mailbox, ['1', '2', '3'])
      expect(mailbox.repeated).toBe(0)
    },
    SLOW,
  )

  test(
    '[EVT-05] delivers with the same key what a process delivered that was killed before it was removed',
    async () => {
      const { mailbox, startPeer } = await openPeers()
      const first = await startPeer()
      await first.tell({ add: ['1', '2'] }, 'added')
      await first.tell({ relay: 'hold after' }, 'relays')
      await first.hears('holds')
      await first.kill()
      await receives(mailbox, ['1', '2'])
      const second = await startPeer()
      await second.tell({ relay: 'deliver' }, 'relays')
      await second.tell({ add: ['3'] }, 'added')
      await receives(mailbox, ['1', '2', '3'])
      expect(mailbox.repeated).toBe(2)
    },
    SLOW,
  )

  test(
    '[EVT-05] of two relays one works at a time, and the other replaces it when it is killed',
    async () => {
      const { mailbox, startPeer } = await openPeers()
      const [first, second, writer] = (await Promise.all([1, 2, 3].map(startPeer))) as [Peer, Peer, Peer]
      await first.tell({ relay: 'deliver' }, 'relays')
      await second.tell({ relay: 'deliver' }, 'relays')
      const expected: string[] = []
      const add = async (count: number): Promise<void> => {
        for (let i = 0; i < count; i++) {
          const text = `${expected.length}`
          expected.push(text)
          await writer.tell({ add: [text] }, 'added')
        }
      }
      await add(30)
      await receives(mailbox, expected)
      expect(mailbox.repeated).toBe(0)
      expect(first.delivered + second.delivered).toBe(30)
      const held = await startPeer()
      await first.kill()
      await second.kill()
      await held.tell({ relay: 'hold before' }, 'relays')
      await add(1)
      await held.hears('holds')
      const heir = await startPeer()
      await heir.tell({ relay: 'deliver' }, 'relays')
      await add(3)
      expect(heir.delivered).toBe(0)
      await held.kill()
      await receives(mailbox, expected)
      expect([mailbox.repeated, heir.delivered]).toEqual([0, 4])
    },
    SLOW,
  )
}
