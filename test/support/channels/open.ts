// Opens the carriers of the tests: one name for each client through which a carrier is reached.
import type { CarrierHarness } from 'edict/channels/suite'
import { type Carrier, memoryCarrier, postgresCarrier, redisCarrier } from '../../../src/plugins/channels/index.ts'
import type { ClientName } from '../stores/open.ts'
import { openPool } from '../stores/open.ts'

/** A carrier that is open. */
export type Opened = Awaited<ReturnType<CarrierHarness['open']>>

/** How a carrier is opened. */
export interface CarrierSettings {
  /** Whether the server is said to lose nothing. */
  readonly durable?: boolean
  /** Whether the client only sends commands or statements, so that readers look from time to time. */
  readonly polls?: boolean
}

/** Milliseconds for one operation: more than a busy machine needs, and little to wait for a server that stalls. */
const TIMEOUT = 8000

const silent = (): void => {}

/** Opens a carrier; clients are loaded when they are needed, as processes of tests begin here. */
export async function openCarrier(client: ClientName, url: string, settings: CarrierSettings = {}): Promise<Opened> {
  return OPENERS[client](url, settings)
}

type Open = (url: string, settings: CarrierSettings) => Promise<Opened>

const OPENERS: Readonly<Record<ClientName, Open>> = {
  memory: async () => opened(memoryCarrier(), async () => {}),
  async ioredis(url, { durable = false, polls = false }) {
    const { Redis } = await import('ioredis')
    const client = new Redis(url, { retryStrategy: () => 20 })
    client.on('error', silent)
    const send = ([name, ...args]: readonly string[]): Promise<unknown> => client.call(name as string, ...args)
    const carrier = redisCarrier(polls ? send : client, { durable, timeout: TIMEOUT, poll: 20 })
    return opened(carrier, async () => {
      await carrier.close()
      client.disconnect()
    })
  },
  async 'node-redis'(url, { durable = false }) {
    const { createClient } = await import('redis')
    const client = createClient({ url, socket: { reconnectStrategy: () => 20 } })
    client.on('error', silent)
    await client.connect()
    const carrier = redisCarrier(client, { durable, timeout: TIMEOUT })
    return opened(carrier, async () => {
      await carrier.close()
      client.destroy()
    })
  },
  async pg(url, { durable = false, polls = false }) {
    const pool = await openPool(url)
    const carrier = postgresCarrier(pool, { durable, timeout: TIMEOUT, listen: !polls, poll: 20 })
    return opened(carrier, async () => {
      await carrier.close()
      await pool.end()
    })
  },
}

const opened = (carrier: Carrier, close: () => Promise<void>): Opened => ({ carrier, close })
