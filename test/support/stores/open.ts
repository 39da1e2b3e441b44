// Opens the stores of the tests: one name for each client through which a store is reached.
import type { StoreHarness } from 'edict/stores/suite'
import type pg from 'pg'
import { memoryStore, postgresStore, redisStore, type Store } from '../../../src/plugins/stores/index.ts'

/** The clients through which tests reach stores. */
export type ClientName = 'memory' | 'ioredis' | 'node-redis' | 'pg'

/** A store that is open. */
export type Opened = Awaited<ReturnType<StoreHarness['open']>>

/** Milliseconds for one operation: more than a busy machine needs, and little to wait for a server that stalls. */
const TIMEOUT = 8000

const silent = (): void => {}

/** Opens a store; clients are loaded when they are needed, as processes of tests begin here. */
export async function openStore(client: ClientName, url: string): Promise<Opened> {
  return OPENERS[client](url)
}

const OPENERS: Readonly<Record<ClientName, (url: string) => Promise<Opened>>> = {
  memory: async () => opened(memoryStore(), async () => {}),
  async ioredis(url) {
    const { Redis } = await import('ioredis')
    const client = new Redis(url, { retryStrategy: () => 20 })
    client.on('error', silent)
    return opened(redisStore(client, { timeout: TIMEOUT }), async () => client.disconnect())
  },
  async 'node-redis'(url) {
    const { createClient } = await import('redis')
    const client = createClient({ url, socket: { reconnectStrategy: () => 20 } })
    client.on('error', silent)
    await client.connect()
    return opened(redisStore(client, { timeout: TIMEOUT }), async () => client.destroy())
  },
  async pg(url) {
    const pool = await openPool(url)
    return opened(postgresStore(pool, { timeout: TIMEOUT }), () => pool.end())
  },
}

/** A pool of PostgreSQL that outlives its server. */
export async function openPool(url: string, max = 10): Promise<pg.Pool> {
  const { default: client } = await import('pg')
  const pool = new client.Pool({ connectionString: url, max })
  pool.on('error', silent)
  return pool
}

const opened = (store: Store, close: () => Promise<void>): Opened => ({ store, close })
