// Channels whose server loses their end, or all of them: readers learn of a gap, and no position gets a second meaning.
import { writeFileSync } from 'node:fs'
import { Redis } from 'ioredis'
import { afterEach, expect, it } from 'vitest'
import { type Carrier, CarrierError, postgresCarrier, redisCarrier } from '../../src/plugins/channels/index.ts'
import { servePostgres } from '../support/engines/postgres-server.ts'
import { serveRedis } from '../support/engines/redis-server.ts'
import type { Served } from '../support/engines/serve.ts'
import { describeWith } from '../support/needs.ts'
import { openPool } from '../support/stores/open.ts'
import { redisNeed } from '../support/stores/servers.ts'

const BOUNDS = { count: 1000, age: 3_600_000 }
const LIMITS = { timeout: 8000 }

const cleanups: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

/** The address of a server that ends with the test. */
function urlOf(served: Served): string {
  cleanups.push(() => served.stop())
  if ('missing' in served.started) throw new Error(served.started.missing)
  return served.started.url
}

function connectRedis(url: string): Redis {
  const client = new Redis(url, { retryStrategy: () => 20 })
  client.on('error', () => {})
  cleanups.push(() => client.disconnect())
  return client
}

function openRedis(client: Redis, durable = false): Carrier {
  const carrier = redisCarrier(client, { ...LIMITS, durable })
  cleanups.push(() => carrier.close())
  return carrier
}

const append = (carrier: Carrier, ...texts: readonly string[]): Promise<void> =>
  carrier.append(
    'news',
    texts.map((text) => ({ text })),
    BOUNDS,
  )

/** Appends texts one by one; returns the position before the first, and those of all. */
async function fill(carrier: Carrier, ...texts: readonly string[]): Promise<string[]> {
  const positions = [await carrier.last('news')]
  for (const text of texts) {
    await append(carrier, text)
    positions.push(await carrier.last('news'))
  }
  return positions
}

async function retryWhileDown<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof CarrierError)) throw error
    }
  }
}

/** Reads from a position to the end: texts, and `gap` where a gap is reported. */
async function readOn(carrier: Carrier, position: string): Promise<string[]> {
  const found: string[] = []
  for (let at = position; ; ) {
    const { from, events } = await retryWhileDown(() => carrier.read('news', at, 100))
    if (from !== at) found.push('gap')
    if (from === at && events.length === 0) return found
    found.push(...events.map(({ text }) => text))
    at = events.at(-1)?.position ?? from
  }
}

describeWith(redisNeed, 'Redis', () => {
  it('[EVT-05] a server that keeps nothing begins again after a crash: every position is a gap', async () => {
    const served = await serveRedis({ durable: false })
    const carrier = openRedis(connectRedis(urlOf(served)))
    const before = await fill(carrier, '1', '2', '3')
    await served.restart?.()
    for (const position of before) expect(await readOn(carrier, position)).toEqual(['gap'])
    const after = await fill(carrier, 'after', 'more')
    expect(before.filter((position) => after.includes(position))).toEqual([])
    for (const position of before) expect(await readOn(carrier, position)).toEqual(['gap', 'after', 'more'])
  })

  it('[EVT-05] a reader that waits while such a server crashes learns of the gap', async () => {
    const served = await serveRedis({ durable: false })
    const carrier = openRedis(connectRedis(urlOf(served)))
    const position = (await fill(carrier, '1')).at(-1) as string
    const { signal } = new AbortController()
    const reading = (async () => {
      for (;;) {
        const found = await readOn(carrier, position)
        if (found.length > 0) return found
        await carrier.wait('news', position, signal)
      }
    })()
    await served.restart?.()
    expect(await reading).toEqual(['gap'])
  })

  it('[EVT-05] a server that loses its end keeps what is before the gap', async () => {
    const served = await serveRedis({ durable: false })
    const client = connectRedis(urlOf(served))
    const carrier = openRedis(client)
    const kept = await fill(carrier, '1', '2', '3')
    await client.save()
    const lost = await fill(carrier, '4', '5')
    await served.restart?.()
    await retryWhileDown(() => carrier.append('news', [{ text: 'after', key: 'k' }], BOUNDS))
    expect(await readOn(carrier, kept[0] as string)).toEqual(['1', '2', '3', 'gap', 'after'])
    expect(await readOn(carrier, kept[2] as string)).toEqual(['3', 'gap', 'after'])
    for (const position of lost) expect(await readOn(carrier, position)).toEqual(['gap', 'after'])
  })

  it('[EVT-05] a durable server loses nothing in a crash, and reports no gap', async () => {
    const served = await serveRedis()
    const client = connectRedis(urlOf(served))
    const [durable, other] = [openRedis(client, true), redisCarrier(client, { ...LIMITS, prefix: 'other:' })]
    const positions = await fill(durable, '1', '2', '3')
    const [start] = await fill(other, '1', '2', '3')
    await served.restart?.()
    for (const [i, position] of positions.entries())
      expect(await readOn(durable, position)).toEqual(['1', '2', '3'].slice(i))
    // Nobody has said that this one is durable.
    expect(await readOn(other, start as string)).toEqual(['1', '2', '3', 'gap'])
  })

  it('[EVT-05] a replica that takes over begins behind a gap', async () => {
    const primary = new URL(urlOf(await serveRedis()))
    const replica = connectRedis(urlOf(await serveRedis()))
    const start = (await fill(openRedis(connectRedis(primary.href)), '1', '2'))[0] as string
    await replica.config('SET', 'masterauth', primary.password)
    await replica.replicaof('127.0.0.1', Number(primary.port))
    await expect.poll(() => replica.info('replication')).toContain('master_link_status:up')
    await expect.poll(() => replica.keys('*')).not.toEqual([])
    await replica.replicaof('NO', 'ONE')
    expect(await readOn(openRedis(replica), start)).toEqual(['1', '2', 'gap'])
  })

  it('[EVT-05] keys that are removed are a gap, and those of a channel without events expire', async () => {
    const client = connectRedis(urlOf(await serveRedis()))
    const carrier = openRedis(client)
    const [start, , last] = (await fill(carrier, '1', '2')) as [string, string, string]
    await carrier.append('news', [{ text: '3' }], { count: 10, age: 1 })
    await expect.poll(() => client.exists('edict:channel:{news}')).toBe(0)
    expect(await readOn(carrier, start)).toEqual(['gap'])
    const end = await carrier.last('news')
    await append(carrier, '4')
    expect(await readOn(carrier, end)).toEqual(['4'])
    await client.flushall()
    for (const position of [start, last, end]) expect(await readOn(carrier, position)).toEqual(['gap'])
    await append(carrier, '5')
    for (const position of [start, last, end]) expect(await readOn(carrier, position)).toEqual(['gap', '5'])
    for (const key of await client.keys('*')) expect(await client.pttl(key)).toBeGreaterThan(0)
  })
})

it('[EVT-05] a PostgreSQL that takes over begins behind a gap', { timeout: 60_000 }, async () => {
  const served = await servePostgres()
  const pool = await openPool(urlOf(served))
  cleanups.push(() => pool.end())
  const carrier = postgresCarrier(pool, LIMITS)
  cleanups.push(() => carrier.close())
  const start = (await fill(carrier, '1', '2'))[0] as string
  const { rows } = await pool.query<{ data_directory: string }>('show data_directory')
  await served.kill?.()
  writeFileSync(`${rows[0]?.data_directory}/standby.signal`, '')
  await served.start?.()
  await expect(carrier.last('news')).rejects.toBeInstanceOf(CarrierError)
  await pool.query('select pg_promote()')
  await retryWhileDown(() => carrier.append('news', [{ text: 'after', key: 'k' }], BOUNDS))
  expect(await readOn(carrier, start)).toEqual(['1', '2', 'gap', 'after'])
})

it('[EVT-05] a PostgreSQL that commits later than it says loses no event in a crash', { timeout: 60_000 }, async () => {
  const served = await servePostgres({ durable: false })
  const pool = await openPool(urlOf(served))
  cleanups.push(() => pool.end())
  const carrier = postgresCarrier(pool, LIMITS)
  cleanups.push(() => carrier.close())
  const start = await carrier.last('news')
  // The tables are safe, and of the events nothing is yet.
  await pool.query('checkpoint')
  for (const text of ['1', '2', '3']) {
    await retryWhileDown(() => carrier.append('news', [{ text, key: text }], BOUNDS))
    await served.restart?.()
  }
  expect(await readOn(carrier, start)).toEqual(['1', '2', '3'])
})
