// Every store that edict brings passes the store suite: in memory, in Redis through two clients, and in PostgreSQL.
import { type StoreHarness, storeSuite } from 'edict/stores/suite'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { describeWith } from '../support/needs.ts'
import { openElsewhere } from '../support/stores/elsewhere.ts'
import { type Opened, openPool, openStore } from '../support/stores/open.ts'
import { needOf, type OwnServer, ownServer } from '../support/stores/servers.ts'
import { type Valve, valveTo } from '../support/stores/valve.ts'

const test = (name: string, run: () => Promise<void>): void => it(name, run, 60_000)

describe('memory', () => {
  storeSuite({ test, open: async () => ({ store: shared, close: async () => {} }) })
})

const { store: shared } = await openStore('memory', '')

for (const client of ['ioredis', 'node-redis', 'pg'] as const) {
  describeWith(needOf(client), client, () => {
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
    storeSuite({
      test,
      open: () => openStore(client, valve.url),
      async elsewhere() {
        const place = asked++ % 3
        processes[place] ??= openElsewhere(client, server.url)
        return { ...(await processes[place]), close: async () => {} }
      },
      restart: () => server.restart(),
      async stall() {
        valve.shut()
        return async () => valve.open()
      },
      ...(client === 'pg' && { transaction: () => begin(server.url) }),
    })
  })
}

async function begin(url: string): ReturnType<NonNullable<StoreHarness['transaction']>> {
  const pool = await openPool(url, 1)
  const connection = await pool.connect()
  await connection.query('begin')
  return {
    connection,
    async end(how) {
      await connection.query(how)
      connection.release()
      await pool.end()
    },
  }
}
