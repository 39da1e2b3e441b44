// The outbox of several processes, of which some are killed: between commit and delivery, and between delivery and removal.
import { describe, expect, onTestFinished, test } from 'vitest'
import type { DialectName } from '../../src/plugins/datastores/sql/sql.ts'
import { enginesHere, isNewer } from '../support/engines/clients/catalogued.ts'
import type { Engine } from '../support/engines/engine.ts'
import type { BoxClient } from '../support/outbox/clients.ts'
import { Mailbox, type Peer, startPeer as start } from '../support/outbox/peer.ts'

const CLIENTS: Readonly<Record<DialectName, readonly BoxClient[]>> = isNewer
  ? { sqlite: ['better-sqlite3', 'node:sqlite'], postgres: [], mysql: [] }
  : { sqlite: ['Drizzle'], postgres: ['pg'], mysql: ['mysql2'] }

/** Processes start slowly on a busy machine. */
const SLOW = 180_000

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
    const startPeer = async (): Promise<Peer> => {
      const peer = await start(mailbox, client, engine.dialect, base.url)
      peers.push(peer)
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
