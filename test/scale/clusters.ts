// The clusters that storms go over, each with processes of several clients.
import { int, mysqlTable, varchar } from 'drizzle-orm/mysql-core'
import { drizzle as mysqlDrizzle } from 'drizzle-orm/mysql2'
import { drizzle } from 'drizzle-orm/node-postgres'
import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { integer as sqliteInteger, sqliteTable, text as sqliteText } from 'drizzle-orm/sqlite-core'
import { drizzle as proxyDrizzle } from 'drizzle-orm/sqlite-proxy'
import { drizzleDatastore } from 'edict/mapper/drizzle'
import { kyselyDatastore } from 'edict/mapper/kysely'
import { mysql2Datastore } from 'edict/mapper/mysql2'
import { pgDatastore } from 'edict/mapper/pg'
import { Kysely, MysqlDialect, PostgresDialect } from 'kysely'
import { createPool, type Pool } from 'mysql2/promise'
import pg from 'pg'
import { GaleraCluster } from '../support/cluster/galera.ts'
import { MariadbPair } from '../support/cluster/mariadb-pair.ts'
import { ask, PostgresCluster } from '../support/cluster/postgres.ts'
import { RqliteCluster, rqlite } from '../support/cluster/rqlite.ts'
import { type EventsApp, eventsIn } from './events.ts'
import type { Blow, Cluster } from './storm.ts'

const pgEvents = pgTable('events', { id: text().primaryKey(), rank: integer().notNull(), word: text().notNull() })

function pgPool(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: 4, connectionTimeoutMillis: 3000 })
  // Idle connections end with their server.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/** The clients that a fleet of processes may have; links of one client's datastore continue in the same. */
export type PgClient = 'pg' | 'Drizzle' | 'Kysely'

const PG_STORES: Readonly<Record<PgClient, (primary: pg.Pool, replicas: readonly pg.Pool[]) => Promise<EventsApp>>> = {
  pg: async (primary, replicas) => eventsIn(await pgDatastore(primary, { replicas }), 'events'),
  Drizzle: async (primary, replicas) =>
    eventsIn(drizzleDatastore(drizzle(primary), { replicas: replicas.map((one) => drizzle(one)) }), pgEvents),
  async Kysely(primary, replicas) {
    const kysely = (pool: pg.Pool) => new Kysely<{ events: unknown }>({ dialect: new PostgresDialect({ pool }) })
    return eventsIn(await kyselyDatastore(kysely(primary), { replicas: replicas.map(kysely) }), 'events')
  },
}

/** PostgreSQL with a streaming replica behind PgBouncer. */
export async function postgresStorm(client: PgClient, processes = 2): Promise<Cluster> {
  const cluster = await PostgresCluster.start()
  await ask(cluster.proxied, 'create table events (id text primary key, rank integer not null, word text not null)')
  await ask(cluster.proxied, 'create index on events (rank, id)')
  const pools: pg.Pool[] = []
  const pool = (url: string): pg.Pool => {
    pools.push(pgPool(url))
    return pools.at(-1) as pg.Pool
  }
  // Whichever node takes writes, both of them can be read from.
  const process = () => PG_STORES[client](pool(cluster.proxied), cluster.urls.map(pool))
  return {
    name: `PostgreSQL, a replica, PgBouncer (${client})`,
    apps: await Promise.all(Array.from({ length: processes }, process)),
    blows: [replicaDies(cluster), primaryDies(cluster)],
    ids: () => idsOf(cluster),
    async end() {
      await Promise.all(pools.map((one) => one.end()))
      await cluster.stop()
    },
  }
}

// A failover manager lets the primary node go on alone before anybody waits for a replica that does not answer.
const replicaDies = (cluster: PostgresCluster): Blow => ({
  title: 'the replica is killed',
  async strike() {
    await cluster.synchronous(false)
    await cluster.kill(1 - cluster.primary)
  },
  async recover() {
    await cluster.start(1 - cluster.primary)
    await cluster.synchronous(true)
  },
})

const primaryDies = (cluster: PostgresCluster): Blow => ({
  title: 'the primary node is killed, and the replica takes its place',
  async strike() {
    await cluster.kill(cluster.primary)
    await cluster.failOver()
  },
  async recover() {
    await cluster.rejoin()
    await cluster.synchronous(true)
  },
})

async function idsOf(cluster: PostgresCluster): Promise<string[]> {
  const all = await ask(cluster.proxied, "select string_agg(id, ',') from events")
  return String(all).split(',')
}

// --- MariaDB --------------------------------------------------------------------------

const mysqlEvents = mysqlTable('events', {
  id: varchar({ length: 40 }).primaryKey(),
  rank: int().notNull(),
  word: varchar({ length: 40 }).notNull(),
})

export type MysqlClient = 'mysql2' | 'Drizzle' | 'Kysely'

const MYSQL_STORES: Readonly<
  Record<MysqlClient, (own: string, others: readonly string[], open: Open) => Promise<EventsApp>>
> = {
  mysql2: async (own, others, open) =>
    eventsIn(await mysql2Datastore(open(own), { replicas: others.map(open) }), 'events'),
  Drizzle: async (own, others, open) =>
    eventsIn(
      drizzleDatastore(mysqlDrizzle(open(own)), { replicas: others.map((one) => mysqlDrizzle(open(one))) }),
      mysqlEvents,
    ),
  async Kysely(own, others, open) {
    // Kysely takes pools with callbacks.
    const kysely = (url: string) =>
      new Kysely<{ events: unknown }>({ dialect: new MysqlDialect({ pool: open(url).pool as never }) })
    return eventsIn(await kyselyDatastore(kysely(own), { replicas: others.map(kysely) }), 'events')
  },
}

type Open = (url: string) => Pool

/** Three nodes of MariaDB under Galera: each process writes to a node of its own, and reads from the others. */
export async function galeraStorm(client: MysqlClient, kills: number): Promise<Cluster> {
  const cluster = await GaleraCluster.start()
  await cluster.run(
    'create database events',
    'create table events.events (id varchar(40) primary key, `rank` int not null, word varchar(40) not null, key (`rank`, id))',
  )
  const urls = cluster.urls.map((url) => `${url}/events`)
  const pools: Pool[] = []
  const open: Open = (uri) => {
    pools.push(createPool({ uri, connectionLimit: 4, connectTimeout: 3000 }))
    return pools.at(-1) as Pool
  }
  const apps = await Promise.all(
    urls.map((own, i) => MYSQL_STORES[client](own, [urls[(i + 1) % 3] as string, urls[(i + 2) % 3] as string], open)),
  )
  return {
    name: `MariaDB, three nodes under Galera (${client})`,
    apps,
    blows: Array.from({ length: kills }, (_, i) => nodeDies(cluster, i % 3)),
    ids: () => cluster.column('select id from events.events'),
    async end() {
      await Promise.all(pools.map((one) => one.end().catch(() => undefined)))
      await cluster.stop()
    },
  }
}

const nodeDies = (cluster: GaleraCluster, node: number): Blow => ({
  title: `node ${node + 1} is killed`,
  strike: () => cluster.kill(node),
  async recover() {
    await cluster.start(node)
    await cluster.whole()
  },
})

/** MariaDB with a replica that follows by GTID: each process writes to the primary node and reads from the replica. */
export async function gtidStorm(client: MysqlClient, kills: number): Promise<Cluster> {
  const pair = await MariadbPair.start()
  await pair.run(
    0,
    'create database events',
    'create table events.events (id varchar(40) primary key, `rank` int not null, word varchar(40) not null, key (`rank`, id))',
  )
  await pair.caughtUp()
  const [primary, replica] = pair.urls.map((url) => `${url}/events`) as [string, string]
  const pools: Pool[] = []
  const open: Open = (uri) => {
    pools.push(createPool({ uri, connectionLimit: 4, connectTimeout: 3000 }))
    return pools.at(-1) as Pool
  }
  const blow: Blow = { title: 'the replica is killed', strike: () => pair.kill(1), recover: () => pair.start(1) }
  return {
    name: `MariaDB, a replica by GTID (${client})`,
    apps: await Promise.all([1, 2, 3].map(() => MYSQL_STORES[client](primary, [replica], open))),
    blows: Array.from({ length: kills }, () => blow),
    ids: async () => (await pair.run(0, 'select id from events.events')).map(String),
    async end() {
      await Promise.all(pools.map((one) => one.end().catch(() => undefined)))
      await pair.stop()
    },
  }
}

// --- rqlite ---------------------------------------------------------------------------

const sqliteEvents = sqliteTable('events', {
  id: sqliteText().primaryKey(),
  rank: sqliteInteger().notNull(),
  word: sqliteText().notNull(),
})

/** Three nodes of rqlite: each process begins with a node of its own, and each blow ends the leader. */
export async function rqliteStorm(kills: number): Promise<Cluster> {
  const cluster = await RqliteCluster.start()
  const { urls } = cluster
  await rqlite(urls, 'create table events (id text primary key, "rank" integer not null, word text not null)', [])
  await rqlite(urls, 'create index events_rank on events ("rank", id)', [])
  const process = (_: string, i: number): EventsApp => {
    const own = [...urls.slice(i), ...urls.slice(0, i)]
    const database = proxyDrizzle(async (sql, args, method) => {
      const rows = await rqlite(own, sql, args)
      return { rows: method === 'get' ? (rows[0] as unknown[]) : rows }
    })
    return eventsIn(drizzleDatastore(database), sqliteEvents)
  }
  let dead = 0
  const blow: Blow = {
    title: 'the leader is killed',
    async strike() {
      dead = await cluster.leader()
      await cluster.kill(dead)
    },
    recover: () => cluster.start(dead),
  }
  return {
    name: 'rqlite, three nodes (Drizzle)',
    consistent: true,
    apps: urls.map(process),
    blows: Array.from({ length: kills }, () => blow),
    ids: async () => (await rqlite(urls, 'select id from events', [])).map(([id]) => String(id)),
    end: () => cluster.stop(),
  }
}
