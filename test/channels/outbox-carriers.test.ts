// The outbox over the carriers of several processes: a message that is delivered again is an event once.
import { expect, onTestFinished } from 'vitest'
import { openCarrier } from '../support/channels/open.ts'
import { startPostgres } from '../support/engines/postgres.ts'
import { itWith } from '../support/needs.ts'
import { Mailbox, type Peer, startPeer } from '../support/outbox/peer.ts'
import { needOf, ownServer } from '../support/stores/servers.ts'

const postgres = await startPostgres()

postgres.describe((engine) => {
  for (const client of ['pg', 'ioredis'] as const)
    itWith(
      needOf(client),
      `[EVT-05] carries events once with ${client}, though their relay is killed before it removes them`,
      async () => {
        const base = await engine.createDatabase()
        const server = client === 'pg' ? undefined : await ownServer(client)
        const url = server?.url ?? base.url
        const peers: Peer[] = []
        const open = async (): Promise<Peer> => {
          const peer = await startPeer(new Mailbox(), 'pg', engine.dialect, base.url, client, url)
          peers.push(peer)
          return peer
        }
        const { carrier, close } = await openCarrier(client, url)
        onTestFinished(async () => {
          await close()
          for (const peer of peers) await peer.kill()
          await server?.stop()
          await base.close()
        })
        const begin = await carrier.last('news')
        const read = async () => (await carrier.read('news', begin, 100)).events.map(({ text }) => text)
        const first = await open()
        await first.tell({ add: ['1', '2', '3'] }, 'added')
        await first.tell({ relay: 'hold after' }, 'relays')
        await first.hears('holds')
        await first.kill()
        expect(await read()).toEqual(['1', '2', '3'])
        const second = await open()
        await second.tell({ relay: 'hold after' }, 'relays')
        await second.hears('holds')
        await second.kill()
        const third = await open()
        await third.tell({ relay: 'deliver' }, 'relays')
        await third.tell({ add: ['4'] }, 'added')
        await expect.poll(read, { timeout: 60_000 }).toEqual(['1', '2', '3', '4'])
      },
      180_000,
    )
})
