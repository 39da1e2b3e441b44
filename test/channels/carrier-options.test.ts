// The options of carriers, and the keys and tables that they leave in their servers.
import { setImmediate } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { createClient } from 'redis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type ConnectedCarrier,
  postgresCarrier,
  postgresChannelTables,
  redisCarrier,
} from '../../src/plugins/channels/index.ts'
import { describeWith } from '../support/needs.ts'
import { openPool } from '../support/stores/open.ts'
import { needOf, type OwnServer, ownServer, redisNeed } from '../support/stores/servers.ts'

const BOUNDS = { count: 1000, age: 3_600_000 }
const LIMITS = { timeout: 8000 }

it('[EVT-05] a carrier refuses clients and options that it does not understand', () => {
  expect(() => redisCarrier({} as never)).toThrow(/^redisCarrier: the client is an object: give a client of ioredis/)
  expect(() => postgresCarrier({} as never)).toThrow(/^postgresCarrier: the client is an object: give a pool of pg/)
  expect(() => redisCarrier(async () => {}, { poll: 0 })).toThrow(/^redisCarrier: .*poll/)
  expect(() => postgresCarrier(async () => [], { prefix: 'Robert"; --' })).toThrow(/^postgresCarrier: .*prefix/)
})

/** Counts how often a wait ends while others publish. */
async function countEnds(carrier: ConnectedCarrier, publish: () => Promise<void>): Promise<number> {
  const position = await carrier.last('news')
  const stopping = new AbortController()
  let ends = 0
  const waiting = (async () => {
    while (!stopping.signal.aborted) {
      await carrier.wait('news', position, stopping.signal)
      await setImmediate()
      ends += 1
    }
  })()
  await publish()
  stopping.abort()
  await waiting
  return ends
}

describeWith(redisNeed, 'Redis', () => {
  let server: OwnServer
  beforeAll(async () => {
    server = await ownServer('ioredis')
  })
  afterAll(() => server?.stop())

  it('[EVT-05] a client with a prefix for keys hears of events', async () => {
    const client = new Redis(server.url, { keyPrefix: 'app:', lazyConnect: true, enableOfflineQueue: true })
    const carrier = redisCarrier(client, LIMITS)
    const publish = async (): Promise<void> => {
      for (let i = 0; i < 20; i++) await carrier.append('news', [{ text: 'x' }], BOUNDS)
    }
    // The position stays where it is: each wait ends at once, which it does not without having heard of an event.
    expect(await countEnds(carrier, publish)).toBeGreaterThan(5)
    expect(await client.call('KEYS', '*')).toContain('app:edict:channel:{news}')
    await carrier.close()
    client.disconnect()
  })

  it('[EVT-05] events of another database do not keep a reader awake', async () => {
    const clients = [5, 6].map((database) => createClient({ url: server.url, database }))
    for (const client of clients) await client.connect()
    const [one, other] = clients.map((client) => redisCarrier(client, LIMITS)) as [ConnectedCarrier, ConnectedCarrier]
    const publish = async (): Promise<void> => {
      for (let i = 0; i < 20; i++) await other.append('news', [{ text: 'x' }], BOUNDS)
      for (let i = 0; i < 200; i++) await one.last('news')
    }
    expect(await countEnds(one, publish)).toBeLessThan(60)
    for (const carrier of [one, other]) await carrier.close()
    for (const client of clients) client.destroy()
  })

  it('[EVT-05] a carrier has one connection of its own while readers wait, and none after close', async () => {
    const client = new Redis(server.url)
    const carrier = redisCarrier(client, LIMITS)
    const countSubscribers = async (): Promise<number> =>
      String(await client.client('LIST'))
        .split('\n')
        .filter((line) => /\bsub=[1-9]/.test(line)).length
    const stopping = new AbortController()
    const channels = ['a', 'b', 'c']
    const starts = await Promise.all(channels.map((channel) => carrier.last(channel)))
    const waits = channels.map((channel, i) => carrier.wait(channel, starts[i] as string, stopping.signal))
    await expect.poll(countSubscribers).toBe(1)
    await carrier.close()
    await Promise.all(waits)
    await expect.poll(countSubscribers).toBe(0)
    client.disconnect()
  })
})

describe('PostgreSQL', () => {
  let server: OwnServer
  beforeAll(async () => {
    if (needOf('pg').missing === undefined) server = await ownServer('pg')
  })
  afterAll(() => server?.stop())

  it('[EVT-05] processes that begin at the same time create the tables once', async () => {
    const pools = await Promise.all(Array.from({ length: 5 }, () => openPool(server.url, 1)))
    const carriers = pools.map((pool) => postgresCarrier(pool, { ...LIMITS, prefix: 'many_', listen: false }))
    await Promise.all(carriers.map((carrier) => carrier.append('news', [{ text: 'x' }], BOUNDS)))
    const { events } = await (carriers[0] as ConnectedCarrier).read('news', '', 10)
    expect(events).toHaveLength(5)
    for (const pool of pools) await pool.end()
  })

  it('[EVT-05] tables in another schema are those of a migration', async () => {
    const pool = await openPool(server.url)
    const carrier = postgresCarrier(pool, { ...LIMITS, prefix: 'app.own_', create: false })
    await expect(carrier.last('news')).rejects.toMatchObject({ name: 'CarrierError' })
    await pool.query('create schema app')
    await pool.query(postgresChannelTables('app.own_'))
    await pool.query(postgresChannelTables('app.own_'))
    const start = await carrier.last('news')
    await carrier.append('news', [{ text: 'x' }], BOUNDS)
    expect(await carrier.read('news', start, 10)).toMatchObject({ from: start, events: [{ text: 'x' }] })
    expect(await countEnds(carrier, () => carrier.append('news', [{ text: 'x' }], BOUNDS))).toBeGreaterThan(0)
    await carrier.close()
    await pool.end()
  })

  it('[EVT-05] events of a channel that is left alone are removed, and their positions are gaps', async () => {
    const pool = await openPool(server.url)
    const carrier = postgresCarrier(pool, LIMITS)
    const start = await carrier.last('left')
    await carrier.append('left', [{ text: 'x', key: 'x' }], { count: 10, age: 1 })
    const end = await carrier.last('left')
    const isThere = async (): Promise<boolean> => {
      await Promise.all(Array.from({ length: 100 }, () => carrier.append('busy', [{ text: 'y' }], BOUNDS)))
      const { rows } = await pool.query(`select 1 from edict_events where channel = 'left'`)
      return rows.length > 0
    }
    await expect.poll(isThere).toBe(false)
    expect((await carrier.read('left', start, 10)).from).not.toBe(start)
    expect(await carrier.read('left', end, 10)).toEqual({ from: end, events: [] })
    await carrier.close()
    await pool.end()
  })
})
