// Every carrier that edict brings passes the carrier suite: in memory, in Redis through two clients, and in PostgreSQL.
import { carrierSuite } from 'edict/channels/suite'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { openElsewhere } from '../support/channels/elsewhere.ts'
import { type CarrierSettings, type Opened, openCarrier } from '../support/channels/open.ts'
import { describeWith } from '../support/needs.ts'
import type { ClientName } from '../support/stores/open.ts'
import { needOf, type OwnServer, ownServer } from '../support/stores/servers.ts'
import { type Valve, valveTo } from '../support/stores/valve.ts'

const test = (name: string, run: () => Promise<void>): void => it(`[EVT-05] ${name}`, run, 60_000)

describe('memory', () => {
  carrierSuite({ test, open: async () => ({ carrier: shared, close: async () => {} }) })
})

const { carrier: shared } = await openCarrier('memory', '')

const CARRIERS: readonly (readonly [title: string, client: ClientName, settings: CarrierSettings])[] = [
  ['ioredis', 'ioredis', {}],
  ['node-redis', 'node-redis', { durable: true }],
  ['a function that sends commands', 'ioredis', { polls: true }],
  ['pg', 'pg', {}],
  ['pg without listening', 'pg', { polls: true, durable: true }],
]

for (const [title, client, settings] of CARRIERS) {
  describeWith(needOf(client), title, () => {
    let server: OwnServer
    let valve: Valve
    // Three processes serve all tests, each of which asks for three.
    const processes: Promise<Opened>[] = []
    let asked = 0
    beforeAll(async () => {
      server = await ownServer(client)
      valve = await valveTo(server.url)
    })
    afterAll(async () => {
      await Promise.all(processes.map(async (one) => (await one).close()))
      await valve?.close()
      await server?.stop()
    })
    carrierSuite({
      test,
      open: () => openCarrier(client, valve.url, settings),
      async elsewhere() {
        const place = asked++ % 3
        processes[place] ??= openElsewhere(client, server.url, settings)
        return { ...(await processes[place]), close: async () => {} }
      },
      restart: () => server.restart(),
      async stall() {
        valve.shut()
        return async () => valve.open()
      },
    })
  })
}
