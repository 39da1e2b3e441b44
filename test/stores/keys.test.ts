// Idempotency keys outside a process: in Redis and PostgreSQL, with three processes, restarts, and processes that are killed.
import { application } from 'edict'
import { idempotency } from 'edict/idempotency'
import { postgresStore } from 'edict/stores'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askFetch, askSocket, recorder } from '../support/ask.ts'
import { describeWith } from '../support/needs.ts'
import { runs } from '../support/runs.ts'
import { ORDERS, ordersIn } from '../support/stores/api.ts'
import { type Fleet, type Member, startFleet, startMember } from '../support/stores/fleet.ts'
import { openPool } from '../support/stores/open.ts'
import { needOf, type OwnServer, ownServer } from '../support/stores/servers.ts'

const post = (url: string, key: string, name: string): Promise<Response> =>
  fetch(`${url}/orders`, {
    method: 'POST',
    headers: { 'idempotency-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  })

/** Sends an order until it is answered for good; the server may be away meanwhile. */
async function insist(url: () => string, key: string, name: string): Promise<string> {
  for (;;) {
    try {
      const answer = await post(url(), key, name)
      const text = await answer.text()
      if (answer.status === 201) return text
      if (![409, 503].includes(answer.status)) throw new Error(`${answer.status} ${text}`)
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

for (const client of ['ioredis', 'node-redis', 'pg'] as const) {
  describeWith(needOf(client), `three processes over one store through ${client}`, () => {
    let server: OwnServer
    let fleet: Fleet
    beforeAll(async () => {
      server = await ownServer(client)
      if (client === 'pg') await withPool(server.url, async (pool) => void (await pool.query(ORDERS)))
      fleet = await startFleet(client, server.url)
    })
    afterAll(async () => {
      await fleet?.close()
      await server?.stop()
    })

    it('[IDP-02] [SCL-04] of 60 simultaneous requests with one key, one has an effect and all get its response', async () => {
      for (let round = 0; round < 3; round++) {
        const [key, name] = [crypto.randomUUID(), crypto.randomUUID()]
        const first = await Promise.all(
          Array.from({ length: 60 }, async (_, i) => (await post(fleet.urls[i % 3] as string, key, name)).status),
        )
        expect(new Set(first)).toEqual(new Set([201, ...first.filter((status) => status === 409)]))
        const all = await Promise.all(
          Array.from({ length: 60 }, (_, i) => insist(() => fleet.urls[i % 3] as string, key, name)),
        )
        expect(new Set(all).size).toBe(1)
        expect((await post(fleet.urls[round] as string, key, 'another')).status).toBe(422)
        if (client !== 'pg') expect(all[0]).toMatch(/^1 of /)
        else expect(await count(server.url, name)).toBe(1)
      }
    })

    it('[IDP-02] [SCL-04] a key and its response outlive a restart of the server of the store', async () => {
      const [key, name] = [crypto.randomUUID(), crypto.randomUUID()]
      const before = await insist(() => fleet.urls[0] as string, key, name)
      await server.restart()
      for (const url of fleet.urls) expect(await insist(() => url, key, name)).toBe(before)
    })
  })
}

describe('a key in the transaction of its effect', () => {
  let server: OwnServer
  let pool: pg.Pool
  beforeAll(async () => {
    server = await ownServer('pg')
    pool = await openPool(server.url)
    await pool.query(ORDERS)
  })
  afterAll(async () => {
    await pool?.end()
    await server?.stop()
  })

  it('[IDP-02] is there when the effect is, and is not when the effect failed', async () => {
    await pool.query("alter table orders add constraint named check (name <> 'odd')")
    const logger = recorder()
    const app = application({ controllers: [ordersIn(pool)], plugins: [idempotency(postgresStore(pool))], logger })
    const sent = (name: string) => ({ headers: { 'idempotency-key': name }, body: { name } })
    const first = await askSocket(app, 'POST /orders', sent('even'))
    expect(first.status).toBe(201)
    const again = await askFetch(app, 'POST /orders', sent('even'))
    expect([again.status, again.text]).toEqual([201, first.text])
    expect(await count(server.url, 'even')).toBe(1)
    expect((await askFetch(app, 'POST /orders', sent('odd'))).status).toBe(500)
    await pool.query('alter table orders drop constraint named')
    expect((await askFetch(app, 'POST /orders', sent('odd'))).status).toBe(201)
    expect(await count(server.url, 'odd')).toBe(1)
    const stray = { headers: { 'idempotency-key': 'even' }, body: { name: 'uneven' } }
    expect((await askFetch(app, 'POST /orders', stray)).status).toBe(422)
    expect(pool.idleCount).toBe(pool.totalCount)
  })

  const KILLS = runs(6, 200)

  it(`[IDP-02] ${KILLS} processes that are killed at any moment leave each effect done once`, {
    timeout: 600_000,
  }, async () => {
    const done: string[] = []
    // Two orders are on their way when the process ends: before they arrive, in their transactions, or when they are done.
    const lane = async (first: number): Promise<void> => {
      let member: Member = await startMember('pg', server.url, false)
      for (let i = first; i < KILLS; i += 3) {
        const names = [`order ${i} a`, `order ${i} b`]
        const orders = names.map((name) => insist(() => member.url, name, name))
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 80))
        member.process.kill('SIGKILL')
        await member.ended
        member = await startMember('pg', server.url, false)
        await Promise.all(orders)
        done.push(...names)
      }
      member.process.kill('SIGKILL')
    }
    await Promise.all([lane(0), lane(1), lane(2)])
    expect(done.length).toBe(2 * KILLS)
    const { rows } = await pool.query("select name from orders where name like 'order %'")
    expect(rows.map(({ name }) => name).sort()).toEqual(done.sort())
  })
})

async function withPool<T>(url: string, run: (pool: pg.Pool) => Promise<T>): Promise<T> {
  const pool = await openPool(url, 1)
  try {
    return await run(pool)
  } finally {
    await pool.end()
  }
}

const count = (url: string, name: string): Promise<number> =>
  withPool(url, async (pool) => {
    const { rows } = await pool.query('select count(*)::int as n from orders where name = $1', [name])
    return rows[0].n as number
  })
