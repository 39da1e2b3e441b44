// Clients that wrote, and others, over a socket, while a replica lags, has caught up, and while the primary node is dead.
import { mysql2Datastore } from 'edict/mapper/mysql2'
import { pgDatastore } from 'edict/mapper/pg'
import { createPool, type Pool } from 'mysql2/promise'
import pg from 'pg'
import { expect, it } from 'vitest'
import { askSocket } from '../support/ask.ts'
import { GaleraCluster, galeraNeed } from '../support/cluster/galera.ts'
import { MariadbPair, mariadbPairNeed } from '../support/cluster/mariadb-pair.ts'
import { ask, PostgresCluster, postgresClusterNeed } from '../support/cluster/postgres.ts'
import { describeWith } from '../support/needs.ts'
import { type EventsApp, eventsIn } from './events.ts'

const SLOW = 120_000
const TABLE = 'create table events (id varchar(40) primary key, `rank` int not null, word varchar(40) not null)'

/** A database whose replica can be held back. */
interface Lagging {
  readonly app: EventsApp
  hold(): Promise<void>
  release(): Promise<void>
  /** Ends the primary node. */
  kill(): Promise<void>
  end(): Promise<void>
}

async function postgres(): Promise<Lagging> {
  const cluster = await PostgresCluster.start()
  await ask(cluster.proxied, TABLE.replaceAll('`', ''))
  const [, replica] = cluster.urls as [string, string]
  const pools = [cluster.proxied, replica].map((connectionString) => {
    const pool = new pg.Pool({ connectionString, max: 2, connectionTimeoutMillis: 3000 })
    pool.on('error', () => undefined)
    pool.on('connect', (client) => client.on('error', () => undefined))
    return pool
  }) as [pg.Pool, pg.Pool]
  return {
    app: eventsIn(await pgDatastore(pools[0], { replicas: [pools[1]] }), 'events'),
    hold: async () => void (await ask(replica, 'select pg_wal_replay_pause()')),
    async release() {
      await ask(replica, 'select pg_wal_replay_resume()')
      const written = await ask(cluster.proxied, 'select pg_current_wal_insert_lsn()::text')
      await expect
        .poll(() => ask(replica, `select pg_last_wal_replay_lsn() >= '${String(written)}'::pg_lsn`), { timeout: SLOW })
        .toBe(true)
    },
    kill: () => cluster.kill(0),
    async end() {
      await Promise.all(pools.map((one) => one.end()))
      await cluster.stop()
    },
  }
}

async function mariadb(): Promise<Lagging> {
  const pair = await MariadbPair.start()
  await pair.run(0, 'create database events', `use events`, TABLE)
  await pair.caughtUp()
  const pools = pair.urls.map((uri) => createPool({ uri: `${uri}/events`, connectTimeout: 3000 })) as [Pool, Pool]
  return {
    app: eventsIn(await mysql2Datastore(pools[0], { replicas: [pools[1]] }), 'events'),
    hold: async () => void (await pair.run(1, 'stop slave sql_thread')),
    async release() {
      await pair.run(1, 'start slave sql_thread')
      await pair.caughtUp()
    },
    kill: () => pair.kill(0),
    async end() {
      await Promise.all(pools.map((one) => one.end().catch(() => undefined)))
      await pair.stop()
    },
  }
}

const write = async (app: EventsApp, id: string): Promise<string> => {
  const { status, headers } = await askSocket(app, 'POST /events', { body: { id, rank: 1, word: 'w' } })
  expect(status).toBe(201)
  return headers['data-position'] as string
}

const statusOf = async (app: EventsApp, id: string, position?: string): Promise<number> =>
  (await askSocket(app, `GET /events/${id}`, position === undefined ? {} : { headers: { 'Data-Position': position } }))
    .status

const idsOf = async (app: EventsApp, position?: string): Promise<string[]> => {
  const headers: Record<string, string> = position === undefined ? {} : { 'Data-Position': position }
  return (await askSocket(app, 'GET /events?order=id', { headers })).json.map(({ id }: { id: string }) => id)
}

/** The ids of an export, which is read piece by piece long after its first statement. */
const exportOf = async (app: EventsApp, position?: string): Promise<string[]> => {
  const headers: Record<string, string> = position === undefined ? {} : { 'Data-Position': position }
  const { status, text } = await askSocket(app, 'GET /events/export?order=id', { headers })
  expect(status).toBe(200)
  return text.split('\n').flatMap((line) => (line === '' ? [] : [(JSON.parse(line) as { id: string }).id]))
}

for (const [name, need, open] of [
  ['PostgreSQL', postgresClusterNeed, postgres],
  ['MariaDB with GTID', mariadbPairNeed, mariadb],
] as const)
  describeWith(need, `${name}, with a replica that lags`, () => {
    it(
      '[SCL-02] [LST-10] the writer reads its write from the primary node, all others and later reads use the replica',
      async () => {
        const { app, hold, release, kill, end } = await open()
        try {
          const first = await write(app, 'first')
          await release()
          await hold()
          const second = await write(app, 'second')
          // The replica does not have it, and who did not write it reads there.
          expect(await statusOf(app, 'second')).toBe(404)
          expect(await idsOf(app)).toEqual(['first'])
          expect(await statusOf(app, 'second', second)).toBe(200)
          expect(await idsOf(app, second)).toEqual(['first', 'second'])
          // So do exports.
          expect(await exportOf(app)).toEqual(['first'])
          expect(await exportOf(app, second)).toEqual(['first', 'second'])
          // An older position is one that the replica has: it answers, without what came later.
          expect(await idsOf(app, first)).toEqual(['first'])
          await release()
          expect(await statusOf(app, 'second', second)).toBe(200)
          expect(await statusOf(app, 'second')).toBe(200)
          // Without a primary node only the replica can answer: nobody waits for the other.
          await kill()
          expect(await idsOf(app, second)).toEqual(['first', 'second'])
          expect(await idsOf(app)).toEqual(['first', 'second'])
          expect(await exportOf(app, second)).toEqual(['first', 'second'])
        } finally {
          await end()
        }
      },
      SLOW,
    )
  })

describeWith(galeraNeed, 'MariaDB under Galera, with nodes that lag', () => {
  it(
    '[SCL-02] a process whose own node lags reads a write of another process, and changes what that has written',
    async () => {
      const cluster = await GaleraCluster.start()
      const pools: Pool[] = []
      try {
        await cluster.run('create database events', TABLE.replace('events', 'events.events'))
        const open = (url: string): Pool => {
          pools.push(createPool({ uri: `${url}/events`, connectTimeout: 3000 }))
          return pools.at(-1) as Pool
        }
        const [a, b, c] = cluster.urls as [string, string, string]
        const appOf = async (own: string, ...others: string[]) =>
          eventsIn(await mysql2Datastore(open(own), { replicas: others.map(open) }), 'events')
        const [writer, reader] = [await appOf(a, b, c), await appOf(b, c, a)]
        // A node that may not change its tables goes on receiving what others write.
        const held = [await open(b).getConnection(), await open(c).getConnection()]
        for (const one of held) await one.query('flush tables with read lock')
        const position = await write(writer, 'first')
        for (const one of held) expect((await one.query('select id from events'))[0]).toEqual([])
        for (let i = 0; i < 4; i++) expect(await statusOf(reader, 'first', position)).toBe(200)
        const removed = askSocket(reader, 'DELETE /events/first', { headers: { 'Data-Position': position } })
        for (const one of held) await one.query('unlock tables')
        expect((await removed).status).toBe(204)
        // A position that nobody has written binds nobody.
        expect(await statusOf(reader, 'first', position.replace(/\d+$/, '9999999'))).toBe(404)
        for (const one of held) one.release()
      } finally {
        await Promise.all(pools.map((one) => one.end().catch(() => undefined)))
        await cluster.stop()
      }
    },
    SLOW,
  )
})
