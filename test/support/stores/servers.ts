// The servers of stores, each started for one test file, which may restart it.
import { type Need, programNeed } from '../../../scripts/machine.ts'
import { servePostgres } from '../engines/postgres-server.ts'
import { serveRedis } from '../engines/redis-server.ts'
import type { Served } from '../engines/serve.ts'
import type { ClientName } from './open.ts'

/** A server that a test file has for itself. */
export interface OwnServer {
  readonly url: string
  restart(): Promise<void>
  stop(): Promise<void>
}

/** The need of a Redis server on this machine. */
export const redisNeed: Need = programNeed('redis-server', 'redis-server')

/** The server that a client needs on the machine. */
export const needOf = (client: ClientName): Need =>
  client === 'pg' || client === 'memory' ? { name: client, missing: undefined } : redisNeed

/** Starts the server that a client speaks to. */
export async function ownServer(client: ClientName): Promise<OwnServer> {
  const served = client === 'pg' ? await servePostgres({ durable: true }) : await serveRedis()
  if ('missing' in served.started) throw new Error(served.started.missing)
  return { url: served.started.url, restart: restartOf(served), stop: () => served.stop() }
}

const restartOf =
  ({ restart }: Served) =>
  async (): Promise<void> => {
    if (restart === undefined) throw new Error('This server cannot be restarted')
    await restart()
  }
